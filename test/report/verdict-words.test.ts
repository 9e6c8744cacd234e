import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/model/stage.ts';
import { stageLines } from '../../src/report/diagnosis/stage-lines.ts';
import { stageSummary } from '../../src/report/diagnosis/stage-summary.ts';
import { timelineLines } from '../../src/report/diagnosis/timeline-lines.ts';
import { VERDICT_WORDS } from '../../src/report/diagnosis/verdict-words.ts';
import { PLAIN } from '../../src/report/format/text-style.ts';
import { wayLines } from '../../src/report/simulation/stage-story.ts';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';
import { NOW } from '../support/diagnoses.ts';

const VERDICTS = Object.keys(VERDICT_WORDS) as readonly Verdict[];
const AT = NOW - 60_000;
/** A stage with a verdict in every form that a report has for it. */
const FORMS: readonly (readonly [form: string, lines: (verdict: Verdict, reason: string | undefined) => readonly string[]])[] = [
  [
    'a line of all stages',
    (verdict, reason) => stageLines([{ id: 'volumes', verdict, ...(reason === undefined ? {} : { reason }) }], NOW, PLAIN, true),
  ],
  [
    'a line of all stages with a time',
    (verdict, reason) => stageLines([{ id: 'volumes', verdict, at: AT, ...(reason === undefined ? {} : { reason }) }], NOW, PLAIN, true),
  ],
  ['a summary', (verdict, reason) => stageSummary([{ id: 'volumes', verdict, ...(reason === undefined ? {} : { reason }) }], PLAIN)],
  ['a timeline', (verdict, reason) => timelineLines([{ id: 'volumes', verdict, ...(reason === undefined ? {} : { reason }) }], PLAIN)],
  [
    'a timeline with a time',
    (verdict, reason) => timelineLines([{ id: 'volumes', verdict, at: AT, ...(reason === undefined ? {} : { reason }) }], PLAIN),
  ],
  [
    'a simulated run',
    (verdict, reason) =>
      wayLines([{ id: 'volumes', verdict, sinceMilliseconds: 60, ...(reason === undefined ? {} : { reason }) }], PLAIN, true),
  ],
];

describe('a verdict', () => {
  it.each(FORMS)('has its word beside its mark in %s, with a reason and without', (_, linesOf) => {
    for (const reason of [undefined, 'ConfigMap web-settings']) {
      for (const verdict of VERDICTS) expect(linesOf(verdict, reason).join('\n')).toContain(` ${VERDICT_WORDS[verdict]}`);
    }
  });
});

/** A line that begins with a mark, which a screen reader may leave out. */
const MARKED = /^\s*[^\s\p{L}\p{N}\p{P}$<>=+`|│]\s|^\s*[…·•?]\s/u;
const WORDS = new RegExp(`\\b(?:${Object.values(VERDICT_WORDS).join('|')}|not applicable|(?:[\\w-]+: [A-Z_]{4,}))\\b`);
const BROKEN = ['--scenario', 'volumes/configmap-not-found'];
const COMMANDS: readonly (readonly string[])[] = [
  ...['text', 'wide', 'markdown'].flatMap((format) => [
    ['diagnose', 'web', ...BROKEN, '-o', format],
    ['scan', ...BROKEN, '-o', format],
    ['diagnose', 'web', '--scenario', 'healthy/deployment', '-o', format],
  ]),
  ['diagnose', 'web', ...BROKEN, '--timeline'],
  ['cert-expiry', ...BROKEN],
  ['cert-expiry', ...BROKEN, '-o', 'wide'],
  ['sim', 'run', 'volumes/configmap-not-found', '--until', '30s'],
  ['sim', 'run', 'volumes/configmap-not-found', '--until', '30s', '-o', 'wide'],
  ['sim', 'list'],
  ['sim', 'show', 'volumes/configmap-not-found'],
  ['runbook', 'list'],
  ['runbook', 'show', 'missing-config'],
  ['runbook', 'run', 'missing-config', 'deploy/web', '-n', 'shop', ...BROKEN, '--auto', 'read'],
  ['drill', 'list'],
  ['rules', 'list'],
];

describe('an output without colours', () => {
  it.each(COMMANDS.map((words) => [words.join(' '), words] as const))(
    'says in words what each of its marks means: podcheck %s',
    async (_, words) => {
      const journal = words[1] === 'run' && words[0] === 'runbook' ? ['--journal', folderWith()] : [];
      const { out, err } = await podcheck([...words, ...journal], { env: { NO_COLOR: '1', LANG: 'C.UTF-8' } });
      expect(out).not.toBe('');
      expect(`${out}${err}`).not.toContain('\u001B');
      // The sentences of a runbook go on below their first word.
      const sentences = out.split(words[0] === 'runbook' ? /\n(?! {2}\S)/ : '\n').map((sentence) => sentence.replaceAll('\n', ''));
      expect(sentences.filter((line) => MARKED.test(line) && !WORDS.test(line))).toEqual([]);
    },
    120_000,
  );

  it('has marks in what is tried here, and a word beside them', async () => {
    const { out } = await podcheck(['sim', 'run', 'volumes/configmap-not-found', '--until', '30s', '-o', 'wide'], {
      env: { NO_COLOR: '1', LANG: 'C.UTF-8' },
    });
    expect(out.split('\n').filter((line) => MARKED.test(line) && WORDS.test(line)).length).toBe(18);
    expect(MARKED.test('  ✖ volumes FailedMount') && !WORDS.test('  ✖ volumes FailedMount')).toBe(true);
  }, 120_000);
});
