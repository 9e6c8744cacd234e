import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

/**
 * What a module keeps for all that use it, and why: it cannot be seen from outside that it is there. A function that remembers what it
 * worked out (`once`, `onceEach`, `remembered`) has it to itself, and needs no place here.
 */
const KEPT: Readonly<Record<string, string>> = {
  'base/json-digest.ts: names': 'digests of names of fields, which follow from the names alone',
  'base/json-digest.ts: last': 'the end of the list of those names',
  'cli/interruption.ts: heeders': 'a process has its signals once',
  'cli/interruption.ts: holders': 'a process has its signals once',
  'cli/interruption.ts: told': 'a process has its signals once',
  'main.ts: isCatching': 'the entry of the program',
  'model/kube-object.ts: controllers':
    'by the list of owners, which alone decides it, with the namespace: a function of both would need a map for each list',
  'page/browser/ui.ts: answers, editing, furthest, past, spoken': 'the entry of the page',
  'page/browser/ui.ts: history': 'the entry of the page',
  'page/browser/ui.ts: isHeld': 'the entry of the page',
  'page/browser/ui.ts: speed': 'the entry of the page',
  'page/browser/ui.ts: worker': 'the entry of the page',
  'page/browser/worker.ts: before': 'the entry of the Worker',
  'page/browser/worker.ts: hear': 'the entry of the Worker',
  'page/browser/worker.ts: waiting': 'the entry of the Worker',
  'simulator/apiserver/cel/cost.ts: rounds': 'of the one evaluation that runs; compiled expressions of all clusters count in it',
  'simulator/apiserver/defaulting/pod-spec.ts: defaulted': 'marks what the module itself has made, and dies with it',
  'simulator/apiserver/schema/decode.ts: templateSpecs': 'marks what was decoded as a template, and dies with it',
  'simulator/apiserver/schema/decode.ts: wellFormed': 'marks frozen objects, and dies with them',
  'simulator/apiserver/validation/pod-spec.ts: right':
    'marks templates that were found right, which isRightTemplate tells, and dies with them',
  'simulator/kubelet/status/status-writer.ts: latest': 'conditions of the latest second, which follow from what they say alone',
  'simulator/scheduler/pod-info.ts: byTemplate': 'the latest pod of each template, and dies with that',
  'simulator/store/store.ts: beginning, latest': 'one text for the keys of a namespace, which follows from its name alone',
  'simulator/time/api-times.ts: seconds': 'the texts of the latest 64 seconds, which follow from the seconds alone',
  'simulator/time/api-times.ts: texts': 'the texts of the latest 64 seconds, which follow from the seconds alone',
  'simulator/x509/certificates.ts: BYTES':
    'certificates of clusters that are played again: seed and data alone decide their bytes; the latest 2,000',
};

test('a module keeps nothing that changes, but for what is said here', () => {
  const files = readdirSync('src', { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(1500);
  expect(files.flatMap((file) => stateOf(readFileSync(join('src', file), 'utf8')).map((names) => `${file}: ${names}`)).toSorted()).toEqual(
    Object.keys(KEPT).toSorted(),
  );
});

test.each([
  ["let last = '';", ['last']],
  ['export let [one, two] = [0, 1];', ['one, two']],
  ['const known = new Map<string, number>();', ['known']],
  ['const known = new WeakMap<object, number>(pairs);', ['known']],
  ['const seen: string[] = [];', ['seen']],
  ['const seen: Record<string, number> = {};', ['seen']],
  ['const texts = new LruMap<string>(50);', ['texts']],
  ['const NONE: readonly string[] = [];', []],
  ['const NONE: ReadonlySet<string> = new Set();', []],
  ["const WORDS = new Set(['a', 'b']);", []],
  ['const NOTHING: Amounts = new Map();', []],
  ['function count() { let count = 0; const known = new Map(); return [count, known]; }', []],
])('%s', (source, expected) => {
  expect(stateOf(source)).toEqual(expected);
});

interface Declared {
  readonly id: unknown;
  readonly init: { readonly type: string; readonly start: number; readonly end: number } | null;
  readonly start: number;
}

/** The names of the variables of a module that can change: `let`, and what begins empty and is neither read-only nor called `NOTHING`. */
function stateOf(source: string): readonly string[] {
  return parseSync('module.ts', source).program.body.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration' || declared.declare) return [];
    return (declared.declarations as readonly Declared[]).flatMap(({ start, id, init }) => {
      const value = init === null ? '' : source.slice(init.start, init.end);
      const type = source.slice(start, init?.start ?? start);
      const isNothing = /^[A-Z_]+\b/.test(type) || /\breadonly/i.test(type);
      const changes = declared.kind !== 'const' || REMEMBERS.test(value) || (EMPTY.test(value) && !isNothing);
      return changes ? [namesIn(id).toSorted().join(', ')] : [];
    });
  });
}

const EMPTY = /^(?:\[\]|\{\}|new (?:Map|Set)\b(?:<[\s\S]*>)?\(\))$/;
const REMEMBERS = /^new (?:WeakMap|WeakSet|WeakRef|LruMap)\b/;

function namesIn(pattern: unknown): readonly string[] {
  if (Array.isArray(pattern)) return pattern.flatMap(namesIn);
  if (typeof pattern !== 'object' || pattern === null) return [];
  if ('type' in pattern && pattern.type === 'Identifier' && 'name' in pattern) return [String(pattern.name)];
  return Object.entries(pattern).flatMap(([field, value]) =>
    ['elements', 'properties', 'value', 'argument', 'left'].includes(field) ? namesIn(value) : [],
  );
}
