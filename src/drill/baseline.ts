import type { Instant } from '../base/instant.ts';
import { examine } from '../library/examine.ts';
import type { Diagnosis, Target } from '../model/diagnosis.ts';
import type { Drill } from '../model/drill.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { formatRef, refOf } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';
import type { Cluster } from '../simulator/index.ts';
import type { Goal } from './goal.ts';
import { goalOf } from './goal.ts';
import { causeOf, examineFault } from './target-state.ts';

/** How the cluster was when the trainee got it: what a fix is measured by. */
export interface Baseline {
  readonly at: Instant;
  /** Everything a person keeps in a cluster, by `formatRef`; what controllers make (pods, slices, events) is left out. */
  readonly objects: ReadonlyMap<string, KubeObject>;
  readonly targets: readonly Target[];
  /** One for each fault, in their order. */
  readonly diagnoses: readonly Diagnosis[];
  /** What must hold for each fault to count as mended. */
  readonly goals: readonly Goal[];
}

export async function takeBaseline(drill: Drill, cluster: Cluster, rules: readonly Rule[]): Promise<Baseline> {
  const { targets } = (await examine(cluster.reader(), rules, {})).evidence;
  const diagnoses: Diagnosis[] = [];
  for (const fault of drill.faults) diagnoses.push((await examineFault(cluster.reader(), rules, fault)).diagnosisOf(fault.target));
  const goals = drill.faults.map((fault, index) => goalOf(fault, drill.scenario, causeOf(diagnoses[index], fault)));
  return { at: cluster.now(), objects: keptObjects(cluster), targets, diagnoses, goals };
}

/** Everything a person keeps in the cluster. Objects of the store are values: they stay what they were. */
export function keptObjects(cluster: Cluster): ReadonlyMap<string, KubeObject> {
  const objects = new Map<string, KubeObject>();
  for (const resource of cluster.store.resources()) {
    if (MADE_BY_CONTROLLERS.includes(resource)) continue;
    for (const object of cluster.store.list(resource)) {
      const owned = object.metadata['ownerReferences'];
      if (owned === undefined) objects.set(formatRef(refOf(object)), object);
    }
  }
  return objects;
}

/** Resources whose objects come and go without anybody's doing. */
const MADE_BY_CONTROLLERS: readonly string[] = [
  'events',
  'events.events.k8s.io',
  'pods',
  'replicasets',
  'endpoints',
  'endpointslices',
  'leases',
  'controllerrevisions',
  'csinodes',
  'volumeattachments',
  'certificatesigningrequests',
];
