import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

const ABSENT = `failed to pull and unpack image "docker.io/shop/db:2": failed to resolve reference "docker.io/shop/db:2": docker.io/shop/db:2: not found`;
const WAITING = { waiting: { reason: 'ErrImagePull', message: `rpc error: code = NotFound desc = ${ABSENT}` } };

interface Marks {
  readonly labels?: object;
  readonly annotations?: object;
  readonly ownerReferences?: readonly object[];
}

function owner(apiVersion: string, kind: string, name: string): object {
  return { apiVersion, kind, name, uid: `uid-of-${kind}`, controller: true };
}

/** A set whose one pod cannot get its image. */
function failingSet(name: string, marks: Marks): readonly object[] {
  const spec = { containers: [{ name: 'db', image: 'shop/db:2' }] };
  const status = {
    phase: 'Pending',
    conditions: [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Ready', status: 'False' },
    ],
    containerStatuses: [{ name: 'db', image: 'shop/db:2', ready: false, restartCount: 0, state: WAITING }],
  };
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { namespace: 'shop', name, uid: name, ...marks },
      spec: { replicas: 1, selector: { matchLabels: { app: name } }, template: { metadata: { labels: { app: name } }, spec } },
      status: { replicas: 1, readyReplicas: 0 },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'shop', name: `${name}-0`, labels: { app: name }, ownerReferences: [owner('apps/v1', 'StatefulSet', name)] },
      spec: { ...spec, nodeName: 'worker-1' },
      status,
    },
  ];
}

function diagnosed(word: string, items: readonly object[]): ReturnType<typeof podcheck> {
  const folder = folderWith({ 'list.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  return podcheck(['diagnose', word, '-n', 'shop', '--from', folder]);
}

describe('a custom resource as the target', () => {
  const kept = { ownerReferences: [owner('shops.example.com/v1', 'Registry', 'main')] };
  const items = [...failingSet('main', kept), ...failingSet('other', {})];

  it.each(['registry/main', 'registries/main', 'registries.shops.example.com/main', 'Registry/shop/main'])(
    'is told by what it runs: %s',
    async (word) => {
      const { code, out } = await diagnosed(word, items);
      expect(code).toBe(1);
      expect(out).toMatch(/^StatefulSet shop\/main is blocked at images/);
    },
  );

  it.each(['registry.other.example.com/main', 'registry/other', 'register/main'])(
    'is not taken for one of another name: %s',
    async (word) => {
      const { code, err } = await diagnosed(word, items);
      expect(code).toBe(2);
      expect(err).toContain(`unknown kind "${word.split('/')[0] ?? ''}"`);
    },
  );

  it('of which several things run is told by the one that is not well', async () => {
    const idle = { ...failingSet('idle', kept)[0], spec: { replicas: 0 }, status: { replicas: 0 } };
    const { out } = await diagnosed('registry/main', [idle, ...items]);
    expect(out).toMatch(/^StatefulSet shop\/main is blocked at images/);
  });
});

describe('the fix of a workload that something else writes', () => {
  it.each([
    ['its operator', { ownerReferences: [owner('shops.example.com/v1', 'Registry', 'main')] }, 'Registry/main'],
    [
      'Argo CD',
      { annotations: { 'argocd.argoproj.io/tracking-id': 'shop-prod:apps/StatefulSet:shop/main' } },
      'Argo CD application shop-prod',
    ],
    ['Flux', { labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } }, 'Kustomization apps'],
    ['Helm', { annotations: { 'meta.helm.sh/release-name': 'till' } }, 'Helm release till'],
    ['the addon manager', { labels: { 'addonmanager.kubernetes.io/mode': 'Reconcile' } }, 'the addon manager'],
  ])('names %s', async (_, marks, words) => {
    const { out } = await diagnosed('main', failingSet('main', marks));
    expect(out.replaceAll(/\s+/g, ' ')).toContain(`StatefulSet/main belongs to ${words}, which may undo this`);
  });

  it.each([
    ['nothing', {}],
    ['a label that says who made it once', { labels: { 'addonmanager.kubernetes.io/mode': 'EnsureExists' } }],
  ])('does not name %s', async (_, marks) => {
    const { out } = await diagnosed('main', failingSet('main', marks));
    expect(out).toContain('set image StatefulSet/main');
    expect(out).not.toContain('belongs to');
  });
});
