import { describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { JsonObject } from '../../../src/base/json.ts';
import { asList, asText, dig } from '../../../src/base/json.ts';
import { podcheck } from '../../support/command-line.ts';
import { deployment, NEEDS_SETTINGS, served, SETTINGS, startWatch } from './served-watch.ts';

const PATIENCE = { timeout: 60_000, interval: 100 };

async function manifest(...words: readonly string[]): Promise<{ readonly text: string; readonly objects: readonly JsonObject[] }> {
  const { code, out, err } = await podcheck(['watch', '--manifest', ...words]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return { text: out, objects: parseAllDocuments(out).map((one) => one.toJS() as JsonObject) };
}

function kinds(objects: readonly JsonObject[]): readonly string[] {
  return objects.map((object) => `${asText(object['kind']) ?? ''} ${asText(dig(object, 'metadata', 'namespace')) ?? ''}`.trim());
}

describe('podcheck watch --manifest', { timeout: 120_000 }, () => {
  it('prints what runs it, with rights to read that leave out Secrets', async () => {
    const { objects } = await manifest();
    expect(kinds(objects)).toEqual([
      'Namespace',
      'ServiceAccount podcheck',
      'ClusterRole',
      'ClusterRoleBinding',
      'Role podcheck',
      'RoleBinding podcheck',
      'Lease podcheck',
      'ConfigMap podcheck',
      'Deployment podcheck',
      'Service podcheck',
      'PodDisruptionBudget podcheck',
      'NetworkPolicy podcheck',
    ]);
    const state = objects.find(({ kind }) => kind === 'Role');
    expect(asList(state?.['rules'])).toEqual([
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['podcheck-watch-0'], verbs: ['get', 'patch'] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: ['podcheck-watch-0'], verbs: ['get', 'patch'] },
    ]);
    const rules = objects.flatMap((object) => (object === state ? [] : asList(object['rules'])));
    expect(rules.length).toBeGreaterThan(5);
    const verbs = new Set(rules.flatMap((rule) => asList(dig(rule, 'verbs')).map(String)));
    expect([...verbs].toSorted()).toEqual(['get', 'list', 'watch']);
    const resources = rules.flatMap((rule) => asList(dig(rule, 'resources')));
    expect(resources).toContain('pods');
    for (const kept of ['secrets', 'pods/log', '*']) expect(resources).not.toContain(kept);
    expect((await manifest('--logs')).text).toContain('pods/log');
  });

  it('gives rights in the named namespaces only, and installs where it is told to', async () => {
    const { objects } = await manifest('--namespaces', 'shop,carts', '-n', 'tools', '--image', 'registry.example/podcheck:1@sha256:0a');
    expect(kinds(objects)).toEqual([
      'ServiceAccount tools',
      'ClusterRole',
      'ClusterRoleBinding',
      'Role shop',
      'RoleBinding shop',
      'Role carts',
      'RoleBinding carts',
      'Role tools',
      'RoleBinding tools',
      'Lease tools',
      'ConfigMap tools',
      'Deployment tools',
      'Service tools',
      'PodDisruptionBudget tools',
      'NetworkPolicy tools',
    ]);
    const container = dig(objects[11], 'spec', 'template', 'spec', 'containers', 0);
    expect(container).toMatchObject({
      image: 'registry.example/podcheck:1@sha256:0a',
      args: ['watch', '--namespaces', 'shop,carts', '--serve', ':8080', '--state-namespace', 'tools'],
    });
  });

  it('comes up, as the simulator plays it', async () => {
    const { code, out } = await podcheck(['sim', 'try', '-f', '-'], { stdin: (await manifest()).text });
    expect(out).toContain('Deployment podcheck/podcheck-watch is healthy');
    expect(code).toBe(0);
  });

  it.each([
    [[], { allNamespaces: true }],
    [['--namespaces', 'default'], { allNamespaces: false, namespaces: 'default' }],
  ] as const)('%j gives all rights that a watch needs on a served cluster', async (words, scope) => {
    const cluster = await served();
    cluster.serving.cluster.apply((await manifest(...words)).objects);
    const watch = startWatch(cluster, { ...scope, as: 'system:serviceaccount:podcheck:podcheck-watch' });
    cluster.serving.cluster.apply([deployment('web', NEEDS_SETTINGS)]);
    await vi.waitFor(() => expect(watch.changes()).not.toEqual([]), PATIENCE);
    expect(watch.changes()).toMatchObject([{ type: 'found', rule: 'volumes/configmap-not-found' }]);
  });

  it('writes an Event on the workload of a cause where it is asked to, and has the right to', async () => {
    const cluster = await served();
    cluster.serving.cluster.apply((await manifest('--events')).objects);
    const events = async (): Promise<readonly JsonObject[]> => {
      const list = await cluster.serving.cluster.reader().list('Event', { namespace: 'default' });
      return list.ok ? list.value.filter((event) => event['reason'] === 'ConfigmapNotFound') : [];
    };
    const watch = startWatch(cluster, { events: true, as: 'system:serviceaccount:podcheck:podcheck-watch' });
    cluster.serving.cluster.apply([deployment('web', NEEDS_SETTINGS)]);
    await vi.waitFor(async () => expect(await events()).toHaveLength(1), PATIENCE);
    expect(await events()).toMatchObject([
      {
        type: 'Warning',
        action: 'Diagnose',
        count: 1,
        involvedObject: { kind: 'Deployment', name: 'web', uid: expect.any(String) as unknown },
      },
    ]);
    cluster.serving.cluster.apply([SETTINGS]);
    await vi.waitFor(() => expect(watch.changes().at(-1)).toMatchObject({ type: 'cured' }), PATIENCE);
    cluster.serving.cluster.request({
      verb: 'delete',
      group: '',
      version: 'v1',
      resource: 'configmaps',
      namespace: 'default',
      name: 'web-settings',
    });
    cluster.serving.cluster.apply([deployment('web', { ...NEEDS_SETTINGS, terminationGracePeriodSeconds: 1 })]);
    await vi.waitFor(async () => expect(await events()).toMatchObject([{ count: 2 }]), PATIENCE);
    expect(watch.notes()).toBe('');
  });

  it('tells what it may not watch without them', async () => {
    const cluster = await served();
    const watch = startWatch(cluster, { as: 'system:serviceaccount:podcheck:nobody' });
    await vi.waitFor(() => expect(watch.changes()).toHaveLength(7), PATIENCE);
    expect(watch.changes().map((change) => dig(change, 'gap', 'needs'))).toContain('list pods in all namespaces');
  });

  it.each([
    [['-n', 'Shop'], '-n: "Shop" is not a valid namespace'],
    [['--namespaces', 'a,,b'], '--namespaces: "" is not a valid namespace'],
    [['--image', 'a b'], '--image: "a b" is not a valid image'],
    [['--egress-ports', '443,99999'], '--egress-ports: "99999" is not a valid port'],
    [['--chart', '/dev/null/chart'], 'cannot write to "/dev/null/chart"'],
    [['--chart', 'chart', '-n', 'tools'], '-n and --chart cannot be used together'],
  ])('refuses %j', async (words, says) => {
    const { code, out, err } = await podcheck(['watch', '--manifest', ...words]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(says);
  });
});
