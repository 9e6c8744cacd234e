import type { Dirent } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PodcheckError, reasonOf } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { nearest } from '../../base/text.ts';
import { readText } from '../../files/read-bounded.ts';
import { loadLabels } from './labels.ts';
import type { Accepted } from './accepted.ts';
import { acceptedIn } from './accepted.ts';
import type { Expected, Label } from './score.ts';

/** A labelled case: a folder with `expected.json`, and whatever podcheck reads beside it. */
export interface EvalCase {
  /** Path of its folder within the folder of all cases. */
  readonly name: string;
  /** Where its evidence lies: to be opened as a source. */
  readonly folder: string;
  readonly expected: Expected;
  readonly label: Label;
  /** What counts for a text without a label. */
  readonly accepted?: Accepted;
}

const MAX_DEPTH = 8;
const MAX_EXPECTED_BYTES = 64 * 1024;
const LABELS_FILE = 'labels.yaml';

/**
 * All cases under a folder, sorted by name, each with the label of its root cause. Without a labels file the folder's own
 * `labels.yaml` counts. Throws a PodcheckError (bad-input) that names what is wrong where: a folder without cases, an
 * expected.json that cannot be read, a root cause without a label.
 */
export async function loadCases(folder: string, labelsFile?: string): Promise<readonly EvalCase[]> {
  const names = await caseFolders(folder, '', 0);
  if (names.length === 0)
    throw new PodcheckError(
      'bad-input',
      `${folder}: no folder in it contains expected.json`,
      'Give the folder of the cases; each case is a folder with expected.json.',
    );
  const sources = await Promise.all(names.map((name) => readExpected(join(folder, name))));
  const isLabelled = sources.some(({ accepted }) => accepted === undefined);
  const labels = isLabelled ? await loadLabels(labelsFile ?? (await ownLabels(folder))) : new Map<string, Label>();
  return names.map((name, index) => caseOf(name, join(folder, name), sources[index], labels));
}

interface ReadExpected {
  readonly file: string;
  readonly source: string;
  readonly accepted: Accepted | undefined;
}

async function readExpected(folder: string): Promise<ReadExpected> {
  const file = join(folder, 'expected.json');
  const source = await readText(file, 'the expected answer', 'Remove the file, or make it readable.');
  if (source.length > MAX_EXPECTED_BYTES) throw badExpected(file, 'the file is too long');
  return { file, source, accepted: acceptedIn(file, source) };
}

async function ownLabels(folder: string): Promise<string> {
  const file = join(folder, LABELS_FILE);
  try {
    await access(file);
  } catch {
    throw new PodcheckError(
      'bad-input',
      `${folder} does not contain ${LABELS_FILE}`,
      'Give the file that maps root causes to rules with --labels.',
    );
  }
  return file;
}

/** Folders with an expected.json; there are no cases within cases. */
async function caseFolders(root: string, path: string, depth: number): Promise<readonly string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(join(root, path), { withFileTypes: true });
  } catch (error) {
    throw new PodcheckError('bad-input', `the cases cannot be read: ${reasonOf(error)}`, 'Give a folder.');
  }
  if (entries.some((entry) => entry.isFile() && entry.name === 'expected.json')) return [path === '' ? '.' : path];
  if (depth >= MAX_DEPTH) return [];
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
  const below = await Promise.all(folders.toSorted().map((name) => caseFolders(root, path === '' ? name : `${path}/${name}`, depth + 1)));
  return below.flat();
}

function caseOf(name: string, folder: string, read: ReadExpected | undefined, labels: ReadonlyMap<string, Label>): EvalCase {
  const { file, source, accepted } = read ?? { file: name, source: '{}', accepted: undefined };
  if (accepted !== undefined) {
    const [first] = accepted.rules;
    return {
      name,
      folder,
      accepted,
      expected: { rootCause: first ?? 'none' },
      label: first === undefined ? { kind: 'none' } : { kind: 'rule', rules: accepted.rules, params: {} },
    };
  }
  const expected = parseExpected(file, source);
  const label = labels.get(expected.rootCause);
  if (label === undefined) {
    const near = nearest(expected.rootCause, labels.keys());
    throw badExpected(
      file,
      `rootCause ${JSON.stringify(expected.rootCause)} has no label${near.length === 0 ? '' : `; near: ${near.join(', ')}`}`,
    );
  }
  return { name, folder, expected, label };
}

const FIELDS = ['namespace', 'object', 'rootCause', 'category'] as const;
/** `app/web`, `node/worker-1`, `ConfigMap/settings`. */
const OBJECT = /^[A-Za-z][A-Za-z0-9]*\/[^/\s]+$/;

/** Reads an expected.json: `{namespace?, object?, rootCause, category?}`; a field that is null counts as missing. */
export function parseExpected(file: string, source: string): Expected {
  let value: Json;
  try {
    value = JSON.parse(source) as Json;
  } catch (error) {
    throw badExpected(file, `not valid JSON: ${reasonOf(error)}`);
  }
  if (!isJsonObject(value)) throw badExpected(file, 'expected an object');
  const unknown = Object.keys(value).find((field) => !(FIELDS as readonly string[]).includes(field));
  if (unknown !== undefined) throw badExpected(file, `unknown field ${JSON.stringify(unknown)}; known: ${FIELDS.join(', ')}`);
  const texts: { [field in (typeof FIELDS)[number]]?: string } = {};
  for (const field of FIELDS) {
    const given = value[field] ?? undefined;
    if (given === undefined) continue;
    if (typeof given !== 'string' || given === '') throw badExpected(file, `${field}: expected a text`);
    texts[field] = given;
  }
  const { rootCause, object } = texts;
  if (rootCause === undefined) throw badExpected(file, 'rootCause is missing');
  if (object !== undefined && !OBJECT.test(object))
    throw badExpected(file, `object: ${JSON.stringify(object)} is not of the form Kind/NAME, app/NAME, node/NAME or namespace/NAME`);
  return { ...texts, rootCause };
}

function badExpected(file: string, what: string): PodcheckError {
  return new PodcheckError('bad-input', `${file}: ${what}`, 'An expected.json is {"namespace"?, "object"?, "rootCause", "category"?}.');
}
