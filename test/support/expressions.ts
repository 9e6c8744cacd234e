import { readdirSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { transformSync } from 'esbuild';
import { parseSync } from 'oxc-parser';

/** A regular expression of the source. */
export interface Expression {
  /** `src/base/text.ts:12`. */
  readonly place: string;
  readonly pattern: string;
  readonly flags: string;
  /** Whether it is tried again behind each place it fits: by its flag, or because a text is split by it. */
  readonly everywhere: boolean;
}

export interface Expressions {
  readonly known: readonly Expression[];
  /** Where one is made of a text that is not a constant. */
  readonly unknown: readonly string[];
}

/** Every regular expression of the sources, literal or made of constants. Those of the build see files of locked packages only. */
export function expressionsOfSources(): Expressions {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file}`);
  const all = sources.toSorted().map((file) => expressionsIn(readFileSync(file, 'utf8'), file));
  return { known: all.flatMap(({ known }) => known), unknown: all.flatMap(({ unknown }) => unknown) };
}

export function expressionsIn(text: string, file: string): Expressions {
  const [known, unknown]: [Expression[], string[]] = [[], []];
  const program: unknown = parseSync(file, text).program;
  const constants = constantsOf(program);
  eachNode(program, (node, parent) => {
    const regex = node['regex'];
    const isLiteral = node['type'] === 'Literal' && isNode(regex);
    if (!isLiteral && !(isNode(node['callee']) && node['callee']['name'] === 'RegExp')) return;
    const place = `${file}:${String(text.slice(0, Number(node['start'])).split('\n').length)}`;
    if (isLiteral) known.push(expression({ place, pattern: String(regex['pattern']), flags: String(regex['flags']), parent }));
    else {
      const made = madeOfConstants(node, constants, text);
      if (made === undefined) unknown.push(place);
      else known.push(expression({ place, pattern: made.source, flags: made.flags, parent }));
    }
  });
  return { known, unknown };
}

function expression({
  place,
  pattern,
  flags,
  parent,
}: {
  readonly place: string;
  readonly pattern: string;
  readonly flags: string;
  readonly parent: SyntaxNode | undefined;
}): Expression {
  const method =
    parent !== undefined && isNode(parent['callee']) && isNode(parent['callee']['property'])
      ? parent['callee']['property']['name']
      : undefined;
  return { place, pattern, flags, everywhere: flags.includes('g') || method === 'split' };
}

type SyntaxNode = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nodesOf(value: unknown): readonly SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function eachNode(value: unknown, visit: (node: SyntaxNode, parent: SyntaxNode | undefined) => void, parent?: SyntaxNode): void {
  if (Array.isArray(value)) for (const item of value as readonly unknown[]) eachNode(item, visit, parent);
  else if (isNode(value)) {
    visit(value, parent);
    for (const inner of Object.values(value)) if (typeof inner === 'object') eachNode(inner, visit, value);
  }
}

/** What the constants of a file are set to, by their names. */
function constantsOf(program: unknown): ReadonlyMap<string, SyntaxNode> {
  const constants = new Map<string, SyntaxNode>();
  const statements = isNode(program) ? nodesOf(program['body']) : [];
  for (const statement of statements) {
    const declared = isNode(statement['declaration']) ? statement['declaration'] : statement;
    if (declared['kind'] !== 'const') continue;
    for (const { id, init } of nodesOf(declared['declarations']))
      if (isNode(id) && typeof id['name'] === 'string' && isNode(init)) constants.set(id['name'], init);
  }
  return constants;
}

/**
 * What `new RegExp(…)` makes, worked out from the constants of its file; undefined where it is made of anything else. A number
 * (`String(port)`) may be any.
 */
function madeOfConstants(call: SyntaxNode, constants: ReadonlyMap<string, SyntaxNode>, text: string): RegExp | undefined {
  const needed = new Map<string, string>();
  const require = (node: SyntaxNode): boolean =>
    freeNames(node).every(({ name, isNumber }) => {
      if (needed.has(name) || name in globalThis) return true;
      const constant = constants.get(name);
      if (constant === undefined ? !isNumber : !require(constant)) return false;
      needed.set(name, constant === undefined ? '80' : sliceOf(constant, text));
      return true;
    });
  if (!require(call)) return undefined;
  const typed = `${[...needed].map(([name, value]) => `const ${name} = ${value};\n`).join('')}made = ${sliceOf(call, text)};`;
  const context: { made?: RegExp } = {};
  runInNewContext(transformSync(typed, { loader: 'ts' }).code, context, { timeout: 1000 });
  return context.made;
}

function sliceOf(node: SyntaxNode, text: string): string {
  return text.slice(Number(node['start']), Number(node['end']));
}

/** Names that an expression takes from around it. */
function freeNames(expression: SyntaxNode): readonly { readonly name: string; readonly isNumber: boolean }[] {
  const bound = new Set<unknown>();
  const names: { readonly name: string; readonly isNumber: boolean }[] = [];
  eachNode(expression, ({ params }) => eachNode(params, ({ name }) => bound.add(name)));
  eachNode(expression, (node, parent) => {
    const isName =
      node['type'] === 'Identifier' &&
      !(parent?.['property'] === node && parent['computed'] !== true) &&
      parent?.['key'] !== node &&
      parent?.['typeName'] !== node;
    const isNumber = isNode(parent?.['callee']) && parent['callee']['name'] === 'String';
    if (isName && !bound.has(node['name'])) names.push({ name: String(node['name']), isNumber });
  });
  return names;
}
