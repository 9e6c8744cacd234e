import type { Json, JsonObject } from '../../../src/base/json.ts';
import { asNumber, asObject, dig } from '../../../src/base/json.ts';
import { canonicalJson, sameJson, withFields } from '../../../src/base/json-edit.ts';
import { fnv32a } from '../../../src/base/digest.ts';
import type { KubeObject } from '../../../src/model/kube-object.ts';
import { controllerOf } from '../../../src/model/kube-object.ts';
import type { ComponentDefinition, ComponentHost } from '../../../src/simulator/components/component.ts';
import type { Informer } from '../../../src/simulator/components/informer.ts';
import type { Routine } from '../../../src/simulator/time/routine.ts';
import { together } from '../../../src/simulator/time/routine.ts';
import { keyOf, keyOfObject } from '../../../src/simulator/store/store.ts';
import type { SyncResult } from '../../../src/simulator/components/work-queue.ts';

/** The shortest controllers that make pods of a Deployment: what the kernel is tried with, whatever the real ones can do. */
export const THIN_DEPLOYMENT: ComponentDefinition = {
  name: 'deployment-controller',
  process: 'kube-controller-manager',
  start(host) {
    const deployments = host.informer({ kind: 'Deployment' });
    const sets = host.informer({ kind: 'ReplicaSet' }).addIndex('owner', ownerKeys);
    const queue = host.queue({ name: 'deployment' }, (key) => syncDeployment(host, deployments, sets, key));
    deployments.onChange(({ object }) => queue.add(keyOfObject(object)));
    sets.onChange(({ object }) => ownerKey(object, 'Deployment', (key) => queue.add(key)));
  },
};

export const THIN_REPLICASET: ComponentDefinition = {
  name: 'replicaset-controller',
  process: 'kube-controller-manager',
  start(host) {
    const sets = host.informer({ kind: 'ReplicaSet' });
    const pods = host.informer({ kind: 'Pod' }).addIndex('owner', ownerKeys);
    const expected = new Map<string, number>();
    const queue = host.queue({ name: 'replicaset' }, (key) => syncSet(host, sets, pods, expected, key));
    sets.onChange(({ object }) => queue.add(keyOfObject(object)));
    pods.onChange(({ object, type }) =>
      ownerKey(object, 'ReplicaSet', (key) => {
        if (type === 'ADDED') expected.set(key, Math.max(0, (expected.get(key) ?? 0) - 1));
        queue.add(key);
      }),
    );
  },
};

/** Every namespace has a service account to run pods as. */
export const THIN_SERVICE_ACCOUNT: ComponentDefinition = {
  name: 'service-account-controller',
  process: 'kube-controller-manager',
  start(host) {
    const queue = host.queue({ name: 'serviceaccount' }, function* create(namespace): Routine<SyncResult> {
      const answer = yield* host.client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } });
      return answer.ok || answer.reason === 'AlreadyExists' ? undefined : { retry: answer.message };
    });
    host.informer({ kind: 'Namespace' }).onChange(({ object, type }) => type === 'ADDED' && queue.add(object.metadata.name));
  },
};

function* syncDeployment(host: ComponentHost, deployments: Informer, sets: Informer, key: string): Routine<SyncResult> {
  const deployment = deployments.get(...splitKey(key));
  if (deployment === undefined) return;
  const set = sets.by('owner', deployment.metadata.uid ?? '')[0];
  const replicas = asNumber(dig(deployment, 'spec', 'replicas')) ?? 0;
  if (set === undefined) {
    const answer = yield* host.client.create(replicaSetOf(deployment));
    return answer.ok || answer.reason === 'AlreadyExists' ? undefined : { retry: answer.message };
  }
  if (dig(set, 'spec', 'replicas') !== replicas) {
    const answer = yield* host.client.update(withFields(set, { spec: withFields(asObject(set['spec']), { replicas }) }));
    if (!answer.ok) return { retry: answer.message };
  }
  const status = {
    observedGeneration: deployment.metadata['generation'] as Json,
    replicas: dig(set, 'status', 'replicas') ?? 0,
    readyReplicas: dig(set, 'status', 'readyReplicas') ?? 0,
  };
  if (sameJson(deployment['status'], status)) return;
  const answer = yield* host.client.updateStatus(withFields(deployment, { status }));
  return answer.ok ? undefined : { retry: answer.message };
}

function replicaSetOf(deployment: KubeObject) {
  const template = asObject(dig(deployment, 'spec', 'template'));
  const hash = fnv32a(canonicalJson(template)).toString(36);
  const labels = { ...asObject(dig(template, 'metadata', 'labels')), 'pod-template-hash': hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      namespace: deployment.metadata.namespace ?? '',
      labels,
      ownerReferences: [ownedBy(deployment)],
    },
    spec: {
      replicas: dig(deployment, 'spec', 'replicas') ?? 1,
      selector: { matchLabels: labels },
      template: withFields(template, { metadata: { labels } }),
    },
  };
}

function* syncSet(host: ComponentHost, sets: Informer, pods: Informer, expected: Map<string, number>, key: string): Routine<SyncResult> {
  const set = sets.get(...splitKey(key));
  if (set === undefined || (expected.get(key) ?? 0) > 0) return;
  const owned = pods.by('owner', set.metadata.uid ?? '');
  const missing = (asNumber(dig(set, 'spec', 'replicas')) ?? 0) - owned.length;
  if (missing > 0) {
    expected.set(key, missing);
    const answers = yield* together(Array.from({ length: missing }, () => host.client.create(podOf(set))));
    const failed = answers.filter((answer) => !answer.ok);
    const [first] = failed;
    if (first !== undefined && !first.ok) {
      expected.set(key, Math.max(0, (expected.get(key) ?? 0) - failed.length));
      host.events.event(set, { type: 'Warning', reason: 'FailedCreate', message: `Error creating: ${first.message}` });
      return { retry: first.message };
    }
    return;
  }
  const ready = owned.filter(isReady).length;
  const status = { replicas: owned.length, readyReplicas: ready, observedGeneration: set.metadata['generation'] as Json };
  if (sameJson(set['status'], status)) return;
  const answer = yield* host.client.updateStatus(withFields(set, { status }));
  return answer.ok ? undefined : { retry: answer.message };
}

function podOf(set: KubeObject) {
  const template = asObject(dig(set, 'spec', 'template'));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${set.metadata.name}-`,
      namespace: set.metadata.namespace ?? '',
      labels: asObject(dig(template, 'metadata', 'labels')),
      ownerReferences: [ownedBy(set)],
    },
    spec: template['spec'],
  };
}

function isReady(pod: KubeObject): boolean {
  const conditions = dig(pod, 'status', 'conditions');
  return (
    Array.isArray(conditions) &&
    (conditions as readonly Json[]).some((condition) => dig(condition, 'type') === 'Ready' && dig(condition, 'status') === 'True')
  );
}

function ownedBy(owner: KubeObject): JsonObject {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

function ownerKeys(object: KubeObject): readonly string[] {
  const uid = controllerOf(object)?.uid;
  return uid === undefined ? [] : [uid];
}

function ownerKey(object: KubeObject, kind: string, use: (key: string) => void): void {
  const owner = controllerOf(object);
  if (owner?.kind === kind) use(keyOf(owner.namespace, owner.name));
}

function splitKey(key: string): readonly [namespace: string | undefined, name: string] {
  const slash = key.indexOf('/');
  return slash < 0 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
}
