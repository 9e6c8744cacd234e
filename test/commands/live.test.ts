import { afterEach, describe, expect, it } from 'vitest';
import { clusterOf, kubeconfigFor } from '../support/cluster.ts';
import type { StoredObject } from '../support/cluster.ts';
import { podcheck } from '../support/command-line.ts';
import type { Ran } from '../support/command-line.ts';
import { emptyFolder } from '../support/built-program.ts';
import type { KubeServer } from '../support/kube-server.ts';
import { kubeServer, statusReply } from '../support/kube-server.ts';

const TIME = '2026-01-14T09:00:00Z';
const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function on(server: KubeServer, ...argv: readonly string[]): Promise<Ran> {
  const folder = emptyFolder();
  ends.push(folder.remove, () => server.close());
  return podcheck(argv, { env: { KUBECONFIG: kubeconfigFor(server.url, folder.path) } });
}

describe('diagnosing a live pod', () => {
  it('names the ConfigMap that is not there', async () => {
    const { code, out, err } = await on(await kubeServer(clusterOf(SHOP)), 'diagnose', 'web-6d4cf56db6-x2x7k');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toContain('volumes/configmap-not-found');
    expect(out).toContain('web-settings');
  });

  it('takes at most 25 requests on one connection, however large the cluster', async () => {
    const small = await kubeServer(clusterOf(SHOP));
    await on(small, 'diagnose', 'pod/web-6d4cf56db6-x2x7k');
    const large = await kubeServer(
      clusterOf([
        ...SHOP,
        ...Array.from({ length: 300 }, (_, index) => [pod(`cart-${index}`, { app: 'cart' }, 'carts'), node(`worker-${index + 10}`)]).flat(),
      ]),
    );
    const { code } = await on(large, 'diagnose', 'pod/web-6d4cf56db6-x2x7k');
    expect(code).toBe(1);
    expect(small.seen.length).toBeGreaterThan(3);
    expect(small.seen.length).toBeLessThanOrEqual(25);
    expect(large.seen.length).toBe(small.seen.length);
    expect(large.connections()).toBe(1);
    // The pod is found by its name, and examined as it was found.
    expect(small.seen.filter(({ path }) => path.endsWith('/pods/web-6d4cf56db6-x2x7k'))).toHaveLength(1);
    expect(large.seen.filter(({ path }) => /^\/api\/v1\/(pods|secrets|events|configmaps)$/.test(path))).toEqual([]);
  });

  it('takes no more requests for a workload with many replicas than for one with some', async () => {
    const replicas = (count: number): readonly StoredObject[] => [
      ...SHOP,
      ...Array.from({ length: count }, (_, index) => pod(`web-6d4cf56db6-x2x${String(index).padStart(2, '0')}`, { app: 'web' })),
    ];
    const some = await kubeServer(clusterOf(replicas(12)));
    await on(some, 'diagnose', 'deploy/web');
    const many = await kubeServer(clusterOf(replicas(90)));
    const { code } = await on(many, 'diagnose', 'deploy/web');
    expect(code).toBe(1);
    expect(many.seen.length).toBe(some.seen.length);
    expect(many.seen.length).toBeLessThanOrEqual(40);
  });

  it('takes the one thing that is not well when nothing is named, in the namespace of the context', async () => {
    const { code, out } = await on(await kubeServer(clusterOf(SHOP)), 'diagnose', '-o', 'json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      outcome: 'explained',
      target: { kind: 'Deployment', namespace: 'shop', name: 'web' },
      causes: [{ object: { kind: 'ConfigMap', namespace: 'shop', name: 'web-settings' } }],
    });
  });

  it('diagnoses again while it watches, writes only what changed, and ends when the object is healthy', async () => {
    const healthy = WITHOUT_EVENTS.map((object) =>
      object.kind === 'Pod'
        ? readyPod(object)
        : object.kind === 'Deployment'
          ? { ...object, status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 } }
          : object,
    );
    const settings: StoredObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'web-settings', namespace: 'shop', uid: 'uid-settings' },
    };
    const states = [clusterOf(SHOP), clusterOf(SHOP), clusterOf([...healthy, settings])];
    let looks = 0;
    const server = await kubeServer((request) => {
      if (request.path.endsWith('/deployments/web')) looks++;
      return (states[Math.min(Math.max(0, looks - 1), 2)] as (typeof states)[number])(request);
    });
    const { code, out } = await on(server, 'diagnose', 'deploy/web', '--watch');
    expect(code).toBe(0);
    expect(out.match(/Deployment shop\/web is/g)).toHaveLength(2);
    expect(out).toContain('is blocked at volumes');
    expect(out).toContain('is healthy');
  });

  it('names the permission that is missing, and does not take what it could not see for absent', async () => {
    const { code, out } = await on(
      await kubeServer(clusterOf(WITHOUT_EVENTS, ['configmaps'])),
      'diagnose',
      'web-6d4cf56db6-x2x7k',
      '-o',
      'json',
    );
    expect(code).toBe(3);
    const { outcome, causes, gaps } = JSON.parse(out) as { outcome: string; causes: unknown[]; gaps: { needs?: string }[] };
    expect({ outcome, causes }).toEqual({ outcome: 'inconclusive', causes: [] });
    expect(gaps.map(({ needs }) => needs)).toContain('get configmaps in shop');
  });

  it('takes the given time for now, whatever the server says it is', async () => {
    const { out } = await on(
      await kubeServer(clusterOf(SHOP)),
      'diagnose',
      'web-6d4cf56db6-x2x7k',
      '--now',
      '2026-01-14T09:05:00Z',
      '-o',
      'json',
    );
    expect(JSON.parse(out)).toMatchObject({ at: '2026-01-14T09:05:00Z' });
  });

  it('names near names for a target that is not there', async () => {
    const { code, err } = await on(await kubeServer(clusterOf(SHOP)), 'diagnose', 'deploy/wbe');
    expect(code).toBe(2);
    expect(err).toContain('did you mean web?');
  });
});

describe('scanning a live namespace', () => {
  it('names each cause once', async () => {
    const { code, out } = await on(await kubeServer(clusterOf(SHOP)), 'scan', '-o', 'json');
    expect(code).toBe(1);
    const { causes } = JSON.parse(out) as { causes: { rule: string }[] };
    expect(causes.map(({ rule }) => rule)).toEqual(['volumes/configmap-not-found']);
  });

  it('warns of what the kubeconfig lives on, and asks the cluster for nothing large for it', async () => {
    const server = await kubeServer(clusterOf(SHOP));
    const { out } = await on(server, 'scan', '--now', '2098-12-25T00:00:00Z', '-o', 'json');
    const { certificates } = JSON.parse(out) as { certificates: { role: string; status: string; notAfter: string }[] };
    expect(certificates.map(({ role, status, notAfter }) => `${status} ${role} ${notAfter}`)).toContain(
      'CRITICAL kubeconfig-ca 2099-01-01T00:00:00Z',
    );
    expect((await on(server, 'scan', '--now', '2098-12-25T00:00:00Z')).out).toMatch(/Serving\s+certificates:/);
    expect(
      server.seen
        .map(({ path }) => path)
        .filter((path) => path.includes('customresourcedefinitions') || path.includes('/api/v1/configmaps')),
    ).toEqual([]);
  });
});

describe('completing with a live cluster', () => {
  it.each([
    [['__complete', 'diagnose', 'web'], 'web-6d4cf56db6-x2x7k'],
    [['__complete', 'diagnose', 'deploy/w'], 'deploy/web'],
    [['__complete', 'scan', '-n', 's'], 'shop'],
    [['__complete', 'scan', '--context', ''], 'shop'],
  ])('%j proposes %s', async (words, proposal) => {
    expect((await on(await kubeServer(clusterOf(SHOP)), ...words)).out).toBe(`${proposal}\t\n:4\n`);
  });
});

describe('a cluster that gives no answer', () => {
  it.each([['diagnose', 'web'], ['scan']])('is told by %s in a sentence, not as health', async (...argv) => {
    const server = await kubeServer(() => ({ json: {} }));
    await server.close();
    const { code, out, err } = await on(server, ...argv);
    expect([1, 3]).toContain(code);
    expect(out + err).toContain(`127.0.0.1:${server.port}`);
    expect(out + err).not.toContain('    at ');
  });

  it('says so when it does not accept the credentials', async () => {
    const { code, out, err } = await on(await kubeServer(() => statusReply(401, 'Unauthorized', 'Unauthorized')), 'diagnose', 'web');
    expect([1, 3]).toContain(code);
    expect(out + err).toMatch(/Unauthorized|credentials/);
  });
});

function pod(name: string, labels: Readonly<Record<string, string>>, namespace = 'shop'): StoredObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: `uid-${name}`,
      creationTimestamp: TIME,
      labels,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-6d4cf56db6', uid: 'uid-web-6d4cf56db6', controller: true }],
    },
    spec: {
      nodeName: 'worker-1',
      serviceAccountName: 'default',
      containers: [{ name: 'web', image: 'registry.shop.example/web:2.4.1', volumeMounts: [{ name: 'settings', mountPath: '/etc/web' }] }],
      volumes: [{ name: 'settings', configMap: { name: 'web-settings' } }],
    },
    status: {
      phase: 'Pending',
      conditions: [
        { type: 'PodScheduled', status: 'True', lastTransitionTime: TIME },
        { type: 'Ready', status: 'False', lastTransitionTime: TIME },
      ],
      containerStatuses: [
        {
          name: 'web',
          ready: false,
          restartCount: 0,
          image: 'registry.shop.example/web:2.4.1',
          imageID: '',
          state: { waiting: { reason: 'ContainerCreating' } },
        },
      ],
    },
  };
}

function node(name: string): StoredObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: `uid-${name}`, creationTimestamp: TIME },
    spec: {},
    status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: TIME, lastTransitionTime: TIME }] },
  };
}

function readyPod(object: StoredObject): StoredObject {
  const conditions = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: TIME,
  }));
  return {
    ...object,
    status: {
      phase: 'Running',
      podIP: '10.0.0.7',
      conditions,
      containerStatuses: [
        {
          name: 'web',
          ready: true,
          started: true,
          restartCount: 0,
          image: 'registry.shop.example/web:2.4.1',
          imageID: 'sha256:1',
          state: { running: { startedAt: TIME } },
        },
      ],
    },
  };
}

const TEMPLATE = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'registry.shop.example/web:2.4.1' }] },
};
const WITHOUT_EVENTS: readonly StoredObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', uid: 'uid-shop' }, status: { phase: 'Active' } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'shop', uid: 'uid-default' } },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-web', generation: 1, creationTimestamp: TIME },
    spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: TEMPLATE },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, unavailableReplicas: 1 },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: 'web-6d4cf56db6',
      namespace: 'shop',
      uid: 'uid-web-6d4cf56db6',
      creationTimestamp: TIME,
      labels: { app: 'web' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'uid-web', controller: true }],
    },
    spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: TEMPLATE },
    status: { replicas: 1 },
  },
  pod('web-6d4cf56db6-x2x7k', { app: 'web' }),
  node('worker-1'),
];
const SHOP: readonly StoredObject[] = [
  ...WITHOUT_EVENTS,
  {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'web-6d4cf56db6-x2x7k.1', namespace: 'shop', uid: 'uid-event' },
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-6d4cf56db6-x2x7k', uid: 'uid-web-6d4cf56db6-x2x7k' },
    reason: 'FailedMount',
    message: 'MountVolume.SetUp failed for volume "settings" : configmap "web-settings" not found',
    type: 'Warning',
    count: 8,
    firstTimestamp: TIME,
    lastTimestamp: TIME,
  },
];
