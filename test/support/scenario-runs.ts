import { collect } from '../../src/collect/collect.ts';
import { diagnose } from '../../src/engine/diagnose.ts';
import { scan } from '../../src/engine/scan.ts';
import type { Diagnosis, Evidence } from '../../src/model/diagnosis.ts';
import type { ObjectRef } from '../../src/model/kube-object.ts';
import { formatRef } from '../../src/model/kube-object.ts';
import type { Rule } from '../../src/model/rule.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import { playScenario } from '../../src/simulator/index.ts';

export function played(scenario: Scenario, seed = 1): Cluster {
  return playScenario(scenario, { seed }).cluster;
}

export async function evidenceFrom(
  cluster: Cluster,
  target: ObjectRef,
  rules: readonly Rule[],
  scan?: 'namespace' | 'cluster',
): Promise<Evidence> {
  const scope = target.namespace === undefined || scan === 'cluster' ? {} : { namespace: target.namespace };
  return collect(cluster.reader(), scan === undefined ? { target, ...scope } : scope, rules);
}

export async function diagnosed(cluster: Cluster, { expect }: Scenario, rules: readonly Rule[]): Promise<Diagnosis> {
  const target = targetOf(expect);
  return diagnose(await evidenceFrom(cluster, target, rules, expect?.scan), rules, target);
}

/** What a scenario is about; every one in the catalog says so. */
export function targetOf(expect: Scenario['expect']): ObjectRef {
  if (expect?.target === undefined) throw new Error('a scenario names a target');
  return expect.target;
}

/** What a diagnosis says, in one line for each thing. */
export interface Words {
  readonly outcome: string;
  readonly cause: string;
  readonly object: string;
  readonly also: readonly string[];
}

export function wordsOf({ outcome, causes }: Diagnosis): Words {
  const [first, ...others] = causes;
  return {
    outcome,
    cause: first?.rule ?? '',
    object: first === undefined ? '' : formatRef(first.object),
    also: [...new Set(others.map(({ rule }) => rule))].toSorted(),
  };
}

/** Rules that find anything anywhere in the cluster. */
export async function findings(cluster: Cluster, rules: readonly Rule[]): Promise<readonly string[]> {
  return scan(await collect(cluster.reader(), {}, rules), rules, {}).causes.map(({ rule, object }) => `${rule} ${formatRef(object)}`);
}
