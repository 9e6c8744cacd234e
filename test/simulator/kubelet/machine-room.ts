import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asList, asNumber, asText, dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import type { ClusterOptions } from '../../../src/simulator/cluster-options.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { createCluster } from '../../../src/simulator/cluster.ts';
import type { ComponentDefinition } from '../../../src/simulator/components/component.ts';
import type { Fault } from '../../../src/simulator/outside/faults.ts';
import { KUBELET } from '../../../src/simulator/components/components.ts';
import { KUBE_PROXY } from '../../../src/simulator/network/kube-proxy.ts';

/** A cluster of one machine with a kubelet and a kube-proxy, and nothing that schedules: pods name their node. */
export function machineRoom(options: Partial<ClusterOptions> = {}, more: readonly ComponentDefinition[] = []): Cluster {
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'shop' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt', namespace: 'shop' }, data: { 'ca.crt': 'x' } },
    ...(options.objects ?? []),
  ];
  return createCluster({ seed: 3, preset: 'one-node', ...options, objects }, { components: [KUBELET, KUBE_PROXY, ...more], freeze: true });
}

/** A pod on the machine with one container `web`. */
export function podOn(name: string, container: JsonObject = {}, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', labels: { app: name } },
    spec: {
      nodeName: 'worker-1',
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'web', image: 'registry.example/shop/web:1.0', ...container }],
      ...spec,
    },
  };
}

/** A container that runs a line of shell. */
export function shell(script: string, more: JsonObject = {}): JsonObject {
  return { image: 'busybox:1.37', command: ['sh', '-c', script], ...more };
}

export function put(cluster: Cluster, ...objects: readonly JsonObject[]): void {
  for (const applied of cluster.apply(objects, { namespace: 'shop' })) if (applied.did === 'refused') throw new Error(applied.output);
}

export function fault(cluster: Cluster, part: string, what: string, given: Readonly<Record<string, unknown>>): void {
  cluster.inject(partFault(part, what, given));
}

export function partFault(part: string, what: string, given: Readonly<Record<string, unknown>>): Fault {
  return { fault: 'part', part, what, with: given };
}

export function get(cluster: Cluster, resource: string, name: string, namespace: string | undefined = 'shop'): KubeObject | undefined {
  return cluster.store.get(resource, namespace, name);
}

export function status(cluster: Cluster, pod: string): Json | undefined {
  return get(cluster, 'pods', pod)?.['status'];
}

export function condition(cluster: Cluster, pod: string, type: string): string | undefined {
  const found = asList(dig(status(cluster, pod), 'conditions')).find((each) => dig(each, 'type') === type);
  return ['status', 'reason', 'message']
    .map((field) => textOf(dig(found, field)))
    .filter((part) => part !== '')
    .join(' ');
}

/** Events of an object in the order they first appeared: `Warning Failed ×2 Error: …`. */
export function events(cluster: Cluster, name: string): readonly string[] {
  const own = cluster.store.list('events').filter((event) => dig(event, 'involvedObject', 'name') === name);
  const ordered = own
    .map((event, index) => ({ event, index }))
    .sort((a, b) =>
      a.event.metadata.name < b.event.metadata.name ? -1 : a.event.metadata.name > b.event.metadata.name ? 1 : a.index - b.index,
    );
  return ordered.map(
    ({ event }) => `${asText(event['type'])} ${asText(event['reason'])} ×${asNumber(event['count'])} ${asText(event['message'])}`,
  );
}

export function container(cluster: Cluster, pod: string, name = 'web', list = 'containerStatuses'): Json | undefined {
  return asList(dig(status(cluster, pod), list)).find((each) => dig(each, 'name') === name);
}

export function logsOf(cluster: Cluster, pod: string, name = 'web'): readonly string[] {
  const object = get(cluster, 'pods', pod);
  const answer = object === undefined ? undefined : cluster.world.kubelets.get('worker-1')?.readLog(object, name, false);
  return answer?.ok === true ? answer.lines : [];
}
