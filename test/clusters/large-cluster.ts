import { closeSync, openSync, writeSync } from 'node:fs';
import type { JsonObject } from '../../src/base/json.ts';
import { FAILING_EVERY, namespaceOf, NAMESPACES, podName, PODS_A_DEPLOYMENT, PODS_A_NODE } from './large-cluster-names.ts';
import { deployment, endpointSlice, node, replicaSet, rootAuthority, service } from './large-cluster-objects.ts';
import { failureEvent, pod, pulledEvent } from './large-cluster-pods.ts';

/** How large a cluster that is written is, and how much of it fails. */
export interface LargeCluster {
  readonly pods: number;
  readonly failing: number;
  readonly causes: number;
  readonly bytes: number;
}

/**
 * What `kubectl get nodes,deployments,… -A -o json` prints of a cluster of so many pods, twenty a node, but with one object a line; the same
 * bytes each time. `kinds`: of these alone.
 */
export function writeLargeCluster(path: string, pods: number, kinds?: readonly string[]): LargeCluster {
  const file = openSync(path, 'w');
  let [bytes, pending, first] = [0, '', true];
  const flush = (): void => {
    bytes += writeSync(file, pending);
    pending = '';
  };
  pending = '{"apiVersion":"v1","items":[';
  for (const object of objectsOf(pods)) {
    if (kinds !== undefined && !kinds.some((kind) => object['kind'] === kind)) continue;
    pending += `${first ? '' : ','}\n${JSON.stringify(object)}`;
    first = false;
    if (pending.length > 4_000_000) flush();
  }
  pending += '\n],"kind":"List","metadata":{"resourceVersion":""}}\n';
  flush();
  closeSync(file);
  const causes = Math.ceil(pods / PODS_A_DEPLOYMENT / FAILING_EVERY);
  return { pods, failing: causes * PODS_A_DEPLOYMENT, causes, bytes };
}

/** Name and namespace of a pod that fails. */
export function failingPod(): { readonly namespace: string; readonly name: string } {
  return { namespace: namespaceOf(0), name: podName(0, 3) };
}

function* objectsOf(pods: number): Generator<JsonObject> {
  const [nodes, deployments] = [Math.ceil(pods / PODS_A_NODE), Math.ceil(pods / PODS_A_DEPLOYMENT)];
  yield* each(NAMESPACES, (index) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespaceOf(index) },
    spec: {},
    status: { phase: 'Active' },
  }));
  yield* each(NAMESPACES, rootAuthority);
  yield* each(nodes, node);
  yield* each(deployments, deployment);
  yield* each(deployments, replicaSet);
  yield* each(deployments, service);
  yield* each(deployments, (index) => endpointSlice(index, nodes));
  yield* each(deployments * PODS_A_DEPLOYMENT, (index) => pod(index, nodes));
  yield* each(deployments * PODS_A_DEPLOYMENT, (index) => (index % 25 === 0 ? pulledEvent(index, nodes) : undefined));
  yield* each(deployments * PODS_A_DEPLOYMENT, (index) => failureEvent(index, nodes));
}

function* each(count: number, make: (index: number) => JsonObject | undefined): Generator<JsonObject> {
  for (let index = 0; index < count; index++) {
    const made = make(index);
    if (made !== undefined) yield made;
  }
}
