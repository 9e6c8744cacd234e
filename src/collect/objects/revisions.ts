import { asNumber, dig } from '../../base/json.ts';
import { sameJson } from '../../base/json-edit.ts';
import { largest } from '../../base/lists.ts';
import { parseInteger } from '../../base/number.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, refOf } from '../../model/kube-object.ts';
import type { Scene } from '../survey/scene.ts';

/** Source: pkg/controller/deployment/util/deployment_util.go (RevisionAnnotation). */
const REVISION = 'deployment.kubernetes.io/revision';

/**
 * The newest revision of a Deployment that still has ready pods, while the present one has none: what `rollout undo` may go back to. To the
 * same template that was only restarted there is no way back.
 */
export function earlierRevision(workload: KubeObject, scene: Scene): number | undefined {
  if (workload.kind !== 'Deployment') return undefined;
  const present = revisionOf(workload);
  if (present === undefined) return undefined;
  const ready = scene.workloadsUnder(refOf(workload)).flatMap((replicaSet) => {
    const revision = revisionOf(replicaSet);
    if (revision === undefined || (asNumber(dig(replicaSet, 'status', 'readyReplicas')) ?? 0) === 0) return [];
    const spec = dig(replicaSet, 'spec', 'template', 'spec');
    return spec !== undefined && sameJson(spec, dig(workload, 'spec', 'template', 'spec')) ? [] : [revision];
  });
  const newest = largest(ready);
  return ready.length === 0 || newest >= present ? undefined : newest;
}

function revisionOf(object: KubeObject): number | undefined {
  return parseInteger(annotationsOf(object)[REVISION]);
}
