import type { Node } from 'oxc-parser';
import { parseSync } from 'oxc-parser';
import type { Change } from './changes.ts';
import { changesOf } from './changes.ts';
import { functionNames } from './function-names.ts';

/** One change of a source that a test should notice. */
export interface Mutation {
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  /** Names of the functions around it, the innermost first. */
  readonly inside: readonly string[];
  readonly was: string;
  readonly becomes: string;
  /** The source with the change. */
  readonly source: string;
}

/** Every mutation of a TypeScript source, in the order of their places. Types, imports, texts for people and assertions are left alone. */
export function mutationsOf(file: string, source: string): readonly Mutation[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message ?? 'cannot be read'}`);
  const changes: Placed[] = [];
  walk(program, { source, inside: [] }, changes);
  return changes.toSorted((a, b) => a.start - b.start || a.end - b.end).map((change) => mutationOf(source, change));
}

interface Placed extends Change {
  readonly inside: readonly string[];
}

interface Around {
  readonly source: string;
  readonly inside: readonly string[];
}

/** What says nothing at run time, and keys and places of modules, which are names. */
const SKIPPED = new Set(['ImportDeclaration', 'ImportExpression', 'ExportAllDeclaration', 'TemplateElement', 'Super', 'ThisExpression']);
/** Syntax of types that has an expression in it. */
const AROUND_EXPRESSIONS = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

function walk(node: Node, { source, inside }: Around, changes: Placed[]): void {
  if (SKIPPED.has(node.type) || (node.type.startsWith('TS') && !AROUND_EXPRESSIONS.has(node.type)) || isAssert(node)) return;
  for (const change of changesOf(node, source)) changes.push({ ...change, inside });
  const within = { source, inside: [...functionNames(node), ...inside] };
  for (const [field, value] of Object.entries(node)) {
    if ((field === 'key' && !('computed' in node && node.computed)) || (field === 'source' && node.type.startsWith('Export'))) continue;
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value as unknown]) if (isNode(child)) walk(child, within, changes);
  }
}

/** What podcheck asserts of itself never is otherwise, so no test can notice what would be said then. */
function isAssert(node: Node): boolean {
  if (node.type === 'ExpressionStatement') return isAssert(node.expression);
  return node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'assert';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function mutationOf(source: string, { start, end, becomes, inside }: Placed): Mutation {
  const before = source.slice(0, start);
  return {
    line: before.split('\n').length,
    column: start - before.lastIndexOf('\n'),
    was: source.slice(start, end),
    becomes,
    inside,
    source: `${before}${becomes}${source.slice(end)}`,
  };
}
