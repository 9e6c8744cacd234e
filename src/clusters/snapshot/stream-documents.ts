import { counted } from '../../base/counted.ts';
import { reasonOf } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { NotPieces, DocumentPieces } from './document-pieces.ts';
import type { Outlined } from './document-pieces.ts';
import { isMemoryFull } from '../memory-full.ts';
import { AlikeObjects } from './alike-objects.ts';
import type { Documents, Fault } from './documents.ts';
import { jsonFault } from './json-fault.ts';
import { MAX_DOCUMENT_BYTES, MAX_MEMBER_BYTES } from './limits.ts';
import type { ReadableAgain } from './outlined-objects.ts';
import { Outlines } from './outlined-objects.ts';
import { tooManyValues } from './parse-json.ts';
import { sharing } from './sharing.ts';

/**
 * Reads JSON documents piece by piece, however long they are: a list's members are parsed one by one, and what members have in common is
 * kept once. Gives what `readDocuments` makes of the whole text; of what is cut off, too large or no JSON a fault, and the list it was in
 * is marked as not whole. Undefined where the text has to be read in the other way, which is not JSON alone. `most`: how many values there
 * may be. `again`: where given, of most members only what names them is kept, with the position at which they can be read again; then lines
 * are not those of the file.
 */
export async function streamDocuments(
  pieces: AsyncIterable<Uint8Array>,
  most: (bytes: number) => number,
  again?: ReadableAgain,
): Promise<Documents | undefined> {
  const gathering = new Gathering(again);
  const cutter = new DocumentPieces(gathering, MAX_MEMBER_BYTES, MAX_DOCUMENT_BYTES);
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      cutter.push(piece);
      bytes += piece.length;
      if (cutter.values > most(bytes)) return tooMany(most(bytes), cutter.values);
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
  return { documents: gathering.documents, faults: gathering.faults, syntax: 'json', logs: [], values: cutter.values };
}

function tooMany(most: number, values: number): Documents {
  return { documents: [], faults: [{ line: 1, ...tooManyValues(most) }], syntax: 'json', logs: [], values };
}

/** Parses what is cut out, and puts documents together again. */
class Gathering {
  readonly documents: { readonly value: Json; readonly line: number; readonly isCut?: true }[] = [];
  readonly faults: Fault[] = [];
  readonly #shared = sharing();
  readonly #alike = new AlikeObjects();
  readonly #outlines: Outlines | undefined;
  #line = 1;
  #items: Json[] | undefined;
  #isCut = false;
  #isStopped = false;

  constructor(again: ReadableAgain | undefined) {
    this.#outlines = again === undefined ? undefined : new Outlines(again);
  }

  /** A member that needs not be parsed. */
  outline(bytes: Uint8Array, at: number, offset: number): Outlined {
    const reader = this.#outlines ?? this.#alike;
    const object = reader.read(bytes, at, offset);
    if (object === undefined) return NOT_OUTLINED;
    (this.#items ??= []).push(object);
    return reader;
  }

  begin(line: number): void {
    [this.#line, this.#items, this.#isCut] = [line, undefined, false];
  }

  member(text: string, line: number): void {
    const value = this.#parsed(text, line);
    if (value === undefined) this.#isCut = true;
    else {
      const shared = this.#shared(value);
      (this.#items ??= []).push(shared);
      if (this.#outlines === undefined) this.#alike.learn(text, shared);
      else this.#outlines.learn(shared);
    }
  }

  tooLarge(line: number, bytes: number): void {
    this.#isCut = true;
    const size = String(Math.round(bytes / 1024 / 1024));
    this.#fault({ line, message: `an object of ${size} MiB was not read: larger than ${String(MAX_MEMBER_BYTES / 1024 / 1024)} MiB` });
  }

  again(): void {
    this.#items = undefined;
  }

  end(rest: string | undefined, isCut: boolean): void {
    const items = this.#items ?? [];
    if (isCut && !this.#isStopped) this.#fault({ line: this.#line, message: cutMessage(items.length), hint: SAVE_AGAIN });
    else if (rest === undefined && !isCut) this.#fault({ line: this.#line, message: 'the document is too large to be read', hint: NARROW });
    const frame = rest === undefined ? undefined : isCut ? closed(rest) : this.#parsed(rest, this.#line);
    const value = isCut && items.length === 0 ? undefined : filled(frame, items, this.#items !== undefined);
    const whole = !isCut && !this.#isCut;
    if (value !== undefined) this.documents.push({ value, line: this.#line, ...(whole ? {} : { isCut: true as const }) });
    this.#items = undefined;
  }

  /** What follows is not read. */
  stop(bytes: number): void {
    this.#isStopped = true;
    this.#fault({
      line: this.#line,
      message: `only the first ${String(Math.round(bytes / 1024 / 1024))} MiB were read: memory is full`,
      hint: MORE_MEMORY,
    });
  }

  #parsed(text: string, line: number): Json | undefined {
    try {
      return JSON.parse(text) as Json;
    } catch (error) {
      this.#fault(faultIn(text, line, reasonOf(error)));
      return undefined;
    }
  }

  /** Only the first faults are told; the number of the others is not known to matter. */
  #fault(fault: Fault): void {
    if (this.faults.length < MOST_FAULTS) this.faults.push(fault);
  }
}

const NOT_OUTLINED: Outlined = { end: -1, values: 0 };
const MOST_FAULTS = 100;
/** A list that ends in the middle, with what it needs to end well. */
function closed(rest: string): Json | undefined {
  for (const end of [']}', ']', '}']) {
    try {
      return JSON.parse(rest + end) as Json;
    } catch {
      // It breaks off in another place.
    }
  }
  return undefined;
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
const MORE_MEMORY = 'Narrow the output with kubectl -n and -l, or give Node more memory: NODE_OPTIONS=--max-old-space-size=8192.';

function faultIn(text: string, firstLine: number, fallback: string): Fault {
  const fault = jsonFault(text) ?? { offset: 0, message: fallback };
  const before = text.slice(0, fault.offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: firstLine + before.split('\n').length - 1, column: fault.offset - lineStart + 1, message: fault.message };
}
