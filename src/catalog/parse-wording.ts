import { didYouMean } from '../base/text.ts';
import { parseTemplate } from '../base/wording/template.ts';
import type { Scalar } from '../model/fact.ts';
import type { FactKind } from '../model/fact-kinds.ts';
import { FACT_KINDS, fieldSpec, isFactKind } from '../model/fact-kinds.ts';
import { PLACES } from '../model/place.ts';
import type { Wording } from '../model/rule.ts';
import { variablesOf } from './rule-wordings.ts';
import type { YamlCursor } from './yaml-cursor.ts';

export const WORDING_FIELDS = ['fact', 'in', 'reason', 'text', 'anyCase', 'general', 'as', 'since', 'until'] as const;

export const MINOR_VERSION = /^1\.\d{1,3}$/;

/** The wordings of a rule: a list of `{ fact, in, reason, text, anyCase, general, as, since, until }`. */
export function parseWordings(cursor: YamlCursor | undefined): readonly Wording[] {
  return cursor?.items().map((item) => parseWording(item, WORDING_FIELDS)) ?? [];
}

export function parseWording(cursor: YamlCursor, known: readonly string[]): Wording {
  const fields = cursor.fields(known);
  const reason = listed(fields.get('reason')).flatMap((each) => each.text() ?? []);
  if (!fields.has('text') && reason.length === 0) cursor.problem('a wording needs a text or a reason');
  const { text, readable } = parseText(fields.get('text'));
  const fact = parseKind(fields.get('fact'));
  const wording: Wording = {
    ...(fact === undefined ? {} : { fact }),
    in: listed(fields.get('in')).flatMap((each) => each.oneOf(PLACES) ?? []),
    reason,
    text,
    anyCase: fields.get('anyCase')?.flag() ?? false,
    general: fields.get('general')?.flag() ?? false,
    as: constants(fields.get('as')),
    ...version('since', fields.get('since')),
    ...version('until', fields.get('until')),
  };
  if (fact !== undefined && readable) checkFields(wording, fact, fields);
  return wording;
}

function parseText(cursor: YamlCursor | undefined): { readonly text: string; readonly readable: boolean } {
  const text = cursor?.exactText() ?? '';
  const parsed = text === '' ? undefined : parseTemplate(text);
  if (parsed === undefined || !('problem' in parsed)) return { text, readable: true };
  cursor?.problem(parsed.problem);
  return { text, readable: false };
}

function parseKind(cursor: YamlCursor | undefined): FactKind | undefined {
  const fact = cursor?.text();
  if (fact === undefined || isFactKind(fact)) return fact;
  cursor?.problem(`unknown kind of fact: ${JSON.stringify(fact)}${didYouMean(fact, Object.keys(FACT_KINDS), 'known')}`);
  return undefined;
}

/** What a wording of a fact captures or adds must be fields of the fact, with values that they may have. */
function checkFields(wording: Wording, kind: FactKind, fields: ReadonlyMap<string, YamlCursor>): void {
  for (const [name, type] of variablesOf(wording)) {
    const spec = fieldSpec(kind, name);
    const [added, at] = [wording.as[name], fields.get(Object.hasOwn(wording.as, name) ? 'as' : 'text')];
    if (spec === undefined)
      at?.problem(`a ${kind} fact has no field ${JSON.stringify(name)}${didYouMean(name, Object.keys(FACT_KINDS[kind].fields), 'known')}`);
    else if (spec.type !== type) at?.problem(`field ${JSON.stringify(name)} of a ${kind} fact is a ${spec.type}, not a ${type}`);
    else if (typeof added === 'string' && spec.oneOf?.includes(added) === false)
      at?.problem(`${JSON.stringify(added)} is not a value of field ${JSON.stringify(name)}${didYouMean(added, spec.oneOf)}`);
  }
}

/** One value may stand without its list. */
function listed(cursor: YamlCursor | undefined): readonly YamlCursor[] {
  if (cursor === undefined) return [];
  return cursor.isList() ? cursor.items() : [cursor];
}

function constants(cursor: YamlCursor | undefined): Readonly<Record<string, Scalar>> {
  const values: Record<string, Scalar> = {};
  for (const [name, value] of cursor?.entries() ?? []) {
    const scalar = value.scalar();
    if (scalar !== undefined) values[name] = scalar;
  }
  return values;
}

function version<K extends 'since' | 'until'>(name: K, cursor: YamlCursor | undefined): { readonly [key in K]?: string } {
  if (cursor === undefined) return {};
  const text = cursor.text();
  if (text === undefined) return {};
  if (!MINOR_VERSION.test(text)) cursor.problem(`${JSON.stringify(text)} is not a valid Kubernetes minor version: write "1.32", in quotes`);
  return { [name]: text } as { readonly [key in K]?: string };
}
