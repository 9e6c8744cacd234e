import { parseTemplate } from '../base/wording/template.ts';
import type { Scalar } from '../model/fact.ts';
import type { FieldSpec } from '../model/fact-kinds/spec.ts';
import { fieldSpec } from '../model/fact-kinds.ts';
import type { Place } from '../model/place.ts';
import { PLACES } from '../model/place.ts';
import type { Frames, Wording } from '../model/rule.ts';
import { factsSpokenIn } from '../model/spoken-fields.ts';

/** The wordings of one rule with the frames of its stage: what a pattern that hears them may ask for. */
export interface RuleWordings {
  readonly says: readonly Wording[];
  readonly frames: Frames;
}

/** Where these wordings may be said. */
export function placesOf({ says }: RuleWordings): readonly Place[] {
  return says.some(({ in: places }) => places.length === 0)
    ? PLACES
    : [...new Set([...says.flatMap(({ in: places }) => places), 'text' as const])];
}

/** Variables that a match of these wordings gives, each with whether every match has it. */
export function capturesOf({
  says,
  frames,
}: RuleWordings): ReadonlyMap<string, { readonly type: FieldSpec['type']; readonly surely: boolean }> {
  const found = new Map<string, { type: FieldSpec['type']; surely: boolean }>();
  const perWording = says.map(variablesOf);
  for (const variables of [...perWording, ...frames.around.filter(({ fact }) => fact === undefined).map(variablesOf)]) {
    for (const [name, type] of variables) found.set(name, { type, surely: perWording.every((own) => own.has(name)) });
  }
  return found;
}

/** Variables of one wording. */
export function variablesOf({ text, as }: Wording): ReadonlyMap<string, FieldSpec['type']> {
  const variables = new Map<string, FieldSpec['type']>(Object.entries(as).map(([name, value]) => [name, typeOf(value)]));
  const template = parseTemplate(text);
  for (const { name, form } of 'problem' in template ? [] : template.captures)
    if (name !== undefined) variables.set(name, form === 'number' ? 'number' : 'text');
  return variables;
}

function typeOf(value: Scalar): FieldSpec['type'] {
  return typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'flag';
}

/** What a field of a match of these wordings is: a variable, a field of its own, or one of the fact whose text it is. */
export function spokenField(spoken: RuleWordings, field: string): FieldSpec | undefined {
  const captured = capturesOf(spoken).get(field);
  if (captured !== undefined) return { type: captured.type, says: 'captured by a wording' };
  const own = fieldSpec('said', field);
  if (own !== undefined) return own;
  return factsSpokenIn(placesOf(spoken))
    .map((kind) => fieldSpec(kind, field))
    .find((spec) => spec !== undefined);
}

/** Names of all fields of a match of these wordings. */
export function spokenFields(
  spoken: RuleWordings,
  fieldsOf: (kind: ReturnType<typeof factsSpokenIn>[number] | 'said') => readonly string[],
): readonly string[] {
  return [...new Set([...capturesOf(spoken).keys(), ...fieldsOf('said'), ...factsSpokenIn(placesOf(spoken)).flatMap(fieldsOf)])];
}
