import type { Document, ScalarTag } from 'yaml';
import { LineCounter, parseDocument, visit } from 'yaml';
import { reasonOf } from '../errors.ts';
import type { Json } from '../json.ts';
import { countJson } from '../value-count.ts';
import { parseBlockYaml } from './block-yaml.ts';
import { kubeScalar } from './kube-scalar.ts';

/** Documents in the order of the text, `line` being the one each begins on (from 1). A document without content is left out. */
export interface KubeYaml {
  readonly documents: readonly YamlDocument[];
  readonly errors: readonly YamlError[];
}

/** `value` is missing where the document cannot be parsed; then `errors` says why. */
export interface YamlDocument {
  readonly value?: Json;
  readonly line: number;
}

export interface YamlError {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  /** The parser's word for the kind of mistake: `TAB_AS_INDENT`, `MISSING_CHAR`; undefined where it has none. */
  readonly code?: string;
  /** What the document seems to declare, by its lines `kind:` and `name:`. */
  readonly seems?: { readonly kind: string; readonly name: string };
}

/**
 * YAML as kubectl reads it: documents parted by `---` lines, each for itself, so that an error in one leaves the others; scalars
 * of YAML 1.1 (`kubeScalar`), merge keys, the last of equal keys. JSON is read as well.
 * Source: apimachinery/pkg/util/yaml/decoder.go and sigs.k8s.io/yaml.
 */
export function parseKubeYaml(text: string, file: string): KubeYaml {
  const documents: YamlDocument[] = [];
  const errors: YamlError[] = [];
  for (const part of splitDocuments(text)) {
    const read = readDocument(part.text, errors.length < MAX_ERRORS ? MAX_FULL_PARSE : 0);
    if ('error' in read) {
      errors.push({
        file,
        line: part.line + read.line - 1,
        message: read.error,
        ...(read.code === undefined ? {} : { code: read.code }),
        ...seemsToDeclare(part.text),
      });
      documents.push({ line: part.line });
    } else if (read.value !== null) documents.push({ value: read.value, line: part.line });
  }
  return { documents, errors };
}

/**
 * The first document alone, as the API server reads a body; undefined when there is none. What is longer than this many characters must be
 * JSON or in plain block style.
 */
export function parseFirstDocument(text: string, longest: number): ReadDocument | undefined {
  const [part] = splitDocuments(text);
  return part === undefined ? undefined : readDocument(part.text, longest);
}

/** A document with an error takes the full parser, and long: a text with more errors is not YAML. */
const MAX_ERRORS = 1000;

/**
 * Reads kind and name off the lines of a document that cannot be parsed, so that a person can be told which object it was to be.
 * Line by line: one expression over all lines would try every indentation of each.
 */
function seemsToDeclare(text: string): Pick<YamlError, 'seems'> {
  const lines = text.slice(0, 4096).split('\n');
  const kind = firstGroup(lines, /^kind:[ \t]*["']?([A-Za-z]\w{0,100})/);
  const metadata = lines.findIndex((line) => line.startsWith('metadata:'));
  if (kind === undefined || metadata < 0) return {};
  const fields = lines.slice(metadata + 1);
  const end = fields.findIndex((line) => !/^[ \t]/.test(line));
  const name = firstGroup(end < 0 ? fields : fields.slice(0, end), /^[ \t]+name:[ \t]*["']?([a-z0-9][\w.-]{0,252})/);
  return name === undefined ? {} : { seems: { kind, name } };
}

function firstGroup(lines: readonly string[], expression: RegExp): string | undefined {
  for (const line of lines) {
    const found = expression.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Part {
  readonly text: string;
  /** Number of the part's first line in the whole. */
  readonly line: number;
}

function splitDocuments(whole: string): readonly Part[] {
  const text = whole.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '');
  const parts: Part[] = [];
  let [start, line, from] = [0, 1, 1];
  const add = (end: number): void => {
    const part = text.slice(start, end);
    const content = /^(?:[ \t]*(?:#[^\n]*)?\n)*/.exec(part)?.[0] ?? '';
    const blankLines = content.split('\n').length - 1;
    if (part.trim() !== '') parts.push({ text: part.slice(content.length), line: from + blankLines });
  };
  for (let at = 0; at <= text.length; line++) {
    const end = text.indexOf('\n', at);
    const next = end < 0 ? text.length : end;
    if (text.startsWith('---', at) && /^---(?:\s|$)/.test(text.slice(at, at + 4))) {
      add(at);
      start = at + 3;
      from = line;
    }
    if (end < 0) break;
    at = next + 1;
  }
  add(text.length);
  return parts;
}

/** The full parser may take time that grows with the square of the text: longer documents must do with the plain style. */
const MAX_FULL_PARSE = 256 * 1024;

export type ReadDocument = { readonly value: Json } | { readonly error: string; readonly line: number; readonly code?: string };

function readDocument(text: string, longest: number): ReadDocument {
  const json = asJson(text);
  if (json !== undefined) return json;
  const block = parseBlockYaml(text);
  if ('value' in block) return block;
  if (text.length <= longest) return readFully(text);
  if (longest === 0)
    return { error: `not read: ${MAX_ERRORS} earlier documents have errors, and this one is not in plain block style`, line: block.beyond };
  return {
    error: `too long (${String(Math.round(text.length / 1024))} KiB) to be read: only plain block style is read at this size`,
    line: block.beyond,
  };
}

/** Bounds on what is made of a text: the API server refuses what is nested deeper, and no object has as many values. */
const MAX_NESTING = 10_000;
const MAX_VALUES = 2_500_000;

function asJson(text: string): ReadDocument | undefined {
  if (!/^\s*[[{]/.test(text.slice(0, 256))) return undefined;
  const { values, depth } = countJson(text, MAX_VALUES, MAX_NESTING);
  if (depth > MAX_NESTING) return { error: 'nested too deeply', line: 1 };
  if (values > MAX_VALUES) return { error: `more than ${String(MAX_VALUES)} values`, line: 1 };
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

function readFully(text: string): ReadDocument {
  const lineCounter = new LineCounter();
  const { stackTraceLimit } = Error;
  // The parser makes an error of each thing that is wrong, of which the first is told: where each was made takes most of the time.
  Error.stackTraceLimit = 0;
  try {
    const document = parseDocument(text, {
      schema: 'failsafe',
      customTags: TAGS,
      merge: true,
      uniqueKeys: false,
      lineCounter,
      prettyErrors: false,
      logLevel: 'silent',
    });
    const error = document.errors.find(({ code }) => code !== 'MULTIPLE_DOCS');
    if (error !== undefined) return { error: inWords(error), line: lineCounter.linePos(error.pos[0]).line, code: error.code };
    if (hasTooManyAliases(document)) return { error: 'document contains excessive aliasing', line: 1 };
    return { value: document.toJS({ maxAliasCount: 1000 }) as Json };
  } catch (error) {
    return { error: inWords(error), line: 1 };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Each alias may stand for all the rest, each merge key copies it. Go's decoder bounds the same (go-yaml's decode.go, allowedAliasRatio).
 */
function hasTooManyAliases(document: Document): boolean {
  let [nodes, aliases] = [0, 0];
  visit(document, {
    Node: () => void nodes++,
    Alias: () => void aliases++,
  });
  return aliases * nodes > MAX_ALIASED_NODES;
}

const MAX_ALIASED_NODES = 2_000_000;

/** The first line of an error. The parser calls itself for each level, and says that it cannot any more. */
function inWords(error: unknown): string {
  const [message = ''] = reasonOf(error).split('\n', 1);
  return message.startsWith('Maximum call stack') ? 'nested too deeply' : message;
}

/** One tag stands for all unquoted scalars; the explicit ones (`!!int "5"`) are read alike. */
const TAGS: ScalarTag[] = [
  { tag: 'tag:yaml.org,2002:plain', default: true, test: /^/, resolve: resolveScalar },
  ...['int', 'float', 'bool', 'null'].map((name): ScalarTag => ({ tag: `tag:yaml.org,2002:${name}`, resolve: resolveScalar })),
];

function resolveScalar(text: string, onError: (message: string) => void): Json {
  const value = kubeScalar(text);
  if (value !== undefined) return value;
  onError(`json: unsupported value: ${text}`);
  return text;
}
