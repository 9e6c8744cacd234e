import type { JsonObject } from '../base/json.ts';
import type { Action, FaultRecord, RunRecord } from './run-record.ts';

/**
 * A run as a draft of a playbook, in the format of `podcheck runbook`: the evidence that showed each cause, the shortest way to
 * it, and its fix. A person must review the draft: it contains the names of the drill's objects.
 */
export function draftPlaybook(record: RunRecord): JsonObject {
  const causes = [...new Set(record.faults.map(({ cause }) => cause))];
  return {
    title: `Draft from the drill ${record.drill}: ${record.title}`,
    use: record.faults.map(({ title }) => title).join('; '),
    for: { alerts: [], rules: causes, stages: [] },
    steps: [
      {
        id: 'look',
        diagnose: 'target',
        say: 'Diagnose every stage.',
        branches: [{ when: { outcome: 'healthy' }, goto: 'end' }],
        else: 'which',
      },
      { id: 'which', decide: causes.map((cause, index) => ({ when: { cause }, goto: `see-${index + 1}` })), else: 'help' },
      ...causes.flatMap((cause, index) =>
        causeSteps(
          index + 1,
          record.faults.find((fault) => fault.cause === cause),
          record,
        ),
      ),
      {
        id: 'ready',
        say: 'Wait until {{ target }} is healthy.',
        wait: { outcome: 'healthy' },
        every: '10s',
        limit: '10m',
        timeout: 'help',
      },
      { id: 'well', note: '{{ target }} is healthy again.' },
      goOn('end'),
      {
        id: 'help',
        escalate: 'Escalate: {{ target }} is still not healthy, or the cause is another one.',
        bring: ['podcheck diagnose -n {{ namespace }} {{ workload }} -o markdown'],
      },
    ],
    escalation: { say: 'Escalate to the team that owns the workload if this does not help.' },
  };
}

function causeSteps(number: number, fault: FaultRecord | undefined, { timeline }: RunRecord): readonly JsonObject[] {
  if (fault === undefined) return [];
  const telling = timeline.filter((action) => action.telling === true).map(({ what }) => what);
  const done = timeline.filter(isChange).map(({ what }) => what);
  const [seen, changed] = [sentence('Evidence read in the drill', telling), sentence('Changes made in the drill', done)];
  return [
    {
      id: `see-${number}`,
      manual: plain(`Check the evidence: ${fault.title}.`),
      ...commands(fault.path),
      ...(seen === undefined ? {} : { tells: seen }),
    },
    {
      id: `mend-${number}`,
      manual: plain(fault.fix.map(({ say }) => say).join(' ')),
      ...commands(fault.fix.flatMap(({ run }) => run ?? [])),
      ...(changed === undefined ? {} : { tells: changed }),
    },
    goOn('ready'),
  ];
}

/** Continues there in any case. */
function goOn(to: string): JsonObject {
  return { decide: [{ when: { outcome: 'healthy' }, goto: to }], else: to };
}

function isChange({ kind }: Action): boolean {
  return kind === 'write' || kind === 'destroy';
}

function commands(lines: readonly string[]): JsonObject {
  return lines.length === 0 ? {} : { commands: lines.map(plain) };
}

function sentence(lead: string, what: readonly string[]): string | undefined {
  const distinct = [...new Set(what)].slice(0, 6);
  return distinct.length === 0 ? undefined : plain(`${lead}: ${distinct.join('; ')}.`);
}

/** Braces in texts of the cluster must not become variables of the playbook. */
function plain(text: string): string {
  return text.replaceAll('{{', '{').replaceAll('}}', '}');
}
