import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diagnose } from '../../src/engine/diagnose.ts';
import type { Rule } from '../../src/model/rule.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import { dig } from '../../src/base/json.ts';
import { doStep } from '../../src/simulator/index.ts';
import { findProgram, KUBECTL, openBench } from '../conformance/kubectl.ts';
import type { Worth } from './first-alternative.ts';
import { firstAlternative, worthUntried } from './first-alternative.ts';
import { diagnosed, evidenceFrom, findings, played, targetOf, wordsOf } from './scenario-runs.ts';

export interface PlayedFix {
  readonly worth: Worth;
  readonly commands: readonly string[];
  /** What the commands said, and what is wrong afterwards. */
  readonly told: string;
}

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
  const again = steps.filter(
    (step) =>
      step.do === 'drain' ||
      (step.do === 'apply' && step.documents.some(({ kind, metadata }) => kind === asked.kind && dig(metadata, 'name') === asked.name)),
  );
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
