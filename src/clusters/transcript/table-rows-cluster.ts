import { formatInstant, parseInstant } from '../../base/instant.ts';
import type { Json } from '../../base/json.ts';
import { given, integer } from './draft.ts';
import { accessModes } from './printed-values.ts';
import type { RowReader } from './row-reader.ts';
import { showGiven, showNumber } from './table-rows-workloads.ts';

/** The annotation of a default StorageClass. */
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

/** Rows of nodes, storage, quotas and names. Source: pkg/printers/internalversion/printers.go. */
export const CLUSTER_ROWS: Readonly<Record<string, RowReader>> = {
  Node(cell, draft) {
    const words = given(cell('STATUS'))?.split(',');
    if (words !== undefined) {
      draft.show('spec.unschedulable', words.includes('SchedulingDisabled'));
      const ready = words.includes('Ready') ? 'True' : words.includes('NotReady') ? 'False' : 'Unknown';
      draft.set('status.conditions', [{ type: 'Ready', status: ready }]);
    }
    // The column is made of these labels. Source: pkg/printers/internalversion/printers.go (findNodeRoles).
    const roles = given(cell('ROLES'))?.split(',') ?? [];
    if (roles.length > 0 && cell('LABELS') === undefined)
      draft.set('metadata.labels', Object.fromEntries(roles.map((role) => [`node-role.kubernetes.io/${role}`, ''])));
    const addresses: Json[] = [];
    for (const [title, type] of [
      ['INTERNAL-IP', 'InternalIP'],
      ['EXTERNAL-IP', 'ExternalIP'],
    ] as const) {
      const address = given(cell(title));
      if (address !== undefined) addresses.push({ type, address });
    }
    if (addresses.length > 0) draft.set('status.addresses', addresses);
    showGiven(draft, 'status.nodeInfo.kubeletVersion', cell('VERSION'));
    showGiven(draft, 'status.nodeInfo.osImage', cell('OS-IMAGE'));
    showGiven(draft, 'status.nodeInfo.kernelVersion', cell('KERNEL-VERSION'));
    showGiven(draft, 'status.nodeInfo.containerRuntimeVersion', cell('CONTAINER-RUNTIME'));
  },
  PersistentVolumeClaim(cell, draft) {
    const status = given(cell('STATUS'));
    if (status !== undefined && status !== 'Terminating') draft.show('status.phase', status);
    showGiven(draft, 'spec.volumeName', cell('VOLUME'));
    showGiven(draft, 'status.capacity.storage', cell('CAPACITY'));
    if (cell('ACCESS MODES') !== undefined) draft.show('status.accessModes', accessModes(cell('ACCESS MODES')));
    showGiven(draft, 'spec.storageClassName', cell('STORAGECLASS'));
    showGiven(draft, 'spec.volumeMode', cell('VOLUMEMODE'));
  },
  PersistentVolume(cell, draft) {
    showGiven(draft, 'spec.capacity.storage', cell('CAPACITY'));
    if (cell('ACCESS MODES') !== undefined) draft.show('spec.accessModes', accessModes(cell('ACCESS MODES')));
    showGiven(draft, 'spec.persistentVolumeReclaimPolicy', cell('RECLAIM POLICY'));
    const status = given(cell('STATUS'));
    if (status !== undefined && status !== 'Terminating') draft.show('status.phase', status);
    const claim = cell('CLAIM');
    const [namespace, name] = given(claim)?.split('/') ?? [];
    if (claim !== undefined) {
      if (namespace !== undefined && name !== undefined) draft.set('spec.claimRef', { kind: 'PersistentVolumeClaim', namespace, name });
      draft.covers('spec.claimRef.name', 'spec.claimRef.namespace');
    }
    showGiven(draft, 'spec.storageClassName', cell('STORAGECLASS'));
    showGiven(draft, 'status.reason', cell('REASON'));
    showGiven(draft, 'spec.volumeMode', cell('VOLUMEMODE'));
  },
  StorageClass(cell, draft) {
    showGiven(draft, 'provisioner', cell('PROVISIONER'));
    showGiven(draft, 'reclaimPolicy', cell('RECLAIMPOLICY'));
    showGiven(draft, 'volumeBindingMode', cell('VOLUMEBINDINGMODE'));
    const expansion = cell('ALLOWVOLUMEEXPANSION');
    if (expansion !== undefined) draft.show('allowVolumeExpansion', expansion === 'true');
    if (cell('NAME')?.endsWith(' (default)') === true) draft.set('metadata.annotations', { [DEFAULT_CLASS]: 'true' });
    draft.covers(`metadata.annotations.${DEFAULT_CLASS}`);
  },
  VolumeAttachment(cell, draft) {
    showGiven(draft, 'spec.attacher', cell('ATTACHER'));
    showGiven(draft, 'spec.source.persistentVolumeName', cell('PV'));
    showGiven(draft, 'spec.nodeName', cell('NODE'));
    if (cell('ATTACHED') !== undefined) draft.show('status.attached', cell('ATTACHED') === 'true');
  },
  ResourceQuota(cell, draft) {
    const [request, limit] = [cell('REQUEST'), cell('LIMIT')];
    if (request === undefined) return;
    const [hard, used]: [Record<string, string>, Record<string, string>] = [{}, {}];
    for (const piece of `${request}, ${limit ?? ''}`.split(',')) {
      const amounts = /^\s*([\w./-]+): ([^/\s]+)\/(\S+)\s*$/.exec(piece);
      if (amounts === null) continue;
      const [, resource = '', usedText = '', hardText = ''] = amounts;
      [hard[resource], used[resource]] = [hardText, usedText];
    }
    draft
      .show('spec.hard', hard)
      .show('status.hard', { ...hard })
      .show('status.used', used);
  },
  LimitRange(cell, draft) {
    const created = parseInstant(cell('CREATED AT'));
    if (created !== undefined) draft.show('metadata.creationTimestamp', formatInstant(created));
  },
  Secret: (cell, draft) => showGiven(draft, 'type', cell('TYPE')),
  Namespace: (cell, draft) => showGiven(draft, 'status.phase', cell('STATUS')),
  PriorityClass(cell, draft) {
    showNumber(draft, 'value', integer(cell('VALUE')));
    if (cell('GLOBAL-DEFAULT') !== undefined) draft.show('globalDefault', cell('GLOBAL-DEFAULT') === 'true');
  },
  RuntimeClass: (cell, draft) => showGiven(draft, 'handler', cell('HANDLER')),
  IngressClass: (cell, draft) => showGiven(draft, 'spec.controller', cell('CONTROLLER')),
  Lease: (cell, draft) => showGiven(draft, 'spec.holderIdentity', cell('HOLDER')),
};
