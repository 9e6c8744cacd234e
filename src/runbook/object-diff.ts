import type { Json, JsonObject } from '../base/json.ts';
import { asObject, asText, dig, isJsonObject } from '../base/json.ts';
import { sameJson, withFields, withPath } from '../base/json-edit.ts';
import { printable, printableUpTo } from '../base/text.ts';

const LINES = 40;
const LONGEST = 200;

/** What a person looks at before they say yes: `- spec.replicas: 2`, `+ spec.replicas: 3`. Nothing the server keeps for itself, and no values of Secrets. */
export function diffLines(before: JsonObject | undefined, after: JsonObject | undefined): readonly string[] {
  const lines: string[] = [];
  const conceal = asText(before?.['kind'] ?? after?.['kind']) === 'Secret';
  compare(before === undefined ? undefined : ownPart(before), after === undefined ? undefined : ownPart(after), '', (sign, path, value) => lines.push(`${sign} ${conceal && /^(data|stringData)\b/.test(path) ? `${printable(path)}: (not shown)` : shownValue(path, value)}`));
  return lines.length > LINES ? [...lines.slice(0, LINES), `  and ${lines.length - LINES} more lines`] : lines;
}

/**
 * The part of an object that people and controllers decide: without status, and without what the server counts and when it did so (a
 * simulated cluster whose time is sped up tells moments anew at every look).
 */
export function ownPart(object: JsonObject): JsonObject {
  const metadata = asObject(object['metadata']);
  const own = withFields(object, { status: undefined, metadata: withFields(metadata, { managedFields: undefined, resourceVersion: undefined, generation: undefined, selfLink: undefined, creationTimestamp: undefined }) });
  const taints = dig(own, 'spec', 'taints');
  return Array.isArray(taints) ? withPath(own, ['spec', 'taints'], (taints as readonly Json[]).map((taint) => withFields(asObject(taint), { timeAdded: undefined }))) : own;
}

/** The part that would make the object again: without its identity, too. */
export function remakeable(object: JsonObject): JsonObject {
  const own = ownPart(object);
  return withFields(own, { metadata: withFields(asObject(own['metadata']), { uid: undefined, deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined }) });
}

type Tell = (sign: '-' | '+', path: string, value: Json) => void;

function compare(before: Json | undefined, after: Json | undefined, path: string, tell: Tell): void {
  if (sameJson(before, after)) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) compare(before[key], after[key], path === '' ? key : `${path}.${key}`, tell);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(before as readonly Json[], after as readonly Json[], path, tell);
    return;
  }
  if (before !== undefined) tellAll('-', before, path, tell);
  if (after !== undefined) tellAll('+', after, path, tell);
}

/** Members with names are compared by name, others by place. */
function compareLists(before: readonly Json[], after: readonly Json[], path: string, tell: Tell): void {
  const named = [...before, ...after].every((member) => asText(dig(member, 'name')) !== undefined);
  if (!named) {
    for (let index = 0; index < Math.max(before.length, after.length); index++) compare(before[index], after[index], `${path}[${index}]`, tell);
    return;
  }
  const byName = (list: readonly Json[]): ReadonlyMap<string, Json> => new Map(list.map((member) => [asText(dig(member, 'name')) ?? '', member]));
  const [old, now] = [byName(before), byName(after)];
  for (const name of new Set([...old.keys(), ...now.keys()])) compare(old.get(name), now.get(name), `${path}[${name}]`, tell);
}

/** A value that came or went, leaf by leaf, so that each line can be read. */
function tellAll(sign: '-' | '+', value: Json, path: string, tell: Tell): void {
  if (isJsonObject(value) && Object.keys(value).length > 0) for (const [key, member] of Object.entries(value)) tellAll(sign, member ?? null, path === '' ? key : `${path}.${key}`, tell);
  else if (Array.isArray(value) && (value as readonly Json[]).some(isJsonObject)) for (const [index, member] of (value as readonly Json[]).entries()) tellAll(sign, member, `${path}[${asText(dig(member, 'name')) ?? String(index)}]`, tell);
  else tell(sign, path, value);
}

/** With its path, which says whether the value opens something. */
function shownValue(path: string, value: Json): string {
  return printableUpTo(`${path}: ${typeof value === 'string' ? value.replaceAll('\n', String.raw`\n`) : JSON.stringify(value)}`, path.length + LONGEST);
}
