import { shippedPlaybooks, shippedRules } from '../../src/catalog/bundled-data.ts';
import { parsePlaybook } from '../../src/catalog/parse-playbook.ts';
import type { Problem } from '../../src/catalog/yaml-problem.ts';
import type { ObjectRef } from '../../src/model/kube-object.ts';
import type { Playbook } from '../../src/model/playbook.ts';
import { flatten } from '../../src/runbook/flatten.ts';
import type { JournalEntry, RunMode } from '../../src/model/journal.ts';
import type { Prompt, RunPorts, View } from '../../src/runbook/ports.ts';
import { progressOf, takeOver } from '../../src/runbook/resume.ts';
import type { RunEnd } from '../../src/runbook/run.ts';
import { continueUndo, runSteps } from '../../src/runbook/run.ts';
import type { Running } from '../../src/runbook/running.ts';
import { simulatedPorts } from '../../src/runbook/simulated-target.ts';
import { askForParams, checkRights, prepareRun } from '../../src/runbook/start.ts';
import type { Cluster } from '../../src/simulator/index.ts';

export const { playbooks, rules } = { playbooks: await shippedPlaybooks(), rules: await shippedRules() };

export interface Played {
  readonly end: RunEnd;
  readonly entries: readonly JournalEntry[];
  /** What the person was shown. */
  readonly lines: readonly string[];
  readonly running: Running;
  /** `look: failed`, a line for each step that was taken. */
  readonly steps: readonly string[];
}

export interface PlayOptions {
  readonly cluster: Cluster;
  readonly target: ObjectRef;
  readonly mode?: RunMode;
  readonly prompt?: Partial<Prompt>;
  readonly params?: Readonly<Record<string, string>>;
  readonly ports?: Partial<RunPorts>;
  readonly signal?: AbortSignal;
  /** Told of every entry before it counts: may throw, as a process does that is killed. */
  readonly onEntry?: (entry: JournalEntry) => void;
  /** What an interrupted run had written. */
  readonly earlier?: readonly JournalEntry[];
}

/** A playbook as it stands in a test. */
export function playbookOf(source: string, name = 'shop-trouble'): Playbook {
  const problems: Problem[] = [];
  const playbook = parsePlaybook(`${name}.yaml`, source, name, problems);
  if (playbook === undefined) throw new Error(problems.map(({ line, field, message }) => `${line}: ${field}: ${message}`).join('\n'));
  return playbook;
}

/** Somebody who says yes to everything, knows no answers and does nothing by hand. */
export const YES: Prompt = {
  who: 'somebody',
  confirm: () => Promise.resolve('yes'),
  value: () => Promise.resolve(undefined),
  manual: () => Promise.resolve({ word: 'nobody' }),
  paste: () => Promise.resolve(undefined),
};

/** Runs a playbook in a simulated cluster from its first step to its end. */
export async function play(playbook: Playbook, options: PlayOptions): Promise<Played> {
  const { cluster, target } = options;
  const entries: JournalEntry[] = [];
  const lines: string[] = [];
  const view: View = {
    during: (_, work) => work(() => undefined),
    ended: (outcome) => void lines.push(...outcome.lines),
    lines: (more) => void lines.push(...more),
  };
  const ports: RunPorts = {
    ...simulatedPorts(cluster),
    prompt: { ...YES, ...options.prompt },
    view,
    readPasted: () => Promise.reject(new Error('nothing is pasted here')),
    signal: options.signal ?? new AbortController().signal,
    ...options.ports,
  };
  const running = await prepareRun({
    playbook: flatten(playbook, (name) => playbooks.find((one) => one.name === name)),
    target,
    rules,
    mode: options.mode ?? 'run',
    ports,
    journal: {
      append: (entry) => {
        options.onEntry?.(entry);
        entries.push(entry);
      },
    },
    params: options.params ?? {},
  });
  const first = running.playbook.steps[0]?.id ?? 'end';
  const progress =
    options.earlier === undefined
      ? undefined
      : progressOf(
          options.earlier.map((entry, seq) => ({ seq, at: '', entry, hash: '' })),
          first,
        );
  if (progress !== undefined) takeOver(running, progress);
  await askForParams(running);
  await checkRights(running);
  const end = progress?.undoing === true ? await continueUndo(running) : await runSteps(running, progress?.at ?? first);
  const steps = entries.flatMap((entry) => (entry.type === 'done' ? [`${entry.step}: ${entry.result}`] : []));
  return { end, entries, lines, running, steps };
}
