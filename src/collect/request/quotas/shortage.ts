import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import type { Scene } from '../../survey/scene.ts';
import { countsOf } from '../../objects/workloads.ts';

/**
 * Pods that a controller wants and does not have; 0 when it has them all; undefined when that was not seen. A table shows only those of the
 * newest template.
 */
export function missingPods(workload: KubeObject, scene: Scene): number | undefined {
  const { desired, current, updated } = countsOf(workload, scene);
  const have = current ?? updated;
  return desired === undefined || have === undefined ? undefined : Math.max(0, desired - have);
}

/** Top controllers of the scene that lack pods: whatever refuses pods shows here. CronJobs make Jobs, no pods. */
export function workloadsShortOfPods(scene: Scene): readonly KubeObject[] {
  return scene.workloads.filter((workload) => {
    if (workload.kind === 'CronJob') return false;
    const ref = refOf(workload);
    const top = scene.workloadOf(ref);
    return top?.kind === ref.kind && top.name === ref.name && (missingPods(workload, scene) ?? 0) > 0 && !isDone(workload);
  });
}

const ENDED: ReadonlySet<string> = new Set(['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet']);

/** A Job that has ended, has made pods already, or is not to start, lacks none. */
function isDone(workload: KubeObject): boolean {
  if (dig(workload, 'spec', 'suspend') === true || asNumber(dig(workload, 'status', 'succeeded')) !== undefined) return true;
  return asList(dig(workload, 'status', 'conditions')).some(
    (condition) => dig(condition, 'status') === 'True' && ENDED.has(asText(dig(condition, 'type')) ?? ''),
  );
}
