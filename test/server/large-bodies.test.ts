import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dig } from '../../src/base/json.ts';
import type { Serving } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { createCluster } from '../../src/simulator/index.ts';
import type { Reply } from './client.ts';
import { WireClient } from './client.ts';

let serving: Serving;
let client: WireClient;
const bugs: unknown[] = [];
/** Milliseconds that a body of the same size takes which holds one long text. */
let plain: number;

beforeAll(async () => {
  serving = await startServing({ cluster: createCluster({ seed: 1, preset: 'one-node' }), failed: (error) => bugs.push(error) });
  client = new WireClient(serving.kubeconfig);
  plain = Math.min(
    ...(await Promise.all(
      [1, 2, 3].map(
        async () =>
          (
            await whileSent([
              'POST',
              CONFIG_MAPS,
              PLAIN,
              { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'plain' }, data: { text: 'x'.repeat(LARGE) } },
            ])
          ).waited,
      ),
    )),
  );
  await client.ask(
    CONFIG_MAPS,
    send('POST', PLAIN, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: named(300_000, '') }),
  );
  await client.ask(DEPLOYMENTS, send('POST', PLAIN, deployment(members(500_000, (index) => ({ name: `A${index}` })))));
});

afterAll(async () => {
  await serving.close();
});

type Request = readonly [method: string, path: string, type: string, body: unknown];

const JSON_PATCH = 'application/json-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
const PLAIN = 'application/json';
const PODS = '/api/v1/namespaces/default/pods';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SERVICES = '/api/v1/namespaces/default/services';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
/** Just below what a request may be, and what an object may be with values of some length. */
const LARGE = 3_100_000;
const STORED = 1_000_000;

describe('a request of the largest size', () => {
  it.each<[string, Request]>([
    ['finalizers', ['POST', PODS, PLAIN, pod({}, { finalizers: members(LARGE, (index) => `shop.example/${index}`) })]],
    ['labels', ['POST', PODS, PLAIN, pod({}, { labels: named(LARGE, '') })]],
    ['containers without a field', ['POST', PODS, PLAIN, pod({ containers: members(LARGE, () => ({})) })]],
    [
      'ports that are the same',
      [
        'POST',
        PODS,
        PLAIN,
        pod({ containers: [{ name: 'web', image: 'nginx', ports: members(LARGE, (index) => ({ containerPort: 80, hostPort: index })) }] }),
      ],
    ],
    [
      'external addresses',
      [
        'POST',
        SERVICES,
        PLAIN,
        {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 'web' },
          spec: { ports: [{ port: 80 }], externalIPs: members(LARGE, (index) => `10.0.${index >> 8}.${index & 255}`) },
        },
      ],
    ],
    ['data', ['POST', CONFIG_MAPS, PLAIN, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'many' }, data: named(LARGE, '') }]],
    ['fields that nobody knows', ['POST', PODS, PLAIN, { ...pod({}), ...named(LARGE, 1) }]],
    [
      'operations',
      ['PATCH', `${CONFIG_MAPS}/settings`, JSON_PATCH, members(LARGE, (index) => ({ op: 'add', path: `/data/z${index}`, value: '' }))],
    ],
    ['fields to keep', ['PATCH', `${CONFIG_MAPS}/settings`, STRATEGIC, { data: { $retainKeys: members(LARGE, (index) => `A${index}`) } }]],
    [
      'applied fields',
      [
        'PATCH',
        `${CONFIG_MAPS}/settings?fieldManager=shop`,
        APPLY,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: named(LARGE, '') },
      ],
    ],
  ])('of nothing but %s is refused', async (_, sent) => {
    const { reply, waited } = await whileSent(sent);
    expect([413, 422, 500]).toContain(reply.code);
    expect(dig(reply.json, 'message')).toMatch(/too large|Too long/);
    expect(waited).toBeLessThan(limit());
  });

  it.each<[string, Request]>([
    ['labels', ['POST', PODS, PLAIN, pod({}, { labels: named(STORED / 2, '') })]],
    [
      'wrong labels',
      ['POST', PODS, PLAIN, pod({}, { labels: Object.fromEntries(members(STORED, (index) => `-${index}`).map((label) => [label, '-'])) })],
    ],
    [
      'ports that are the same',
      [
        'POST',
        PODS,
        PLAIN,
        pod({
          containers: [{ name: 'web', image: 'nginx', ports: members(STORED, (index) => ({ containerPort: 80, hostPort: index + 1 })) }],
        }),
      ],
    ],
    ['owners without a field', ['POST', PODS, PLAIN, pod({}, { ownerReferences: members(STORED / 10, () => ({})) })]],
    ['tolerations', ['POST', PODS, PLAIN, pod({ tolerations: members(STORED, (index) => ({ key: `shop${index}`, operator: 'Exists' })) })]],
    [
      'operations',
      [
        'PATCH',
        `${CONFIG_MAPS}/settings`,
        JSON_PATCH,
        Array.from({ length: 9999 }, (__, index) => ({ op: 'add', path: `/data/z${index}`, value: '' })),
      ],
    ],
    [
      'comparisons',
      ['PATCH', `${CONFIG_MAPS}/settings`, JSON_PATCH, Array.from({ length: 9999 }, () => ({ op: 'test', path: '/data', value: {} }))],
    ],
    [
      'copies',
      [
        'PATCH',
        `${CONFIG_MAPS}/settings`,
        JSON_PATCH,
        Array.from({ length: 9999 }, () => ({ op: 'copy', from: '/data', path: '/metadata/annotations' })),
      ],
    ],
    [
      'fields to keep',
      ['PATCH', `${CONFIG_MAPS}/settings`, STRATEGIC, { data: { $retainKeys: members(STORED / 2, (index) => `B${index}`) } }],
    ],
    [
      'variables that are merged',
      ['PATCH', `${DEPLOYMENTS}/web`, STRATEGIC, deployment(members(STORED / 3, (index) => ({ name: `B${index}` })))],
    ],
    [
      'variables that are applied',
      [
        'PATCH',
        `${DEPLOYMENTS}/web?fieldManager=shop&force=true`,
        APPLY,
        deployment(members(STORED / 4, (index) => ({ name: `C${index}` }))),
      ],
    ],
    [
      'variables that are no more applied',
      ['PATCH', `${DEPLOYMENTS}/web?fieldManager=shop&force=true`, APPLY, deployment([{ name: 'A' }])],
    ],
  ])('of nothing but %s is answered while others are', async (_, sent) => {
    const { reply, waited } = await whileSent(sent);
    expect(reply.code).toBeGreaterThan(199);
    expect(reply.text.length).toBeLessThan(5_000_000);
    expect(waited).toBeLessThan(limit());
  });

  it('has no more operations than upstream takes', async () => {
    const { reply } = await whileSent([
      'PATCH',
      `${CONFIG_MAPS}/settings`,
      JSON_PATCH,
      Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'ConfigMap' })),
    ]);
    expect([reply.code, dig(reply.json, 'message')]).toEqual([
      413,
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    ]);
  });

  it('ends in no bug', () => {
    expect(bugs).toEqual([]);
  });
});

/** Other work may take most of a machine; a list that is gone through for each of its members takes many minutes. */
function limit(): number {
  return 15_000 + plain * 20;
}

/** The answer, and the milliseconds that another client waited for its own meanwhile. */
async function whileSent([method, path, type, body]: Request): Promise<{ readonly reply: Reply; readonly waited: number }> {
  const answer = client.ask(path, send(method, type, body));
  let waited = 0;
  let open = true;
  void answer.finally(() => (open = false));
  while (open) {
    const start = performance.now();
    expect((await client.ask('/readyz')).code).toBe(200);
    waited = Math.max(waited, performance.now() - start);
  }
  return { reply: await answer, waited };
}

function send(
  method: string,
  type: string,
  body: unknown,
): { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  return { method, headers: { 'content-type': type }, body: JSON.stringify(body) };
}

/** As many members as there is room for. */
function members<Member>(bytes: number, member: (index: number) => Member): readonly Member[] {
  const list: Member[] = [];
  for (let size = 1000; size < bytes; size += JSON.stringify(list.at(-1)).length + 1) list.push(member(list.length));
  return list;
}

function named(bytes: number, value: unknown): object {
  return Object.fromEntries(Array.from({ length: Math.floor(bytes / 14) }, (_, index) => [`A${index}`, value]));
}

function pod(spec: object, metadata: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', ...metadata },
    spec: { containers: [{ name: 'web', image: 'nginx' }], ...spec },
  };
}

function deployment(env: readonly object[]): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx', env }] } },
    },
  };
}
