import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { memoryReader } from '../../src/clusters/memory-reader.ts';
import { collect } from '../../src/collect/collect.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { Scalar } from '../../src/model/fact.ts';
import type { FactKind } from '../../src/model/fact-kinds.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';

export const NOW = Date.parse('2026-01-14T09:00:00Z');

/** RFC 3339, so many seconds before `NOW`. */
export function ago(seconds: number): string {
  return new Date(NOW - seconds * 1000).toISOString();
}

/** The fields of all facts of a kind that are collected from these objects, of which nothing is missing. */
export async function collected(kind: FactKind, objects: readonly KubeObject[]): Promise<readonly Readonly<Record<string, Scalar>>[]> {
  const kinds = ['Pod', 'Event', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'Service', 'Secret', 'Node'];
  const store = { objects, collected: kinds.map((one) => ({ kind: one, complete: true })), absent: [], refused: [], logs: [], now: NOW };
  const { facts } = await collect(memoryReader(store), { namespace: 'shop' }, await shippedRules());
  return facts.filter((fact) => fact.kind === kind).map(({ fields }) => fields);
}

/** A pod on worker-1 with one container, whose status is given. */
export function podWith(name: string, container: JsonObject, status: JsonObject, more: { readonly spec?: JsonObject; readonly status?: JsonObject } = {}): KubeObject {
  const spec: Json = { nodeName: 'worker-1', restartPolicy: 'Always', containers: [{ name: 'web', image: 'registry.shop.example/team/web:1.0', ...container }], ...more.spec };
  const containerStatuses: Json = [{ name: 'web', image: '', imageID: '', ready: false, restartCount: 0, ...status }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop', creationTimestamp: ago(7200) }, spec, status: { phase: 'Running', startTime: ago(7200), podIP: '10.0.0.9', ...more.status, containerStatuses } };
}
