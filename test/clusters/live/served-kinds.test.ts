import { describe, expect, it } from 'vitest';
import type { Reply } from '../../support/kube-server.ts';
import { statusReply } from '../../support/kube-server.ts';
import { live } from '../../support/live.ts';
import { pod } from './live-pods.ts';

describe('a kind the server has elsewhere or not at all', () => {
  const UNKNOWN: Reply = { status: 404, text: '404 page not found\n' };
  const aggregated = (
    ...groups: readonly (readonly [group: string, version: string, resource: string, kind: string, scope?: string])[]
  ): Reply => ({
    json: {
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
      items: groups.map(([name, version, resource, kind, scope = 'Namespaced']) => ({
        metadata: { name },
        versions: [{ version, resources: [{ resource, scope, responseKind: { group: '', version: '', kind } }] }],
      })),
    },
  });
  const EMPTY: Reply = { json: { metadata: {}, items: [] } };

  it('is read in the version the server has, asking for that once', async () => {
    const { reader, server } = await live(({ path }) => {
      if (path === '/apis') return aggregated(['policy', 'v1beta1', 'poddisruptionbudgets', 'PodDisruptionBudget']);
      return path.startsWith('/apis/policy/v1beta1/') ? EMPTY : UNKNOWN;
    });
    expect(await reader.list('PodDisruptionBudget', { namespace: 'shop' })).toEqual({ ok: true, value: [] });
    expect(await reader.list('PodDisruptionBudget', { namespace: 'till' })).toEqual({ ok: true, value: [] });
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/apis/policy/v1/namespaces/shop/poddisruptionbudgets',
      '/apis',
      '/apis/policy/v1beta1/namespaces/shop/poddisruptionbudgets',
      '/apis/policy/v1beta1/namespaces/till/poddisruptionbudgets',
    ]);
  });

  it('is found on servers before 1.26 too', async () => {
    const { reader } = await live(({ path }) => {
      if (path === '/apis')
        return {
          json: { kind: 'APIGroupList', groups: [{ name: 'policy', versions: [{ groupVersion: 'policy/v1beta1', version: 'v1beta1' }] }] },
        };
      return path.startsWith('/apis/policy/v1beta1/') ? { json: { metadata: { name: 'web' } } } : UNKNOWN;
    });
    expect(await reader.get({ kind: 'PodDisruptionBudget', namespace: 'shop', name: 'web' })).toMatchObject({
      ok: true,
      value: { apiVersion: 'policy/v1beta1' },
    });
  });

  it('is not collected where the server has no such API, which is asked only once', async () => {
    const { reader, server } = await live(({ path }) =>
      path === '/apis' ? aggregated(['apps', 'v1', 'deployments', 'Deployment']) : UNKNOWN,
    );
    const read = await reader.list('HTTPRoute', { namespace: 'shop' });
    expect(read).toEqual({ ok: false, why: 'not-collected', detail: 'The server has no httproutes in gateway.networking.k8s.io/v1.' });
    expect(await reader.get({ kind: 'HTTPRoute', namespace: 'shop', name: 'web' })).toEqual(read);
    expect(server.seen).toHaveLength(2);
  });

  it('that podcheck does not know is found by its name', async () => {
    const { reader, server } = await live(({ path }) =>
      path === '/apis'
        ? aggregated(['argoproj.io', 'v1alpha1', 'rollouts', 'Rollout'], ['other.io', 'v1', 'things', 'Thing'])
        : { json: pod('web') },
    );
    expect(await reader.get({ kind: 'Rollout', namespace: 'shop', name: 'web' })).toMatchObject({
      ok: true,
      value: { kind: 'Rollout', apiVersion: 'argoproj.io/v1alpha1' },
    });
    expect(server.seen.at(-1)?.path).toBe('/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/web');
    expect(await reader.get({ kind: 'Gadget', namespace: 'shop', name: 'web' })).toEqual({
      ok: false,
      why: 'not-collected',
      detail: 'The server has no kind Gadget.',
    });
  });

  it('is not taken from another group with the same kind', async () => {
    const { reader } = await live(({ path }) => {
      if (path === '/apis') return aggregated(['networking.internal.knative.dev', 'v1alpha1', 'ingresses', 'Ingress']);
      return path.includes('knative') ? EMPTY : UNKNOWN;
    });
    expect(await reader.list('Ingress', { namespace: 'shop' })).toMatchObject({ ok: false, why: 'not-collected' });
  });

  it('says so when the list of APIs may not be read', async () => {
    const { reader } = await live(({ path }) =>
      path === '/apis' ? statusReply(403, 'Forbidden', 'forbidden: User "anna" cannot get path "/apis"') : UNKNOWN,
    );
    const read = await reader.list('HTTPRoute', { namespace: 'shop' });
    expect(read).toMatchObject({
      ok: false,
      why: 'failed',
      detail:
        'Whether the server has httproutes in gateway.networking.k8s.io/v1 is not known: forbidden: User "anna" cannot get path "/apis".',
    });
  });

  it.each([
    ['not be read', { status: 503, text: 'no' }],
    ['be something else', { json: { kind: 'Status', status: 'Success' } }],
    ['be no JSON', { text: '<html>' }],
  ])('is looked for again when the list of APIs was found to %s', async (_, reply: Reply) => {
    let answers = 0;
    const { reader } = await live(({ path }) => (path === '/apis' ? (answers++ === 0 ? reply : aggregated()) : UNKNOWN));
    expect(await reader.list('HTTPRoute', { namespace: 'shop' })).toMatchObject({ ok: false, why: 'failed' });
    expect(await reader.list('HTTPRoute', { namespace: 'shop' })).toMatchObject({ ok: false, why: 'not-collected' });
  });

  it('that the server says it has is not missing because it is not found', async () => {
    const { reader } = await live(({ path }) =>
      path === '/apis' ? aggregated(['autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler']) : UNKNOWN,
    );
    expect(await reader.list('HorizontalPodAutoscaler', { namespace: 'shop' })).toMatchObject({ ok: false, why: 'failed' });
  });

  it('is not missing when the server of its group does not answer', async () => {
    const stale = { metadata: { name: 'gateway.networking.k8s.io' }, versions: [{ version: 'v1', freshness: 'Stale' }] };
    const { reader } = await live(({ path }) => (path === '/apis' ? { json: { kind: 'APIGroupDiscoveryList', items: [stale] } } : UNKNOWN));
    expect(await reader.list('HTTPRoute', { namespace: 'shop' })).toMatchObject({
      ok: false,
      why: 'failed',
      detail: expect.stringContaining('does not answer') as unknown,
    });
  });

  it('is a record that only a transcript has', async () => {
    const { reader, server } = await live(() => ({}));
    for (const kind of ['ClientAnswer', 'AppliedManifest', 'NodeService']) {
      expect(await reader.list(kind, {})).toMatchObject({ ok: false, why: 'not-collected' });
      expect(await reader.get({ kind, name: 'one' })).toMatchObject({ ok: false, why: 'not-collected' });
    }
    expect(server.seen).toEqual([]);
  });
});
