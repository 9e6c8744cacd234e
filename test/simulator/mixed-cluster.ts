import type { JsonObject } from '../../src/base/json.ts';
import type { Cluster } from '../../src/simulator/cluster.ts';
import { createCluster, DEFAULT_START } from '../../src/simulator/cluster.ts';

/**
 * Ten minutes of a shop in which a bit of everything happens: roll-outs, a crash loop, a job, a node that is lost and comes back, a
 * certificate that ends.
 */
export function mixedCluster(
  seed: number | string,
  trace?: (line: string) => void,
  arranged: (object: JsonObject) => JsonObject = (object) => object,
): Cluster {
  const setup = [{ fault: 'certificate', name: 'kubelet-worker-3', notAfter: DEFAULT_START + 300_000 }] as const;
  const cluster = createCluster({ seed, setup }, trace === undefined ? {} : { trace });
  cluster.apply([...BEGINNING, ...WORKLOADS].map(arranged));
  cluster.advance(45_000);
  cluster.inject({ fault: 'stop', process: 'kubelet', node: 'worker-2' });
  cluster.apply([deployment('web', 6, [{ name: 'web', image: 'nginx:1.28' }])].map(arranged));
  cluster.advance(120_000);
  cluster.inject({ fault: 'restart', process: 'kube-controller-manager' });
  cluster.inject({ fault: 'start', process: 'kubelet', node: 'worker-2' });
  cluster.advance(435_000);
  return cluster;
}

const BEGINNING: readonly JsonObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'fruit', tier: 'front' } } },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'prices', namespace: 'shop' },
    data: { apples: '3', pears: '4', '10': 'ten', '9': 'nine' },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 80 }] },
  },
];

const WORKLOADS: readonly JsonObject[] = [
  deployment('web', 6, [{ name: 'web', image: 'nginx:1.27', resources: { requests: { cpu: '100m', memory: '64Mi' } } }]),
  deployment('cart', 2, [
    {
      name: 'cart',
      image: 'busybox:1.36',
      command: ['sh', '-c', 'exit 1'],
      env: [{ name: 'APPLES', valueFrom: { configMapKeyRef: { name: 'prices', key: 'apples' } } }],
    },
  ]),
  deployment('pay', 1, [{ name: 'pay', image: 'nginx:1.27', volumeMounts: [{ name: 'keys', mountPath: '/keys' }] }], {
    volumes: [{ name: 'keys', secret: { secretName: 'nowhere' } }],
  }),
  deployment('giant', 1, [{ name: 'giant', image: 'nginx:1.27', resources: { requests: { cpu: '64', memory: '1Ti' } } }]),
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'stocktaking', namespace: 'shop' },
    spec: {
      completions: 3,
      parallelism: 2,
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'count', image: 'busybox:1.36', command: ['sh', '-c', 'sleep 7'] }] },
      },
    },
  },
];

function deployment(name: string, replicas: number, containers: readonly JsonObject[], pod: JsonObject = {}): JsonObject {
  const labels = { app: name, shelf: 'left', aisle: '4' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop', labels },
    spec: { replicas, selector: { matchLabels: { app: name } }, template: { metadata: { labels }, spec: { containers, ...pod } } },
  };
}
