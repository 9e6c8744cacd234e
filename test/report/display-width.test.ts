import stringWidth from 'string-width';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, fit, padEnd, wrap } from '../../src/report/format/display-width.ts';

describe('the width of text on a terminal', () => {
  it.each([
    ['shop/web', 8],
    ['상점', 4],
    ['상점'.normalize('NFD'), 4],
    ['商店 web', 8],
    ['✔ ok', 4],
    ['🚀', 2],
    ['👩‍👧', 2],
    ['é'.normalize('NFD'), 1],
  ])('%s', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it('is never exceeded by a wrapped line, and no letter is lost', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', ' ', '상', '점', '-', '🚀') }),
        fc.integer({ min: 20, max: 60 }),
        (text, width) => {
          const lines = wrap(text.trim(), width);
          for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
          expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        },
      ),
    );
  });

  it('breaks at spaces where there are any', () => {
    expect(wrap('the shop has no such image at all', 20)).toEqual(['the shop has no such', 'image at all']);
    expect(wrap('컨테이너 이미지를 가져올 수 없습니다', 20)).toEqual(['컨테이너 이미지를', '가져올 수 없습니다']);
  });

  it('keeps the indentation of what it wraps', () => {
    expect(wrap('    - name: the-settings of the shop', 24)).toEqual(['    - name: the-settings', '    of the shop']);
  });

  it('cuts with an ellipsis inside the width', () => {
    expect(fit('상점 web-server', 8)).toBe('상점 we…');
    expect(displayWidth(fit('상점상점', 6))).toBeLessThanOrEqual(6);
    expect(fit('web', 8)).toBe('web');
  });

  it('fills up to the width', () => {
    expect(padEnd('상점', 6)).toBe('상점  ');
  });
});

describe('the columns of a text', () => {
  it('are those that string-width counts, for all characters up to Hiragana, all pictures, and some of the others', () => {
    const codes = Array.from({ length: 0x11_0000 }, (_, code) => code).filter(
      (code) => code < 0x31_00 || (code >= 0x1_f0_00 && code < 0x1_fc_00) || code % 61 === 0,
    );
    const characters = codes.map((code) => String.fromCodePoint(code)).filter((character) => !/\p{Control}/u.test(character));
    expect(characters.length).toBeGreaterThan(30_000);
    expect(characters.filter((character) => displayWidth(character) !== stringWidth(character))).toEqual([]);
  });

  it.each(['❤️‍🔥', '👨‍👩‍👧', '🇩🇪', '1️⃣', '✔', '✔️', '👍🏽', 'e\u0301', '\u1100\u1161\u11A8', '각', '日本', 'ｶﾞ', 'किताब', 'web-1 … läuft'])(
    'are those that string-width counts, for %s',
    (text) => {
      expect(displayWidth(text)).toBe(stringWidth(text));
    },
  );
});
