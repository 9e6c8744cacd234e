import { describe, expect, it } from 'vitest';
import { nearest, printable, printableUpTo, shorten } from '../../src/base/text.ts';

describe('text from a cluster', () => {
  it('cannot move the cursor, colour, reorder or hide anything', () => {
    expect(printable('a\u001b[2Jb\rc\u202Ed\u200Be\u0000')).toBe('a\\x1b[2Jb\\x0dc\\u{202E}d\\u{200B}e\\x00');
  });

  it('keeps its lines, tabs and letters of any script', () => {
    expect(printable('één\n\t두번째')).toBe('één\n\t두번째');
  });

  it('shows no half of a token where it is cut', () => {
    const token = ['ghp', '_16C7e42F292c6912E7710c838347Ae178B4a'].join('');
    for (let length = 0; length < 40; length++)
      expect(printableUpTo(`password=${'x'.repeat(20)} ${'y'.repeat(length)} ${token}`, 12), String(length)).not.toContain('ghp');
  });

  it('is cut where it gets too long, with a mark', () => {
    expect(shorten('abcdef', 4)).toBe('abc…');
    expect(shorten('abc', 4)).toBe('abc');
  });
});

describe('the nearest names', () => {
  it('are those a slip of the finger away', () => {
    expect(nearest('app-confg', ['web', 'app-config', 'app-secret', 'app-conf'])).toEqual(['app-conf', 'app-config']);
  });

  it('are none when nothing is really near', () => {
    expect(nearest('checkout', ['db', 'redis', 'frontend'])).toEqual([]);
  });

  it('of swapped letters count as one slip', () => {
    expect(nearest('wbe', ['web', 'api'])).toEqual(['web']);
  });
});
