import type { PieceSink } from './document-pieces.ts';
import { NotPieces } from './document-pieces.ts';
import { COLON, COMMA, DASH, EQUALS, NEWLINE, OPEN_BRACE, OPEN_BRACKET, SPACE } from './json-bytes.ts';

/**
 * Cuts YAML documents that come in pieces of bytes into the members of their lists: those of the field `items`, or of a document that is a
 * list. A member is given with its dash. Only the beginnings of lines are looked at: parsing tells whether it is YAML. A line that begins
 * with `---` ends a document, as it does for kubectl. Source: apimachinery/pkg/util/yaml/decoder.go.
 */
export class YamlPieces {
  readonly #sink: PieceSink;
  readonly #mostOfMember: number;
  #bytes: Uint8Array = NO_BYTES;
  /** From here on the bytes belong to what is open: the member, or the rest of the document. */
  #start = 0;
  #line = 1;
  #memberLine = 1;
  #isBegun = false;
  /** How far the members of the list are indented, while one is open. */
  #indent = OUTSIDE;
  #hasList = false;
  /** The list is all of the document. */
  #isBare = false;
  readonly #member: Kept;
  readonly #rest: Kept;
  /** How many values there are, at most. */
  values = 0;

  /** How many bytes are kept at most: of one member, and of all that is not a member of a document. */
  constructor(sink: PieceSink, mostOfMember: number, mostOfRest: number) {
    [this.#sink, this.#mostOfMember] = [sink, mostOfMember];
    [this.#member, this.#rest] = [new Kept(mostOfMember), new Kept(mostOfRest)];
  }

  push(piece: Uint8Array): void {
    const carried = this.#bytes;
    const bytes = carried.length === 0 ? piece : Buffer.concat([carried, piece]);
    [this.#bytes, this.#start] = [bytes, 0];
    let from = this.#line === 1 && BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? BYTE_ORDER_MARK.length : 0;
    for (let at = carried.length; at < bytes.length; at++) {
      const code = bytes[at] as number;
      if (code === COMMA || code === OPEN_BRACE || code === OPEN_BRACKET) this.values++;
      else if (code === NEWLINE) {
        this.#take(from, at);
        from = at + 1;
        this.#line++;
        this.values++;
      }
    }
    if (bytes.length - from > this.#mostOfMember) throw new NotPieces();
    this.#close(from);
    this.#bytes = bytes.subarray(from);
  }

  /** The last piece has come. */
  end(): void {
    this.#start = 0;
    if (this.#bytes.length > 0) this.#take(0, this.#bytes.length);
    this.#endDocument(this.#bytes.length, true);
  }

  /** One line, without its end. */
  #take(from: number, to: number): void {
    const bytes = this.#bytes;
    let at = from;
    while (bytes[at] === SPACE) at++;
    const indent = at - from;
    // Most lines are within a member.
    if (this.#indent >= 0 && indent > this.#indent) return;
    if (at >= to || isPassedOver(bytes[at])) return;
    if (indent > 0 || !isSeparator(bytes, from, to)) return this.#content(from, to, indent);
    this.#endDocument(from, false);
    this.#start = from + SEPARATOR_BYTES;
    this.#take(this.#start, to);
  }

  #content(from: number, to: number, indent: number): void {
    const bytes = this.#bytes;
    const dash = from + indent;
    if (bytes[from] === EQUALS) throw new NotPieces();
    const isMember = bytes[dash] === DASH && (dash + 1 >= to || isSpace(bytes[dash + 1]));
    if (!this.#isBegun) this.#begin(from, isMember);
    if (this.#indent === EXPECTED) this.#enter(from, isMember);
    if (isMember && (this.#indent === indent || this.#indent === ENTERED)) this.#next(from, indent);
    else if (this.#indent >= 0) this.#leave(from);
    if (this.#indent !== OUTSIDE || !isItems(bytes, from, to)) return;
    this.#close(from);
    [this.#start, this.#indent] = [to, EXPECTED];
  }

  #begin(from: number, isMember: boolean): void {
    this.#isBegun = true;
    this.#rest.clear();
    this.#start = from;
    this.#sink.begin(this.#line);
    [this.#isBare, this.#hasList, this.#indent] = [isMember, isMember, isMember ? ENTERED : OUTSIDE];
  }

  /** What follows `items:`. */
  #enter(from: number, isMember: boolean): void {
    this.#start = from;
    this.#rest.add(isMember ? EMPTY_ITEMS : NO_ITEMS);
    this.#indent = isMember ? ENTERED : OUTSIDE;
    if (!isMember) return;
    if (this.#hasList) this.#sink.again();
    this.#hasList = true;
  }

  #next(from: number, indent: number): void {
    if (this.#indent >= 0) this.#endMember(from);
    [this.#start, this.#indent, this.#memberLine] = [from, indent, this.#line];
  }

  #leave(from: number): void {
    if (this.#isBare) throw new NotPieces();
    this.#endMember(from);
    this.#indent = OUTSIDE;
  }

  #endMember(end: number): void {
    this.#close(end);
    const size = this.#member.size;
    const text = this.#member.text();
    this.#member.clear();
    if (text === undefined) this.#sink.tooLarge(this.#memberLine, size);
    else this.#sink.member(text, this.#memberLine);
  }

  #endDocument(end: number, isLast: boolean): void {
    const isCut = isLast && this.#isCutOff();
    // What there is of the last member is not all of it.
    if (this.#indent >= 0 && isCut) this.#member.clear();
    else if (this.#indent >= 0) this.#endMember(end);
    else if (this.#indent === EXPECTED) this.#rest.add(NO_ITEMS);
    else this.#close(end);
    const text = this.#isBare ? '[]' : this.#rest.text();
    if (this.#isBegun) this.#sink.end(text, isCut);
    this.#rest.clear();
    [this.#isBegun, this.#hasList, this.#isBare, this.#indent] = [false, false, false, OUTSIDE];
  }

  /** kubectl writes the fields in the order of the alphabet: a list that is cut off lacks its kind. */
  #isCutOff(): boolean {
    const rest = this.#rest.text() ?? '';
    return this.#sink.isStopped || (this.#indent >= 0 && !this.#isBare && /^apiVersion:/m.test(rest) && !/^kind:/m.test(rest));
  }

  /** Keeps what has come of what is open. */
  #close(end: number): void {
    const part = this.#bytes.subarray(this.#start, end);
    this.#start = end;
    if (part.length === 0 || this.#indent === EXPECTED) return;
    (this.#indent >= 0 ? this.#member : this.#rest).add(part);
  }
}

/** Bytes of one text, as far as they are not too many. */
class Kept {
  readonly #most: number;
  #parts: Uint8Array[] = [];
  size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(part: Uint8Array): void {
    this.size += part.length;
    if (this.size <= this.#most) this.#parts.push(part);
    else this.#parts = [];
  }

  text(): string | undefined {
    return this.size > this.#most ? undefined : Buffer.concat(this.#parts).toString('utf8');
  }

  clear(): void {
    [this.#parts, this.size] = [[], 0];
  }
}

const NO_BYTES = new Uint8Array();
/** No list, `items:` was the last line, and the list begins with this line. */
const [OUTSIDE, EXPECTED, ENTERED] = [-1, -2, -3];
const [EMPTY_ITEMS, NO_ITEMS] = [Buffer.from('items: []\n'), Buffer.from('items:\n')];
const [RETURN, TAB, HASH] = [0x0d, 0x09, 0x23];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const SEPARATOR_BYTES = 3;

function isSpace(code: number | undefined): boolean {
  return code === SPACE || code === TAB || code === RETURN || code === NEWLINE;
}

/** The first byte of a line that is empty, or a comment. */
function isPassedOver(code: number | undefined): boolean {
  return code === NEWLINE || code === RETURN || code === HASH;
}

function isSeparator(bytes: Uint8Array, from: number, to: number): boolean {
  const end = from + SEPARATOR_BYTES;
  for (let at = from; at < end; at++) if (bytes[at] !== DASH) return false;
  return end >= to ? end === to : isSpace(bytes[end]);
}

/** Whether a line is nothing but `items:`. */
function isItems(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = 0; at < ITEMS.length; at++) if (bytes[from + at] !== ITEMS[at]) return false;
  let at = from + ITEMS.length;
  while (at < to && isSpace(bytes[at])) at++;
  return at === to || bytes[at] === HASH;
}

const ITEMS = [...Buffer.from('items'), COLON];
