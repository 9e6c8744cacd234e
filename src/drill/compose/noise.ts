import type { JsonObject } from '../../base/json.ts';
import type { Prng } from '../../base/prng.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import type { ScenarioStep } from '../../model/scenario.ts';

/** Something that looks odd and is well. */
export interface Noise {
  readonly manifests: readonly JsonObject[];
  readonly steps: readonly ScenarioStep[];
  readonly lookAlike: ObjectRef;
}

const KINDS: readonly ((namespace: string) => Noise)[] = [
  // A volume that may be missing, and is.
  (namespace) => ({
    manifests: [
      workload('newsletter', namespace, {
        volumes: [{ name: 'overrides', configMap: { name: 'newsletter-overrides', optional: true } }],
        containers: [
          {
            name: 'newsletter',
            image: 'busybox:1.36',
            command: ['sleep', '36000'],
            volumeMounts: [{ name: 'overrides', mountPath: '/etc/overrides' }],
          },
        ],
      }),
    ],
    steps: [],
    lookAlike: { kind: 'Deployment', namespace, name: 'newsletter' },
  }),
  // A Job that is done: its pod is not ready, and need not be.
  (namespace) => ({
    manifests: [
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'migrate', namespace },
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'migrate', image: 'busybox:1.36', command: ['true'] }] } },
        },
      },
    ],
    steps: [],
    lookAlike: { kind: 'Job', namespace, name: 'migrate' },
  }),
  // A program that takes its time to start.
  (namespace) => ({
    manifests: [
      workload('assistant', namespace, {
        containers: [
          {
            name: 'assistant',
            image: 'busybox:1.36',
            command: ['sh', '-c', 'sleep 20; touch /tmp/ready; sleep 36000'],
            readinessProbe: { exec: { command: ['cat', '/tmp/ready'] }, periodSeconds: 5 },
          },
        ],
      }),
    ],
    steps: [],
    lookAlike: { kind: 'Deployment', namespace, name: 'assistant' },
  }),
  // A claim that waits for its first pod is as it should be; a node that is cordoned only takes nothing new.
  () => ({
    manifests: [],
    steps: [
      {
        do: 'patch',
        object: { kind: 'Node', name: 'worker-3' },
        body: { spec: { unschedulable: true } },
        subresource: undefined,
        atMilliseconds: undefined,
        place: 'noise',
      },
    ],
    lookAlike: { kind: 'Node', name: 'worker-3' },
  }),
];

export function drawNoise(prng: Prng, namespace: string, count: number): readonly Noise[] {
  const left = [...KINDS];
  const noise: Noise[] = [];
  while (noise.length < count && left.length > 0) {
    const [kind] = left.splice(prng.below(left.length), 1);
    if (kind !== undefined) noise.push(kind(namespace));
  }
  return noise;
}

function workload(name: string, namespace: string, spec: JsonObject): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: { replicas: 1, selector: { matchLabels: { app: name } }, template: { metadata: { labels: { app: name } }, spec } },
  };
}
