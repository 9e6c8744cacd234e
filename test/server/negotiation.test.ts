import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asList, dig } from '../../src/base/json.ts';
import type { Serving } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { createCluster } from '../../src/simulator/index.ts';
import type { Reply } from './client.ts';
import { WireClient } from './client.ts';

let serving: Serving;
let client: WireClient;

beforeAll(async () => {
  serving = await startServing({ cluster: createCluster({ seed: 3, preset: 'one-node' }) });
  client = new WireClient(serving.kubeconfig);
});
afterAll(() => serving.close());

const SETTINGS = '/api/v1/namespaces/default/configmaps';

function create(body: string, query = ''): Promise<Reply> {
  return client.ask(`${SETTINGS}${query}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

describe('what a client accepts', () => {
  it.each([
    ['nothing said', undefined, 'application/json'],
    ['anything', '*/*', 'application/json'],
    ['what a browser does', 'text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
    ['protobuf first', 'application/vnd.kubernetes.protobuf,application/json', 'application/json'],
    ['YAML', 'application/yaml', 'application/yaml'],
    ['YAML rather than JSON', 'application/json;q=0.5, application/yaml;q=0.9', 'application/yaml'],
    ['a form that is not known, or JSON', 'application/json;as=Drawing;v=v1;g=meta.k8s.io, application/json', 'application/json'],
  ])('%s: is answered in it', async (_, accept, type) => {
    const { code, headers } = await client.ask('/api/v1/nodes', accept === undefined ? {} : { headers: { accept } });
    expect([code, headers['content-type']]).toEqual([200, type]);
  });

  it.each([['text/html'], ['application/vnd.kubernetes.protobuf'], ['application/json;as=Drawing;v=v1;g=meta.k8s.io']])(
    '%s: is told what there is',
    async (accept) => {
      const words = 'only the following media types are accepted: application/json, application/yaml';
      for (const path of ['/api/v1/nodes', '/api/v1/nodes/worker-1', '/api/v1/nodes?watch=true'])
        expect((await client.ask(path, { headers: { accept } })).json).toMatchObject({
          code: 406,
          reason: 'NotAcceptable',
          message: words,
        });
    },
  );

  it('changes nothing when its answer could not be read', async () => {
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'unread' } });
    expect(
      (await client.ask(SETTINGS, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'text/html' }, body })).code,
    ).toBe(406);
    expect((await client.ask(`${SETTINGS}/unread`)).code).toBe(404);
  });

  it('does not matter before it is known whether the object is there', async () => {
    expect((await client.ask('/api/v1/nodes/nothing', { headers: { accept: 'text/html' } })).code).toBe(404);
  });
});

describe('a field that a body names twice', () => {
  const twice = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"twice"},"data":{"k":"1","k":"2"},"colour":"red"}';

  it('is refused by who checks strictly', async () => {
    const { json } = await create(twice, '?fieldValidation=Strict');
    expect(json).toMatchObject({
      code: 400,
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "metadata.name", duplicate field "data.k", unknown field "colour"',
    });
  });

  it('is warned of else, and the last one counts', async () => {
    const { code, headers, json } = await create(twice);
    expect([code, dig(json, 'metadata', 'name'), dig(json, 'data', 'k')]).toEqual([201, 'twice', '2']);
    expect(headers['warning']).toBe(
      '299 - "duplicate field \\"metadata.name\\"", 299 - "duplicate field \\"data.k\\"", 299 - "unknown field \\"colour\\""',
    );
    expect((await create(twice.replaceAll('twice', 'quiet'), '?fieldValidation=Ignore')).headers['warning']).toBeUndefined();
  });
});

describe('a body that goes too deep', () => {
  it.each([
    ['application/json', '{"a":', '}'],
    ['application/yaml', '{a: ', '}'],
    ['application/json', '[', ']'],
  ])('%s is refused', async (type, open, close) => {
    const body = `${open.repeat(2000)}1${close.repeat(2000)}`;
    expect((await client.ask(SETTINGS, { method: 'POST', headers: { 'content-type': type }, body })).json).toMatchObject({
      code: 400,
      message: 'error decoding body: exceeded max depth',
    });
  });
});

describe('acting as somebody else', () => {
  const REVIEW = { method: 'POST', body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }) };
  const reviewed = (headers: Readonly<Record<string, string>>, who = client): Promise<Reply> =>
    who.ask('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      ...REVIEW,
      headers: { 'content-type': 'application/json', ...headers },
    });

  it('takes over uid and extra as well as user and groups', async () => {
    const { json } = await reviewed({
      'impersonate-user': 'jane',
      'impersonate-group': 'shop-team',
      'impersonate-uid': '42',
      'impersonate-extra-shop.example%2Ffloor': 'first',
    });
    expect(dig(json, 'status', 'userInfo')).toEqual({
      username: 'jane',
      uid: '42',
      groups: ['shop-team', 'system:authenticated'],
      extra: { 'shop.example/floor': ['first'] },
    });
  });

  it.each([
    ['a group', { 'impersonate-group': 'shop-team' }, '{Group  shop-team  rbac.authorization.k8s.io/v1  }'],
    ['a uid', { 'impersonate-uid': '42' }, '{UID  42  authentication.k8s.io/v1  }'],
  ])('needs a user: %s alone is no one', async (_, headers, asked) => {
    expect((await reviewed(headers as Record<string, string>)).json).toMatchObject({
      code: 400,
      message: `requested [${asked}] without impersonating a user`,
    });
  });

  it('counts for what is no resource too', async () => {
    const codes = async (path: string): Promise<readonly number[]> =>
      Promise.all([{}, { 'impersonate-user': 'jane' }].map(async (headers) => (await client.ask(path, { headers })).code));
    expect(await codes('/metrics/slis')).toEqual([404, 403]);
    expect(await codes('/version')).toEqual([200, 200]);
  });

  it('takes the right to each of them', async () => {
    const rules = [
      { apiGroups: [''], resources: ['users'], verbs: ['impersonate'] },
      { apiGroups: ['authentication.k8s.io'], resources: ['userextras/floor'], verbs: ['impersonate'], resourceNames: ['first'] },
    ];
    serving.cluster.apply([
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'acts' }, rules },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'acts' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'acts' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'tom' }],
      },
    ]);
    const tom = new WireClient(serving.kubeconfigFor('tom', []));
    expect((await reviewed({ 'impersonate-user': 'jane', 'impersonate-extra-floor': 'first' }, tom)).code).toBe(201);
    expect((await reviewed({ 'impersonate-user': 'jane', 'impersonate-extra-floor': 'second' }, tom)).json).toMatchObject({
      code: 403,
      message: expect.stringContaining(
        'User "tom" cannot impersonate resource "userextras/floor" in API group "authentication.k8s.io" at the cluster scope',
      ) as string,
    });
    expect((await reviewed({ 'impersonate-user': 'jane', 'impersonate-uid': '42' }, tom)).json).toMatchObject({
      code: 403,
      message: expect.stringContaining('cannot impersonate resource "uids" in API group "authentication.k8s.io"') as string,
    });
  });
});

describe('componentstatuses', () => {
  it('tell how the others are whenever somebody asks', async () => {
    const health = async (): Promise<readonly unknown[]> =>
      asList(dig((await client.ask('/api/v1/componentstatuses')).json, 'items')).map((item) => [
        dig(item, 'metadata', 'name'),
        dig(item, 'conditions', 0, 'status'),
      ]);
    expect(await health()).toEqual([
      ['controller-manager', 'True'],
      ['etcd-0', 'True'],
      ['scheduler', 'True'],
    ]);
    serving.cluster.inject({ fault: 'stop', process: 'kube-scheduler' });
    expect(await health()).toEqual([
      ['controller-manager', 'True'],
      ['etcd-0', 'True'],
      ['scheduler', 'False'],
    ]);
    const { json, headers } = await client.ask('/api/v1/componentstatuses/scheduler', {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    });
    expect(dig(json, 'rows', 0, 'cells')).toEqual([
      'scheduler',
      'Unhealthy',
      'Get "https://127.0.0.1:10259/healthz": dial tcp 127.0.0.1:10259: connect: connection refused',
      '',
    ]);
    expect(headers['warning']).toBe('299 - "v1 ComponentStatus is deprecated in v1.19+"');
    serving.cluster.inject({ fault: 'start', process: 'kube-scheduler' });
  });

  it('are only looked at', async () => {
    expect((await client.ask('/api/v1/componentstatuses/nothing')).code).toBe(404);
    expect((await client.ask('/api/v1/componentstatuses/scheduler', { method: 'DELETE' })).code).toBe(405);
  });

  it('has no Table of what is answered and not stored', async () => {
    const body = JSON.stringify({ spec: { nonResourceAttributes: { path: '/', verb: 'get' } } });
    const ask = (accept: string): Promise<Reply> =>
      client.ask('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept },
        body,
      });
    expect((await ask('application/json;as=Table;v=v1;g=meta.k8s.io')).code).toBe(406);
    expect((await ask('application/json')).code).toBe(201);
  });

  it('is told of a key that stands twice in an applied YAML text', async () => {
    const text = '\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: twice\ndata:\n  mode: fast\n  mode: slow\n';
    const { code, json } = await client.ask(`${SETTINGS}/twice?fieldManager=ann&fieldValidation=Strict`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: text,
    });
    expect(code).toBe(400);
    expect(dig(json, 'message')).toContain('line 8: key "mode" already set in map');
  });
});
