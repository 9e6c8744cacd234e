import type { JsonObject } from '../../src/base/json.ts';
import type { Instant } from '../../src/base/instant.ts';
import { formatInstant } from '../../src/base/instant.ts';
import { memoryReader } from '../../src/clusters/memory-reader.ts';
import type { ClusterReader } from '../../src/model/cluster-reader.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';

/** The cluster with healthy Deployments besides, whose pods have run for hours on these nodes; a read that goes wrong goes wrong. */
export function amidCrowd(reader: ClusterReader, namespaces: readonly string[], nodes: readonly string[]): ClusterReader {
  const objects = namespaces.flatMap((namespace, index) => deployment(namespace, index, nodes, reader.now()));
  const collected = ['Pod', 'ReplicaSet', 'Deployment', 'Service', 'Event'].map((kind) => ({ kind, complete: true }));
  const crowd = memoryReader({ objects, collected, absent: [], refused: [], logs: [], now: reader.now() });
  return {
    ...(reader.stored === true ? { stored: true } : {}),
    get: async (ref) => {
      const read = await reader.get(ref);
      const other = read.ok ? read : await crowd.get(ref);
      return other.ok ? other : read;
    },
    list: async (kind, scope) => {
      const read = await reader.list(kind, scope);
      const more = read.ok ? await crowd.list(kind, scope) : read;
      return read.ok && more.ok ? { ...read, value: [...more.value, ...read.value] } : read;
    },
    logs: (pod, container, options) => reader.logs(pod, container, options),
    now: () => reader.now(),
  };
}

const REPLICAS = 5;
/** The one that crashed when it was new, as some of every large cluster did. */
const RESTARTED = 3;

function deployment(namespace: string, index: number, nodes: readonly string[], now: Instant): readonly KubeObject[] {
  const name = `crowd-${index}`;
  const at = formatInstant(now - 5 * 3600_000);
  const labels = { app: name };
  const crash = { exitCode: 1, reason: 'Error', startedAt: at, finishedAt: at };
  const spec = {
    containers: [
      {
        name: 'stand',
        image: 'registry.example/stand:1.0',
        ports: [{ containerPort: 8080 }],
        resources: { requests: { cpu: '1m', memory: '1Mi' } },
      },
    ],
    restartPolicy: 'Always',
    serviceAccountName: 'default',
  };
  const counts = {
    observedGeneration: 1,
    replicas: REPLICAS,
    readyReplicas: REPLICAS,
    availableReplicas: REPLICAS,
    updatedReplicas: REPLICAS,
  };
  const metadata = { namespace, generation: 1, labels, creationTimestamp: at };
  const owned = (kind: string, owner: string): JsonObject => ({
    ownerReferences: [{ apiVersion: 'apps/v1', kind, name: owner, uid: owner, controller: true }],
  });
  const template = { metadata: { labels }, spec };
  const body = { spec: { replicas: REPLICAS, selector: { matchLabels: labels }, template }, status: counts };
  return [
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { ...metadata, name, uid: name }, ...body },
    {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { ...metadata, ...owned('Deployment', name), name: `${name}-5d8f`, uid: `${name}-5d8f` },
      ...body,
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, name, uid: `${name}-service` },
      spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
    },
    ...Array.from({ length: REPLICAS }, (_, pod) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...metadata,
        ...owned('ReplicaSet', `${name}-5d8f`),
        labels: { ...labels, 'pod-template-hash': '5d8f' },
        name: `${name}-5d8f-${pod}`,
        uid: `${name}-${pod}`,
      },
      spec: { ...spec, nodeName: nodes[pod % Math.max(1, nodes.length)] ?? 'worker-1' },
      status: {
        phase: 'Running',
        startTime: at,
        podIP: `10.99.${index}.${pod}`,
        conditions: ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
          type,
          status: 'True',
          lastTransitionTime: at,
        })),
        containerStatuses: [
          {
            name: 'stand',
            image: 'registry.example/stand:1.0',
            ready: true,
            started: true,
            ...(pod === RESTARTED ? { restartCount: 3, lastState: { terminated: crash } } : { restartCount: 0, lastState: {} }),
            state: { running: { startedAt: at } },
          },
        ],
      },
    })),
  ] as readonly KubeObject[];
}
