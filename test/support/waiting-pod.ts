import type { JsonObject } from '../../src/base/json.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import { ago, objectOf } from './collected.ts';

interface Waiting {
  readonly said?: string | undefined;
  readonly spec?: JsonObject;
  readonly metadata?: JsonObject;
  readonly status?: JsonObject;
}

/** A pod without a node, which the scheduler has tried. */
export function waiting(name: string, { said, spec = {}, metadata = {}, status = {} }: Waiting = {}): KubeObject {
  const message = said === undefined ? {} : { message: said };
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', lastTransitionTime: ago(60), ...message }];
  return objectOf(
    'Pod',
    name,
    { spec: { containers: [{ name: 'web' }], ...spec }, status: { phase: 'Pending', conditions, ...status } },
    metadata,
  );
}
