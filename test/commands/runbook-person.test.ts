import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runJournalList } from '../../src/commands/runbook/runbook-journal.ts';
import { runRunbookRun } from '../../src/commands/runbook/runbook-run.ts';
import type { Typing } from '../../src/commands/typed-lines.ts';
import { writtenContext } from '../support/context.ts';
import { folderWith } from '../support/folder.ts';

const PLAYBOOK = `title: A ConfigMap is missing
use: When a pod waits for one.
for: {}
params: { key: { type: text, says: the key to the till, secret: true, required: true } }
escalation: Call the owner of the shop.
steps:
  - { id: look, diagnose: target }
  - { id: theme, say: Which theme?, ask: { as: theme, type: text, oneOf: [dark, light], default: light } }
  - { id: kubelet, say: See the kubelet., run: [systemctl, status, kubelet], on: worker-9 }
  - id: make
    say: Make the ConfigMap.
    change: { create: { apiVersion: v1, kind: ConfigMap, metadata: { name: "{{ objectName }}" }, data: { theme: "{{ theme }}", key: "{{ key }}" } } }
    verify: { until: { outcome: healthy }, every: 10s, limit: 5m }
    undo: restore
  - { id: tell, manual: Tell the owner., commands: ["mail -s '{{ objectName }}' owner"] }
  - id: away
    say: Delete it again.
    change: { delete: "ConfigMap/{{ namespace }}/web-settings" }
    verify: { until: { outcome: healthy }, limit: 10s }
    undo: restore
`;

interface Sat {
  readonly code: number;
  readonly out: string;
  readonly journal: string;
  readonly questions: readonly string[];
  /** What the list of runs said of this one while each question was open. */
  readonly listed: readonly string[];
}

/** Somebody at a terminal who types these lines, one a question. */
async function sitting(
  lines: readonly (string | undefined)[],
  stop?: { readonly at: number; readonly controller: AbortController },
): Promise<Sat> {
  const folder = folderWith({ 'web-settings.yaml': PLAYBOOK });
  const [questions, listed]: [string[], string[]] = [[], []];
  const journal = join(folder, 'journal');
  const next = async (question: string): Promise<string | undefined> => {
    if (stop?.at === questions.length) stop.controller.abort();
    questions.push(question);
    const beside = writtenContext(folder);
    await runJournalList({ journal, output: 'json' }, beside);
    listed.push(...(JSON.parse(beside.out()) as readonly { status: string }[]).map(({ status }) => status));
    return lines[questions.length - 1];
  };
  const typing: Typing = { line: next, hidden: (question) => next(`(hidden) ${question}`), block: () => next('(block)') };
  const context = { ...writtenContext(folder), typing, version: '1', ...(stop === undefined ? {} : { signal: stop.controller.signal }) };
  const code = await runRunbookRun(
    [join(folder, 'web-settings.yaml'), 'web'],
    { namespace: 'shop', scenario: 'volumes/configmap-not-found', journal },
    context,
  );
  const run = /^run (\S+)$/m.exec(context.out())?.[1] ?? '';
  return { code, out: context.out(), journal: readFileSync(join(journal, `${run}.jsonl`), 'utf8'), questions, listed };
}

describe('somebody at a terminal', () => {
  it('is asked for what is missing, shown each change, and confirms it', async () => {
    const { code, out, journal, questions, listed } = await sitting([
      'sesame-42',
      'blue',
      'dark',
      '● kubelet.service - kubelet: The Kubernetes Node Agent\n     Active: inactive (dead) since Fri 2026-11-20 09:00:00 UTC; 3min ago',
      'y',
      'y she knows',
      'web-settings',
    ]);
    expect(questions.map((question) => question.replaceAll(/\u001B\[\d+m/g, ''))).toEqual([
      '(hidden) the key to the till (key) (text) ',
      'Which theme? (one of dark, light; Enter for light) ',
      'Which theme? (one of dark, light; Enter for light) ',
      '(block)',
      'Make the ConfigMap? [y/N, s to stop] ',
      'Done? [y/N, s to stop; text after the answer is saved as a note] ',
      'Delete it again? Type web-settings to confirm, s to stop: ',
    ]);
    // The first is asked before the run begins.
    expect(listed).toEqual(Array.from({ length: questions.length - 1 }, () => 'waiting'));
    expect(out).toContain('expected one of dark, light');
    expect(out).toMatch(/\(kubelet: DONE\)\n +\d+ facts?: /);
    expect(out).toContain('+ data.theme: dark');
    expect(out).toContain('+ data.key: ***');
    expect(journal).toContain('"answer":"done: she knows"');
    expect(out + journal).not.toContain('sesame-42');
    expect(out).toContain('Fixed. The run is complete.');
    expect(code).toBe(0);
  });

  it('changes nothing without a clear yes, and ends the run where no other way is named', async () => {
    const { code, out, journal } = await sitting(['sesame-42', '', undefined, 'maybe']);
    expect(out).toMatch(/\(make: DECLINED\)\n +the user declined/);
    expect(out).toContain('Not fixed. The run failed.');
    expect(journal).not.toContain('"type":"changed"');
    expect(code).toBe(1);
  });

  it('may stop it, and is offered to undo what was done', async () => {
    const { code, out, questions } = await sitting(['sesame-42', '', undefined, 'y', 's', 'y']);
    expect(questions.at(-1)).toContain('Undo the change of this run?');
    expect(out).toContain('undone: ConfigMap/shop/web-settings');
    expect(out).toMatch(/The run was aborted\..*\n.*the user stopped the run/);
    expect(code).toBe(3);
  });

  it('may interrupt it with Ctrl-C: it stops between two steps', async () => {
    const { code, out, questions } = await sitting(['sesame-42', '', undefined, 'y', 'y', 'n'], {
      at: 4,
      controller: new AbortController(),
    });
    expect(out).toMatch(/\(make: PASSED/);
    expect(out).toMatch(/\(tell: UNKNOWN\)/);
    expect(questions.at(-1)).toContain('Undo the change of this run?');
    expect(out).toMatch(/^Resume {4}podcheck runbook run --resume \S+$/m);
    expect(code).toBe(130);
  });

  it('has nothing done that was not begun when they pressed Ctrl-C', async () => {
    const { code, out, journal } = await sitting(['sesame-42', '', undefined, 'y'], { at: 3, controller: new AbortController() });
    expect(out).toMatch(/\(make: UNKNOWN\)\n +interrupted before it was sent/);
    expect(journal).not.toContain('"type":"changed"');
    expect(code).toBe(130);
  });

  it('who goes away is taken for nobody: nothing more is done', async () => {
    const { code, journal } = await sitting(['sesame-42']);
    expect(journal).not.toContain('"type":"changed"');
    expect(code).toBe(3);
  });
});
