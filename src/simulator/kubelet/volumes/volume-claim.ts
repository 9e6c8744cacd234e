import { asList, asText, dig, isJsonObject } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Routine } from '../../time/routine.ts';
import { emptyVolume } from './empty-volume.ts';
import { entryIn } from '../../programs/file-tree.ts';
import { containersOf, nameOf } from '../pods/pod-fields.ts';
import { growFileSystem } from './volume-growth.ts';
import { setUpHostPath } from './volume-host-path.ts';
import { setUpNfs } from './volume-nfs.ts';
import type { SetUp, VolumeSurroundings } from './volume-set-up.ts';

/** A volume behind a claim: processed, attached, staged and published. Source: pkg/kubelet/volumemanager/populator, pkg/volume/csi. */
export function* setUpClaim(claimName: string, volume: JsonObject, pod: KubeObject, around: VolumeSurroundings): Routine<SetUp> {
  const namespace = pod.metadata.namespace ?? '';
  const claim = yield* around.host.client.get({ kind: 'PersistentVolumeClaim', namespace, name: claimName });
  if (!claim.ok) return processing(namespace, claimName, `failed to fetch PVC from API server: ${claim.message}`);
  if (
    volume['ephemeral'] !== undefined &&
    !asList(claim.object.metadata['ownerReferences']).some((owner) => dig(owner, 'uid') === pod.metadata.uid)
  ) {
    return {
      ok: false,
      kind: 'claim',
      trouble: `PVC ${namespace}/${claimName} was not created for pod ${namespace}/${pod.metadata.name} (pod is not owner)`,
    };
  }
  if (claim.object.metadata['deletionTimestamp'] !== undefined && dig(claim.object, 'status', 'phase') !== 'Bound')
    return processing(namespace, claimName, 'PVC is being deleted');
  const volumeName = asText(dig(claim.object, 'spec', 'volumeName')) ?? '';
  if (dig(claim.object, 'status', 'phase') !== 'Bound' || volumeName === '') return processing(namespace, claimName, 'PVC is not bound');
  const found = yield* around.host.client.get({ kind: 'PersistentVolume', name: volumeName });
  if (!found.ok) return processing(namespace, claimName, `failed to fetch PV ${volumeName} from API server: ${found.message}`);
  const mode = modeTrouble(found.object, nameOf(volume), pod);
  if (mode !== undefined) return { ok: false, kind: 'claim', trouble: mode };
  const mounted = yield* mountVolume(found.object, pod, around);
  if (mounted.ok) yield* growFileSystem(around.host, claim.object, [pod]);
  return mounted;
}

function processing(namespace: string, claim: string, trouble: string): SetUp {
  return { ok: false, kind: 'claim', trouble: `error processing PVC ${namespace}/${claim}: ${trouble}` };
}

function modeTrouble(pv: KubeObject, name: string, pod: KubeObject): string | undefined {
  const mode = asText(dig(pv, 'spec', 'volumeMode')) ?? 'Filesystem';
  const wrong = mode === 'Block' ? 'volumeMounts' : 'volumeDevices';
  const all = [...containersOf(pod, 'initContainers'), ...containersOf(pod, 'containers')];
  const used = all.some((container) => asList(container[wrong]).some((mount) => dig(mount, 'name') === name));
  return used ? `volume ${name} has volumeMode ${mode}, but is specified in ${wrong}` : undefined;
}

function* mountVolume(pv: KubeObject, pod: KubeObject, around: VolumeSurroundings): Routine<SetUp> {
  const name = pv.metadata.name;
  const local = asText(dig(pv, 'spec', 'local', 'path'));
  const { hostFiles } = around.runtime;
  if (local !== undefined && entryIn(hostFiles, local) === undefined)
    return { ok: false, kind: 'operation', volume: name, step: 'NewMounter initialization', trouble: `path "${local}" does not exist` };
  if (local !== undefined) return setUpHostPath({ path: local, type: '' }, hostFiles);
  const hostPath = dig(pv, 'spec', 'hostPath');
  if (hostPath !== undefined) {
    const setUp = setUpHostPath(hostPath as JsonObject, hostFiles);
    return setUp.ok || setUp.kind !== 'operation' ? setUp : { ...setUp, volume: name };
  }
  const nfs = dig(pv, 'spec', 'nfs');
  if (isJsonObject(nfs)) {
    const mounted = yield* setUpNfs(nfs, name, pod.metadata.uid ?? '', around);
    return mounted.ok || mounted.kind !== 'operation' ? mounted : { ...mounted, volume: name };
  }
  const driver = asText(dig(pv, 'spec', 'csi', 'driver'));
  return driver === undefined ? { ok: true, ...emptyVolume(), plugin: 'nfs' } : yield* mountCsi(pv, driver, pod, around);
}

function* mountCsi(pv: KubeObject, driver: string, pod: KubeObject, { host, node }: VolumeSurroundings): Routine<SetUp> {
  const volume = pv.metadata.name;
  const handle = asText(dig(pv, 'spec', 'csi', 'volumeHandle')) ?? '';
  const definition = yield* host.client.get({ kind: 'CSIDriver', name: driver });
  const attaches = !definition.ok || dig(definition.object, 'spec', 'attachRequired') !== false;
  const attached = asList(dig(node(), 'status', 'volumesAttached')).some(
    (each) => dig(each, 'name') === `kubernetes.io/csi/${driver}^${handle}`,
  );
  // The wait for the attachment is in the kubelet's log only.
  if (attaches && !attached) return { ok: false, kind: 'silent', trouble: 'volume not attached according to node status' };
  const csiNode = yield* host.client.get({ kind: 'CSINode', name: host.node });
  const registered = csiNode.ok && asList(dig(csiNode.object, 'spec', 'drivers')).some((each) => dig(each, 'name') === driver);
  if (!registered)
    return {
      ok: false,
      kind: 'operation',
      volume,
      step: 'MountDevice',
      trouble: `kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name ${driver} not found in the list of registered CSI drivers`,
    };
  const faults = host.world.datacenter.storageFaults.get(driver);
  if (faults?.stage !== undefined) return { ok: false, kind: 'operation', volume, step: 'MountDevice', trouble: faults.stage };
  const secret = yield* secretTrouble(pv, host);
  if (secret !== undefined) return { ok: false, kind: 'operation', volume, trouble: secret };
  if (faults?.publish !== undefined) return { ok: false, kind: 'operation', volume, trouble: faults.publish };
  const fsGroup = dig(pod, 'spec', 'securityContext', 'fsGroup');
  host.record('container', {
    node: host.node,
    pod: `${pod.metadata.namespace}/${pod.metadata.name}`,
    what: 'volume mounted',
    volume,
    ...(typeof fsGroup === 'number' ? { fsGroup } : {}),
  });
  return { ok: true, ...emptyVolume(), plugin: 'csi' };
}

function* secretTrouble(pv: KubeObject, host: VolumeSurroundings['host']): Routine<string | undefined> {
  const ref = dig(pv, 'spec', 'csi', 'nodePublishSecretRef');
  const [name, namespace] = [asText(dig(ref, 'name')), asText(dig(ref, 'namespace'))];
  if (name === undefined || namespace === undefined) return undefined;
  const secret = yield* host.client.get({ kind: 'Secret', namespace, name });
  if (secret.ok) return undefined;
  return `fetching NodePublishSecretRef ${namespace}/${name} failed: kubernetes.io/csi: failed to find the secret ${name} in the namespace ${namespace} with error: ${secret.message}`;
}
