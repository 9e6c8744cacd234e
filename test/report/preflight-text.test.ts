import { describe, expect, it } from 'vitest';
import { PLAIN } from '../../src/report/format/text-style.ts';
import { preflightChecks } from '../../src/report/preflight/preflight-checks.ts';
import { preflightText } from '../../src/report/preflight/preflight-text.ts';
import { HOSTILE, withTexts } from '../support/hostile.ts';
import { PREFLIGHT } from '../support/runs.ts';

describe('a preflight for a person', () => {
  const text = preflightText(PREFLIGHT, PLAIN, false);

  it('begins with the count, the cluster and its age', () => {
    expect(text.split('\n').slice(0, 4).join(' ')).toBe(
      'web.yaml: 1 of 3 workloads blocked, 1 object rejected, 1 without a known obstacle, 1 would start ' +
        'Tried in a clone of saved.json, as of 2026-01-14T09:16:15Z, 25h old; what ' +
        'changed since is not known; 2 findings of the baseline left out.',
    );
  });

  it('has each obstacle with its stage, place, fix and what was assumed to get past it', () => {
    expect(text).toContain(
      '✖ Deployment shop/web is blocked by 1 obstacle\n  1. volumes: A volume names a ConfigMap that does not exist\n',
    );
    expect(text).toContain('     web.yaml:12:7\n');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('Assumed from here on: ConfigMap shop/web-settings exists');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('With all obstacles removed, last stage passed: probes.');
  });

  it('then has what is not known, what would start, and what it takes from others', () => {
    const order = [
      '✖ Deployment',
      '? Pod shop/till has no known obstacle',
      '✔ Pod shop/kiosk would start',
      'REJECTED',
      'EFFECT',
      'NOT SEEN',
    ];
    const places = order.map((words) => text.indexOf(words));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('fits 80 columns, commands aside', () => {
    const lines = text.split('\n').filter((line) => !line.includes('kubectl'));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it.each(HOSTILE)('keeps %j on its line, and lets it move no cursor', (hostile) => {
    const shown = preflightText(withTexts(PREFLIGHT, hostile, ['verdict', 'level']), PLAIN, true);
    expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
  });
});

describe('a preflight for a pipeline', () => {
  it('has a check for each workload, remark and effect', () => {
    expect(preflightChecks(PREFLIGHT).map(({ verdict, problems }) => [verdict, problems.map(({ level }) => level)])).toEqual([
      ['failed', ['error']],
      ['unknown', ['note']],
      ['passed', []],
      ['failed', ['error']],
      ['passed', ['warning']],
    ]);
  });
});
