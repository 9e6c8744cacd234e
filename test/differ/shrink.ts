import type { Json } from '../../src/base/json.ts';
import { isJsonObject } from '../../src/base/json.ts';
import { replaced } from './change-manifest.ts';
import type { Operation, Sequence } from './operation.ts';

/** Whether a sequence still shows the difference. */
export type Shows = (sequence: Sequence) => Promise<boolean>;

type Steps = readonly (string | number)[];

/** The smallest sequence found that still shows it: first without operations, then without parts of what they send. */
export async function shrunk(sequence: Sequence, shows: Shows, tries: number): Promise<Sequence> {
  const budget = { left: tries };
  const tried: Shows = async (one) => budget.left-- > 0 && (await shows(one));
  let smallest = await withFewerOperations(sequence, tried);
  for (let index = 0; index < smallest.operations.length; index++) smallest = await withSmallerBody(smallest, index, tried);
  return smallest;
}

async function withFewerOperations(sequence: Sequence, shows: Shows): Promise<Sequence> {
  let smallest = sequence;
  for (let index = smallest.operations.length - 1; index >= 0; index--) {
    const fewer = { ...smallest, operations: smallest.operations.filter((_, other) => other !== index) };
    if (await shows(fewer)) smallest = fewer;
  }
  return smallest;
}

async function withSmallerBody(sequence: Sequence, index: number, shows: Shows): Promise<Sequence> {
  let smallest = sequence;
  for (const part of ['body', 'edit'] as const) {
    const given = smallest.operations[index]?.[part];
    if (given === undefined) continue;
    // The larger parts first: most of a manifest goes in a few tries. Places later in a list go first, or the others would move.
    const paths = pathsIn(given, []).sort((a, b) => a.length - b.length || (lastOf(a) < lastOf(b) ? 1 : -1));
    let value: Json = given;
    for (const path of paths) {
      if (!isThere(value, path)) continue;
      const less = replaced(value, path, undefined);
      const smaller = { ...smallest, operations: smallest.operations.map((one, at) => (at === index ? withPart(one, part, less) : one)) };
      if (!(await shows(smaller))) continue;
      smallest = smaller;
      value = less;
    }
  }
  return smallest;
}

function withPart(operation: Operation, part: 'body' | 'edit', value: Json): Operation {
  return part === 'body' ? { ...operation, body: value } : isJsonObject(value) ? { ...operation, edit: value } : operation;
}

function pathsIn(value: Json, steps: Steps): Steps[] {
  const entries: readonly (readonly [string | number, Json | undefined])[] = Array.isArray(value)
    ? [...(value as readonly Json[]).entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  return entries.flatMap(([step, inner]) => (inner === undefined ? [] : [[...steps, step], ...pathsIn(inner, [...steps, step])]));
}

function lastOf(steps: Steps): string | number {
  return steps.at(-1) ?? '';
}

function isThere(value: Json, [step, ...rest]: Steps): boolean {
  if (step === undefined) return true;
  const inner = Array.isArray(value) ? (value as readonly Json[])[Number(step)] : isJsonObject(value) ? value[step] : undefined;
  return inner !== undefined && isThere(inner, rest);
}
