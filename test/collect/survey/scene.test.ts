import { describe, expect, it } from 'vitest';
import type { StoredEvidence } from '../../../src/clusters/memory-reader.ts';
import { memoryReader } from '../../../src/clusters/memory-reader.ts';
import { makeScene } from '../../../src/collect/survey/scene.ts';
import { Survey } from '../../../src/collect/survey/survey.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { formatRef, refOf } from '../../../src/model/kube-object.ts';

const EMPTY: StoredEvidence = { objects: [], collected: [], absent: [], refused: [], logs: [], now: 0 };

function object(
  kind: string,
  name: string,
  owner?: readonly [kind: string, name: string],
  labels: Readonly<Record<string, string>> = {},
): KubeObject {
  const ownerReferences = owner === undefined ? [] : [{ kind: owner[0], name: owner[1], controller: true }];
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'shop', labels, ownerReferences } };
}

function scene(pods: readonly KubeObject[], workloads: readonly KubeObject[]): ReturnType<typeof makeScene> {
  return makeScene(new Survey(memoryReader(EMPTY)), {}, { pods, workloads, others: [], unlisted: new Set() });
}

function top(pods: readonly KubeObject[], workloads: readonly KubeObject[]): string | undefined {
  const [pod] = pods;
  const ref = pod === undefined ? undefined : scene(pods, workloads).workloadOf(refOf(pod));
  return ref === undefined ? undefined : formatRef(ref);
}

describe('a scene', () => {
  it('leads from a pod over its ReplicaSet to the Deployment', () => {
    const pods = [object('Pod', 'web-6d4-1', ['ReplicaSet', 'web-6d4'])];
    const workloads = [object('ReplicaSet', 'web-6d4', ['Deployment', 'web']), object('Deployment', 'web')];
    expect(top(pods, workloads)).toBe('Deployment/shop/web');
    const found = scene(pods, workloads);
    expect(found.podsOf({ kind: 'Deployment', namespace: 'shop', name: 'web' })).toEqual(pods);
    expect(found.workloadsUnder({ kind: 'Deployment', namespace: 'shop', name: 'web' }).map(({ kind }) => kind)).toEqual(['ReplicaSet']);
  });

  it('leads from a pod over a Job that was not read to the CronJob that has it among those that run', () => {
    const pods = [object('Pod', 'sync-1-a', ['Job', 'sync-1'])];
    const cronJob = { ...object('CronJob', 'sync'), status: { active: [{ kind: 'Job', name: 'sync-1' }] } };
    expect(top(pods, [cronJob])).toBe('CronJob/shop/sync');
    expect(top(pods, [object('CronJob', 'sync')])).toBe('Job/shop/sync-1');
  });

  it('passes over failed pods that a Deployment left behind with an old ReplicaSet', () => {
    const failed = (name: string, replicaSet: string): KubeObject => ({
      ...object('Pod', name, ['ReplicaSet', replicaSet]),
      status: { phase: 'Failed', reason: 'SysctlForbidden' },
    });
    const scaled = (name: string, replicas: number): KubeObject => ({
      ...object('ReplicaSet', name, ['Deployment', 'web']),
      spec: { replicas },
    });
    const found = scene(
      [failed('web-old-1', 'web-old'), failed('web-new-1', 'web-new')],
      [scaled('web-old', 0), scaled('web-new', 1), object('Deployment', 'web')],
    );
    expect(found.pods.map(({ metadata }) => metadata.name)).toEqual(['web-new-1']);
  });

  it('finds the Deployment by the name of a ReplicaSet that was not read', () => {
    expect(top([object('Pod', 'web-6d4-1', ['ReplicaSet', 'web-6d4'], { 'pod-template-hash': '6d4' })], [])).toBe('Deployment/shop/web');
    // Kubernetes 1.10 and before: the label has the number that the name has encoded.
    expect(top([object('Pod', 'web-9fc6f9-1', ['ReplicaSet', 'web-9fc6f9'], { 'pod-template-hash': '597295' })], [])).toBe(
      'Deployment/shop/web',
    );
  });

  it('stops at the last controller of pods: what an operator owns is still a workload', () => {
    expect(top([object('Pod', 'db-0', ['StatefulSet', 'db'])], [object('StatefulSet', 'db', ['Database', 'db'])])).toBe(
      'StatefulSet/shop/db',
    );
    expect(top([object('Pod', 'proxy-worker-1', ['Node', 'worker-1'])], [])).toBeUndefined();
  });

  it('survives owners that own each other', () => {
    const workloads = [object('Deployment', 'a', ['ReplicaSet', 'b']), object('ReplicaSet', 'b', ['Deployment', 'a'])];
    expect(top([object('Pod', 'a-1', ['ReplicaSet', 'b'])], workloads)).toMatch(/^(Deployment|ReplicaSet)\/shop\//);
    expect(
      scene([object('Pod', 'a-1', ['ReplicaSet', 'b'])], workloads).podsOf({ kind: 'Deployment', namespace: 'shop', name: 'a' }),
    ).toHaveLength(1);
  });
});
