import type { Instant } from '../base/instant.ts';
import { collect } from '../collect/collect.ts';
import { diagnose } from '../engine/diagnose.ts';
import type { Diagnosis, Evidence, Target } from '../model/diagnosis.ts';
import type { Drill, DrillFault } from '../model/drill.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { formatRef, refOf, sameObject } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';
import type { Cluster } from '../simulator/cluster.ts';

/** How the cluster was when the trainee got it: what a fix is measured by. */
export interface Baseline {
  readonly at: Instant;
  /** Everything a person keeps in a cluster, by `formatRef`; what controllers make (pods, slices, events) is left out. */
  readonly objects: ReadonlyMap<string, KubeObject>;
  readonly targets: readonly Target[];
  /** One for each fault, in their order. */
  readonly diagnoses: readonly Diagnosis[];
}

export async function takeBaseline(drill: Drill, cluster: Cluster, rules: readonly Rule[]): Promise<Baseline> {
  const { targets } = await collect(cluster.reader(), {});
  const diagnoses: Diagnosis[] = [];
  for (const fault of drill.faults) diagnoses.push(await diagnoseTarget(cluster, rules, fault.target));
  return { at: cluster.now(), objects: keptObjects(cluster), targets, diagnoses };
}

export async function diagnoseTarget(cluster: Cluster, rules: readonly Rule[], target: ObjectRef): Promise<Diagnosis> {
  return diagnose(await evidenceOf(cluster, target), rules, target);
}

export function evidenceOf(cluster: Cluster, target: ObjectRef): Promise<Evidence> {
  return collect(cluster.reader(), { target, ...(target.namespace === undefined ? {} : { namespace: target.namespace }) });
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

/** The fault's cause in a diagnosis, wherever it stands. */
export function causeOf(diagnosis: Diagnosis | undefined, fault: DrillFault): Diagnosis['causes'][number] | undefined {
  return diagnosis?.causes.find(({ rule, object }) => rule === fault.cause && (fault.object === undefined || sameObject(object, fault.object))) ?? diagnosis?.causes.find(({ rule }) => rule === fault.cause);
}

/** Resources whose objects come and go without anybody's doing. */
const MADE_BY_CONTROLLERS: readonly string[] = ['events', 'events.events.k8s.io', 'pods', 'replicasets', 'endpoints', 'endpointslices', 'leases', 'controllerrevisions', 'csinodes', 'volumeattachments', 'certificatesigningrequests'];
