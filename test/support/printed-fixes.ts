import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cause } from '../../src/model/diagnosis.ts';
import { diagnose } from '../../src/engine/diagnose.ts';
import type { Rule } from '../../src/model/rule.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import { dig } from '../../src/base/json.ts';
import { doStep } from '../../src/simulator/index.ts';
import { findProgram, KUBECTL, openBench } from '../conformance/kubectl.ts';
import { diagnosed, evidenceFrom, findings, played, targetOf, wordsOf } from './scenario-runs.ts';

/**
 * What a printed fix is worth: `cures`: run as printed it makes the object healthy; `person`: the rule says who must do it; the others need
 * work: `looks`: no command changes anything; `placeholder`: a value is left to the reader; `edit`: it opens an editor; `elsewhere`: it runs
 * on a node or in another system.
 */
export type Worth = 'cures' | 'fails' | 'person' | 'looks' | 'placeholder' | 'edit' | 'elsewhere';

export interface PlayedFix {
  readonly worth: Worth;
  readonly commands: readonly string[];
  /** What the commands said, and what is wrong afterwards. */
  readonly told: string;
}

type Step = Cause['fix'][number];

/** The steps of the first alternative: up to the first that begins another ("Or …"), holds on a condition ("If …"), or is left to somebody. */
export function firstAlternative(fix: readonly Step[]): readonly Step[] {
  const end = fix.findIndex(({ say, by }, index) => index > 0 && (by !== undefined || /^(?:Or|If|Otherwise)\b/.test(say)));
  return end < 0 ? fix : fix.slice(0, end);
}

/** What the words of the first alternative are worth before it is tried; undefined where it can be. */
export function worthUntried(steps: readonly Step[]): Worth | undefined {
  if (steps.some(({ by }) => by !== undefined)) return 'person';
  const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
  if (commands.some((command) => ELSEWHERE.test(command))) return 'elsewhere';
  if (!commands.some((command) => CHANGES.test(command) && !TRIES.test(command))) return commands.some((command) => EDITS.test(command)) ? 'edit' : 'looks';
  if (commands.some((command) => PLACEHOLDER.test(command))) return 'placeholder';
  return commands.some((command) => EDITS.test(command)) ? 'edit' : undefined;
}

/** Words in angle brackets are for the reader to replace. */
const PLACEHOLDER = /<[A-Za-z][\w. -]*>/;
const EDITS = /\bkubectl(?: -n \S+)? edit\b|EDITOR/;
const CHANGES = /\bkubectl(?: -n \S+)? (?:annotate|apply|autoscale|certificate|cordon|create|delete|drain|expose|label|patch|replace|rollout (?!status|history)|run|scale|set (?!env --list)|taint|uncordon)\b/;
/** It changes nothing that stays. */
const TRIES = /--dry-run(?!=client -o yaml)|--rm\b/;
const ELSEWHERE = /^(?:sudo|ssh|aws|gcloud|az|docker|systemctl|showmount|podcheck|crictl)\b/;

/** Plays the scenario, runs the first alternative of the fix of its first cause with the real kubectl in a shell, and looks again. */
export async function playFix(scenario: Scenario, rules: readonly Rule[]): Promise<PlayedFix> {
  const cluster = played(scenario);
  const [cause] = (await diagnosed(cluster, scenario, rules)).causes;
  const steps = firstAlternative(cause?.fix ?? []);
  const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
  const worth = worthUntried(steps);
  if (worth !== undefined) return { worth, commands, told: '' };
  const before = await findings(cluster, rules);
  const failed = await runAll(cluster, commands);
  if (failed !== undefined) return { worth: 'fails', commands, told: failed };
  await repeatCommand(cluster, scenario);
  cluster.advance(RETRY_MILLISECONDS);
  cluster.runUntilSettled({ milliseconds: CURE_MILLISECONDS });
  const wrong = await wrongAfter(cluster, scenario, { rules, before });
  return wrong === undefined ? { worth: 'cures', commands, told: '' } : { worth: 'fails', commands, told: wrong };
}

/** Until everything that is retried has been: the back-off of image pulls and crashes ends at 5 min. */
const RETRY_MILLISECONDS = 360_000;
/** As long as the longest back-off of a container and the time until a rollout is over. */
const CURE_MILLISECONDS = 1_200_000;

/** Who was refused tries once more: what they applied and is not there, or the drain that was given up. */
async function repeatCommand(cluster: Cluster, { steps, expect, cured }: Scenario): Promise<void> {
  if (cured === 'gone') return;
  const asked = targetOf(expect);
  const again = steps.filter((step) => step.do === 'drain' || (step.do === 'apply' && step.documents.some(({ kind, metadata }) => kind === asked.kind && dig(metadata, 'name') === asked.name)));
  const there = (await cluster.reader().get(asked)).ok;
  for (const step of again) if (step.do === 'drain' || !there) doStep(cluster, { ...step, atMilliseconds: undefined }, cluster.now());
}

/** Runs the commands one after another as they are printed; what the first that fails says. */
async function runAll(cluster: Cluster, commands: readonly string[]): Promise<string | undefined> {
  const bench = await openBench({ cluster });
  const programs = mkdtempSync(join(tmpdir(), 'podcheck-programs-'));
  for (const name of PROGRAMS) {
    const path = name === 'kubectl' ? KUBECTL : findProgram(name);
    if (path !== undefined) symlinkSync(path, join(programs, name));
  }
  try {
    for (const command of commands) {
      // Only these programs are there: a fix for a node must not do anything to this machine.
      const { code, out, err } = await bench.run('/bin/sh', ['-c', command], { env: { PATH: programs } });
      if (code !== 0) return `${command}\nexit ${code}: ${err}${out}`;
    }
    return undefined;
  } finally {
    await bench.close();
    rmSync(programs, { recursive: true, force: true });
  }
}

const PROGRAMS = ['kubectl', 'jq', 'base64', 'cat', 'cut', 'grep', 'head', 'sed', 'tail', 'tr'];

interface Before {
  readonly rules: readonly Rule[];
  /** What any rule found anywhere before the fix. */
  readonly before: readonly string[];
}

/** What is not well after the fix: the object that was asked about, or anything that was well before. */
async function wrongAfter(cluster: Cluster, { cured, expect }: Scenario, { rules, before }: Before): Promise<string | undefined> {
  const after = await findings(cluster, rules);
  const others = after.filter((finding) => !before.includes(finding));
  if (others.length > 0) return `now found: ${others.join(', ')}`;
  const asked = targetOf(expect);
  if (cured === 'gone' || cured === 'there') {
    const read = await cluster.reader().get(asked);
    if (read.ok !== (cured === 'there')) return `the object is ${read.ok ? 'there' : 'not there'}`;
  } else {
    const target = cured ?? asked;
    const words = wordsOf(diagnose(await evidenceFrom(cluster, target, rules), rules, target));
    if (words.outcome !== 'healthy') return `${target.kind} ${target.name} is ${words.outcome}: ${words.cause}`;
  }
  const cause = after.find((finding) => finding.startsWith(`${expect?.cause ?? ''} `));
  return cause === undefined ? undefined : `still found: ${cause}`;
}
