import { asNumber, dig } from '../../base/json.ts';
import { unseenIn } from '../../model/cluster-reader.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { inNamespace } from '../../model/kube-object.ts';
import type { Scene } from '../survey/scene.ts';
import type { ServiceEndpoints } from './endpoints.ts';
import type { Backends } from './service-backends.ts';

/**
 * Whether a Service behind which no ready pod was seen may have some: the list of pods broke off before its end, or shows none of those
 * that a workload behind it counts as ready.
 */
export async function mayHidePods(
  { metadata: { namespace } }: KubeObject,
  { ready, endpoints, backends: { pods, workloads } }: SeenBehind,
  { survey }: Scene,
): Promise<boolean> {
  if (ready > 0 || endpoints !== undefined) return false;
  const list = await survey.list('Pod', inNamespace(namespace));
  if (list.ok && list.brokeOff === true) return true;
  return unseenIn(list) !== undefined && pods.length === 0 && workloads.some(countsReady);
}

interface SeenBehind {
  readonly ready: number;
  readonly endpoints: ServiceEndpoints | undefined;
  readonly backends: Backends;
}

function countsReady({ kind, ...workload }: KubeObject): boolean {
  return (asNumber(dig(workload, 'status', kind === 'DaemonSet' ? 'numberReady' : 'readyReplicas')) ?? 0) > 0;
}
