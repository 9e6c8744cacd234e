import { describe, expect, it } from 'vitest';
import { printable } from '../../src/base/text.ts';
import { jsonText } from '../../src/report/diagnosis/cause-json.ts';

/** First and last, both included. Source: Unicode's DerivedCoreProperties (Default_Ignorable_Code_Point), and the controls. */
const INVISIBLE: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x2064],
  [0x2066, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe01ef],
];

describe('an invisible character', () => {
  it('is written out, and every letter, mark, digit and sign stays, over all of Unicode', () => {
    const wrong: string[] = [];
    for (let point = 0; point <= 0x10_ff_ff; point++) {
      const character = String.fromCodePoint(point);
      const shown = printable(`a${character}b`).slice(1, -1);
      const isHidden = INVISIBLE.some(([first, last]) => point >= first && point <= last);
      if (isHidden && !isWrittenOut(shown, point)) wrong.push(`hidden ${point.toString(16)}`);
      if (!isHidden && isVisible(character) && shown !== character) wrong.push(`changed ${point.toString(16)}`);
    }
    expect(wrong).toEqual([]);
  });

  it('is written out where it makes another name look the same', () => {
    expect(printable('we\u00ADb')).toBe(String.raw`we\u{00AD}b`);
    expect(printable('web\u{E0041}')).toBe(String.raw`web\u{E0041}`);
    expect(printable('web\u00A0')).toBe(String.raw`web\u{00A0}`);
    expect(printable('web\uD800')).toBe(String.raw`web\u{D800}`);
  });

  it('is escaped in JSON, which keeps what it is', () => {
    const name = 'we\u00ADb\u{E0041}\uFE0F\u3164';
    const text = jsonText({ name });
    expect(text).toMatch(/^[\n -~]*$/);
    expect(JSON.parse(text)).toEqual({ name });
  });
});

function isWrittenOut(shown: string, point: number): boolean {
  const digits = /^\\x([0-9a-f]{2})$|^\\u\{([0-9A-F]{4,6})\}$/.exec(shown);
  return digits !== null && Number.parseInt(digits[1] ?? digits[2] ?? '', 16) === point;
}

/** Assigned and of a kind that has a shape of its own, or one of the two blanks that stay. */
function isVisible(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}\n\t \u3000]$/u.test(character) && !/\p{Default_Ignorable_Code_Point}/u.test(character);
}
