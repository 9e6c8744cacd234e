import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { collect } from '../../../src/collect/collect.ts';
import type { Fact } from '../../../src/model/fact.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { countingReader } from '../../support/counting-reader.ts';

type Fields = Readonly<Record<string, Json>>;

function pod(spec: Fields, waiting: Fields = { reason: 'ContainerCreating' }): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1', namespace: 'shop' },
    spec: { nodeName: 'worker-1', ...spec },
    status: {
      phase: 'Pending',
      conditions: [{ type: 'Ready', status: 'False' }],
      containerStatuses: [{ name: 'web', ready: false, restartCount: 0, state: { waiting } }],
    },
  };
}

function named(kind: string, name: string, more: Fields = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'shop' }, ...more };
}

async function references(
  objects: readonly KubeObject[],
  target?: Readonly<{ kind: string; name: string }>,
): Promise<{ readonly facts: readonly Fact['fields'][]; readonly reads: readonly string[] }> {
  const { reader, reads } = countingReader(objects);
  const request = target === undefined ? { namespace: 'shop' } : { target: { ...target, namespace: 'shop' } };
  const evidence = await collect(reader, request, []);
  return { facts: evidence.facts.filter(({ kind }) => kind === 'reference').map(({ fields }) => fields), reads };
}

const WEB = { kind: 'Pod', name: 'web-1' };

describe('a reference', () => {
  it('is found wherever a pod names something', async () => {
    const spec = {
      imagePullSecrets: [{ name: 'regcred' }],
      containers: [
        {
          name: 'web',
          env: [{ name: 'HOST', valueFrom: { configMapKeyRef: { name: 'settings', key: 'host' } } }],
          envFrom: [{ secretRef: { name: 'db', optional: true } }],
          volumeMounts: ['conf', 'all', 'data'].map((name) => ({ name, mountPath: `/${name}` })),
        },
      ],
      volumes: [
        { name: 'conf', configMap: { name: 'files', items: [{ key: 'a', path: 'a' }] } },
        { name: 'all', projected: { sources: [{ secret: { name: 'token' } }] } },
        { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      ],
    };
    const { facts } = await references([pod(spec)], WEB);
    expect(facts.map(({ via, refKind, refName, key, optional }) => [via, refKind, refName, key, optional])).toEqual([
      ['imagePullSecret', 'Secret', 'regcred', undefined, false],
      ['volume', 'ConfigMap', 'files', 'a', false],
      ['projected', 'Secret', 'token', undefined, false],
      ['claim', 'PersistentVolumeClaim', 'data', undefined, false],
      ['envFrom', 'Secret', 'db', undefined, true],
      ['env', 'ConfigMap', 'settings', 'host', false],
    ]);
    expect(new Set(facts.map(({ exists }) => exists))).toEqual(new Set([false]));
  });

  it('is looked up by name for one target, at most six times', async () => {
    const envFrom = Array.from({ length: 20 }, (_, index) => ({ configMapRef: { name: `settings-${String(index)}` } }));
    const there = envFrom.map(({ configMapRef }) => named('ConfigMap', configMapRef.name));
    const { facts } = await references([pod({ containers: [{ name: 'web', envFrom }] }), ...there], WEB);
    expect(facts.filter(({ exists }) => exists === true)).toHaveLength(6);
    expect(facts.filter(({ exists }) => exists === undefined)).toHaveLength(14);
  });

  it('is looked up in one list of its kind for a whole namespace', async () => {
    const pods = Array.from({ length: 50 }, (_, index) => ({
      ...pod({ containers: [{ name: 'web', envFrom: [{ configMapRef: { name: 'settings' } }] }] }),
      metadata: { name: `web-${String(index)}`, namespace: 'shop' },
    }));
    const { reads } = await references(pods);
    expect(reads.filter((read) => read.includes('ConfigMap'))).toEqual(['list ConfigMap']);
  });

  it('is not looked up for a pod that runs', async () => {
    const running = {
      ...pod({ containers: [{ name: 'web', envFrom: [{ configMapRef: { name: 'settings' } }] }] }),
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [{ name: 'web', ready: true, state: { running: { startedAt: '2026-01-15T11:00:00Z' } } }],
      },
    };
    const { facts } = await references([running], WEB);
    expect(facts.map(({ exists }) => exists)).toEqual([undefined]);
  });

  it('in a template counts while none of its pods exists', async () => {
    const spec = { containers: [{ name: 'web', envFrom: [{ configMapRef: { name: 'settings' } }] }] };
    const deployment = named('Deployment', 'web', {
      apiVersion: 'apps/v1',
      spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec } },
      status: {},
    });
    expect((await references([deployment], { kind: 'Deployment', name: 'web' })).facts).toMatchObject([
      { refName: 'settings', exists: false },
    ]);
    const idle = { ...deployment, spec: { ...(deployment['spec'] as Fields), replicas: 0 } };
    expect((await references([idle], { kind: 'Deployment', name: 'web' })).facts).toEqual([]);
  });

  it('to a key of a Secret whose keys are not shown is open', async () => {
    const spec = {
      containers: [{ name: 'web', env: [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } }] }],
    };
    const { facts } = await references([pod(spec), named('Secret', 'db')], WEB);
    expect(facts).toMatchObject([{ exists: true }]);
    expect(facts[0]?.keyExists).toBeUndefined();
  });

  describe('whose near name is known', () => {
    const env = (name: string): Fields => ({ name: 'web', env: [{ name: 'HOST', valueFrom: { configMapKeyRef: { name, key: 'host' } } }] });
    const owned = (spec: Fields): KubeObject => {
      const one = pod(spec);
      return {
        ...one,
        metadata: {
          ...one.metadata,
          ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u', controller: true }],
        },
      };
    };
    const set = (spec: Fields): KubeObject =>
      named('StatefulSet', 'web', { spec: { replicas: 1, template: { spec } }, status: { replicas: 1 } });
    const settings = named('ConfigMap', 'web-settings', { data: { hosts: 'db' } });
    const pathOf = async (objects: readonly KubeObject[]): Promise<unknown> =>
      (await references([...objects, settings], WEB)).facts.find(({ similar }) => similar !== undefined)?.['path'];

    it('has the place of the name in the template, where containers that were injected are not', async () => {
      const injected = { initContainers: [{ name: 'proxy' }], containers: [{ name: 'proxy-2' }, env('web-setting')] };
      expect(await pathOf([owned(injected), set({ containers: [env('web-setting')] })])).toBe(
        '/containers/0/env/0/valueFrom/configMapKeyRef/name',
      );
    });

    it('has the place of the key where only that is missing', async () => {
      expect(await pathOf([pod({ containers: [env('web-settings')] })])).toBe('/containers/0/env/0/valueFrom/configMapKeyRef/key');
    });

    it('has no place where the template was not seen, or has the name twice', async () => {
      expect(await pathOf([owned({ containers: [env('web-setting')] })])).toBeUndefined();
      expect(await pathOf([pod({ containers: [env('web-setting'), { ...env('web-setting'), name: 'api' }] })])).toBeUndefined();
    });
  });
});
