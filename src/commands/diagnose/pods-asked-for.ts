import { PodcheckError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { asNumber, asText, dig, digAt } from '../../base/json.ts';

/**
 * The simulator makes every pod that is asked for: so many take memory and time without an end. Kubernetes itself is tested with
 * 150,000 pods; a simulated cluster shows the same with a few.
 */
export function refuseTooManyPods(file: string, object: JsonObject): void {
  for (const path of FIELDS[asText(object['kind']) ?? ''] ?? []) {
    const wanted = asNumber(digAt(object, path)) ?? 0;
    if (wanted <= MAX_PODS) continue;
    const named = `${asText(object['kind']) ?? ''} ${asText(dig(object, 'metadata', 'name')) ?? ''}`;
    throw new PodcheckError(
      'bad-input',
      `${file}: ${named}: ${path.join('.')} is ${wanted}: the limit of the simulator is ${MAX_PODS}`,
      `set ${path.join('.')} to ${MAX_PODS} or less`,
    );
  }
}

const MAX_PODS = 5000;

const REPLICAS = [['spec', 'replicas']];

/** Where an object says how many pods are to run at once. */
const FIELDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Deployment: REPLICAS,
  ReplicaSet: REPLICAS,
  ReplicationController: REPLICAS,
  StatefulSet: REPLICAS,
  Job: [['spec', 'parallelism']],
  CronJob: [['spec', 'jobTemplate', 'spec', 'parallelism']],
  HorizontalPodAutoscaler: [['spec', 'minReplicas']],
};
