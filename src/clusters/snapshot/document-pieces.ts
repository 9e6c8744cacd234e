import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  EQUALS,
  NEWLINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from './json-bytes.ts';
import { MAX_NESTING } from './limits.ts';

/** What is cut out of a stream of JSON documents, in the order in which it ends. */
export interface PieceSink {
  /** What follows the last piece is not read. */
  readonly isStopped: boolean;
  /** A document begins on this line. */
  begin(line: number): void;
  /** One member of the document's list of items, whole, with the line it begins on. */
  member(text: string, line: number): void;
  /**
   * A member begins here, which is so many bytes from the beginning of all, or a document, where its line is given. The position behind it,
   * if it was taken; -1 where it is to be given as text.
   */
  outline?(bytes: Uint8Array, at: number, offset: number, documentLine?: number): Outlined;
  /** A member that has more bytes than are kept. */
  tooLarge(line: number, bytes: number): void;
  /** A second list of items: the last one counts. */
  again(): void;
  /** The document without its members, `[]` in their place; undefined where that alone is too large. `isCut`: it breaks off. */
  end(rest: string | undefined, isCut: boolean): void;
}

/** The position behind a member, -1 for none, and how many values it has. */
export interface Outlined {
  readonly end: number;
  readonly values: number;
}

/** Reading stopped: this is no stream of JSON documents, or one that is read in another way. */
export class NotPieces extends Error {}

/**
 * Cuts JSON documents that come in pieces of bytes into the members of their lists, so that no text is ever as long as a document. Members
 * are those of a list that is the document, or of its field `items`. What stands between documents is passed over, as
 * `parseJsonDocuments` does it. What is within a member is not looked at but for quotes and brackets: parsing it tells whether it is JSON.
 */
export class DocumentPieces {
  readonly #sink: PieceSink;
  readonly #mostOfMember: number;
  readonly #mostOfRest: number;
  #bytes: Uint8Array = NO_BYTES;
  /** How many bytes came before these. */
  #before = 0;
  #at = 0;
  #line = 1;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The last character that is neither space nor within a string; 0 at the beginning of a document. */
  #previous = 0;
  /** Depth of the list whose members are cut out; 0 outside. */
  #listDepth = 0;
  #inDocument = false;
  /** Whether the line that is between documents is passed over. */
  #passing = false;
  #key = '';
  #keyStart = -1;
  /** What is kept of the member, or of the rest of the document: from here in the bytes, behind what is in `parts`. */
  #start = -1;
  #startLine = 1;
  #parts: Uint8Array[] = [];
  #kept = 0;
  #rest = '';
  #isRestLost = false;
  #isSkipped = false;
  /** How many values there are, at most. */
  values = 0;

  /** How many bytes are kept at most: of one member, and of all that is not a member of a document. */
  constructor(sink: PieceSink, mostOfMember: number, mostOfRest: number) {
    this.#sink = sink;
    this.#mostOfMember = mostOfMember;
    this.#mostOfRest = mostOfRest;
  }

  push(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#at = 0;
    while (this.#at < bytes.length) {
      if (this.#inString) this.#string();
      else if (this.#inDocument) this.#inside();
      else this.#between();
    }
    this.#keep();
    this.#before += bytes.length;
  }

  /** The last piece has come. */
  end(): void {
    if (!this.#inDocument) return;
    this.#breakOff();
  }

  /** The next bracket that begins a line, or follows another document. */
  #between(): void {
    const bytes = this.#bytes;
    for (; this.#at < bytes.length; this.#at++) {
      const code = bytes[this.#at] as number;
      if (code === NEWLINE) {
        this.#line++;
        this.#passing = false;
      } else if (this.#passing || code <= SPACE || code === COMMA || BYTE_ORDER_MARK.has(code)) continue;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) return this.#begin();
      // A dump of kubectl's has logs between its documents.
      else if (code === EQUALS) throw new NotPieces();
      else this.#passing = true;
    }
  }

  #begin(): void {
    if (this.#bytes[this.#at] === OPEN_BRACE && this.#isTaken(this.#line)) return;
    this.#inDocument = true;
    [this.#depth, this.#previous, this.#listDepth, this.#rest, this.#isRestLost] = [0, 0, 0, '', false];
    this.#sink.begin(this.#line);
    this.#open(this.#at);
  }

  /** Up to the next string, or the end of the document. */
  #inside(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (; at < bytes.length; at++) {
      const code = bytes[at] as number;
      if (code <= SPACE) {
        if (code === NEWLINE) this.#line++;
        continue;
      }
      this.#at = at;
      if (code === QUOTE) return this.#quote();
      if (code === OPEN_BRACE && this.#isOutlined()) return;
      if (isOpening(code) && !this.#mayOpen()) return this.#breakOff();
      this.#mark(code);
      this.#previous = code;
      if (!this.#inDocument) break;
    }
    this.#at = Math.min(at + 1, bytes.length);
  }

  /** Whether a member that begins here was taken without its text. */
  #isOutlined(): boolean {
    const isMember = this.#listDepth !== 0 && this.#depth === this.#listDepth && this.#start < 0;
    if (!isMember || (this.#previous !== COMMA && this.#previous !== OPEN_BRACKET)) return false;
    if (!this.#isTaken()) return false;
    this.#previous = CLOSE_BRACE;
    return true;
  }

  #isTaken(documentLine?: number): boolean {
    const outlined = this.#sink.outline?.(this.#bytes, this.#at, this.#before + this.#at, documentLine);
    if (outlined === undefined || outlined.end < 0) return false;
    this.values += outlined.values;
    this.#at = outlined.end;
    return true;
  }

  #mark(code: number): void {
    if (isOpening(code)) this.#opening(code);
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#closing(code);
    else if (code === COMMA) this.#comma();
    else if (code !== COLON) this.#member();
  }

  #quote(): void {
    this.#member();
    this.#inString = true;
    this.#keyStart = this.#depth === 1 && this.#listDepth === 0 ? this.#at + 1 : -1;
    this.#key = '';
    this.#previous = QUOTE;
    this.#at++;
  }

  /** An object or a list may stand at the beginning, in a list and behind a colon: elsewhere the document before it was cut off. */
  #mayOpen(): boolean {
    const { [this.#previous]: may } = BEFORE_OPENING;
    return this.#depth === 0 || may === true;
  }

  #opening(code: number): void {
    this.values++;
    this.#member();
    this.#depth++;
    if (this.#depth > MAX_NESTING) throw new NotPieces();
    if (code !== OPEN_BRACKET || this.#listDepth !== 0) return;
    const isDocument = this.#depth === 1;
    if (!isDocument && !(this.#depth === 2 && this.#key === 'items' && this.#previous === COLON)) return;
    if (this.#rest !== '') this.#sink.again();
    this.#listDepth = this.#depth;
    this.#takeRest(this.#at + 1);
  }

  #closing(code: number): void {
    if (this.#listDepth !== 0 && this.#depth === this.#listDepth) {
      if (code !== CLOSE_BRACKET || this.#previous === COMMA) throw new NotPieces();
      this.#endMember(this.#at);
      this.#listDepth = 0;
      this.#open(this.#at);
    }
    this.#depth--;
    if (this.#listDepth !== 0 && this.#depth === this.#listDepth) this.#endMember(this.#at + 1);
    if (this.#depth > 0) return;
    this.#takeRest(this.#at + 1);
    this.#inDocument = false;
    this.#sink.end(this.#isRestLost ? undefined : this.#rest, false);
  }

  #comma(): void {
    this.values++;
    if (this.#listDepth === 0 || this.#depth !== this.#listDepth) return;
    // Nothing stands before it.
    if (this.#previous === COMMA || (this.#previous === OPEN_BRACKET && this.#start < 0)) throw new NotPieces();
    this.#endMember(this.#at);
  }

  /** A member begins with this character, unless one is open. */
  #member(): void {
    if (this.#listDepth === 0 || this.#depth !== this.#listDepth || this.#start >= 0) return;
    // Two members that nothing parts.
    if (this.#previous !== COMMA && this.#previous !== OPEN_BRACKET) throw new NotPieces();
    this.#open(this.#at);
  }

  #endMember(end: number): void {
    if (this.#start < 0) return;
    const size = this.#kept + end - this.#start;
    if (this.#isSkipped || size > this.#mostOfMember) this.#sink.tooLarge(this.#startLine, size);
    else this.#sink.member(this.#text(end), this.#startLine);
    this.#close();
  }

  #takeRest(end: number): void {
    if (this.#isSkipped || this.#rest.length + this.#kept + end - this.#start > this.#mostOfRest) this.#isRestLost = true;
    else this.#rest += this.#text(end);
    this.#close();
  }

  /** To the end of a string, or of the line: a missing quote must not hide all that follows. */
  #string(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    if (this.#escaped) {
      this.#escaped = false;
      at++;
    }
    for (; at < bytes.length; at++) {
      const code = bytes[at];
      if (code === BACKSLASH) {
        at++;
        if (at === bytes.length) this.#escaped = true;
      } else if (code === QUOTE || code === NEWLINE) {
        this.#inString = false;
        if (this.#keyStart >= 0) this.#key += textOf(bytes.subarray(this.#keyStart, Math.min(at, this.#keyStart + LONGEST_KEY)));
        if (code === QUOTE) at++;
        break;
      }
    }
    this.#at = Math.min(at, bytes.length);
  }

  /** The document that is open has no end; what follows is another one. */
  #breakOff(): void {
    this.#close();
    this.#inDocument = false;
    this.#inString = false;
    this.#sink.end(this.#isRestLost || this.#rest === '' ? undefined : this.#rest, true);
  }

  #open(at: number): void {
    this.#start = at;
    this.#startLine = this.#line;
  }

  #close(): void {
    this.#start = -1;
    this.#parts = [];
    this.#kept = 0;
    this.#isSkipped = false;
  }

  /** What is open goes on in the next piece. */
  #keep(): void {
    if (this.#inString && this.#keyStart >= 0) {
      this.#key = textOf(this.#bytes.subarray(this.#keyStart, this.#keyStart + LONGEST_KEY));
      this.#keyStart = 0;
    }
    if (this.#start < 0) return;
    const part = this.#bytes.subarray(this.#start);
    this.#kept += part.length;
    if (this.#kept > (this.#listDepth === 0 ? this.#mostOfRest : this.#mostOfMember)) {
      this.#isSkipped = true;
      this.#parts = [];
    } else this.#parts.push(part);
    this.#start = 0;
  }

  #text(end: number): string {
    const last = this.#bytes.subarray(this.#start, end);
    return textOf(this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]));
  }
}

function isOpening(code: number): boolean {
  return code === OPEN_BRACE || code === OPEN_BRACKET;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

const NO_BYTES = new Uint8Array();
/** Longer keys are not looked for. */
const LONGEST_KEY = 16;
const BYTE_ORDER_MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf]);
const BEFORE_OPENING: Readonly<Record<number, true>> = { [COMMA]: true, [COLON]: true, [OPEN_BRACE]: true, [OPEN_BRACKET]: true };
