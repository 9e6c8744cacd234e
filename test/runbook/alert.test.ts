import { describe, expect, it } from 'vitest';
import { asText, dig } from '../../src/base/json.ts';
import { formatRef } from '../../src/model/kube-object.ts';
import { alertGroups } from '../../src/runbook/alert.ts';
import { shop } from './shop.ts';

const cluster = shop();
const reader = cluster.reader();
const pods = await reader.list('Pod', { namespace: 'shop' });
const pod = pods.ok ? (asText(dig(pods.value[0], 'metadata', 'name')) ?? '') : '';

function message(...alerts: readonly Readonly<Record<string, string>>[]): string {
  return JSON.stringify({
    version: '4',
    status: 'firing',
    commonLabels: { cluster: 'shop', namespace: 'shop' },
    alerts: alerts.map((labels) => ({ status: labels['status'] ?? 'firing', labels: { namespace: 'shop', ...labels } })),
  });
}

async function groups(...alerts: readonly Readonly<Record<string, string>>[]): Promise<readonly string[]> {
  return (await alertGroups(message(...alerts), reader)).map(({ target, alerts: names }) => `${formatRef(target)}: ${names.join(', ')}`);
}

describe('alerts', () => {
  it('about the pods of a workload and about itself are one, the nearest to the cause first', async () => {
    expect(
      await groups(
        { alertname: 'KubeDeploymentRolloutStuck', deployment: 'web' },
        { alertname: 'KubeContainerWaiting', pod, container: 'web' },
        { alertname: 'KubePodNotReady', pod },
      ),
    ).toEqual(['Deployment/shop/web: KubePodNotReady, KubeContainerWaiting, KubeDeploymentRolloutStuck']);
  });

  it('about a pod that is gone are about its workload', async () => {
    expect(await groups({ alertname: 'KubePodCrashLooping', pod: 'web-6d4cf56db6-x2x7k', container: 'web' })).toEqual([
      'Deployment/shop/web: KubePodCrashLooping',
    ]);
    expect(await groups({ alertname: 'KubePodCrashLooping', pod: 'cart-6d4cf56db6-x2x7k' })).toEqual([
      'Pod/shop/cart-6d4cf56db6-x2x7k: KubePodCrashLooping',
    ]);
  });

  it('name nodes, claims, Jobs, namespaces and the cluster', async () => {
    expect(await groups({ alertname: 'KubeNodeNotReady', node: 'worker-1' })).toEqual(['Node/worker-1: KubeNodeNotReady']);
    expect(await groups({ alertname: 'KubeJobFailed', job_name: 'till', job: 'kube-state-metrics' })).toEqual([
      'Job/shop/till: KubeJobFailed',
    ]);
    expect(await groups({ alertname: 'KubePersistentVolumeFillingUp', persistentvolumeclaim: 'data' })).toEqual([
      'PersistentVolumeClaim/shop/data: KubePersistentVolumeFillingUp',
    ]);
    expect(await groups({ alertname: 'KubeQuotaExceeded', resource: 'pods' })).toEqual(['Namespace/shop: KubeQuotaExceeded']);
    expect(await groups({ alertname: 'KubeSchedulerDown' })).toEqual(['Cluster/cluster: KubeSchedulerDown']);
  });

  it.each([
    ['deployment', 'Deployment/shop/a'],
    ['statefulset', 'StatefulSet/shop/a'],
    ['daemonset', 'DaemonSet/shop/a'],
    ['job_name', 'Job/shop/a'],
    ['horizontalpodautoscaler', 'HorizontalPodAutoscaler/shop/a'],
    ['poddisruptionbudget', 'PodDisruptionBudget/shop/a'],
    ['persistentvolumeclaim', 'PersistentVolumeClaim/shop/a'],
    ['persistentvolume', 'PersistentVolume/a'],
    ['node', 'Node/a'],
    ['shelf', 'Namespace/shop'],
  ])('of your own name what they are about by the label %s', async (label, target) => {
    expect(await groups({ alertname: 'TillEmpty', [label]: 'a' })).toEqual([`${target}: TillEmpty`]);
    expect(await groups({ alertname: 'TillEmpty', node: '', pod: '', [label]: 'a' })).toEqual([`${target}: TillEmpty`]);
  });

  it('are told once each, and keep their order where they are as urgent', async () => {
    expect(
      await groups(
        { alertname: 'KubeDeploymentRolloutStuck', deployment: 'web' },
        { alertname: 'KubeDeploymentReplicasMismatch', deployment: 'web' },
        { alertname: 'KubeDeploymentRolloutStuck', deployment: 'web' },
        { alertname: 'TillEmpty', deployment: 'web' },
      ),
    ).toEqual(['Deployment/shop/web: KubeDeploymentRolloutStuck, KubeDeploymentReplicasMismatch, TillEmpty']);
  });

  it('about a pod that is gone take the workload of the kind that names pods so', async () => {
    const namedReader = (found: string): typeof reader => ({
      ...reader,
      get: (ref) =>
        formatRef(ref) === found
          ? Promise.resolve({ ok: true, value: { apiVersion: 'apps/v1', kind: ref.kind, metadata: { name: ref.name } } })
          : reader.get(ref),
    });
    const targetOf = async (name: string, found: string): Promise<string | undefined> =>
      (await alertGroups(message({ alertname: 'KubePodNotReady', pod: name }), namedReader(found))).map(({ target }) =>
        formatRef(target),
      )[0];
    expect(await targetOf('till-0', 'StatefulSet/shop/till')).toBe('StatefulSet/shop/till');
    expect(await targetOf('agent-x2x7k', 'DaemonSet/shop/agent')).toBe('DaemonSet/shop/agent');
    expect(await targetOf('agent-x2x7k', 'DaemonSet/shop/till')).toBe('Pod/shop/agent-x2x7k');
  });

  it('of several targets begin with the most urgent, and those that are over do not count', async () => {
    expect(
      await groups(
        { alertname: 'KubePodNotReady', pod },
        { alertname: 'KubeNodeNotReady', node: 'worker-1' },
        { alertname: 'KubeJobFailed', job_name: 'till', status: 'resolved' },
      ),
    ).toEqual(['Node/worker-1: KubeNodeNotReady', 'Deployment/shop/web: KubePodNotReady']);
  });

  it('bind what their labels say, those of the most urgent first', async () => {
    const known = async (...alerts: readonly Readonly<Record<string, string>>[]): Promise<unknown> =>
      (await alertGroups(message(...alerts), reader))[0]?.known;
    const crash = { alertname: 'KubePodCrashLooping', pod, container: 'web' };
    expect(await known(crash)).toEqual({ namespace: 'shop', pod, container: 'web' });
    expect(await known({ ...crash, node: 'worker-1', container: '' })).toEqual({ namespace: 'shop', pod, node: 'worker-1' });
    const stuck = { alertname: 'KubeDeploymentRolloutStuck', deployment: 'web', container: 'other', node: 'worker-2' };
    for (const alerts of [
      [crash, stuck],
      [stuck, crash],
    ])
      expect(await known(...alerts)).toEqual({ namespace: 'shop', pod, container: 'web', node: 'worker-2' });
  });

  it('that do not say so are firing, and take the labels that all have', async () => {
    const bare = JSON.stringify({
      commonLabels: { namespace: 'shop', deployment: 'till' },
      alerts: [{ labels: { alertname: 'TillEmpty' } }],
    });
    expect((await alertGroups(bare, reader)).map(({ target }) => formatRef(target))).toEqual(['Deployment/shop/till']);
    const over = JSON.stringify([{ status: { state: 'resolved' }, labels: { alertname: 'TillEmpty' } }]);
    await expect(alertGroups(over, reader)).rejects.toThrow('no alert is firing');
  });

  it('that cannot be read, or are over, are refused in words', async () => {
    await expect(alertGroups('{', reader)).rejects.toThrow('the alert is not valid JSON');
    await expect(alertGroups('{}', reader)).rejects.toThrow('no alert is firing');
    await expect(alertGroups('[{"labels":{}}]', reader)).rejects.toThrow('no alert is firing');
  });

  it("may come as a list, as Alertmanager's API has them", async () => {
    const list = JSON.stringify([{ status: { state: 'active' }, labels: { alertname: 'KubePodNotReady', namespace: 'shop', pod } }]);
    expect((await alertGroups(list, reader)).map(({ target }) => formatRef(target))).toEqual(['Deployment/shop/web']);
  });
});
