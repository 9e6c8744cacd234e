import type { JsonObject } from '../../../src/base/json.ts';
import { asList, asObject, asText, dig } from '../../../src/base/json.ts';
import type { ClusterOptions } from '../../../src/simulator/cluster-options.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { createCluster } from '../../../src/simulator/cluster.ts';
import { SCHEDULER } from '../../../src/simulator/scheduler/scheduler.ts';
import { namespace, send } from '../shop.ts';

/** A control plane with a scheduler and nothing else that moves; nodes and pods are objects only. */
export function schedulingShop(objects: readonly JsonObject[], options: Partial<ClusterOptions> = {}): Cluster {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'shop' } };
  const cluster = createCluster(
    { seed: 1, preset: 'no-nodes', ...options, objects: [namespace('shop'), account, ...objects] },
    { components: [SCHEDULER], freeze: true },
  );
  for (const object of objects) if (object['kind'] === 'Node') makeReady(cluster, object);
  return cluster;
}

/** Nobody is there to take away the taint that new nodes get. */
function makeReady(cluster: Cluster, node: JsonObject): void {
  send(cluster, 'patch', 'Node', asText(dig(node, 'metadata', 'name')), {
    patch: { type: 'merge', body: { spec: { taints: dig(node, 'spec', 'taints') ?? null } } },
  });
}

export interface NodeWish {
  readonly labels?: JsonObject;
  readonly taints?: readonly JsonObject[];
  readonly allocatable?: JsonObject;
  readonly unschedulable?: boolean;
}

export function node(name: string, wish: NodeWish = {}): JsonObject {
  const allocatable = { cpu: '2', memory: '4Gi', pods: '110', 'ephemeral-storage': '50Gi', ...wish.allocatable };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...wish.labels } },
    spec: {
      ...(wish.taints === undefined ? {} : { taints: wish.taints }),
      ...(wish.unschedulable === undefined ? {} : { unschedulable: wish.unschedulable }),
    },
    status: { allocatable, capacity: allocatable },
  };
}

export function requesting(cpu: string, more: JsonObject = {}): JsonObject {
  return { resources: { requests: { cpu, ...more } } };
}

/** Where a pod was put; empty while it has no node. */
export function nodeOf(cluster: Cluster, name: string): string {
  return asText(dig(cluster.store.get('pods', 'shop', name), 'spec', 'nodeName')) ?? '';
}

/** The message of PodScheduled=False. */
export function whyNot(cluster: Cluster, name: string): string {
  const conditions = asList(dig(cluster.store.get('pods', 'shop', name), 'status', 'conditions'));
  return (
    asText(
      dig(
        conditions.find((condition) => dig(condition, 'type') === 'PodScheduled' && dig(condition, 'status') === 'False'),
        'message',
      ),
    ) ?? ''
  );
}

export function eventsOf(cluster: Cluster, name: string): readonly JsonObject[] {
  return cluster.store
    .list('events', 'shop')
    .filter((event) => dig(event, 'involvedObject', 'name') === name)
    .map(asObject);
}
