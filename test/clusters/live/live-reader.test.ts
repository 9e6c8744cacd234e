import { describe, expect, it } from 'vitest';
import { shows } from '../../../src/model/kube-object.ts';
import type { Handler, Reply } from '../../support/kube-server.ts';
import { notFound, statusReply } from '../../support/kube-server.ts';
import { live } from '../../support/live.ts';
import { pod, wanted } from './live-pods.ts';

describe('an object', () => {
  it('is read whole, with fields that no schema knows', async () => {
    const { reader, server } = await live(() => ({
      json: { kind: 'Pod', apiVersion: 'v1', ...pod('web-1', { futureField: { deep: [1] }, status: { phase: 'Running' } }) },
    }));
    const read = await reader.get({ kind: 'Pod', namespace: 'shop', name: 'web-1' });
    expect(read).toEqual({
      ok: true,
      value: { kind: 'Pod', apiVersion: 'v1', ...pod('web-1', { futureField: { deep: [1] }, status: { phase: 'Running' } }) },
    });
    expect(wanted(server.seen[0])).toBe('/api/v1/namespaces/shop/pods/web-1?');
  });

  it.each([
    [{ kind: 'Deployment', namespace: 'shop', name: 'web' }, '/apis/apps/v1/namespaces/shop/deployments/web'],
    [{ kind: 'Node', name: 'worker-1' }, '/api/v1/nodes/worker-1'],
    [{ kind: 'ClusterRole', name: 'system:node' }, '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode'],
    [{ kind: 'Node', namespace: 'shop', name: 'worker-1' }, '/api/v1/nodes/worker-1'],
  ])('%o is asked for at %s', async (ref, path) => {
    const { reader, server } = await live(() => ({ json: { metadata: { name: ref.name } } }));
    await reader.get(ref);
    expect(server.seen[0]?.request.url).toBe(path);
  });

  it('that does not exist is absent', async () => {
    const { reader } = await live(() => notFound('configmaps', 'settings'));
    expect(await reader.get({ kind: 'ConfigMap', namespace: 'shop', name: 'settings' })).toEqual({
      ok: false,
      why: 'absent',
      detail: 'configmaps "settings" not found',
    });
  });

  it('that was replaced by one of the same name is absent', async () => {
    const { reader } = await live(() => ({ json: pod('web-1') }));
    expect(await reader.get({ kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'another' })).toMatchObject({ ok: false, why: 'absent' });
    expect(await reader.get({ kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'uid-web-1' })).toMatchObject({ ok: true });
  });

  it('that may not be read is forbidden, and the permission is named', async () => {
    const message =
      'configmaps "settings" is forbidden: User "anna" cannot get resource "configmaps" in API group "" in the namespace "shop"';
    const { reader } = await live(() => statusReply(403, 'Forbidden', message, { name: 'settings', kind: 'configmaps' }));
    expect(await reader.get({ kind: 'ConfigMap', namespace: 'shop', name: 'settings' })).toEqual({
      ok: false,
      why: 'forbidden',
      detail: message,
      needs: 'get configmaps in shop',
    });
    expect(await reader.get({ kind: 'Node', name: 'worker-1' })).toMatchObject({ needs: 'get nodes' });
    expect(await reader.get({ kind: 'Deployment', namespace: 'shop', name: 'web' })).toMatchObject({
      needs: 'get deployments.apps in shop',
    });
  });

  it('that may not be read as somebody else needs the permission to be them', async () => {
    const message = 'users "bert" is forbidden: User "anna" cannot impersonate resource "users" in API group "" at the cluster scope';
    const { reader } = await live(() => statusReply(403, 'Forbidden', message));
    expect(await reader.get({ kind: 'Node', name: 'worker-1' })).toMatchObject({ why: 'forbidden', needs: 'impersonate users' });
  });

  it('is forbidden to credentials that are not accepted', async () => {
    const { reader } = await live(() => statusReply(401, 'Unauthorized', 'Unauthorized'));
    expect(await reader.get({ kind: 'Node', name: 'worker-1' })).toEqual({
      ok: false,
      why: 'forbidden',
      detail: 'The server did not accept the credentials: Unauthorized',
      needs: 'credentials that the server accepts',
    });
  });

  it.each([
    ['malformed JSON', { text: '{"kind": "Pod", ', headers: { 'content-type': 'application/json' } }, /is not JSON/],
    ['no object', { json: ['web-1'] }, /is not a named object/],
    ['an object without a name', { json: { metadata: {} } }, /is not a named object/],
    ['an error in words of its own', { status: 502, text: '<html>Bad Gateway</html>' }, /Bad Gateway.*HTTP 502/],
    ['an error without words', { status: 504, text: '' }, /unable to return a response in the time allotted.*HTTP 504/],
    [
      'a refusal for a day',
      {
        status: 429,
        json: { kind: 'Status', status: 'Failure', message: 'Too many requests, please try again later.' },
        headers: { 'retry-after': '86400' },
      },
      /try again later; it asks to be asked again after 86400 s$/,
    ],
    ['a redirect', { status: 302, text: '', headers: { location: 'https://login.shop' } }, /HTTP 302/],
    ['a page that is no Kubernetes API', { status: 404, text: '<html>not here</html>' }, /not a Kubernetes API/],
  ] satisfies readonly (readonly [string, Reply, RegExp])[])('answered with %s has failed to be read', async (_, reply, words) => {
    const { reader } = await live(() => reply);
    const read = await reader.get({ kind: 'Pod', namespace: 'shop', name: 'web-1' });
    expect(read).toMatchObject({ ok: false, why: 'failed' });
    expect(!read.ok && read.detail).toMatch(words);
  });

  it('of a server that is gone has failed to be read', async () => {
    const { reader, server } = await live(() => ({}));
    await server.close();
    const read = await reader.get({ kind: 'Pod', namespace: 'shop', name: 'web-1' });
    expect(read).toMatchObject({ ok: false, why: 'failed' });
    expect(!read.ok && read.detail).toContain(`The connection to ${server.url.host} was refused`);
  });

  it.each(['', '.', '..', 'a/b', '%2e%2e', 'x'.repeat(300)])('called %j cannot exist, and no other path is asked for', async (name) => {
    const { reader, server } = await live(() => ({ json: pod('web-1') }));
    expect(await reader.get({ kind: 'Pod', namespace: 'shop', name })).toMatchObject({ ok: false, why: 'absent' });
    expect(await reader.get({ kind: 'Pod', namespace: name, name: 'web-1' })).toMatchObject({ ok: false, why: 'absent' });
    expect(await reader.logs({ kind: 'Pod', namespace: 'shop', name }, 'app', { tailLines: 10 })).toMatchObject({
      ok: false,
      why: 'absent',
    });
    expect(server.seen).toEqual([]);
  });

  it('of a namespace is not looked for without one', async () => {
    const { reader, server } = await live(() => ({}));
    expect(await reader.get({ kind: 'Pod', name: 'web-1' })).toMatchObject({ ok: false, why: 'failed' });
    expect(server.seen).toEqual([]);
  });
});

describe('a Secret', () => {
  const METADATA = {
    name: 'login',
    namespace: 'shop',
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"password":"aHVudGVyMg=="}}',
      'kubernetes.io/service-account.name': 'web',
    },
    managedFields: [{ fieldsV1: { 'f:data': { 'f:password': {} } } }],
  };

  it('is only asked for its metadata, alone and in a list', async () => {
    const { reader, server } = await live(() => ({ json: { items: [], kind: 'PartialObjectMetadata', metadata: METADATA } }));
    await reader.get({ kind: 'Secret', namespace: 'shop', name: 'login' });
    await reader.list('Secret', { namespace: 'shop' });
    expect(server.seen.map(({ headers }) => headers.accept)).toEqual([
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
    ]);
  });

  it('shows nothing but its metadata', async () => {
    const { reader } = await live(() => ({ json: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: METADATA } }));
    const read = await reader.get({ kind: 'Secret', namespace: 'shop', name: 'login' });
    expect(read).toMatchObject({ ok: true, value: { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'login' } } });
    expect(read.ok && [shows(read.value, 'metadata.labels'), shows(read.value, 'data'), shows(read.value, 'type')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('leaves its values at the server even when it sends them unasked, or hides them in an annotation', async () => {
    const whole = { kind: 'Secret', apiVersion: 'v1', metadata: METADATA, type: 'Opaque', data: { password: 'aHVudGVyMg==' } };
    const { reader } = await live(({ path }) => ({
      json: path.endsWith('/login') ? whole : { kind: 'SecretList', metadata: {}, items: [whole] },
    }));
    const reads = [
      await reader.get({ kind: 'Secret', namespace: 'shop', name: 'login' }),
      await reader.list('Secret', { namespace: 'shop' }),
    ];
    expect(reads).toMatchObject([{ ok: true }, { ok: true }]);
    expect(JSON.stringify(reads)).not.toContain('aHVudGVyMg');
    expect(JSON.stringify(reads)).toContain('"kubernetes.io/service-account.name":"web"');
    expect(JSON.stringify(reads)).toContain('f:password');
  });
});

describe('a list', () => {
  function paged(pages: readonly (readonly string[])[]): Handler {
    return ({ query }) => {
      const page = Number(query.get('continue') ?? 0);
      const next = page + 1 < pages.length ? { continue: String(page + 1) } : {};
      return { json: { kind: 'PodList', apiVersion: 'v1', metadata: next, items: (pages[page] ?? []).map((name) => pod(name)) } };
    };
  }

  it('is read in chunks, its items knowing their kind', async () => {
    const { reader, server } = await live(paged([['web-1', 'web-2'], ['web-3']]));
    const read = await reader.list('Pod', { namespace: 'shop' });
    expect(read).toMatchObject({
      ok: true,
      value: [
        { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'web-1' } },
        { metadata: { name: 'web-2' } },
        { metadata: { name: 'web-3' } },
      ],
    });
    expect('partial' in read).toBe(false);
    expect(server.seen.map(wanted)).toEqual([
      '/api/v1/namespaces/shop/pods?limit=500',
      '/api/v1/namespaces/shop/pods?limit=500&continue=1',
    ]);
    expect(server.connections()).toBe(1);
  });

  it('lets the server select', async () => {
    const { reader, server } = await live(paged([[]]));
    await reader.list('Pod', { namespace: 'shop', labelSelector: 'app in (web,till),tier!=db', fieldSelector: 'spec.nodeName=worker-1' });
    expect(server.seen[0]?.query.get('labelSelector')).toBe('app in (web,till),tier!=db');
    expect(server.seen[0]?.query.get('fieldSelector')).toBe('spec.nodeName=worker-1');
  });

  it('of the whole cluster has no namespace, nor has one of a kind without', async () => {
    const { reader, server } = await live(paged([[]]));
    await reader.list('Event', {});
    await reader.list('Node', { namespace: 'shop' });
    expect(server.seen.map(({ path }) => path)).toEqual(['/api/v1/events', '/api/v1/nodes']);
  });

  it('may be empty, also as Go writes that', async () => {
    const { reader } = await live(() => ({ json: { kind: 'PodList', metadata: {}, items: null } }));
    expect(await reader.list('Pod', { namespace: 'shop' })).toEqual({ ok: true, value: [] });
  });

  it('begins again when its continuation has expired, once', async () => {
    let expired = 0;
    const pages = paged([['web-1'], ['web-2']]);
    const { reader, server } = await live((seen, response) => {
      if (seen.query.has('continue') && expired++ === 0) return statusReply(410, 'Expired', 'The provided continue parameter is too old');
      return pages(seen, response);
    });
    const read = await reader.list('Pod', { namespace: 'shop' });
    expect(read.ok && read.value.map(({ metadata }) => metadata.name)).toEqual(['web-1', 'web-2']);
    expect(server.seen).toHaveLength(4);
  });

  it('goes on with the continuation that comes in place of one that has expired', async () => {
    const pages = paged([['web-1'], ['web-2']]);
    const { reader, server } = await live((seen, response) => {
      if (seen.query.get('continue') === '1')
        return { status: 410, json: { kind: 'Status', code: 410, reason: 'Expired', metadata: { continue: '01' } } };
      return pages(seen, response);
    });
    const read = await reader.list('Pod', { namespace: 'shop' });
    expect(read.ok && read.value.map(({ metadata }) => metadata.name)).toEqual(['web-1', 'web-2']);
    expect(read).not.toHaveProperty('partial');
    expect(server.seen.map(({ query }) => query.get('continue')).filter((token) => token !== null)).toEqual(['1', '01']);
  });

  it('that expires again is partial', async () => {
    const pages = paged([['web-1'], ['web-2']]);
    const { reader, server } = await live((seen, response) =>
      seen.query.has('continue') ? statusReply(410, 'Expired', 'too old') : pages(seen, response),
    );
    const read = await reader.list('Pod', { namespace: 'shop' });
    expect(read).toMatchObject({
      ok: true,
      value: [{ metadata: { name: 'web-1' } }],
      partial: expect.stringContaining('too fast') as string,
    });
    expect(server.seen).toHaveLength(4);
  });

  it('that breaks off is partial and says why', async () => {
    const pages = paged([['web-1'], ['web-2']]);
    const { reader } = await live((seen, response) =>
      seen.query.has('continue') ? statusReply(500, 'InternalError', 'etcdserver: leader changed') : pages(seen, response),
    );
    const read = await reader.list('Pod', { namespace: 'shop' });
    expect(read).toMatchObject({
      ok: true,
      value: [{ metadata: { name: 'web-1' } }],
      partial: 'The list is incomplete (objects read: 1): etcdserver: leader changed',
    });
  });

  it('that has no end is given up', async () => {
    const { reader, server } = await live(() => ({ json: { metadata: { continue: 'next' }, items: [] } }));
    expect(await reader.list('Pod', { namespace: 'shop' })).toMatchObject({ ok: true, value: [], brokeOff: true });
    expect(server.seen.length).toBeLessThanOrEqual(20);
  });

  it('may have empty pages in between', async () => {
    const pages = [...Array.from({ length: 15 }, () => []), ['web-1'], ...Array.from({ length: 15 }, () => []), ['web-2']];
    const { reader } = await live(paged(pages));
    const read = await reader.list('Pod', { namespace: 'shop' });
    expect(read.ok && read.value.map(({ metadata }) => metadata.name)).toEqual(['web-1', 'web-2']);
    expect(read).not.toHaveProperty('partial');
  });

  it('with items that are no objects on any of its pages is partial', async () => {
    const { reader } = await live(({ query }) => ({
      json: query.has('continue') ? { metadata: {}, items: [pod('web-2')] } : { metadata: { continue: 'next' }, items: [pod('web-1'), 7] },
    }));
    expect(await reader.list('Pod', { namespace: 'shop' })).toMatchObject({
      ok: true,
      value: [{ metadata: { name: 'web-1' } }, { metadata: { name: 'web-2' } }],
      brokeOff: true,
    });
  });

  it('with items that are no objects is partial', async () => {
    const { reader } = await live(() => ({ json: { metadata: {}, items: [pod('web-1'), { metadata: {} }, null, 7] } }));
    expect(await reader.list('Pod', { namespace: 'shop' })).toMatchObject({
      ok: true,
      value: [{ metadata: { name: 'web-1' } }],
      partial: expect.stringMatching(/^3 of the items/) as string,
    });
  });

  it('that may not be read is forbidden, and never empty', async () => {
    const message = 'pods is forbidden: User "anna" cannot list resource "pods" in API group "" in the namespace "shop"';
    const { reader } = await live(() => statusReply(403, 'Forbidden', message, { kind: 'pods' }));
    expect(await reader.list('Pod', { namespace: 'shop' })).toEqual({
      ok: false,
      why: 'forbidden',
      detail: message,
      needs: 'list pods in shop',
    });
    expect(await reader.list('Pod', {})).toMatchObject({ needs: 'list pods in all namespaces' });
  });

  it('with a selector the server does not know has failed', async () => {
    const { reader } = await live(() => statusReply(400, 'BadRequest', 'field label not supported: spec.colour'));
    expect(await reader.list('Pod', { fieldSelector: 'spec.colour=red' })).toEqual({
      ok: false,
      why: 'failed',
      detail: 'field label not supported: spec.colour',
    });
  });

  it.each([
    ['no list', { json: { kind: 'Pod' } }],
    ['no JSON', { text: 'items: []' }],
  ] satisfies readonly (readonly [string, Reply])[])('answered with %s has failed', async (_, reply) => {
    const { reader } = await live(() => reply);
    expect(await reader.list('Pod', { namespace: 'shop' })).toMatchObject({ ok: false, why: 'failed' });
  });
});

describe('now', () => {
  const OURS = Date.parse('2027-01-01T00:00:00Z');

  it('is the time of the server when the clocks differ', async () => {
    const { reader } = await live(
      () => ({ headers: { date: 'Fri, 01 Jan 2027 02:00:00 GMT' } }),
      () => OURS,
    );
    expect(reader.now()).toBe(OURS);
    await reader.list('Pod', {});
    expect(reader.now()).toBe(Date.parse('2027-01-01T02:00:00Z'));
  });

  it('is ours when they differ by less than a server can say', async () => {
    const { reader } = await live(
      () => ({ headers: { date: 'Fri, 01 Jan 2027 00:00:01 GMT' } }),
      () => OURS,
    );
    await reader.list('Pod', {});
    expect(reader.now()).toBe(OURS);
  });
});
