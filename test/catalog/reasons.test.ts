import { describe, expect, it } from 'vitest';
import { REASONS, reasonNamed } from '../../src/catalog/reasons.ts';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { STAGE_IDS } from '../../src/model/stage.ts';

describe('the table of reasons', () => {
  it('sends people to rules that exist', async () => {
    const ids = new Set((await shippedRules()).map(({ id }) => id));
    const named = REASONS.flatMap(({ rules }) => rules);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('says of each word where it is seen, what it means, and which source defines it', () => {
    const places = ['container state', 'event', 'condition', 'scheduler', 'API answer', 'pod status', 'STATUS column', 'exit code'];
    for (const { reason, stage, seen, means, source } of REASONS) {
      expect(reason, means).toMatch(/\S/);
      expect(STAGE_IDS, reason).toContain(stage);
      expect(places, reason).toContain(seen);
      expect(means, reason).toMatch(/^.{15,}\.$/);
      expect(source, reason).toMatch(/^(?:(?:pkg|staging|cmd|plugin)\/\S+\.go|container runtime|signal\(7\)|[\w./-]+)$/);
    }
  });

  it('has every word once', () => {
    const words = REASONS.map(({ reason }) => reason.toLowerCase());
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  });

  it('finds a word in whatever case', () => {
    expect(reasonNamed(' crashloopbackoff ')?.stage).toBe('containers');
    expect(reasonNamed('CrashLoop')).toBeUndefined();
  });

  it('are found by what the STATUS column shows, and by exit codes', () => {
    for (const word of ['Pending', 'Terminating', 'Completed', 'Error', '137', '143']) expect(reasonNamed(word)?.reason, word).toBe(word);
    expect(reasonNamed('Init:2/3')?.rules).toContain('containers/init-container-failed');
    expect(reasonNamed('Init:CrashLoopBackOff')?.reason).toBe('CrashLoopBackOff');
    expect(reasonNamed('exit code 137')?.reason).toBe('137');
    for (const word of [
      'Running',
      'Unknown',
      'NodeLost',
      'NotReady',
      'SchedulingDisabled',
      'Lost',
      'Released',
      'Suspended',
      'PostStartHookError',
    ])
      expect(reasonNamed(word)?.reason, word).toBe(word);
    const shown = {
      'ExitCode:137': '137',
      'Init:ExitCode:3': 'ExitCode:1',
      'Signal:15': 'Signal:9',
      '2/3': 'READY 0/1',
      'NotReady,SchedulingDisabled': 'NotReady',
    };
    for (const [word, reason] of Object.entries(shown)) expect(reasonNamed(word)?.reason, word).toBe(reason);
  });

  it('are no other words, and no longer numbers', () => {
    for (const word of ['', 'init:', 'Init:1/', '12345/1', '1/12345', 'Signal:1234', 'exit code 1234', 'x Init:0/1', 'Signal:x'])
      expect(reasonNamed(word), word).toBeUndefined();
    const shown = {
      'Init:1234/1234': 'Init:0/1',
      'Init:Signal:9': 'Signal:9',
      'exit code: 3': 'ExitCode:1',
      exitcode127: '127',
      '1234/1': 'READY 0/1',
    };
    for (const [word, reason] of Object.entries(shown)) expect(reasonNamed(word)?.reason, word).toBe(reason);
  });
});
