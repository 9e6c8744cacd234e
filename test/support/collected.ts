import { shippedRules } from '../../src/catalog/bundled-data.ts';
import type { StoredEvidence } from '../../src/clusters/memory-reader.ts';
import { memoryReader } from '../../src/clusters/memory-reader.ts';
import { collect } from '../../src/collect/collect.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { ClusterReader } from '../../src/model/cluster-reader.ts';
import type { Evidence } from '../../src/model/diagnosis.ts';
import { resourceOfKind } from '../../src/model/resources.ts';
import type { Scalar } from '../../src/model/fact.ts';
import type { FactKind } from '../../src/model/fact-kinds.ts';
import type { KubeObject, ObjectRef } from '../../src/model/kube-object.ts';

/** Loaded before the first test, whose time it would take. */
const RULES = await shippedRules();

export const NOW = Date.parse('2026-01-14T09:00:00Z');

/** RFC 3339, so many seconds before `NOW`. */
export function ago(seconds: number): string {
  return new Date(NOW - seconds * 1000).toISOString();
}

/** The fields of all facts of a kind that are collected from these objects, of which nothing is missing. */
export function collected(kind: FactKind, objects: readonly KubeObject[]): Promise<readonly Readonly<Record<string, Scalar>>[]> {
  return collectedBy(memoryReader(storeOf(objects)), kind);
}

/** The same, read from a live cluster at `NOW`. */
export function collectedLive(kind: FactKind, objects: readonly KubeObject[]): Promise<readonly Readonly<Record<string, Scalar>>[]> {
  const stored = memoryReader(storeOf(objects));
  return collectedBy(
    {
      get: (ref) => stored.get(ref),
      list: (each, scope) => stored.list(each, scope),
      logs: (pod, container, options) => stored.logs(pod, container, options),
      now: () => stored.now(),
    },
    kind,
  );
}

function storeOf(objects: readonly KubeObject[]): StoredEvidence {
  const kinds = [
    'Pod',
    'Event',
    'Deployment',
    'ReplicaSet',
    'StatefulSet',
    'DaemonSet',
    'Job',
    'CronJob',
    'Service',
    'Secret',
    'Node',
    'LimitRange',
  ];
  const all = [...new Set([...kinds, ...objects.map(({ kind }) => kind)])];
  return { objects, collected: all.map((one) => ({ kind: one, complete: true })), absent: [], refused: [], logs: [], now: NOW };
}

async function collectedBy(reader: ClusterReader, kind: FactKind): Promise<readonly Readonly<Record<string, Scalar>>[]> {
  const { facts } = await collect(reader, { namespace: 'shop' }, RULES);
  return facts.filter((fact) => fact.kind === kind).map(({ fields }) => fields);
}

/** A pod on worker-1 with one container, whose status is given. */
export function podWith(
  name: string,
  container: JsonObject,
  status: JsonObject,
  more: { readonly spec?: JsonObject; readonly status?: JsonObject } = {},
): KubeObject {
  const spec: Json = {
    nodeName: 'worker-1',
    restartPolicy: 'Always',
    containers: [{ name: 'web', image: 'registry.shop.example/team/web:1.0', ...container }],
    ...more.spec,
  };
  const containerStatuses: Json = [{ name: 'web', image: '', imageID: '', ready: false, restartCount: 0, ...status }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', creationTimestamp: ago(7200) },
    spec,
    status: { phase: 'Running', startTime: ago(7200), podIP: '10.0.0.9', ...more.status, containerStatuses },
  };
}

/** An object of the shop, or one without a namespace. */
export function objectOf(kind: string, name: string, more: JsonObject, metadata: JsonObject = {}): KubeObject {
  const place = resourceOfKind(kind)?.namespaced === false ? {} : { namespace: 'shop' };
  return {
    apiVersion: 'v1',
    kind,
    metadata: { name, ...place, uid: `${kind}-${name}`, creationTimestamp: ago(7200), ...metadata },
    ...more,
  };
}

/** What a look meets beside the objects: kinds of which there are none, kinds that may not be read, and what is asked about. */
interface Around {
  readonly none?: readonly string[];
  readonly refused?: readonly string[];
  readonly target?: ObjectRef;
  readonly logs?: StoredEvidence['logs'];
}

/** All that is collected from these objects, as a stored source shows them. */
export async function evidenceOf(
  objects: readonly KubeObject[],
  { none = [], refused = [], target, logs = [] }: Around = {},
): Promise<Evidence> {
  const store = storeOf(objects);
  const known = [...store.collected, ...none.map((kind) => ({ kind, complete: true }))].filter(({ kind }) => !refused.includes(kind));
  const reader = memoryReader({
    ...store,
    collected: known,
    refused: refused.map((kind) => ({ kind, why: 'forbidden', detail: `${kind} is forbidden`, needs: `list ${kind}` })),
    logs,
  });
  return collect(reader, target === undefined ? { namespace: 'shop' } : { target }, RULES);
}

/** The fields of the facts of a kind in what was collected. */
export function factsIn({ facts }: Evidence, kind: FactKind): readonly Readonly<Record<string, Scalar>>[] {
  return facts.filter((fact) => fact.kind === kind).map(({ fields }) => fields);
}

/** An Event about an object, so many seconds ago. */
export function eventOn(about: KubeObject, reason: string, message: string, seconds: number, more: JsonObject = {}): KubeObject {
  const { name, namespace, uid } = about.metadata;
  return objectOf('Event', `${name}.${reason}.${String(seconds)}`, {
    reason,
    message,
    type: 'Warning',
    lastTimestamp: ago(seconds),
    involvedObject: {
      kind: about.kind,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
    },
    ...more,
  });
}

/** What kubectl printed for a command, the `order`-th of a session. */
export function answerTo(command: string, output: string, order = 0): KubeObject {
  return objectOf('ClientAnswer', `answer-${String(order)}`, { spec: { command, output, order } }, { namespace: null });
}
