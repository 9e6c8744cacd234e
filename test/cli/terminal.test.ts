import { describe, expect, it } from 'vitest';
import { lookOf } from '../../src/cli/terminal.ts';

type Stdout = Parameters<typeof lookOf>[0]['stdout'];

function look(
  terminal: { readonly isTTY?: boolean; readonly columns?: number },
  env: Readonly<Record<string, string>>,
  flag?: boolean,
): ReturnType<typeof lookOf> {
  return lookOf({ stdout: terminal as Stdout, env }, flag);
}

describe('colour', () => {
  it.each([
    ['on a terminal', { isTTY: true }, {}, undefined, true],
    ['into a pipe', {}, {}, undefined, false],
    ['on a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, undefined, false],
    ['with NO_COLOR on a terminal', { isTTY: true }, { NO_COLOR: '1' }, undefined, false],
    ['with an empty NO_COLOR on a terminal', { isTTY: true }, { NO_COLOR: '' }, undefined, true],
    ['with FORCE_COLOR into a pipe', {}, { FORCE_COLOR: '1' }, undefined, true],
    ['with FORCE_COLOR=0 on a terminal', { isTTY: true }, { FORCE_COLOR: '0' }, undefined, false],
    ['with both, NO_COLOR wins', { isTTY: true }, { FORCE_COLOR: '1', NO_COLOR: '1' }, undefined, false],
    ['with --no-color whatever else', { isTTY: true }, { FORCE_COLOR: '1' }, false, false],
  ])('%s', (_, terminal, env: Record<string, string>, flag, color) => {
    expect(look(terminal, env, flag).color).toBe(color);
  });
});

describe('width', () => {
  it.each([
    ['that of the terminal', { isTTY: true, columns: 100 }, {}, 100],
    ['80 into a pipe', {}, {}, 80],
    ['80 on a terminal that says it has none', { isTTY: true, columns: 0 }, {}, 80],
    ['what COLUMNS says into a pipe', {}, { COLUMNS: '60' }, 60],
    ['never so narrow that nothing can be read', { isTTY: true, columns: 10 }, {}, 40],
    ['never so wide that lines get lost', { isTTY: true, columns: 500 }, {}, 120],
  ])('is %s', (_, terminal, env: Record<string, string>, width) => {
    expect(look(terminal, env).width).toBe(width);
  });
});

describe('marks', () => {
  it.each([
    ['are shown in a UTF-8 locale', { LANG: 'ko_KR.UTF-8' }, true],
    ['are shown where no locale is set', {}, true],
    ['are ASCII in another locale', { LANG: 'C' }, false],
    ['go by LC_ALL before LANG', { LC_ALL: 'POSIX', LANG: 'de_DE.UTF-8' }, false],
    ['are ASCII on the Linux console', { TERM: 'linux', LANG: 'de_DE.UTF-8' }, false],
  ])('%s', (_, env: Record<string, string>, unicode) => {
    expect(look({}, env).unicode).toBe(unicode);
  });
});
