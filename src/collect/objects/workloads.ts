import type { Json } from '../../base/json.ts';
import { asBoolean, asList, asNumber, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { controllerOf, formatRef, refOf, shows } from '../../model/kube-object.ts';
import { managedBy } from './managed-by.ts';
import { earlierRevision } from './revisions.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import { ageSeconds, isReady } from './pods.ts';
import type { Scene } from '../survey/scene.ts';

/** A `workload` fact for every controller of pods in the scene. */
export function collectWorkloads(scene: Scene, sink: FactSink): void {
  for (const workload of scene.workloads) {
    const ref = refOf(workload);
    const counts = countsOf(workload, scene);
    sink.fact(
      'workload',
      ref,
      {
        ...counts,
        paused: asBoolean(dig(workload, 'spec', 'paused')) ?? (shows(workload, 'spec.paused') ? false : undefined),
        suspended: asBoolean(dig(workload, 'spec', 'suspend')) ?? (shows(workload, 'spec.suspend') ? false : undefined),
        strategy: asText(dig(workload, 'spec', 'strategy', 'type')),
        serviceAccount: asText(dig(templateOf(workload), 'spec', 'serviceAccountName')),
        ageSeconds: ageSeconds(workload, scene.survey.now()),
        top: shows(workload, 'metadata.ownerReferences') ? controllerOf(workload) === undefined : undefined,
        earlierRevision: earlierRevision(workload, scene),
        belongsTo: managedBy(workload),
      },
      {
        source: `${formatRef(ref)} status`,
        quote: `desired: ${shown(counts.desired)}, current: ${shown(counts.current)}, ready: ${shown(counts.ready)}`,
      },
    );
  }
}

export interface WorkloadCounts {
  readonly desired?: number | undefined;
  readonly current?: number | undefined;
  readonly ready?: number | undefined;
  readonly available?: number | undefined;
  readonly updated?: number | undefined;
}

/** Pods a controller wants and has. A status field that is left out means 0 where the source shows status at all (omitempty). */
export function countsOf(workload: KubeObject, scene: Scene): WorkloadCounts {
  const status = (field: string): number | undefined =>
    asNumber(dig(workload, 'status', field)) ?? (shows(workload, `status.${field}`) ? 0 : undefined);
  switch (workload.kind) {
    case 'DaemonSet':
      return {
        desired: status('desiredNumberScheduled'),
        current: status('currentNumberScheduled'),
        ready: status('numberReady'),
        available: status('numberAvailable'),
        updated: status('updatedNumberScheduled'),
      };
    case 'Job': {
      const pods = scene.podsOf(refOf(workload));
      return {
        desired: asNumber(dig(workload, 'spec', 'parallelism')) ?? 1,
        current: pods.length,
        ready: pods.filter((pod) => isReady(pod) === true).length,
      };
    }
    case 'CronJob':
      return { current: asList(dig(workload, 'status', 'active')).length };
    default:
      return {
        desired: asNumber(dig(workload, 'spec', 'replicas')) ?? (shows(workload, 'spec.replicas') ? 1 : undefined),
        current: status('replicas'),
        ready: status('readyReplicas'),
        available: status('availableReplicas'),
        updated: status('updatedReplicas'),
      };
  }
}

/** The pod template of a controller. */
export function templateOf(workload: KubeObject): Json | undefined {
  return workload.kind === 'CronJob' ? dig(workload, 'spec', 'jobTemplate', 'spec', 'template') : dig(workload, 'spec', 'template');
}

function shown(count: number | undefined): string {
  return count === undefined ? '?' : String(count);
}
