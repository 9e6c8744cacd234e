import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { digAt } from '../../../src/base/json.ts';
import { withPath } from '../../../src/base/json-edit.ts';
import { areAlike, isPlainNode, isPlainPod, isPlainWorkload, settledTime } from '../../../src/collect/survey/plain-pods.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { OBSERVED } from '../../../src/model/kube-object.ts';
import { NOW, objectOf } from '../../support/collected.ts';

const LONG_AGO = '2026-01-01T00:00:00Z';
const LATELY = '2026-01-14T08:30:00Z';
const SETTLED = settledTime(NOW);

function running(name: string): JsonObject {
  return {
    name,
    ready: true,
    started: true,
    restartCount: 0,
    lastState: {},
    state: { running: { startedAt: LONG_AGO } },
    image: 'a',
    imageID: 'a@1',
  };
}

function plainPod(name = 'web-1', node = 'worker-1'): KubeObject {
  const conditions = ['Ready', 'ContainersReady', 'PodScheduled', 'Initialized'].map((type) => ({
    type,
    status: 'True',
    lastTransitionTime: LONG_AGO,
  }));
  return objectOf(
    'Pod',
    name,
    {
      spec: {
        nodeName: node,
        containers: [{ name: 'web', image: 'a' }],
        initContainers: [{ name: 'wait' }, { name: 'log', restartPolicy: 'Always' }],
        volumes: [{ name: 'kube-api-access-abcde', projected: {} }],
      },
      status: {
        phase: 'Running',
        startTime: LONG_AGO,
        conditions,
        containerStatuses: [running('web')],
        initContainerStatuses: [
          { name: 'wait', restartCount: 0, state: { terminated: { exitCode: 0, finishedAt: LONG_AGO } } },
          running('log'),
        ],
      },
    },
    { ownerReferences: [{ kind: 'ReplicaSet', name: 'web', controller: true }], labels: { app: 'web' }, annotations: { a: 'b' } },
  );
}

function changed(object: KubeObject, path: readonly string[], value: Json | undefined): KubeObject {
  return withPath<KubeObject>(object, path, value);
}

/** The pod with one field of a member of a list changed. */
function withStatus(list: string, index: number, path: readonly string[], value: Json | undefined): KubeObject {
  const pod = plainPod();
  const members = [...(digAt(pod, ['status', list]) as readonly JsonObject[])];
  members[index] = withPath(members[index] ?? {}, path, value);
  return changed(pod, ['status', list], members);
}

describe('a pod of which nothing is odd', () => {
  it('is plain', () => {
    expect(isPlainPod(plainPod(), SETTLED)).toBe(true);
    for (const kind of ['StatefulSet', 'DaemonSet', 'ReplicationController'])
      expect(
        isPlainPod(changed(plainPod(), ['metadata', 'ownerReferences'], [{ kind, name: 'web', controller: true }]), SETTLED),
        kind,
      ).toBe(true);
  });

  it.each<readonly [string, KubeObject]>([
    ['that was not read whole', { ...plainPod(), [OBSERVED]: ['status'] }],
    ['of a Job', changed(plainPod(), ['metadata', 'ownerReferences'], [{ kind: 'Job', name: 'web', controller: true }])],
    ['of its own', changed(plainPod(), ['metadata', 'ownerReferences'], [])],
    ['being deleted', changed(plainPod(), ['metadata', 'deletionTimestamp'], LATELY)],
    ['with a finalizer', changed(plainPod(), ['metadata', 'finalizers'], ['a'])],
    ['that is pending', changed(plainPod(), ['status', 'phase'], 'Pending')],
    ...['reason', 'message', 'nominatedNodeName', 'resize', 'resourceClaimStatuses', 'ephemeralContainerStatuses'].map(
      (field) => [`with ${field}`, changed(plainPod(), ['status', field], 'a')] as const,
    ),
    ...['schedulingGates', 'resourceClaims', 'ephemeralContainers', 'readinessGates'].map(
      (field) => [`with ${field}`, changed(plainPod(), ['spec', field], [])] as const,
    ),
    ['without a node', changed(plainPod(), ['spec', 'nodeName'], undefined)],
    ['that has begun lately', changed(plainPod(), ['status', 'startTime'], LATELY)],
    ['without a beginning', changed(plainPod(), ['status', 'startTime'], undefined)],
    ['without conditions', changed(plainPod(), ['status', 'conditions'], [])],
    ...[0, 1, 2, 3].map((index) => [`without its condition ${String(index)}`, withStatus('conditions', index, ['type'], 'Other')] as const),
    ['with a condition that is false', withStatus('conditions', 1, ['status'], 'False')],
    ['with a condition that has a reason', withStatus('conditions', 0, ['reason'], 'A')],
    ['with a condition that has a message', withStatus('conditions', 0, ['message'], 'A')],
    ['that was ready only lately', withStatus('conditions', 0, ['lastTransitionTime'], LATELY)],
    ['with a container that is not ready', withStatus('containerStatuses', 0, ['ready'], false)],
    ['with a container that has not started', withStatus('containerStatuses', 0, ['started'], false)],
    ['with a container that was restarted', withStatus('containerStatuses', 0, ['restartCount'], 1)],
    ['with a container that had ended', withStatus('containerStatuses', 0, ['lastState'], { terminated: { exitCode: 0 } })],
    ['with a container that runs since lately', withStatus('containerStatuses', 0, ['state', 'running', 'startedAt'], LATELY)],
    ['with a container nothing is said of', changed(plainPod(), ['status', 'containerStatuses'], [])],
    ['without containers', changed(changed(plainPod(), ['spec', 'containers'], []), ['status', 'containerStatuses'], [])],
    ['with an init container nothing is said of', changed(plainPod(), ['status', 'initContainerStatuses'], [])],
    ['with an init container that failed', withStatus('initContainerStatuses', 0, ['state', 'terminated', 'exitCode'], 1)],
    ['with an init container that was restarted', withStatus('initContainerStatuses', 0, ['restartCount'], 1)],
    ['with an init container that ended lately', withStatus('initContainerStatuses', 0, ['state', 'terminated', 'finishedAt'], LATELY)],
    ['with an init container that had ended', withStatus('initContainerStatuses', 0, ['lastState'], { terminated: {} })],
    ['with a sidecar that is not ready', withStatus('initContainerStatuses', 1, ['ready'], false)],
    ['with a claim', changed(plainPod(), ['spec', 'volumes'], [{ name: 'a', persistentVolumeClaim: {} }])],
    ['with a claim of its own', changed(plainPod(), ['spec', 'volumes'], [{ name: 'a', ephemeral: {} }])],
  ])('is not one %s', (_, pod) => {
    expect(isPlainPod(pod, SETTLED)).toBe(false);
  });

  it('has been so for an hour', () => {
    expect(SETTLED).toBe('2026-01-14T08:00:00Z');
    expect(isPlainPod(changed(plainPod(), ['status', 'startTime'], SETTLED), SETTLED)).toBe(true);
    for (const unsettled of ['2026-01-14T08:00:01Z', '2026-01-14T07:00:00.5Z', '2026-01-14 07:00:00Z', '2026-01-14T07:00:00+', 1])
      expect(isPlainPod(changed(plainPod(), ['status', 'startTime'], unsettled), SETTLED), String(unsettled)).toBe(false);
  });
});

describe('pods of one controller', () => {
  it('are alike where they differ in what each has of its own', () => {
    const other = changed(plainPod('web-2', 'worker-2'), ['spec', 'volumes'], [{ name: 'kube-api-access-fghij', projected: {} }]);
    expect(areAlike(plainPod(), other)).toBe(true);
    const own = (pod: KubeObject, ip: string): KubeObject =>
      changed(pod, ['metadata', 'annotations'], { 'cni.projectcalico.org/podIP': ip, 'k8s.v1.cni.cncf.io/network-status': ip });
    expect(areAlike(own(plainPod(), '10.0.0.1'), own(other, '10.0.0.2'))).toBe(true);
    const numbered = (pod: KubeObject, index: string): KubeObject =>
      changed(pod, ['metadata', 'labels'], { app: 'web', 'apps.kubernetes.io/pod-index': index });
    expect(areAlike(numbered(plainPod(), '0'), numbered(other, '1'))).toBe(true);
  });

  it.each([
    ['name', 'web-1', 'web-2', true],
    ['name beside another word', 'web-1', 'x', false],
    ['name of the other one', 'web-2', 'web-1', false],
    ['other word beside its name', 'x', 'web-2', false],
    ['node', 'worker-1', 'worker-2', true],
    ['node beside another', 'worker-1', 'worker-3', false],
    ['other node beside its own', 'worker-3', 'worker-2', false],
    ['token', 'kube-api-access-a', 'kube-api-access-b', true],
    ['token beside another volume', 'kube-api-access-a', 'a', false],
    ['other volume beside its token', 'a', 'kube-api-access-b', false],
  ])('are alike where each is told its own %s: %s and %s', (_, one, another, expected) => {
    const told = (pod: KubeObject, value: string): KubeObject =>
      changed(pod, ['spec', 'containers'], [{ name: 'web', image: 'a', env: [{ name: 'OWN', value }] }]);
    expect(areAlike(told(plainPod(), one), told(plainPod('web-2', 'worker-2'), another))).toBe(expected);
  });

  it.each<readonly [string, KubeObject]>([
    ['value of the same field', changed(plainPod(), ['spec', 'containers'], [{ name: 'web', image: ['a'] }])],
    ['field instead', changed(plainPod(), ['metadata', 'labels'], { apps: 'web' })],
    ['last container', changed(plainPod(), ['spec', 'initContainers'], [{ name: 'wait' }, { name: 'log', restartPolicy: 'Never' }])],
    ['image', changed(plainPod(), ['spec', 'containers'], [{ name: 'web', image: 'b' }])],
    ['number of containers', changed(plainPod(), ['spec', 'containers'], [{ name: 'web', image: 'a' }, { name: 'log' }])],
    ['label', changed(plainPod(), ['metadata', 'labels'], { app: 'till' })],
    ['number of labels', changed(plainPod(), ['metadata', 'labels'], { app: 'web', more: 'a' })],
    ['annotation', changed(plainPod(), ['metadata', 'annotations'], { a: 'c' })],
    ['image that runs', withStatus('containerStatuses', 0, ['imageID'], 'a@2')],
    ['image that ran first', withStatus('initContainerStatuses', 1, ['image'], 'b')],
    ['field of its spec', changed(plainPod(), ['spec', 'hostNetwork'], true)],
    ['volume', changed(plainPod(), ['spec', 'volumes'], [{ name: 'other', projected: {} }])],
  ])('are not alike with another %s', (_, other) => {
    expect([areAlike(plainPod(), other), areAlike(other, plainPod())]).toEqual([false, false]);
  });
});

describe('a workload of which nothing is odd', () => {
  const plain = (kind: string, spec: JsonObject, status: JsonObject): KubeObject =>
    objectOf(kind, 'web', { spec, status: { observedGeneration: 3, ...status } }, { generation: 3 });
  const deployment = plain(
    'Deployment',
    { replicas: 2 },
    {
      replicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      updatedReplicas: 2,
      conditions: [
        { type: 'Available', status: 'True' },
        { type: 'ReplicaFailure', status: 'False' },
      ],
    },
  );

  it('has all that it wants', () => {
    expect(isPlainWorkload(deployment)).toBe(true);
    expect(isPlainWorkload(plain('StatefulSet', { replicas: 1 }, { replicas: 1, readyReplicas: 1, updatedReplicas: 1 }))).toBe(true);
    const daemons = { desiredNumberScheduled: 2, currentNumberScheduled: 2, numberReady: 2, updatedNumberScheduled: 2, numberAvailable: 2 };
    expect(isPlainWorkload(plain('DaemonSet', {}, daemons))).toBe(true);
    for (const field of Object.keys(daemons))
      expect(isPlainWorkload(plain('DaemonSet', {}, { ...daemons, [field]: 1 })), field).toBe(false);
    const replicas = { replicas: 2, readyReplicas: 2, availableReplicas: 2 };
    for (const kind of ['ReplicaSet', 'ReplicationController']) {
      expect(isPlainWorkload(plain(kind, { replicas: 2 }, replicas))).toBe(true);
      for (const field of Object.keys(replicas))
        expect(isPlainWorkload(plain(kind, { replicas: 2 }, { ...replicas, [field]: 1 })), `${kind} ${field}`).toBe(false);
    }
    expect(isPlainWorkload(plain('Job', { replicas: 1 }, {}))).toBe(false);
  });

  it.each<readonly [string, KubeObject]>([
    ['that was not read whole', { ...deployment, [OBSERVED]: ['status'] }],
    ['being deleted', changed(deployment, ['metadata', 'deletionTimestamp'], LATELY)],
    ['that its controller has not seen', changed(deployment, ['metadata', 'generation'], 4)],
    ['without a generation', changed(deployment, ['metadata', 'generation'], undefined)],
    ['that is paused', changed(deployment, ['spec', 'paused'], true)],
    ['scaled to zero', changed(deployment, ['spec', 'replicas'], 0)],
    ...['replicas', 'readyReplicas', 'availableReplicas', 'updatedReplicas'].map(
      (field) => [`with other ${field}`, changed(deployment, ['status', field], 1)] as const,
    ),
    ['that is not available', changed(deployment, ['status', 'conditions'], [{ type: 'Available', status: 'False' }])],
    ['that cannot make pods', changed(deployment, ['status', 'conditions'], [{ type: 'ReplicaFailure', status: 'True' }])],
  ])('is not one %s', (_, workload) => {
    expect(isPlainWorkload(workload)).toBe(false);
  });
});

describe('a node of which nothing is odd', () => {
  const node = objectOf('Node', 'worker-1', {
    spec: { taints: [{ key: 'shop/till', effect: 'NoSchedule' }] },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'DiskPressure', status: 'False' },
      ],
    },
  });

  it('is ready, and under no pressure', () => {
    expect(isPlainNode(node)).toBe(true);
    expect(isPlainNode(changed(node, ['spec', 'taints'], undefined))).toBe(true);
  });

  it.each<readonly [string, KubeObject]>([
    ['that was not read whole', { ...node, [OBSERVED]: ['status'] }],
    ['being deleted', changed(node, ['metadata', 'deletionTimestamp'], LATELY)],
    ['that is cordoned', changed(node, ['spec', 'unschedulable'], true)],
    ['without conditions', changed(node, ['status', 'conditions'], [])],
    ['that is not ready', changed(node, ['status', 'conditions'], [{ type: 'Ready', status: 'False' }])],
    ['that shows nothing of being ready', changed(node, ['status', 'conditions'], [{ type: 'DiskPressure', status: 'False' }])],
    [
      'under pressure',
      changed(
        node,
        ['status', 'conditions'],
        [
          { type: 'Ready', status: 'True' },
          { type: 'DiskPressure', status: 'True' },
        ],
      ),
    ],
    ['that evicts', changed(node, ['spec', 'taints'], [{ key: 'a', effect: 'NoExecute' }])],
    ['with a taint of Kubernetes', changed(node, ['spec', 'taints'], [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }])],
    [
      'that its cloud has not made',
      changed(node, ['spec', 'taints'], [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' }]),
    ],
  ])('is not one %s', (_, one) => {
    expect(isPlainNode(one)).toBe(false);
  });
});
