import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import type { ComponentHost } from '../../components/component.ts';
import { sleep } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';

/** Lets file systems of mounted volumes grow when their volumes have. Source: pkg/kubelet/volumemanager/populator (checkVolumeFSResize). */
export function followGrowth(host: ComponentHost, volumes: { podsUsing(claim: string): readonly KubeObject[] }): void {
  host.onStop(
    host.world.datacenter.onVolumeGrowth((claim) => {
      const pods = volumes.podsUsing(claim);
      if (pods.length === 0) return;
      // The desired state is looked through all the time, and what differs is put right a moment later.
      host.after(host.prng.between(100, 400), 'grow file system', () => host.spawn(growClaim(host, claim, pods)));
    }),
  );
}

function* growClaim(host: ComponentHost, key: string, pods: readonly KubeObject[]): Routine {
  const [namespace = '', name = ''] = key.split('/');
  const claim = yield* host.client.get({ kind: 'PersistentVolumeClaim', namespace, name });
  if (claim.ok) yield* growFileSystem(host, claim.object, pods);
}

/** Source: pkg/volume/util/operationexecutor/node_expander.go. */
export function* growFileSystem(host: ComponentHost, claim: KubeObject, pods: readonly KubeObject[]): Routine {
  if (dig(claim, 'status', 'allocatedResourceStatuses', 'storage') !== 'NodeResizePending') return;
  yield* sleep(host, 200, 'grow file system');
  const volume = asText(dig(claim, 'spec', 'volumeName')) ?? '';
  const conditions = asList(dig(claim, 'status', 'conditions')).filter(
    (condition) => !['Resizing', 'FileSystemResizePending'].includes(asText(dig(condition, 'type')) ?? ''),
  );
  const storage = dig(claim, 'status', 'allocatedResources', 'storage') ?? dig(claim, 'spec', 'resources', 'requests', 'storage') ?? null;
  const status = { capacity: { storage }, allocatedResourceStatuses: null, conditions: conditions.length === 0 ? null : conditions };
  const answer = yield* host.client.patch(refOf(claim), 'merge', { status }, { subresource: 'status' });
  if (!answer.ok) return;
  const grown = {
    type: 'Normal',
    reason: 'FileSystemResizeSuccessful',
    message: `MountVolume.NodeExpandVolume succeeded for volume "${volume}" ${host.node}`,
  } as const;
  for (const pod of pods) host.events.event(pod, grown);
  host.events.event(claim, grown);
}
