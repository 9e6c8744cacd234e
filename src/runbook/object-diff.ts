import { counted } from '../base/counted.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { asObject, asText, dig, isJsonObject } from '../base/json.ts';
import { sameJson, withFields, withPath } from '../base/json-edit.ts';
import { leafLine, leavesOf } from '../report/format/leaf-lines.ts';

/** How much of a difference is told. */
export interface DiffBounds {
  readonly lines: number;
  /** Characters of a value. */
  readonly longest: number;
}

/** In a journal. */
export const KEPT_DIFF: DiffBounds = { lines: 40, longest: 200 };
/** Before somebody says yes: as much as anybody can be expected to read. */
export const SHOWN_DIFF: DiffBounds = { lines: 400, longest: 2000 };

/** What becomes different: `- spec.replicas: 2`, `+ spec.replicas: 3`. Nothing the server keeps for itself, and no values of Secrets. */
export function diffLines(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  bounds: DiffBounds = KEPT_DIFF,
): readonly string[] {
  return boundedDiff(before, after, bounds).lines;
}

/** As `diffLines`; `isWhole` when nothing of it was left out. */
export function boundedDiff(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  bounds: DiffBounds,
): { readonly lines: readonly string[]; readonly isWhole: boolean } {
  const lines: string[] = [];
  let isShort = true;
  const conceal = asText(before?.['kind'] ?? after?.['kind']) === 'Secret';
  compare(before === undefined ? undefined : ownPart(before), after === undefined ? undefined : ownPart(after), '', (sign, path, value) => {
    for (const leaf of leavesOf(value, path)) {
      isShort &&= (typeof leaf.value === 'string' ? leaf.value : JSON.stringify(leaf.value)).length <= bounds.longest;
      lines.push(
        `${sign} ${leafLine(conceal && /^(data|stringData)\b/.test(leaf.path) ? { ...leaf, value: '(not shown)' } : leaf, bounds.longest)}`,
      );
    }
  });
  if (lines.length <= bounds.lines) return { lines, isWhole: isShort };
  return { lines: [...lines.slice(0, bounds.lines), `  and ${counted(lines.length - bounds.lines, 'more line')}`], isWhole: false };
}

/**
 * The part of an object that people and controllers decide: without status, and without what the server counts and when it did so (a
 * simulated cluster whose time is sped up tells moments anew at every look).
 */
export function ownPart(object: JsonObject): JsonObject {
  const metadata = asObject(object['metadata']);
  const own = withFields(object, {
    status: undefined,
    metadata: withFields(metadata, {
      managedFields: undefined,
      resourceVersion: undefined,
      generation: undefined,
      selfLink: undefined,
      creationTimestamp: undefined,
    }),
  });
  const taints = dig(own, 'spec', 'taints');
  return Array.isArray(taints)
    ? withPath(
        own,
        ['spec', 'taints'],
        (taints as readonly Json[]).map((taint) => withFields(asObject(taint), { timeAdded: undefined })),
      )
    : own;
}

/** The part that would make the object again: without its identity, too. */
export function remakeable(object: JsonObject): JsonObject {
  const own = ownPart(object);
  return withFields(own, {
    metadata: withFields(asObject(own['metadata']), {
      uid: undefined,
      deletionTimestamp: undefined,
      deletionGracePeriodSeconds: undefined,
    }),
  });
}

/** A value that came or went. */
type Tell = (sign: '-' | '+', path: string, value: Json) => void;

function compare(before: Json | undefined, after: Json | undefined, path: string, tell: Tell): void {
  if (sameJson(before, after)) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(before[key], after[key], path === '' ? key : `${path}.${key}`, tell);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(before as readonly Json[], after as readonly Json[], path, tell);
    return;
  }
  if (before !== undefined) tell('-', path, before);
  if (after !== undefined) tell('+', path, after);
}

/** Members with names are compared by name, others by place. */
function compareLists(before: readonly Json[], after: readonly Json[], path: string, tell: Tell): void {
  const named = [...before, ...after].every((member) => asText(dig(member, 'name')) !== undefined);
  if (!named) {
    for (let index = 0; index < Math.max(before.length, after.length); index++)
      compare(before[index], after[index], `${path}[${index}]`, tell);
    return;
  }
  const byName = (list: readonly Json[]): ReadonlyMap<string, Json> =>
    new Map(list.map((member) => [asText(dig(member, 'name')) ?? '', member]));
  const [old, now] = [byName(before), byName(after)];
  for (const name of new Set([...old.keys(), ...now.keys()])) compare(old.get(name), now.get(name), `${path}[${name}]`, tell);
}
