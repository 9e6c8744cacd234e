import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { waitsIn } from './drawn-waits.ts';
import type { WatchLine } from './watch-lines.ts';

function line(seconds: number, restartCount: number, state: JsonObject, uid = 'a'): WatchLine {
  const object: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', uid },
    status: { containerStatuses: [{ name: 'app', restartCount, state }] },
  };
  return { at: 1000 * seconds, seen: {}, object };
}

const RUNNING = { running: {} };
const ENDED = { terminated: { exitCode: 1 } };
const waiting = (time: string): JsonObject => ({
  waiting: { reason: 'CrashLoopBackOff', message: `back-off ${time} restarting failed container=app pod=web_shop(a)` },
});
const factors = (lines: readonly WatchLine[]): readonly string[] =>
  waitsIn(lines).map(({ from, factor }) => `${from / 1000}: ${factor.toFixed(2)}`);

describe('the waits that a recording shows', () => {
  const first = [line(0, 0, RUNNING), line(10, 0, ENDED), line(10, 1, RUNNING)];

  test('go from the end that was seen to the next start', () => {
    const second = [line(20, 1, ENDED), line(32.525, 1, waiting('10s')), line(32.525, 2, RUNNING)];
    expect(factors([...first, ...second])).toEqual(['10: 1.25']);
  });

  test('are 1 to 1.5 times the back-off, whatever the watch saw late', () => {
    const early = [line(20, 1, ENDED), line(25, 1, waiting('10s')), line(29, 2, RUNNING)];
    const late = [line(40, 2, ENDED), line(60, 2, waiting('20s')), line(80, 3, RUNNING)];
    expect(factors([...first, ...early, ...late])).toEqual(['10: 1.00', '29: 1.50']);
  });

  test('are left to chance where they are looked at more than once, where the next start was not seen, and where two containers crash', () => {
    const long = [line(20, 1, ENDED), line(60, 1, waiting('1m20s')), line(120, 2, RUNNING)];
    expect(factors([...first, ...long])).toEqual([]);
    expect(factors([...first, line(20, 1, ENDED), line(25, 1, waiting('10s'))])).toEqual([]);
    const second = [line(20, 1, ENDED), line(32, 1, waiting('10s')), line(32, 2, RUNNING)];
    expect(factors([...first, ...second, line(33, 1, waiting('10s'), 'b')])).toEqual([]);
  });
});
