/** Where a text stops being JSON, and what was expected there. */
export interface JsonFault {
  readonly offset: number;
  readonly message: string;
}

/**
 * The first fault of a text that JSON.parse refused: its own messages name no position on all versions of Node. Goes through
 * the text once and without recursion. Undefined when there is none. Follows RFC 8259.
 */
export function jsonFault(text: string): JsonFault | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    at = skipSpace(text, at);
    if (at >= text.length) {
      if (expected === 'end') return undefined;
      return {
        offset: text.length,
        message:
          open.length === 0 ? 'the text ends where a value is expected' : `the document is cut off (open brackets: ${String(open.length)})`,
      };
    }
    const character = text.charAt(at);
    if (expected === 'end') return { offset: at, message: `unexpected ${shown(character)} after the end of the document` };
    if (character === '}' || character === ']') {
      if (!mayClose(expected) || open.at(-1) !== (character === '}' ? '{' : '['))
        return { offset: at, message: `unexpected ${shown(character)}: ${NEEDED[expected]}` };
      open.pop();
      at++;
      expected = open.length === 0 ? 'end' : open.at(-1) === '{' ? 'comma or }' : 'comma or ]';
      continue;
    }
    const step = advance(text, at, expected, open);
    if ('message' in step) return step;
    at = step.next;
    expected = step.expected;
  }
}

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or }' | 'comma or ]' | 'end';

const NEEDED: Readonly<Record<Expected, string>> = {
  value: 'a value is needed here',
  'value or ]': "a value or ']' is needed here",
  key: 'a field name in double quotes is needed here',
  'key or }': "a field name in double quotes or '}' is needed here",
  colon: "':' is needed after a field name",
  'comma or }': "',' or '}' is needed after a value",
  'comma or ]': "',' or ']' is needed after a value",
  end: 'nothing more is expected',
};

type Step = { readonly next: number; readonly expected: Expected } | JsonFault;

function advance(text: string, at: number, expected: Expected, open: ('{' | '[')[]): Step {
  const character = text.charAt(at);
  switch (expected) {
    case 'colon':
      return character === ':' ? { next: at + 1, expected: 'value' } : unexpected(text, at, expected);
    case 'comma or }':
      return character === ',' ? { next: at + 1, expected: 'key' } : unexpected(text, at, expected);
    case 'comma or ]':
      return character === ',' ? { next: at + 1, expected: 'value' } : unexpected(text, at, expected);
    case 'key':
    case 'key or }':
      return character === '"' ? stringEnd(text, at, 'colon') : unexpected(text, at, expected);
    case 'value':
    case 'value or ]': {
      if (character === '{' || character === '[') {
        open.push(character);
        return { next: at + 1, expected: character === '{' ? 'key or }' : 'value or ]' };
      }
      const after: Expected = open.length === 0 ? 'end' : open.at(-1) === '{' ? 'comma or }' : 'comma or ]';
      if (character === '"') return stringEnd(text, at, after);
      const literal = LITERAL.exec(text.slice(at, at + 400))?.[0];
      return literal === undefined ? unexpected(text, at, expected) : { next: at + literal.length, expected: after };
    }
    case 'end':
      return unexpected(text, at, expected);
  }
}

const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/;

function stringEnd(text: string, start: number, expected: Expected): Step {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { next: at + 1, expected };
    if (code < 0x20) return { offset: at, message: 'a string is not closed on its line' };
    if (code !== 0x5c) continue;
    if (!/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(at + 1, at + 6)))
      return { offset: at, message: 'a backslash in a string begins no escape that JSON knows' };
    at++;
  }
  return { offset: text.length, message: 'the document is cut off within a string' };
}

function mayClose(expected: Expected): boolean {
  return expected === 'value or ]' || expected === 'key or }' || expected === 'comma or }' || expected === 'comma or ]';
}

function unexpected(text: string, at: number, expected: Expected): JsonFault {
  return { offset: at, message: `unexpected ${shown(text.charAt(at))}: ${NEEDED[expected]}` };
}

function shown(character: string): string {
  return character === "'" ? '"\'"' : `'${character}'`;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09; code = text.charCodeAt(at)) at++;
  return at;
}
