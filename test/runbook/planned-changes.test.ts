import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { memoryReader } from '../../src/clusters/memory-reader.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import type { ChangeAction } from '../../src/model/playbook-change.ts';
import { planChange, planFix } from '../../src/runbook/change-plan.ts';
import { NOW } from '../support/collected.ts';

const OWNER = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'web-1', controller: true };

function object(kind: string, name: string, more: JsonObject, metadata: JsonObject = {}): KubeObject {
  const isCore = ['Pod', 'Node', 'Service'].includes(kind);
  const place = kind === 'Node' ? {} : { namespace: 'shop' };
  return { apiVersion: isCore ? 'v1' : 'apps/v1', kind, metadata: { name, ...place, uid: `${name}-1`, ...metadata }, ...more };
}

function replicaSet(name: string, revision: number, image: string, owner: JsonObject = OWNER): KubeObject {
  const template = { metadata: { labels: { app: 'web', 'pod-template-hash': name } }, spec: { containers: [{ name: 'web', image }] } };
  return object(
    'ReplicaSet',
    name,
    { spec: { template } },
    {
      annotations: { 'deployment.kubernetes.io/revision': String(revision) },
      ownerReferences: [owner],
    },
  );
}

function pod(name: string, more: JsonObject = {}, metadata: JsonObject = {}): KubeObject {
  return object(
    'Pod',
    name,
    { spec: { nodeName: 'worker-1', containers: [{ name: 'web', image: 'a' }] }, status: { phase: 'Running' }, ...more },
    metadata,
  );
}

const TEMPLATE = {
  metadata: { labels: { app: 'web' } },
  spec: {
    initContainers: [{ name: 'wait', image: 'a' }],
    containers: [
      { name: 'web', image: 'a' },
      { name: 'log', image: 'a' },
    ],
  },
};
const OBJECTS = [
  object('Deployment', 'web', { spec: { replicas: 2, template: TEMPLATE } }),
  replicaSet('web-a', 9, 'old'),
  replicaSet('web-b', 10, 'newer'),
  replicaSet('web-c', 11, 'newest'),
  replicaSet('other', 12, 'other', { ...OWNER, uid: 'other-1' }),
  object('Deployment', 'paused', { spec: { paused: true, template: TEMPLATE } }),
  object('StatefulSet', 'till', { spec: { template: TEMPLATE } }),
  ...[1, 2, 10].map((revision) =>
    object(
      'ControllerRevision',
      `till-${String(revision)}`,
      { revision, data: { spec: { template: { was: revision } } } },
      {
        ownerReferences: [{ ...OWNER, kind: 'StatefulSet', name: 'till', uid: 'till-1' }],
      },
    ),
  ),
  object('DaemonSet', 'agent', { spec: { template: TEMPLATE } }),
  object('Job', 'once', { spec: { template: TEMPLATE } }),
  object('CronJob', 'nightly', { spec: { jobTemplate: { spec: { template: TEMPLATE } } } }),
  object('Node', 'worker-1', {}),
  object('Service', 'web', {
    spec: {
      selector: { app: 'web' },
      ports: [{ port: 80, targetPort: 'http' }, { port: 53, targetPort: 5353, protocol: 'UDP' }, { port: 443 }],
    },
  }),
  object('CertificateSigningRequest', 'join', { status: { conditions: [{ type: 'Seen' }] } }, { namespace: undefined }),
  pod('web-1'),
  pod('agent-1', {}, { ownerReferences: [{ ...OWNER, kind: 'DaemonSet', name: 'agent' }] }),
  pod('etcd-worker-1', {}, { annotations: { 'kubernetes.io/config.mirror': 'a' } }),
  pod('done', { status: { phase: 'Succeeded' } }),
  pod('failed', { status: { phase: 'Failed' } }),
  pod('elsewhere', { spec: { nodeName: 'worker-2', containers: [] } }),
];
const reader = memoryReader({
  objects: OBJECTS,
  collected: [...new Set(OBJECTS.map(({ kind }) => kind))].map((kind) => ({ kind, complete: true })),
  absent: [],
  refused: [],
  logs: [],
  now: NOW,
});
const VARIABLES = { target: 'Deployment/shop/web', namespace: 'shop', pod: 'web-1', node: 'worker-1', count: 3 };

async function requests(action: ChangeAction): Promise<readonly unknown[]> {
  const plan = await planChange(action, VARIABLES, reader, NOW);
  if (!plan.ok) throw new Error(plan.cannot);
  return plan.writes.map(({ request }) => request);
}

async function refusal(action: ChangeAction): Promise<unknown> {
  const plan = await planChange(action, VARIABLES, reader, NOW);
  return plan.ok ? 'it is planned' : [plan.cannot, plan.unresolved];
}

const WEB = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };

function patched(type: string, body: unknown, place: object = WEB): readonly unknown[] {
  return [{ verb: 'patch', ...place, patch: { type, body } }];
}

describe('a change is', () => {
  it.each<readonly [string, ChangeAction, readonly unknown[]]>([
    ['scaling', { change: 'scale', object: '{{ target }}', replicas: '{{ count }}' }, patched('merge', { spec: { replicas: 3 } })],
    [
      'a patch with its variables',
      {
        change: 'patch',
        object: 'Deployment/web',
        type: 'strategic',
        body: { spec: { replicas: '{{ count }}', at: 'node {{ node }}' } },
        subresource: 'status',
      },
      [
        {
          verb: 'patch',
          ...WEB,
          patch: { type: 'strategic', body: { spec: { replicas: 3, at: 'node worker-1' } } },
          subresource: 'status',
        },
      ],
    ],
    [
      'a restart',
      { change: 'restart', object: '{{ target }}' },
      patched('strategic', {
        spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-01-14T09:00:00Z' } } } },
      }),
    ],
    [
      'another image of a container',
      { change: 'set-image', object: '{{ target }}', container: 'log', image: 'b' },
      patched('strategic', { spec: { template: { spec: { containers: [{ name: 'log', image: 'b' }] } } } }),
    ],
    [
      'another image of an init container',
      { change: 'set-image', object: '{{ target }}', container: 'wait', image: 'b' },
      patched('strategic', { spec: { template: { spec: { initContainers: [{ name: 'wait', image: 'b' }] } } } }),
    ],
    [
      'another image of a pod',
      { change: 'set-image', object: 'Pod/web-1', container: 'web', image: 'b' },
      patched(
        'strategic',
        { spec: { containers: [{ name: 'web', image: 'b' }] } },
        { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web-1' },
      ),
    ],
    [
      'another image of a CronJob',
      { change: 'set-image', object: 'CronJob/nightly', container: 'web', image: 'b' },
      patched(
        'strategic',
        { spec: { jobTemplate: { spec: { template: { spec: { containers: [{ name: 'web', image: 'b' }] } } } } } },
        { ...WEB, kind: 'CronJob', name: 'nightly' },
      ),
    ],
    [
      'cordoning',
      { change: 'cordon', object: '{{ node }}' },
      patched('merge', { spec: { unschedulable: true } }, { apiVersion: 'v1', kind: 'Node', name: 'worker-1' }),
    ],
    [
      'uncordoning',
      { change: 'uncordon', object: 'Node/worker-1' },
      patched('merge', { spec: { unschedulable: null } }, { apiVersion: 'v1', kind: 'Node', name: 'worker-1' }),
    ],
    [
      'deleting the object that was seen',
      { change: 'delete', object: 'Pod/web-1', propagation: 'Orphan', graceSeconds: 0 },
      [
        {
          verb: 'delete',
          apiVersion: 'v1',
          kind: 'Pod',
          namespace: 'shop',
          name: 'web-1',
          uid: 'web-1-1',
          propagation: 'Orphan',
          graceSeconds: 0,
        },
      ],
    ],
    [
      'an eviction',
      { change: 'evict', object: '{{ pod }}' },
      [
        {
          verb: 'create',
          apiVersion: 'v1',
          kind: 'Pod',
          namespace: 'shop',
          name: 'web-1',
          subresource: 'eviction',
          body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'web-1', namespace: 'shop' } },
        },
      ],
    ],
    [
      'the template of the revision before',
      { change: 'rollout-undo', object: '{{ target }}' },
      patched('json', [
        {
          op: 'replace',
          path: '/spec/template',
          value: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'newer' }] } },
        },
      ]),
    ],
    [
      'the template of a revision that is named',
      { change: 'rollout-undo', object: '{{ target }}', revision: '9' },
      patched('json', [
        {
          op: 'replace',
          path: '/spec/template',
          value: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'old' }] } },
        },
      ]),
    ],
    [
      'what a ControllerRevision keeps',
      { change: 'rollout-undo', object: 'StatefulSet/till' },
      patched('strategic', { spec: { template: { was: 2 } } }, { ...WEB, kind: 'StatefulSet', name: 'till' }),
    ],
  ])('%s', async (_, action, expected) => {
    expect(await requests(action)).toEqual(expected);
  });

  it('an approval beside the conditions that are there', async () => {
    expect(await requests({ change: 'approve', object: 'join' })).toMatchObject([
      {
        verb: 'update',
        kind: 'CertificateSigningRequest',
        name: 'join',
        subresource: 'approval',
        body: {
          status: {
            conditions: [
              { type: 'Seen' },
              { type: 'Approved', status: 'True', reason: 'PodcheckApprove', lastUpdateTime: '2026-01-14T09:00:00Z' },
            ],
          },
        },
      },
    ]);
  });

  it('cordoning and the eviction of the pods that come back elsewhere, for a drain', async () => {
    const plan = await planChange({ change: 'drain', object: 'worker-1' }, VARIABLES, reader, NOW);
    expect(plan.ok ? plan.writes.map(({ ref, request }) => [ref.name, request.subresource ?? request.verb]) : plan.cannot).toEqual([
      ['worker-1', 'patch'],
      ['web-1', 'eviction'],
    ]);
  });

  it('a NetworkPolicy for the ports of the pods, for the clients of a Service', async () => {
    expect(await requests({ change: 'allow-clients', object: 'Service/web' })).toMatchObject([
      {
        verb: 'create',
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        namespace: 'shop',
        body: {
          spec: {
            podSelector: { matchLabels: { app: 'web' } },
            policyTypes: ['Ingress'],
            ingress: [
              {
                from: [{ podSelector: {} }],
                ports: [
                  { port: 'http', protocol: 'TCP' },
                  { port: 5353, protocol: 'UDP' },
                  { port: 443, protocol: 'TCP' },
                ],
              },
            ],
          },
        },
      },
    ]);
  });

  it('an object in the namespace of the target, unless it names its own or has none', async () => {
    const namespaceOf = async (kind: string, metadata: JsonObject): Promise<unknown> => {
      const manifest = { apiVersion: 'v1', kind, metadata: { name: '{{ pod }}', ...metadata } };
      const [request] = (await requests({ change: 'create', manifest })) as readonly {
        readonly name: string;
        readonly namespace?: string;
      }[];
      expect(request?.name).toBe('web-1');
      return request?.namespace;
    };
    expect(await namespaceOf('ConfigMap', {})).toBe('shop');
    expect(await namespaceOf('ConfigMap', { namespace: 'till' })).toBe('till');
    expect(await namespaceOf('PersistentVolume', {})).toBeUndefined();
    expect(await namespaceOf('TillRoll', {})).toBe('shop');
  });

  it('a restart a second after one within the same second', async () => {
    const at = async (restartedAt: string): Promise<string> => {
      const annotations = { 'kubectl.kubernetes.io/restartedAt': restartedAt };
      const restarted = object('Deployment', 'web', { spec: { template: { metadata: { annotations } } } });
      const own = memoryReader({ objects: [restarted], collected: [], absent: [], refused: [], logs: [], now: NOW });
      return JSON.stringify(await planChange({ change: 'restart', object: '{{ target }}' }, VARIABLES, own, NOW + 400));
    };
    expect(await at('2026-01-14T09:00:00Z')).toContain('"kubectl.kubernetes.io/restartedAt":"2026-01-14T09:00:01Z"}}}}}}');
    expect(await at('2026-01-14T08:59:59Z')).toContain('"kubectl.kubernetes.io/restartedAt":"2026-01-14T09:00:00Z"}}}}}}');
  });

  it.each<readonly [string, ChangeAction, string, boolean]>([
    ['of an object whose variable has no value', { change: 'restart', object: '{{ till }}' }, 'till has no value', true],
    ['of two', { change: 'scale', object: '{{ till }}', replicas: '{{ many }}' }, 'till, many have no value', true],
    ['of no object', { change: 'restart', object: '{{ namespace }}' }, 'it is not a valid object reference', true],
    ['of an object that is not there', { change: 'restart', object: 'Deployment/cart' }, 'Deployment/shop/cart not found', false],
    ['of an object that was not read', { change: 'restart', object: 'Rollout/cart' }, 'Rollout/shop/cart could not be read: ', false],
    ['to no number', { change: 'scale', object: '{{ target }}', replicas: '-1' }, '"-1" is not a valid number of replicas', false],
    [
      'to too many',
      { change: 'scale', object: '{{ target }}', replicas: '10000000' },
      '"10000000" is not a valid number of replicas',
      false,
    ],
    ['that restarts a Job', { change: 'restart', object: 'Job/once' }, 'a Job cannot be restarted', false],
    ['that restarts a Service', { change: 'restart', object: 'Service/web' }, 'a Service cannot be restarted', false],
    [
      'back to a revision that is gone',
      { change: 'rollout-undo', object: '{{ target }}', revision: '5' },
      'Deployment/shop/web has no earlier revision',
      false,
    ],
    ['back while it is paused', { change: 'rollout-undo', object: 'Deployment/paused' }, 'Deployment/shop/paused is paused', false],
    ['back of a Job', { change: 'rollout-undo', object: 'Job/once' }, 'a Job keeps no revisions to roll back to', false],
    [
      'back of a DaemonSet without a revision',
      { change: 'rollout-undo', object: 'DaemonSet/agent' },
      'DaemonSet/shop/agent has no earlier revision',
      false,
    ],
    [
      'of a container there is not',
      { change: 'set-image', object: '{{ target }}', container: 'till', image: 'b' },
      'Deployment/shop/web has no container till',
      false,
    ],
    [
      'that makes an object without a name',
      { change: 'create', manifest: { apiVersion: 'v1', kind: 'Pod', metadata: {} } },
      'the manifest has no name',
      false,
    ],
    ['that is the fix of no cause', { change: 'fix' }, 'the fix of this cause is not one command that changes one object', false],
  ])('not known %s', async (_, action, why, unresolved) => {
    expect(await refusal(action)).toEqual([expect.stringContaining(why), unresolved]);
  });
});

describe('a printed fix', () => {
  it('of all containers changes each that the template has', async () => {
    const plan = await planFix(`kubectl -n shop set resources deployment web --limits=memory=1Gi`, reader, NOW);
    expect(plan.ok ? plan.writes.map(({ request }) => request.patch) : plan.cannot).toEqual([
      {
        type: 'strategic',
        body: {
          spec: {
            template: {
              spec: {
                containers: ['web', 'log'].map((name) => ({ name, resources: { limits: { memory: '1Gi' } } })),
              },
            },
          },
        },
      },
    ]);
  });
});
