import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import { sleep } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { timeOf } from '../../time/api-times.ts';
import type { SyncResult } from '../../components/work-queue.ts';
import { retryUnlessGone } from '../../components/work-queue.ts';
import { isDeleted } from '../ownership.ts';
import { isAttached, nodeOfAttachment } from './attached-volume.ts';

/**
 * The external attacher of every CSI driver that is installed (has a CSIDriver object): does what VolumeAttachments ask for.
 * Source: kubernetes-csi/external-attacher (pkg/controller/csi_handler.go).
 */
export const CSI_ATTACHER: ComponentDefinition = { name: 'csi-attacher', process: 'csi-attacher', start };

/** What attaching a volume takes a storage system. */
const ATTACH_MILLISECONDS = 800;

function start(host: ComponentHost): void {
  const attachments = host.informer({ kind: 'VolumeAttachment' });
  const [drivers, nodes] = [host.informer({ kind: 'CSIDriver' }), host.informer({ kind: 'CSINode' })];
  const queue = host.queue({ name: 'attachments', workers: 10, retryFrom: 1000, retryTo: 300_000 }, (name) =>
    sync(host, attachments, drivers, nodes, name),
  );
  attachments.onChange(({ object, type, previous }) => {
    // What it wrote about a failure is no reason to try again.
    const own = type === 'MODIFIED' && previous !== undefined && dig(object, 'status', 'attachError') !== undefined && !isDeleted(object);
    if (type !== 'DELETED' && !own) queue.add(object.metadata.name);
  });
  drivers.onChange(({ type }) => {
    if (type === 'ADDED') for (const attachment of attachments.list()) queue.add(attachment.metadata.name);
  });
}

function* sync(host: ComponentHost, attachments: Informer, drivers: Informer, nodes: Informer, name: string): Routine<SyncResult> {
  const attachment = attachments.get(undefined, name);
  const driver = asText(dig(attachment, 'spec', 'attacher')) ?? '';
  if (attachment === undefined || drivers.get(undefined, driver) === undefined) return;
  const finalizer = `external-attacher/${driver.replaceAll('.', '-')}`;
  if (isDeleted(attachment)) return yield* detach(host, attachment, finalizer);
  if (isAttached(attachment)) return;
  const finalizers = asList(attachment.metadata['finalizers']);
  if (!finalizers.includes(finalizer)) {
    const marked = yield* host.client.patch(refOf(attachment), 'merge', { metadata: { finalizers: [...finalizers, finalizer] } });
    if (!marked.ok) return retryUnlessGone(marked);
  }
  const node = nodeOfAttachment(attachment);
  const known = asList(dig(nodes.get(undefined, node), 'spec', 'drivers')).some((one) => dig(one, 'name') === driver);
  const error = known ? host.world.datacenter.storageFaults.get(driver)?.attach : `CSINode ${node} does not contain driver ${driver}`;
  return yield* attach(host, attachment, error);
}

function* detach(host: ComponentHost, attachment: KubeObject, finalizer: string): Routine<SyncResult> {
  const finalizers = asList(attachment.metadata['finalizers']);
  if (!finalizers.includes(finalizer)) return;
  yield* sleep(host, ATTACH_MILLISECONDS * host.prng.between(0.75, 1.25), 'detach volume');
  const left = finalizers.filter((one) => one !== finalizer);
  return retryUnlessGone(
    yield* host.client.patch(refOf(attachment), 'merge', { metadata: { finalizers: left.length === 0 ? null : left } }),
  );
}

function* attach(host: ComponentHost, attachment: KubeObject, error: string | undefined): Routine<SyncResult> {
  yield* sleep(host, ATTACH_MILLISECONDS * host.prng.between(0.75, 1.25), 'attach volume');
  const status =
    error === undefined
      ? { attached: true, attachError: null }
      : { attached: false, attachError: { message: error, time: timeOf(host.now()) } };
  const answer = yield* host.client.patch(refOf(attachment), 'merge', { status }, { subresource: 'status' });
  if (!answer.ok) return retryUnlessGone(answer);
  return error === undefined ? undefined : { retry: error };
}
