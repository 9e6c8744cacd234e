import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { ago, answerTo, collected, evidenceOf, objectOf } from '../../../support/collected.ts';

function leaving(kind: string, seconds: number, ...finalizers: readonly string[]): KubeObject {
  return objectOf(kind, 'web', { spec: { containers: [] }, status: {} }, { deletionTimestamp: ago(seconds), finalizers: [...finalizers] });
}

const deletions = (...objects: readonly KubeObject[]): ReturnType<typeof collected> => collected('deletion', objects);

describe('an object that is being deleted', () => {
  it('is stuck when its finalizers stay for a minute', async () => {
    expect(await deletions(leaving('Pod', 59, 'shop.example/till'))).toEqual([
      { finalizers: 'shop.example/till', sinceSeconds: 59, stuck: false },
    ]);
    expect(await deletions(leaving('Pod', 60, 'shop.example/till', 'b'))).toEqual([
      { finalizers: 'shop.example/till, b', sinceSeconds: 60, stuck: true },
    ]);
    expect(await deletions(leaving('Pod', 0, 'a'))).toEqual([{ finalizers: 'a', stuck: false }]);
  });

  it.each(['batch.kubernetes.io/job-tracking', 'foregroundDeletion', 'orphan'])(
    'only waits for what belongs to it with %s',
    async (finalizer) => {
      expect(await deletions(leaving('Pod', 600, finalizer))).toEqual([]);
      expect(await deletions(leaving('Pod', 600, finalizer, 'a'))).toMatchObject([{ finalizers: 'a' }]);
    },
  );

  it('without a finalizer, or that is not deleted, is held by none', async () => {
    expect(await deletions(leaving('Pod', 600))).toEqual([]);
    expect(await deletions(objectOf('Pod', 'web', { spec: {}, status: {} }, { finalizers: ['a'] }))).toEqual([]);
  });

  it('may be a workload', async () => {
    expect(await deletions(leaving('Deployment', 90, 'a'))).toMatchObject([{ finalizers: 'a', stuck: true }]);
  });
});

describe('a namespace that is being deleted', () => {
  const namespace = (...conditions: readonly (readonly [type: string, message: string])[]): KubeObject =>
    objectOf(
      'Namespace',
      'shop',
      {
        status: {
          phase: 'Terminating',
          conditions: conditions.map(([type, message]) => ({ type, status: 'True', reason: 'SomeFinalizersRemain', message })),
        },
      },
      { deletionTimestamp: ago(300) },
    );
  const CONTENT = ['NamespaceContentRemaining', 'Some resources are remaining: configmaps. has 1 resource instances'] as const;
  const FINALIZERS = [
    'NamespaceFinalizersRemaining',
    'Some content in the namespace has finalizers remaining: shop.example/till in 1 resource instances',
  ] as const;

  it('is held by what it still has, where that was read', async () => {
    expect(await deletions(namespace(CONTENT, FINALIZERS), leaving('ConfigMap', 300, 'shop.example/till'))).toEqual([
      { finalizers: 'shop.example/till', sinceSeconds: 300, holds: 'shop', stuck: true },
    ]);
  });

  it('tells what keeps it from being emptied, also where only its phase was seen', async () => {
    const failing = (phase: string, status = 'True'): KubeObject =>
      objectOf('Namespace', 'shop', {
        status: { phase, conditions: [{ type: 'NamespaceDeletionDiscoveryFailure', status, message: 'no metrics' }] },
      });
    const told = async (one: KubeObject): Promise<readonly unknown[]> => {
      const { targets, facts } = await evidenceOf([one]);
      return [targets.map(({ ref, reason }) => `${ref.kind} ${reason ?? ''}`), facts.filter(({ kind }) => kind === 'condition').length];
    };
    expect(await told(failing('Terminating'))).toEqual([['Namespace Terminating'], 1]);
    expect(await told(failing('Terminating', 'False'))).toEqual([[], 1]);
    expect(await told(failing('Active'))).toEqual([[], 0]);
  });

  it('is held by finalizers that its condition names, where nothing of it was read', async () => {
    expect(await deletions(namespace(FINALIZERS))).toEqual([{ finalizers: 'shop.example/till', holds: 'shop', stuck: true }]);
    expect(await deletions(namespace())).toEqual([]);
  });

  it('is quoted with how long it takes, and a target where somebody or something waits for it', async () => {
    const told = async (...objects: readonly KubeObject[]): Promise<readonly unknown[]> => {
      const { facts, targets } = await evidenceOf(objects);
      const quotes = facts.filter(({ kind }) => kind === 'deletion').map(({ source, quote }) => [source, quote]);
      return [quotes, targets.filter(({ reason }) => reason === 'it cannot be deleted').map(({ ref }) => `${ref.kind}/${ref.name}`)];
    };
    const held = leaving('ConfigMap', 300, 'shop.example/till');
    expect(await told(namespace(CONTENT, FINALIZERS), held)).toEqual([
      [['ConfigMap/shop/web metadata', 'Terminating for 5m, finalizers: shop.example/till']],
      ['ConfigMap/web'],
    ]);
    expect(await told(leaving('Pod', 90, 'a'))).toEqual([[['Pod/shop/web metadata', 'Terminating for 90s, finalizers: a']], []]);
    expect(await told(leaving('Pod', 90, 'a'), answerTo('kubectl -n shop delete pod web', 'pod "web" deleted'))).toEqual([
      [['Pod/shop/web metadata', 'Terminating for 90s, finalizers: a']],
      ['Pod/web'],
    ]);
    expect(await told(namespace(FINALIZERS))).toEqual([
      [['Namespace/shop condition NamespaceFinalizersRemaining', FINALIZERS[1]]],
      ['Namespace/shop'],
    ]);
  });

  it('that somebody deleted is stuck at once, where it is still there', async () => {
    const held = leaving('ConfigMap', 5, 'a');
    const after = (command: string, output: string): Promise<readonly unknown[]> =>
      collected('deletion', [held, answerTo(command, output)]);
    expect(await after('kubectl -n shop delete cm web', 'configmap "web" deleted')).toEqual([
      { finalizers: 'a', sinceSeconds: 5, stuck: true },
    ]);
    expect(await after('kubectl delete cm web', 'configmap "web" deleted')).toHaveLength(1);
    expect(await after('kubectl -n till delete cm web', 'configmap "web" deleted')).toEqual([]);
    expect(await after('kubectl -n shop delete cm till', 'configmap "till" deleted')).toEqual([]);
    expect(await after('kubectl -n shop apply -f web.yaml', 'configmap/web configured')).toEqual([]);
    expect(await after('kubectl -n shop delete gadget web', 'gadget.shop.example "web" deleted')).toEqual([]);
    const volume = objectOf('PersistentVolume', 'pv-1', { spec: {} }, { deletionTimestamp: ago(5), finalizers: ['a'] });
    expect(await collected('deletion', [volume, answerTo('kubectl delete pv pv-1', 'persistentvolume "pv-1" deleted')])).toHaveLength(1);
    expect(await collected('deletion', [namespace(), answerTo('kubectl delete ns shop', 'namespace "shop" deleted')])).toEqual([]);
  });

  it('has of several kinds what its condition names, and what is usual where it names none', async () => {
    const both = [
      'NamespaceContentRemaining',
      'Some resources are remaining: configmaps. has 1 resource instances, persistentvolumeclaims. has 1 resource instances, gadgets.shop.example has 1 resource instances',
    ] as const;
    const [config, claim, secret] = ['ConfigMap', 'PersistentVolumeClaim', 'Secret'].map((kind) => leaving(kind, 300, kind));
    const held = async (...objects: readonly (KubeObject | undefined)[]): Promise<readonly unknown[]> =>
      (await deletions(...objects.filter((one) => one !== undefined))).map(({ finalizers }) => finalizers);
    expect(await held(namespace(both), config, claim, secret)).toEqual(['ConfigMap', 'PersistentVolumeClaim']);
    expect(await held(namespace(CONTENT), config, claim, secret)).toEqual(['ConfigMap']);
    expect(await held(namespace(), config, claim, secret)).toEqual(['ConfigMap', 'PersistentVolumeClaim']);
    const unknown = ['NamespaceContentRemaining', 'Some resources are remaining: gadgets.shop.example has 1 resource instances'] as const;
    expect(await held(namespace(unknown), config)).toEqual([]);
  });

  it('is looked at where it is asked about, or a refusal names it', async () => {
    const target = { kind: 'Namespace', name: 'shop' };
    const { facts } = await evidenceOf([namespace(FINALIZERS)], { target });
    expect(facts.filter(({ kind }) => kind === 'deletion')).toHaveLength(1);
    const other = { ...namespace(FINALIZERS), metadata: { ...namespace().metadata, name: 'till' } };
    expect(await deletions(other)).toEqual([]);
    const refused =
      'Error from server (Forbidden): pods "web" is forbidden: unable to create new content in namespace till because it is being terminated';
    expect(await deletions(other, answerTo('kubectl -n shop create -f a.yaml', refused))).toMatchObject([{ holds: 'till' }]);
    const active = {
      ...namespace(FINALIZERS),
      metadata: { name: 'shop' },
      status: { phase: 'Active', conditions: (namespace(FINALIZERS)['status'] as JsonObject)['conditions'] ?? [] },
    };
    expect(await deletions(active)).toEqual([]);
    const unsaid = objectOf(
      'Namespace',
      'shop',
      { status: { conditions: [{ type: 'NamespaceFinalizersRemaining', status: 'True', message: 'hm' }] } },
      { deletionTimestamp: ago(5) },
    );
    expect(await deletions(unsaid)).toEqual([{ finalizers: 'unknown', holds: 'shop', stuck: true }]);
    const past = objectOf(
      'Namespace',
      'shop',
      { status: { conditions: [{ type: 'NamespaceFinalizersRemaining', status: 'False', message: 'hm' }] } },
      { deletionTimestamp: ago(5) },
    );
    expect(await deletions(past)).toEqual([]);
  });
});
