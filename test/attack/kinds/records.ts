import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asObject } from '../../../src/base/json.ts';
import { canonicalJson } from '../../../src/base/json-edit.ts';
import type { Prng } from '../../../src/base/prng.ts';
import type { AttackCase } from '../attack-case.ts';
import { pastedText } from '../corpus.ts';
import { hostileText, pick, shareOf, spoilt, torn } from '../mutation.ts';
import { planted } from '../planted.ts';
import { RECORD } from '../../support/drill-record.ts';

const FORMATS = ['text', 'json', 'markdown', 'html', 'playbook'] as const;

/** The record of a drill that somebody sent. */
export function recordCase(prng: Prng): AttackCase {
  const text = JSON.stringify(spoilt(JSON.parse(JSON.stringify(RECORD)) as Json, prng, shareOf(prng)) ?? null);
  return {
    commands: [
      pick(
        [
          ['drill', 'board', '{dir}/records'],
          ['drill', 'review', '{dir}/records/a.json', '-o', pick(FORMATS, prng)],
        ],
        prng,
      ),
    ],
    files: { 'records/a.json': text, 'records/b.json': torn(text, prng) },
  };
}

const ENTRIES: readonly JsonObject[] = [
  {
    type: 'run',
    run: 'web-1',
    playbook: 'missing-config',
    word: 'missing-config',
    digest: 'd',
    copy: {},
    params: {},
    target: 'Deployment/shop/web',
    known: {},
    mode: 'run',
    who: 'eve',
    context: 'shop',
    versions: { podcheck: '0.1.0' },
    alerts: ['KubePodNotReady'],
  },
  { type: 'before', outcome: 'explained', cause: 'volumes/configmap-not-found', words: 'w' },
  { type: 'precondition', say: 's', is: 'holds', why: 'w' },
  { type: 'step', step: 'look', kind: 'show', say: 's' },
  { type: 'output', step: 'look', of: 'kubectl get pods', text: 'one\ntwo', digest: 'd', cut: true },
  { type: 'decision', step: 'look', by: 'eve', question: 'q', answer: 'a' },
  { type: 'change', step: 'make', command: 'kubectl create', objects: ['o'], diff: ['d'] },
  { type: 'changed', step: 'make', object: 'o', uid: 'u', undo: null, back: null, why: 'w' },
  { type: 'undone', step: 'make', object: 'o', ok: true, words: 'w' },
  { type: 'done', step: 'make', result: 'done', words: 'w', next: 'n', bound: {}, milliseconds: 1 },
  { type: 'end', status: 'completed', result: 'fixed', outcome: 'healthy', cause: '', words: 'w', escalated: { say: 'say', to: 'to' } },
];

/** A journal whose chain is as it should be, whatever stands in its entries. */
export function journalCase(prng: Prng): AttackCase {
  const share = shareOf(prng);
  let before = '0'.repeat(64);
  const lines = ENTRIES.slice(0, 1 + prng.below(ENTRIES.length)).map((entry, seq) => {
    const record: JsonObject = {
      seq,
      at: pick<Json>(['2026-01-15T12:00:00.000Z', '2026-01-15T12:00:00.000Z', hostileText(prng)], prng),
      ...asObject(JSON.parse(JSON.stringify(spoilt(entry, prng, share) ?? {})) as Json),
      before,
    };
    before = createHash('sha256').update(canonicalJson(record)).digest('hex');
    return JSON.stringify({ ...record, hash: before });
  });
  const text = `${prng.fraction() < 0.7 ? lines.join('\n') : torn(lines.join('\n'), prng)}\n`;
  const command = pick(
    [
      ['list'],
      ['list', '-o', 'json'],
      ['show', 'web-1'],
      ['show', 'web-1', '-o', 'yaml'],
      ['verify', 'web-1'],
      ['export', 'web-1', '-o', 'markdown'],
      ['export', 'web-1', '-o', 'json'],
    ],
    prng,
  );
  const argv =
    prng.fraction() < 0.2
      ? ['runbook', 'run', '--resume', 'web-1', '--scenario', 'volumes/configmap-not-found']
      : ['runbook', 'journal', ...command];
  return { commands: [[...argv, '--journal', '{dir}/journal']], files: { 'journal/web-1.jsonl': text } };
}

/** Labelled cases of which some are no cases. */
export function evalCase(prng: Prng): AttackCase {
  const { secrets, line } = planted(prng);
  const expected = JSON.stringify(
    spoilt({ rootCause: 'configmap-missing', object: 'app/web', category: hostileText(prng) }, prng, shareOf(prng)) ?? null,
  );
  return {
    commands: [['eval', '{dir}/cases', '--labels', '{dir}/labels.yaml', '-o', pick(['text', 'json', 'yaml'], prng)]],
    files: {
      'cases/one/expected.json': expected,
      'cases/one/out.txt': `${torn(pastedText(prng), prng)}\n${line()}\n`,
      'labels.yaml': torn('labels:\n  configmap-missing: { rule: [volumes/configmap-not-found] }\n  healthy: { none: true }\n', prng),
    },
    secrets,
  };
}
