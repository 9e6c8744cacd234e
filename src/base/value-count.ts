/** What parsing a text would make. */
export interface ValueCount {
  /** Objects, lists, texts, numbers; of a text that is not JSON, what may be one. */
  readonly values: number;
  /** How many objects and lists stand in one another. */
  readonly depth: number;
}

/**
 * Counts the values of a text of JSON documents, each an object or a list, without making any. Goes through the text once; ends where
 * there are more than `most`, or where they are nested deeper than `deepest`.
 */
export function countJson(text: string, most: number, deepest: number): ValueCount {
  let [values, open, depth, newline] = [0, 0, 0, -1];
  // Whether an object or a list has just been opened, which may be empty.
  let fresh = false;
  let previous = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE) continue;
    if (fresh && !isClosing(code)) values++;
    fresh = isOpening(code);
    if (fresh) {
      // A document of its own, wherever the one before it was cut off.
      if (previous !== COMMA && previous !== COLON && !isOpening(previous)) values++;
      open++;
      depth = Math.max(depth, open);
    } else if (isClosing(code)) open = Math.max(0, open - 1);
    else if (code === COMMA) values++;
    else if (code === QUOTE) {
      // A string ends at the end of its line, as parseJsonDocuments takes it: a missing quote must not hide the rest.
      if (newline < at) newline = orEnd(text.indexOf('\n', at), text);
      at = Math.min(endOfString(text, at), newline);
    }
    previous = code;
    if (values > most || depth > deepest) break;
  }
  return { values, depth };
}

function isOpening(code: number): boolean {
  return code === OPEN_BRACE || code === OPEN_BRACKET;
}

function isClosing(code: number): boolean {
  return code === CLOSE_BRACE || code === CLOSE_BRACKET;
}

/** Counts what may be a value in a text that is not JSON: lines, and the marks of lists and maps that are written on one. */
export function countLines(text: string, most: number): ValueCount {
  let values = 1;
  for (let at = 0; at < text.length && values <= most; at++) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE || code === COMMA || code === OPEN_BRACE || code === OPEN_BRACKET) values++;
  }
  return { values, depth: 0 };
}

const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [QUOTE, BACKSLASH, NEWLINE, COMMA, COLON, SPACE] = [0x22, 0x5c, 0x0a, 0x2c, 0x3a, 0x20];

function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (before > start && text.charCodeAt(before) === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}

function orEnd(at: number, text: string): number {
  return at < 0 ? text.length : at;
}
