import { counted } from '../../base/counted.ts';
import { reasonOf } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { dig } from '../../base/json.ts';
import { parseKubeYaml } from '../../base/yaml/kube-yaml.ts';
import { NotPieces, DocumentPieces } from './document-pieces.ts';
import type { Outlined } from './document-pieces.ts';
import { isMemoryFull } from '../memory-full.ts';
import { growSlowly } from '../slow-growth.ts';
import { AlikeObjects } from './alike-objects.ts';
import type { Documents, Fault } from './documents.ts';
import { jsonFault } from './json-fault.ts';
import { MAX_DOCUMENT_BYTES, MAX_MEMBER_BYTES } from './limits.ts';
import type { ReadableAgain } from './outlined-objects.ts';
import { Outlines } from './outlined-objects.ts';
import { tooManyValues } from './parse-json.ts';
import { sharing } from './sharing.ts';
import { YamlPieces } from './yaml-pieces.ts';

/**
 * Reads JSON or YAML documents piece by piece, however long they are: a list's members are parsed one by one, and what members have in
 * common is kept once. Gives what `readDocuments` makes of the whole text; of what is cut off, too large or malformed a fault, and the list
 * it was in is marked as not whole. Undefined where the text has to be read in the other way: it is not of this syntax alone. `most`: how
 * many values there may be. `again`: where given, of most members of JSON only what names them is kept, with the position at which they can
 * be read again; then lines are not those of the file.
 */
export async function streamDocuments(
  pieces: AsyncIterable<Uint8Array>,
  most: (bytes: number) => number,
  { syntax = 'json', again }: { readonly syntax?: Documents['syntax']; readonly again?: ReadableAgain } = {},
): Promise<Documents | undefined> {
  const gathering = new Gathering(syntax, again);
  const cutter = new (syntax === 'json' ? DocumentPieces : YamlPieces)(gathering, MAX_MEMBER_BYTES, MAX_DOCUMENT_BYTES);
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      cutter.push(piece);
      bytes += piece.length;
      if (cutter.values > most(bytes)) return tooMany(syntax, most(bytes), cutter.values);
      growSlowly();
      if (isMemoryFull()) {
        gathering.stop(bytes);
        break;
      }
    }
    cutter.end();
  } catch (error) {
    if (error instanceof NotPieces) return undefined;
    throw error;
  }
  return { documents: gathering.documents, faults: gathering.faults, syntax, logs: [], values: cutter.values };
}

function tooMany(syntax: Documents['syntax'], most: number, values: number): Documents {
  return { documents: [], faults: [{ line: 1, ...tooManyValues(most) }], syntax, logs: [], values };
}

/** Parses what is cut out, and puts documents together again. */
class Gathering {
  readonly documents: { readonly value: Json; readonly line: number; readonly isCut?: true }[] = [];
  readonly faults: Fault[] = [];
  isStopped = false;
  readonly #shared = sharing();
  readonly #alike = new AlikeObjects();
  readonly #outlines: Outlines | undefined;
  readonly #parse: typeof parsedYaml;
  #line = 1;
  #items: Json[] | undefined;
  #isCut = false;

  constructor(syntax: Documents['syntax'], again: ReadableAgain | undefined) {
    this.#outlines = again === undefined ? undefined : new Outlines(again);
    this.#parse = syntax === 'json' ? parsedJson : parsedYaml;
  }

  /** A member, or a document that is an object, which needs not be parsed. */
  outline(bytes: Uint8Array, at: number, offset: number, documentLine?: number): Outlined {
    const reader = this.#outlines ?? this.#alike;
    const object = reader.read(bytes, at, offset);
    if (object === undefined) return NOT_OUTLINED;
    if (documentLine !== undefined) this.documents.push({ value: object, line: documentLine });
    else (this.#items ??= []).push(object);
    return reader;
  }

  begin(line: number): void {
    [this.#line, this.#items, this.#isCut] = [line, undefined, false];
  }

  member(text: string, line: number): void {
    const value = this.#parsed(text, line, true);
    if (value === undefined) this.#isCut = true;
    else (this.#items ??= []).push(this.#learned(text, value));
  }

  /** What it has in common with others is kept once, and those that follow may be like it. */
  #learned(text: string, value: Json): Json {
    const shared = this.#shared(value);
    if (this.#outlines !== undefined) this.#outlines.learn(shared);
    else if (this.#parse === parsedJson) this.#alike.learn(text, shared);
    return shared;
  }

  tooLarge(line: number, bytes: number): void {
    this.#isCut = true;
    const size = String(Math.round(bytes / 1024 / 1024));
    const message = `an object of ${size} MiB was not read: larger than ${String(MAX_MEMBER_BYTES / 1024 / 1024)} MiB`;
    this.#fault({ line, message, isLeftOut: true });
  }

  again(): void {
    this.#items = undefined;
  }

  end(rest: string | undefined, isCut: boolean): void {
    const items = this.#items ?? [];
    if (isCut && !this.isStopped) this.#fault({ line: this.#line, message: cutMessage(items.length), hint: SAVE_AGAIN });
    else if (rest === undefined && !isCut) this.#fault({ line: this.#line, message: 'the document is too large to be read', hint: NARROW });
    const frame = rest === undefined ? undefined : isCut ? this.#closed(rest) : this.#frame(rest);
    const value = isCut && items.length === 0 ? undefined : filled(frame, items, this.#items !== undefined);
    const whole = !isCut && !this.#isCut;
    if (value !== undefined) this.documents.push({ value, line: this.#line, ...(whole ? {} : { isCut: true as const }) });
    this.#items = undefined;
  }

  /** A document without its members, or one that has none, and may be an object of many. */
  #frame(rest: string): Json | undefined {
    const frame = this.#parsed(rest, this.#line, false);
    return frame === undefined || this.#items !== undefined ? frame : this.#learned(rest, frame);
  }

  /** What follows is not read. */
  stop(bytes: number): void {
    this.isStopped = true;
    this.#fault({
      line: this.#line,
      message: `only the first ${String(Math.round(bytes / 1024 / 1024))} MiB were read: memory is full`,
      hint: MORE_MEMORY,
      isLeftOut: true,
    });
  }

  #parsed(text: string, line: number, isMember: boolean): Json | undefined {
    const read = this.#parse(text, line, isMember);
    if ('fault' in read) this.#fault(read.fault);
    return 'fault' in read ? undefined : read.value;
  }

  /** A list that ends in the middle, with what it needs to end well. */
  #closed(rest: string): Json | undefined {
    for (const end of this.#parse === parsedJson ? [']}', ']', '}'] : ['']) {
      const read = this.#parse(rest + end, this.#line, false);
      if ('value' in read) return read.value;
    }
    return undefined;
  }

  /** Only the first faults are told; the number of the others is not known to matter. */
  #fault(fault: Fault): void {
    if (this.faults.length < MOST_FAULTS) this.faults.push(fault);
  }
}

const NOT_OUTLINED: Outlined = { end: -1, values: 0 };
const MOST_FAULTS = 100;

type Parsed = { readonly value: Json } | { readonly fault: Fault };

function parsedJson(text: string, line: number): Parsed {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    return { fault: faultIn(text, line, reasonOf(error)) };
  }
}

/**
 * A member is the only one of a list here. What comes of the text is parsed once more as JSON: each part of a text would keep all of it in
 * memory.
 */
function parsedYaml(text: string, line: number, isMember: boolean): Parsed {
  const { documents, errors } = parseKubeYaml(isMember ? `items:\n${text}` : text, '');
  const [fault] = errors;
  if (fault !== undefined) return { fault: { line: line + fault.line - (isMember ? 2 : 1), message: fault.message } };
  const value = documents[0]?.value ?? null;
  return { value: JSON.parse(JSON.stringify(isMember ? (dig(value, 'items', 0) ?? null) : value)) as Json };
}

/** The document with its members. Where nothing but members could be read, they are a list. */
function filled(frame: Json | undefined, items: Json[], isList: boolean): Json | undefined {
  if (frame === undefined) return items.length === 0 ? undefined : items;
  if (!isList) return frame;
  return Array.isArray(frame) ? items : { ...(frame as object), items };
}

function cutMessage(members: number): string {
  return members === 0 ? 'the document is cut off' : `the document is cut off after ${counted(members, 'object')}`;
}

const SAVE_AGAIN = 'Save it again: the end is missing.';
const NARROW = 'Narrow the output with kubectl -n and -l.';
export const MORE_MEMORY = 'Narrow the output with kubectl -n and -l, or give Node more memory: NODE_OPTIONS=--max-old-space-size=8192.';

function faultIn(text: string, firstLine: number, fallback: string): Fault {
  const fault = jsonFault(text) ?? { offset: 0, message: fallback };
  const before = text.slice(0, fault.offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: firstLine + before.split('\n').length - 1, column: fault.offset - lineStart + 1, message: fault.message };
}
