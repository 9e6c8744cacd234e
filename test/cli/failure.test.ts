import { describe, expect, it } from 'vitest';
import { assert } from '../../src/base/assert.ts';
import type { ErrorCode } from '../../src/base/errors.ts';
import { PodcheckError } from '../../src/base/errors.ts';
import { failureOf } from '../../src/cli/failure.ts';

describe('what goes wrong', () => {
  it.each<[ErrorCode, number]>([
    ['usage', 2],
    ['bad-input', 2],
    ['not-found', 2],
    ['unsupported', 2],
    ['unreachable', 3],
  ])('exits, when it is %s, with %i', (code, exit) => {
    expect(failureOf(new PodcheckError(code, 'the shop is closed', 'come back at nine'), [])).toEqual({
      code: exit,
      text: 'error: the shop is closed\nhint: come back at nine\n',
    });
  });

  it('is a bug of podcheck when nobody expected it, and says how to report it', () => {
    const { code, text } = failureOf(bug(), ['scan', '-n', 'shop']);
    expect(code).toBe(70);
    for (const words of [
      'bug in podcheck',
      'Please report it',
      'podcheck scan -n shop',
      `node ${process.version}`,
      'the till is empty',
      '    at ',
    ])
      expect(text).toContain(words);
  });

  it('is not a bug when the operating system refuses something', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
      path: '/var/shop/run.json',
    });
    expect(failureOf(new Error('not saved', { cause: full }), [])).toEqual({
      code: 2,
      text: 'error: /var/shop/run.json: no space left on device\nhint: Free some disk space, or choose another folder.\n',
    });
    expect(failureOf(new RangeError('Invalid string length'), []).text).toMatch(/^error: not enough memory\nhint: .*max-old-space-size/);
    // An error of our own that only looks like one.
    expect(failureOf(Object.assign(new Error('no shop'), { code: 'ENOENT' }), []).code).toBe(70);
    // A circle of causes is gone through once.
    const circle = new Error('a');
    circle.cause = circle;
    expect(failureOf(circle, []).code).toBe(70);
  });

  it('passes on no control sequence from what was read', () => {
    expect(failureOf(new PodcheckError('bad-input', 'no such key: \u001B[2J'), []).text).toBe(
      `error: no such key: ${String.raw`\x1b[2J`}\n`,
    );
    expect(failureOf(new Error('\u009Bx'), ['\u001B[31m']).text).not.toMatch(/[\u001B\u009B]/);
  });
});

function bug(): unknown {
  try {
    assert(false, 'the till is empty');
  } catch (error) {
    return error;
  }
  return undefined;
}
