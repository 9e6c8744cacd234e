import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { ago, collected, evidenceOf, objectOf } from '../../../support/collected.ts';

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
});
