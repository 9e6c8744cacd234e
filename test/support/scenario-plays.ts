import { diagnose } from '../../src/engine/diagnose.ts';
import type { Evidence, Outcome } from '../../src/model/diagnosis.ts';
import { sameObject } from '../../src/model/kube-object.ts';
import type { Rule } from '../../src/model/rule.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import { cureScenario } from '../../src/simulator/index.ts';
import { diagnosisText } from '../../src/report/diagnosis/diagnosis-text.ts';
import { displayWidth } from '../../src/report/format/display-width.ts';
import { PLAIN } from '../../src/report/format/text-style.ts';
import { disagreements } from './agreement.ts';
import type { FailedReads } from './failed-reads.ts';
import { blindfolded } from './rule-cases.ts';
import type { Words } from './scenario-runs.ts';
import { diagnosed, evidenceFrom, findings, played, targetOf, wordsOf } from './scenario-runs.ts';

/** What a play of a scenario told, as data: it is played in another thread than it is judged in. */
export interface Plays {
  readonly looked: Looked;
  readonly again: Again;
  readonly otherwise: Words;
  readonly failedReads: FailedReads;
}

/** The scenario as it is asked about, with everything that only looks at it. */
export interface Looked {
  readonly digest: string;
  readonly words: Words;
  readonly evidence: Evidence;
  /** Lines its report takes on a terminal of 80 columns. */
  readonly lines: number;
  /** Whether what is asked about looks healthy: some trouble no state shows (a roll-out that is paused), only its own fact tells of it. */
  readonly silent: boolean;
  /** What a scan and a diagnosis by name say differently. */
  readonly disagreements: readonly string[];
  /** Where it is explained by a rule: how it looks to somebody who knows or sees less. */
  readonly doubted: Doubted | undefined;
}

export interface Doubted {
  /** Without the rule that explains it. */
  readonly unruled: { readonly outcome: Outcome; readonly causes: readonly string[] };
  /** With one kind of fact hidden, by that kind. */
  readonly blind: Readonly<Record<string, { readonly outcome: Outcome; readonly cause: string | undefined }>>;
}

/** The same once more, and then cured; `cured` is undefined where there is no cure. */
export interface Again {
  readonly digest: string;
  readonly cured: Cured | undefined;
}

export interface Cured {
  /** What is said of that which should be well now; `there` and `absent` where only that is asked. */
  readonly words: Words | 'there' | 'absent' | 'unread';
  /** What any rule finds anywhere in the cluster. */
  readonly findings: readonly string[];
}

export async function lookedAt(scenario: Scenario, rules: readonly Rule[]): Promise<Looked> {
  const cluster = played(scenario);
  const target = targetOf(scenario.expect);
  const evidence = await evidenceFrom(cluster, target, rules, scenario.expect?.scan);
  const diagnosis = diagnose(evidence, rules, target);
  return {
    digest: cluster.digest(),
    words: wordsOf(diagnosis),
    evidence,
    lines: screenLines(diagnosisText(diagnosis, PLAIN, { wide: false, timeline: false, flags: ['--scenario', scenario.id] })),
    silent: evidence.targets.some(({ ref, state }) => sameObject(ref, target) && state === 'healthy'),
    disagreements: await disagreements(cluster.reader(), rules),
    doubted: scenario.expect?.outcome === 'explained' ? doubts(scenario, evidence, rules) : undefined,
  };
}

/** Lines on a terminal: one that is too wide goes on below. */
function screenLines(text: string): number {
  return text
    .trimEnd()
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / PLAIN.width)), 0);
}

export async function playedAgain(scenario: Scenario, rules: readonly Rule[]): Promise<Again> {
  const cluster = played(scenario);
  const digest = cluster.digest();
  if (scenario.cure.length === 0) return { digest, cured: undefined };
  cureScenario(cluster, scenario);
  return { digest, cured: { words: await wordsAfterwards(cluster, scenario, rules), findings: await findings(cluster, rules) } };
}

export async function playedOtherwise(scenario: Scenario, seed: number, rules: readonly Rule[]): Promise<Words> {
  return wordsOf(await diagnosed(played(scenario, seed), scenario, rules));
}

function doubts({ expect: wanted }: Scenario, evidence: Evidence, rules: readonly Rule[]): Doubted {
  const target = targetOf(wanted);
  const { outcome, causes } = diagnose(
    evidence,
    rules.filter(({ id }) => id !== wanted?.cause),
    target,
  );
  const kinds = [...new Set(evidence.facts.map(({ kind }) => kind))];
  return {
    unruled: { outcome, causes: causes.map(({ rule }) => rule) },
    blind: Object.fromEntries(
      kinds.map((kind) => {
        const seen = diagnose(blindfolded(evidence, kind), rules, target);
        return [kind, { outcome: seen.outcome, cause: seen.causes[0]?.rule }];
      }),
    ),
  };
}

async function wordsAfterwards(cluster: Cluster, { cured, expect: wanted }: Scenario, rules: readonly Rule[]): Promise<Cured['words']> {
  const asked = targetOf(wanted);
  if (cured === 'gone' || cured === 'there') {
    const read = await cluster.reader().get(asked);
    return read.ok ? 'there' : read.why === 'absent' ? 'absent' : 'unread';
  }
  const target = cured ?? asked;
  return wordsOf(diagnose(await evidenceFrom(cluster, target, rules), rules, target));
}
