import type { Instant } from '../../../base/instant.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { keyOf, keyOfObject } from '../../store/store.ts';
import type { SyncResult, WorkQueue } from '../../components/work-queue.ts';
import { retryUnlessGone } from '../../components/work-queue.ts';
import { isTrue } from '../conditions.ts';
import { isDeleted, splitKey } from '../ownership.ts';
import { createdAt, isFinished, nodeNameOf } from '../pod-state.ts';
import { podClaimKeys } from '../volume/pv-binder.ts';
import type { AttachableVolume } from './attached-volume.ts';
import {
  attachable,
  attachmentKey,
  attachmentName,
  isAttached,
  isShareable,
  nodeOfAttachment,
  uniqueName,
  volumeOfAttachment,
} from './attached-volume.ts';
import { ATTACH_WORDS, EXCLUSIVELY_ATTACHED, noAttacher, usedByPods } from './attach-messages.ts';

/**
 * Attaches volumes to the nodes whose pods use them and takes them off again. The work on the storage is the external
 * attacher's; the two speak through VolumeAttachments.
 * Source: pkg/controller/volume/attachdetach/{attach_detach_controller,reconciler/reconciler}.go, pkg/volume/csi/csi_attacher.go.
 */
export const ATTACH_DETACH_CONTROLLER: ComponentDefinition = { name: 'attachdetach-controller', process: 'kube-controller-manager', start };

const ATTACH_TIMEOUT_MILLISECONDS = 120_000;
/** After so long a volume is taken from a node that does not answer. */
const FORCE_DETACH_MILLISECONDS = 360_000;
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

interface Controller {
  readonly host: ComponentHost;
  readonly pods: Informer;
  readonly claims: Informer;
  readonly volumes: Informer;
  readonly attachments: Informer;
  readonly nodes: Informer;
  readonly drivers: Informer;
  readonly queue: WorkQueue;
  readonly reports: WorkQueue;
  /** What is attached to each node, by the names its status has. */
  readonly attached: Map<string, Set<string>>;
  /** Pods that were told, and pairs of volume and node whose multi-attach error was. */
  readonly announced: Set<string>;
  readonly refused: Set<string>;
  readonly unusedSince: Map<string, Instant>;
}

function start(host: ComponentHost): void {
  const pods = host.informer({ kind: 'Pod' }).addIndex('claim', podClaimKeys);
  const claims = host.informer({ kind: 'PersistentVolumeClaim' });
  const volumes = host.informer({ kind: 'PersistentVolume' });
  const attachments = host
    .informer({ kind: 'VolumeAttachment' })
    .addIndex('volume', (one) => [volumeOfAttachment(one)])
    .addIndex('node', (one) => [nodeOfAttachment(one)]);
  const [nodes, drivers] = [host.informer({ kind: 'Node' }), host.informer({ kind: 'CSIDriver' })];
  const queue = host.queue({ name: 'attach', workers: 20, retryFrom: 500, retryTo: 122_000 }, (key) => sync(controller, key));
  const reports = host.queue({ name: 'volumesAttached', workers: 5 }, (node) => report(controller, node));
  const controller: Controller = {
    host,
    pods,
    claims,
    volumes,
    attachments,
    nodes,
    drivers,
    queue,
    reports,
    attached: new Map(),
    announced: new Set(),
    refused: new Set(),
    unusedSince: new Map(),
  };
  const look = (pod: KubeObject): void => {
    for (const key of podClaimKeys(pod)) lookAtClaim(controller, claims.get(...splitKey(key)), nodeNameOf(pod));
  };
  pods.onChange(({ object, previous }) => {
    if (previous === undefined || nodeNameOf(previous) !== nodeNameOf(object) || isFinished(previous) !== isFinished(object)) look(object);
    else if (object.metadata['deletionTimestamp'] !== undefined) look(object);
  });
  pods.onChange(({ object, type }) => type === 'DELETED' && look(object));
  claims.onChange(({ object, previous }) => {
    if (previous !== undefined && dig(previous, 'spec', 'volumeName') === dig(object, 'spec', 'volumeName')) return;
    for (const pod of pods.by('claim', keyOfObject(object))) look(pod);
  });
  for (const informer of [volumes, drivers]) {
    informer.onChange(({ type, object }) => {
      if (type !== 'ADDED') return;
      const affected =
        object.kind === 'PersistentVolume'
          ? [object]
          : [...volumes.list()].filter((volume) => dig(volume, 'spec', 'csi', 'driver') === object.metadata.name);
      for (const volume of affected)
        for (const pod of usersOf(controller, volume)) queue.add(attachmentKey(volume.metadata.name, nodeNameOf(pod)));
    });
  }
  attachments.onChange(({ object, type }) => attachmentChanged(controller, object, type === 'DELETED'));
  nodes.onChange(({ object, type }) => {
    if (type === 'DELETED') controller.attached.delete(object.metadata.name);
    for (const attachment of attachments.by('node', object.metadata.name))
      queue.add(attachmentKey(volumeOfAttachment(attachment), object.metadata.name));
  });
}

function lookAtClaim({ queue }: Controller, claim: KubeObject | undefined, node: string): void {
  const volume = asText(dig(claim, 'spec', 'volumeName')) ?? '';
  if (node !== '' && volume !== '') queue.add(attachmentKey(volume, node));
}

/** A volume that came free may be waited for on other nodes. */
function attachmentChanged(controller: Controller, attachment: KubeObject, gone: boolean): void {
  const volume = volumeOfAttachment(attachment);
  controller.queue.add(attachmentKey(volume, nodeOfAttachment(attachment)));
  if (!gone) return;
  const object = controller.volumes.get(undefined, volume);
  if (object !== undefined) for (const pod of usersOf(controller, object)) controller.queue.add(attachmentKey(volume, nodeNameOf(pod)));
}

/** The pods on nodes that use a volume and have not ended. */
function usersOf({ pods }: Controller, volume: KubeObject): readonly KubeObject[] {
  const claim = dig(volume, 'spec', 'claimRef');
  const key = keyOf(asText(dig(claim, 'namespace')), asText(dig(claim, 'name')) ?? '');
  return pods.by('claim', key).filter((pod) => nodeNameOf(pod) !== '' && !isFinished(pod));
}

function* sync(controller: Controller, key: string): Routine<SyncResult> {
  const slash = key.indexOf('/');
  const [name, node] = [key.slice(0, slash), key.slice(slash + 1)];
  const object = controller.volumes.get(undefined, name);
  const volume = object === undefined ? undefined : attachable(object, node);
  if (object === undefined || volume === undefined) return;
  if (dig(controller.drivers.get(undefined, volume.driver), 'spec', 'attachRequired') === false) return;
  const users = usersOf(controller, object);
  const here = users.filter((pod) => nodeNameOf(pod) === node);
  const attachment = controller.attachments.get(undefined, attachmentName(volume));
  if (here.length === 0) return attachment === undefined ? undefined : yield* detach(controller, key, volume, attachment);
  controller.unusedSince.delete(key);
  if (attachment === undefined) return yield* attach(controller, key, object, volume, users);
  if (isDeleted(attachment)) return;
  return settle(controller, key, volume, attachment, here);
}

function* attach(
  controller: Controller,
  key: string,
  object: KubeObject,
  volume: AttachableVolume,
  users: readonly KubeObject[],
): Routine<SyncResult> {
  const { host, attachments, refused } = controller;
  const elsewhere = attachments.by('volume', volume.volume).filter((one) => nodeOfAttachment(one) !== volume.node);
  if (elsewhere.length > 0 && !isShareable(object)) {
    if (!refused.has(key)) refuse(controller, volume, users);
    refused.add(key);
    return;
  }
  refused.delete(key);
  const answer = yield* host.client.create({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: attachmentName(volume) },
    spec: { attacher: volume.driver, nodeName: volume.node, source: { persistentVolumeName: volume.volume } },
  });
  return answer.ok || answer.reason === 'AlreadyExists' ? undefined : { retry: answer.message };
}

function refuse({ host }: Controller, volume: AttachableVolume, users: readonly KubeObject[]): void {
  const others = users.filter((pod) => nodeNameOf(pod) !== volume.node);
  for (const pod of users) {
    if (nodeNameOf(pod) !== volume.node) continue;
    const names = others.filter((other) => other.metadata.namespace === pod.metadata.namespace).map((other) => other.metadata.name);
    const why = others.length === 0 ? EXCLUSIVELY_ATTACHED : usedByPods(names, others.length - names.length);
    host.events.event(pod, ATTACH_WORDS.multiAttach(volume.volume, why));
  }
}

/** What became of an attachment that was asked for. */
function settle(
  controller: Controller,
  key: string,
  volume: AttachableVolume,
  attachment: KubeObject,
  here: readonly KubeObject[],
): SyncResult {
  const { host, queue } = controller;
  if (isAttached(attachment)) {
    const known = wasAttachedBefore(controller, volume);
    note(controller, volume, true);
    for (const pod of here) {
      if (known) controller.announced.add(announcement(volume, pod));
      else announce(controller, volume, pod);
    }
    return undefined;
  }
  const error = asText(dig(attachment, 'status', 'attachError', 'message'));
  const left = createdAt(attachment) + ATTACH_TIMEOUT_MILLISECONDS - host.now();
  if (error === undefined && left > 0) {
    queue.addAfter(key, left + 1);
    return undefined;
  }
  const why = error ?? noAttacher(volume.driver, volume.handle);
  for (const pod of here) host.events.event(pod, ATTACH_WORDS.failed(volume.volume, why));
  return error === undefined ? { againAfter: ATTACH_TIMEOUT_MILLISECONDS } : { retry: error };
}

/** Whether it was attached when this process began: then its pods have been told by the one before. */
function wasAttachedBefore({ nodes, attached }: Controller, volume: AttachableVolume): boolean {
  const { node } = volume;
  const name = uniqueName(volume);
  if (attached.get(node)?.has(name) === true) return false;
  return asList(dig(nodes.get(undefined, node), 'status', 'volumesAttached')).some((one) => dig(one, 'name') === name);
}

function announcement(volume: AttachableVolume, pod: KubeObject): string {
  return `${volume.volume} ${pod.metadata.uid ?? ''}`;
}

function announce({ host, announced }: Controller, volume: AttachableVolume, pod: KubeObject): void {
  const key = announcement(volume, pod);
  if (announced.has(key)) return;
  announced.add(key);
  host.events.event(pod, ATTACH_WORDS.attached(volume.volume));
}

/** A node that is well has unmounted it by now; of another nobody knows, so it is given time. */
function* detach(controller: Controller, key: string, volume: AttachableVolume, attachment: KubeObject): Routine<SyncResult> {
  const { host, nodes, unusedSince, queue } = controller;
  if (isDeleted(attachment)) return;
  const node = nodes.get(undefined, volume.node);
  const since = unusedSince.get(key) ?? host.now();
  unusedSince.set(key, since);
  const waits = node !== undefined && !isTrue(node, 'Ready') && !isOutOfService(node);
  if (waits && host.now() < since + FORCE_DETACH_MILLISECONDS) {
    queue.addAfter(key, since + FORCE_DETACH_MILLISECONDS - host.now());
    return;
  }
  unusedSince.delete(key);
  note(controller, volume, false);
  const answer = yield* host.client.delete(refOf(attachment));
  return retryUnlessGone(answer);
}

function isOutOfService(node: KubeObject): boolean {
  return asList(dig(node, 'spec', 'taints')).some((taint) => dig(taint, 'key') === OUT_OF_SERVICE);
}

function note({ attached, reports }: Controller, volume: AttachableVolume, is: boolean): void {
  const names = attached.get(volume.node) ?? new Set<string>();
  const name = uniqueName(volume);
  if (names.has(name) === is) return;
  if (is) names.add(name);
  else names.delete(name);
  attached.set(volume.node, names);
  reports.add(volume.node);
}

/** The kubelet mounts what its node's status says is attached. */
function* report({ host, attached }: Controller, node: string): Routine<SyncResult> {
  const volumesAttached = [...(attached.get(node) ?? [])].map((name) => ({ name, devicePath: '' }));
  const answer = yield* host.client.patch(
    { kind: 'Node', name: node },
    'merge',
    { status: { volumesAttached: volumesAttached.length === 0 ? null : volumesAttached } },
    { subresource: 'status' },
  );
  return retryUnlessGone(answer);
}
