import { asObject, asText, dig } from '../../../src/base/json.ts';
import { withFields } from '../../../src/base/json-edit.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { refOf } from '../../../src/model/kube-object.ts';
import type { ComponentDefinition, ComponentHost } from '../../../src/simulator/components/component.ts';
import { sleep } from '../../../src/simulator/components/component.ts';
import { leaseBeat } from '../../../src/simulator/components/heartbeats.ts';
import type { Informer } from '../../../src/simulator/components/informer.ts';
import type { Routine } from '../../../src/simulator/time/routine.ts';
import { keyOfObject } from '../../../src/simulator/store/store.ts';
import { timeOf } from '../../../src/simulator/time/api-times.ts';
import type { SyncResult } from '../../../src/simulator/components/work-queue.ts';

/** Puts every pod on the next node. */
export const THIN_SCHEDULER: ComponentDefinition = {
  name: 'kube-scheduler',
  process: 'kube-scheduler',
  eventSource: 'default-scheduler',
  start(host) {
    const nodes = host.informer({ kind: 'Node' });
    const pods = host.informer({ kind: 'Pod' });
    let turn = 0;
    const queue = host.queue({ name: 'schedule', workers: 1 }, (key) => schedule(host, nodes, pods, key, turn++));
    pods.onChange(
      ({ object, type }) => type === 'ADDED' && dig(object, 'spec', 'nodeName') === undefined && queue.add(keyOfObject(object)),
    );
    nodes.onChange(({ type }) => {
      if (type === 'ADDED') for (const pod of pods.list()) if (dig(pod, 'spec', 'nodeName') === undefined) queue.add(keyOfObject(pod));
    });
  },
};

function* schedule(host: ComponentHost, nodes: Informer, pods: Informer, key: string, turn: number): Routine<SyncResult> {
  const [namespace = '', name = ''] = key.split('/');
  const pod = pods.get(namespace, name);
  const candidates = [...nodes.list()];
  const node = candidates[turn % candidates.length];
  if (pod === undefined || node === undefined || dig(pod, 'spec', 'nodeName') !== undefined) return;
  const answer = yield* host.client.createSubresource(refOf(pod), 'binding', {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, namespace },
    target: { apiVersion: 'v1', kind: 'Node', name: node.metadata.name },
  });
  if (!answer.ok) return { retry: answer.message };
  host.series.event(pod, {
    type: 'Normal',
    reason: 'Scheduled',
    action: 'Binding',
    note: `Successfully assigned ${key} to ${node.metadata.name}`,
  });
}

/** Registers its node and says of every pod bound to it that it runs. */
export const THIN_KUBELET: ComponentDefinition = {
  name: 'kubelet',
  process: 'kubelet',
  start(host) {
    host.spawn(register(host));
    const pods = host.informer({ kind: 'Pod', fieldSelector: `spec.nodeName=${host.node}` });
    const queue = host.queue({ name: `kubelet ${host.node}`, workers: 100 }, (key) => run(host, pods, key));
    pods.onChange(({ object }) => queue.add(keyOfObject(object)));
  },
};

function* register(host: ComponentHost): Routine {
  const machine = host.world.machines.get(host.node);
  const conditions = [
    {
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      message: 'kubelet is posting ready status',
      lastHeartbeatTime: timeOf(host.now()),
      lastTransitionTime: timeOf(host.now()),
    },
  ];
  const capacity = { cpu: machine?.spec.cpu ?? '1', memory: machine?.spec.memory ?? '1Gi', pods: String(machine?.spec.pods ?? 110) };
  yield* host.client.create({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: host.node, labels: { 'kubernetes.io/hostname': host.node, ...machine?.spec.labels } },
    status: { capacity, allocatable: capacity, conditions },
  });
  yield* host.client.create({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: host.node, namespace: 'kube-node-lease' },
    spec: { holderIdentity: host.node, leaseDurationSeconds: 40 },
  });
  const beat = leaseBeat('kube-node-lease', host.node);
  host.heartbeats.begin(beat, 10_000, () => host.connected());
  host.onStop(() => host.heartbeats.end(beat));
}

function* run(host: ComponentHost, pods: Informer, key: string): Routine<SyncResult> {
  const [namespace = '', name = ''] = key.split('/');
  const pod = pods.get(namespace, name);
  if (pod === undefined) return;
  if (pod.metadata['deletionTimestamp'] !== undefined) {
    yield* host.client.delete(refOf(pod), { gracePeriodSeconds: 0 });
    return;
  }
  if (asText(dig(pod, 'status', 'phase')) === 'Running') return;
  yield* sleep(host, 400 + host.prng.between(0, 50));
  host.events.event(pod, { type: 'Normal', reason: 'Started', message: 'Container started', fieldPath: 'spec.containers{web}' });
  const answer = yield* host.client.patch(refOf(pod), 'strategic', { status: running(host, pod) }, { subresource: 'status' });
  return answer.ok || answer.code === 404 ? undefined : { retry: answer.message };
}

function running(host: ComponentHost, pod: KubeObject) {
  const now = timeOf(host.now());
  const status = withFields(asObject(pod['status']), { phase: 'Running', startTime: now, podIP: '10.128.0.9' });
  return {
    ...status,
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: now,
    })),
  };
}
