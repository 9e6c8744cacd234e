import { describe, expect, it } from 'vitest';
import { REASONS, reasonNamed } from '../../src/catalog/reasons.ts';
import { shippedRules } from '../../src/catalog/bundled-data.ts';

describe('the table of reasons', () => {
  it('sends people to rules that exist', async () => {
    const ids = new Set((await shippedRules()).map(({ id }) => id));
    const named = REASONS.flatMap(({ rules }) => rules);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
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
});
