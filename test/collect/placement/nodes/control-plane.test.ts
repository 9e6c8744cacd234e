import { expect, it } from 'vitest';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { ago, collected, objectOf } from '../../../support/collected.ts';

/** A pod that no scheduler has tried to place. */
const UNTRIED = objectOf('Pod', 'web', { spec: { containers: [{ name: 'web', image: 'nginx' }] }, status: { phase: 'Pending' } });

function lease(renewedAgo: number, more: { readonly holderIdentity?: string; readonly leaseDurationSeconds?: number }): KubeObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'kube-scheduler', namespace: 'kube-system' },
    spec: { holderIdentity: 'control-plane-1', renewTime: ago(renewedAgo), ...more },
  };
}

it.each([
  [60, {}, true],
  [61, {}, false],
  [120, { leaseDurationSeconds: 30 }, true],
  [121, { leaseDurationSeconds: 30 }, false],
  [1, { holderIdentity: '' }, false],
  [0, {}, true],
])('a scheduler that renewed its lease %d s ago (%o) runs: %s', async (renewedAgo, more, running) => {
  expect(await collected('control-plane', [UNTRIED, lease(renewedAgo, more)])).toEqual([
    { component: 'kube-scheduler', running, via: 'lease', sinceSeconds: renewedAgo },
  ]);
});

it('a scheduler is looked at only where a pod was not tried', async () => {
  const tried = {
    ...UNTRIED,
    status: {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available' }],
    },
  };
  expect(await collected('control-plane', [tried, lease(61, {})])).toEqual([]);
});

it('the pods of a scheduler are told by whether they are ready', async () => {
  const server = (name: string, status: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'kube-system', labels: { component: 'kube-scheduler' } },
    spec: { nodeName: 'control-plane-1', containers: [] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status }] },
  });
  expect(await collected('control-plane', [UNTRIED, server('kube-scheduler-1', 'True'), server('kube-scheduler-2', 'False')])).toEqual([
    { component: 'kube-scheduler', running: true, via: 'pod', node: 'control-plane-1' },
    { component: 'kube-scheduler', running: false, via: 'pod', node: 'control-plane-1' },
  ]);
});

it('a lease that was never renewed tells nothing, and one of the future was renewed just now', async () => {
  expect(await collected('control-plane', [UNTRIED, lease(0, { renewTime: null } as object)])).toEqual([]);
  expect(await collected('control-plane', [UNTRIED, lease(-30, {})])).toMatchObject([{ running: true, sinceSeconds: 0 }]);
});
