import type { JsonObject } from '../base/json.ts';
import type { Action, FaultRecord, RunRecord } from './run-record.ts';

/**
 * A run as a playbook to begin with, in the format of `podcheck runbook`: what was looked at that showed the causes, then the
 * shortest way to each, then what mends it. For somebody to read over: names of the drill stand in it as they were.
 */
export function draftPlaybook(record: RunRecord): JsonObject {
  const causes = [...new Set(record.faults.map(({ cause }) => cause))];
  return {
    title: `Draft from the drill ${record.drill}: ${record.title}`,
    use: record.faults.map(({ title }) => title).join('; '),
    for: { alerts: [], rules: causes, stages: [] },
    steps: [
      { id: 'look', diagnose: 'target', say: 'Have every stage looked at.', branches: [{ when: { outcome: 'healthy' }, goto: 'end' }], else: 'which' },
      { id: 'which', decide: causes.map((cause, index) => ({ when: { cause }, goto: `see-${index + 1}` })), else: 'help' },
      ...causes.flatMap((cause, index) => causeSteps(index + 1, record.faults.find((fault) => fault.cause === cause), record)),
      { id: 'ready', say: 'Wait until it is well.', wait: { outcome: 'healthy' }, every: '10s', limit: '10m', timeout: 'help' },
      { id: 'well', note: '{{ target }} is well again.' },
      goOn('end'),
      { id: 'help', escalate: 'It is something else, or does not become well.', bring: ['podcheck diagnose -n {{ namespace }} {{ workload }} -o markdown'] },
    ],
    escalation: { say: 'When this does not help, call whoever knows the workload.' },
  };
}

function causeSteps(number: number, fault: FaultRecord | undefined, { timeline }: RunRecord): readonly JsonObject[] {
  if (fault === undefined) return [];
  const telling = timeline.filter((action) => action.telling === true).map(({ what }) => what);
  const done = timeline.filter(isChange).map(({ what }) => what);
  const [seen, changed] = [sentence('In the drill this was looked at', telling), sentence('In the drill this was done', done)];
  return [
    { id: `see-${number}`, manual: plain(`${fault.title}. Look at what shows it.`), ...commands(fault.path), ...(seen === undefined ? {} : { tells: seen }) },
    { id: `mend-${number}`, manual: plain(fault.fix.map(({ say }) => say).join(' ')), ...commands(fault.fix.flatMap(({ run }) => run ?? [])), ...(changed === undefined ? {} : { tells: changed }) },
    goOn('ready'),
  ];
}

/** Goes on there in any case. */
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

/** Braces of a cluster's own texts are no variables of a playbook. */
function plain(text: string): string {
  return text.replaceAll('{{', '{').replaceAll('}}', '}');
}
