import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asList, dig } from '../../../src/base/json.ts';
import { textOf } from '../../../src/base/json-text.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import type { ClusterOptions } from '../../../src/simulator/cluster-options.ts';
import type { Cluster } from '../../../src/simulator/cluster.ts';
import { createCluster } from '../../../src/simulator/cluster.ts';
import { CONTROLLERS } from '../../../src/simulator/controllers/controllers.ts';
import { namespace, objectOf, send } from '../shop.ts';
import { THIN_KUBELET, THIN_SCHEDULER } from '../thin/nodes.ts';

/** A cluster with every controller, and nodes that run whatever they are given at once; pods stay unplaced without a scheduler. */
export function workshop(options: Partial<ClusterOptions> = {}, { scheduler = true } = {}): Cluster {
  const components = [...CONTROLLERS, ...(scheduler ? [THIN_SCHEDULER] : []), THIN_KUBELET];
  const cluster = createCluster({ seed: 1, preset: 'three-nodes', ...options }, { components, freeze: true });
  cluster.apply([namespace('shop')]);
  cluster.advance(500);
  return cluster;
}

/** Applies to the shop and lets a little time pass. */
export function apply(cluster: Cluster, documents: readonly JsonObject[], milliseconds = 3000): void {
  cluster.apply(documents, { namespace: 'shop' });
  cluster.advance(milliseconds);
}

export function get(cluster: Cluster, kind: string, name: string): KubeObject {
  return objectOf(send(cluster, 'get', kind, name));
}

export function exists(cluster: Cluster, kind: string, name: string): boolean {
  return send(cluster, 'get', kind, name).ok;
}

export function list(cluster: Cluster, kind: string): readonly KubeObject[] {
  return asList(objectOf(send(cluster, 'list', kind, undefined))['items']) as readonly KubeObject[];
}

export function names(cluster: Cluster, kind: string): readonly string[] {
  return list(cluster, kind)
    .map(({ metadata }) => metadata.name)
    .sort();
}

/** `Warning FailedCreate Error creating: …` of every event about an object, in the order they first came. */
export function eventsOf(cluster: Cluster, kind: string, name: string): readonly string[] {
  return list(cluster, 'Event')
    .filter((event) => dig(event, 'involvedObject', 'kind') === kind && dig(event, 'involvedObject', 'name') === name)
    .sort((a, b) => Number(a.metadata['resourceVersion']) - Number(b.metadata['resourceVersion']))
    .map((event) => `${textOf(event['type'])} ${textOf(event['reason'])} ${textOf(event['message'])}`);
}

/** `status reason` of a condition. */
export function condition(object: KubeObject, type: string): string | undefined {
  const found = asList(dig(object, 'status', 'conditions')).find((one) => dig(one, 'type') === type);
  return found === undefined ? undefined : `${textOf(dig(found, 'status'))} ${textOf(dig(found, 'reason'))}`;
}

/** Says what a pod's container did, in place of its kubelet. */
export function finish(cluster: Cluster, pod: KubeObject, exitCode: number): void {
  const finishedAt = '2026-11-20T09:00:10Z';
  const containerStatuses: Json = [
    {
      name: 'web',
      ready: false,
      restartCount: 0,
      image: 'shop/web:1.0',
      imageID: '',
      state: { terminated: { exitCode, finishedAt, reason: exitCode === 0 ? 'Completed' : 'Error' } },
    },
  ];
  const conditions = asList(dig(pod, 'status', 'conditions')).map((one) => ({
    ...(one as JsonObject),
    ...(dig(one, 'type') === 'Ready' ? { status: 'False' } : {}),
  }));
  const body = { status: { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses, conditions } };
  objectOf(send(cluster, 'patch', 'Pod', pod.metadata.name, { subresource: 'status', patch: { type: 'merge', body } }));
}

/** A StatefulSet of two pods, with more of its spec. */
export function db(more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: {
      replicas: 2,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'db', image: 'shop/db:1.0' }] } },
      ...more,
    },
  };
}
