import { withoutTail } from '../../../base/text.ts';
import type { Instant } from '../../../base/instant.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { sleep } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { wait } from '../../time/routine.ts';
import { TIMING } from '../../time/timing.ts';
import { emptyVolume } from './empty-volume.ts';
import type { FileEntry, FileMount } from '../../programs/file-tree.ts';
import { containersOf, nameOf } from '../pods/pod-fields.ts';
import { isMadeOfPod, showsChange } from './pod-metadata-volume.ts';
import { setUpHostPath } from './volume-host-path.ts';
import { setUpClaim } from './volume-claim.ts';
import { contentOf, UNREGISTERED } from './volume-content.ts';
import { setUpNfs } from './volume-nfs.ts';
import type { MountedVolume } from './volume-mount.ts';
import { filesIn, VolumeMount } from './volume-mount.ts';
import type { SetUp, VolumeSurroundings } from './volume-set-up.ts';
import { MOUNT_FAILED, MOUNT_UNABLE } from '../kubelet-messages.ts';

interface PodVolumes {
  pod: KubeObject;
  /** False when the kubelet does not fetch the pod's objects: no worker has registered it. */
  readonly registered: boolean;
  mounted: readonly MountedVolume[];
  readonly wanted: readonly JsonObject[];
  /** By volume: what its claim lacks, until it lacks nothing. */
  claimTroubles: Map<string, string> | undefined;
  readonly waiting: (() => void)[];
  dropped: boolean;
}

/**
 * Mounts what a pod's containers use, each volume by itself and again after growing waits, whether the pod is being synced or not.
 * Source: pkg/kubelet/volumemanager/{volume_manager.go,reconciler}, pkg/util/goroutinemap/exponentialbackoff.
 */
export class VolumeManager {
  readonly #around: VolumeSurroundings;
  readonly #pods = new Map<string, PodVolumes>();

  constructor(around: VolumeSurroundings) {
    this.#around = around;
  }

  /** Waits until all volumes of a pod are there. What it gives otherwise is the error of the sync, and the event it is told by. */
  *waitFor(
    pod: KubeObject,
    cancelled: () => boolean,
  ): Routine<{ readonly ok: true } | { readonly ok: false; readonly event: string | undefined }> {
    const volumes = this.#volumesOf(pod);
    const began = this.#around.host.now();
    const due = began + WAIT_MILLISECONDS;
    while (volumes.mounted.length < volumes.wanted.length && !cancelled()) {
      const [stuck] = volumes.claimTroubles ?? [];
      if (stuck !== undefined) {
        yield* sleep(this.#around.host, POLL_MILLISECONDS - ((this.#around.host.now() - began) % POLL_MILLISECONDS), 'volume poll');
        return { ok: false, event: MOUNT_UNABLE(stuck[0], stuck[1]) };
      }
      if (!(yield* this.#changeBefore(volumes, due))) return { ok: false, event: undefined };
    }
    return { ok: true };
  }

  /** Mounts the volumes of a pod that no worker has taken: those made of objects fail until they are dropped. */
  tryUnregistered(pod: KubeObject): void {
    this.#volumesOf(pod, false);
  }

  /** The mounts of a container; volumes it names must be mounted. */
  mountsOf(pod: KubeObject, container: JsonObject, subPathOf: (mount: Json) => string): readonly FileMount[] {
    const volumes = this.#pods.get(pod.metadata.uid ?? '');
    const mounts: FileMount[] = [];
    for (const mount of asList(container['volumeMounts'])) {
      const volume = volumes === undefined ? undefined : mountedIn(volumes, asText(dig(mount, 'name')) ?? '');
      const path = asText(dig(mount, 'mountPath'));
      if (volume !== undefined && path !== undefined)
        mounts.push(
          new VolumeMount(volume, withoutTail(path, '/') || '/', {
            pod,
            readOnly: dig(mount, 'readOnly') === true,
            subPath: subPathOf(mount),
          }),
        );
    }
    return Array.from(mounts);
  }

  /** What lies in a mounted volume of a pod. */
  filesOf(pod: KubeObject, volume: string): ReadonlyMap<string, FileEntry> {
    const mounted = this.#mountedOf(pod, volume);
    return mounted === undefined ? new Map() : filesIn(mounted);
  }

  /** Puts files into a mounted volume of a pod. */
  fill(pod: KubeObject, volume: string, files: ReadonlyMap<string, FileEntry>): void {
    const mounted = this.#mountedOf(pod, volume);
    if (mounted !== undefined) mounted.replaced = files;
  }

  #mountedOf(pod: KubeObject, volume: string): MountedVolume | undefined {
    const volumes = this.#pods.get(pod.metadata.uid ?? '');
    return volumes === undefined ? undefined : mountedIn(volumes, volume);
  }

  /** Looks at the pods that use an object, since it changed: their volumes show it after the next sync of the pod. */
  objectChanged(ref: ObjectRef): void {
    const { host } = this.#around;
    for (const volumes of this.#pods.values()) {
      if (volumes.pod.metadata.namespace !== ref.namespace) continue;
      const using = volumes.wanted.filter((volume) => JSON.stringify(volume).includes(`"${ref.name}"`));
      if (using.length > 0) host.after(host.prng.between(1000, 90_000), 'volume refresh', () => host.spawn(this.#refresh(volumes, using)));
    }
  }

  /** Pods that have the volume of a claim (`shop/goods`) mounted. */
  podsUsing(claim: string): readonly KubeObject[] {
    return [...this.#pods.values()]
      .filter((volumes) =>
        volumes.wanted.some(
          (volume) =>
            mountedIn(volumes, nameOf(volume)) !== undefined &&
            `${volumes.pod.metadata.namespace}/${claimNameOf(volume, volumes.pod)}` === claim,
        ),
      )
      .map(({ pod }) => pod);
  }

  drop(podUid: string): void {
    const volumes = this.#pods.get(podUid);
    if (volumes === undefined) return;
    volumes.dropped = true;
    this.#pods.delete(podUid);
    for (const wake of volumes.waiting.splice(0)) wake();
  }

  /** Lets everything that waits look again: a sync was cancelled. */
  wake(podUid: string): void {
    for (const wake of this.#pods.get(podUid)?.waiting.splice(0) ?? []) wake();
  }

  #volumesOf(pod: KubeObject, registered = true): PodVolumes {
    const uid = pod.metadata.uid ?? '';
    const known = this.#pods.get(uid);
    if (known !== undefined) {
      const changed = showsChange(known.pod, pod);
      known.pod = pod;
      if (changed) this.#around.host.spawn(this.#refresh(known, known.wanted.filter(isMadeOfPod)));
      return known;
    }
    const volumes: PodVolumes = {
      pod,
      registered,
      mounted: [],
      wanted: usedVolumes(pod),
      claimTroubles: undefined,
      waiting: [],
      dropped: false,
    };
    this.#pods.set(uid, volumes);
    if (volumes.wanted.length > 0) this.#around.host.spawn(this.#mountAll(volumes));
    return volumes;
  }

  /**
   * What mounts at the first attempt is there a moment later, all at once; what fails goes on by itself. Claims are looked up by the loop
   * that comes before the one that mounts. Source: pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go.
   */
  *#mountAll(volumes: PodVolumes): Routine {
    const { host } = this.#around;
    const started = host.now();
    const claims = volumes.wanted.filter(isClaim);
    if (claims.length > 0) yield* sleep(host, LOOP_MILLISECONDS * host.prng.between(0, 1), 'claims');
    yield* this.#mountEach(volumes, claims);
    const left = started + FIRST_ATTEMPT_MILLISECONDS * host.prng.between(0.75, 1.25) - host.now();
    if (left > 0) yield* sleep(host, left, 'mount');
    yield* this.#mountEach(
      volumes,
      volumes.wanted.filter((volume) => !isClaim(volume)),
    );
    const rest = started + TIMING.mountVolumesMilliseconds * host.prng.between(0.9, 1.1) - host.now();
    if (rest > 0) yield* sleep(host, rest, 'mount');
    this.#tell(volumes);
  }

  *#mountEach(volumes: PodVolumes, some: readonly JsonObject[]): Routine {
    for (const volume of some) {
      const setUp = yield* this.#setUp(volumes, volume);
      if (volumes.dropped) return;
      if (setUp.ok) this.#mounted(volumes, volume, setUp);
      else this.#around.host.spawn(this.#again(volumes, volume, setUp));
    }
  }

  *#again(volumes: PodVolumes, volume: JsonObject, first: Exclude<SetUp, { ok: true }>): Routine {
    const { host } = this.#around;
    let failure: SetUp = first;
    let pause = INITIAL_WAIT_MILLISECONDS;
    while (!failure.ok) {
      this.#failed(volumes, volume, failure);
      const wakes = failure.kind === 'operation' ? pause : POLL_MILLISECONDS * 10;
      yield* sleep(host, wakes + host.prng.between(5, 70), `mount ${nameOf(volume)}`);
      if (volumes.dropped) return;
      if (failure.kind === 'operation') pause = Math.min(LONGEST_WAIT_MILLISECONDS, pause * 2);
      failure = yield* this.#setUp(volumes, volume);
      if (volumes.dropped) return;
    }
    this.#mounted(volumes, volume, failure);
    yield* sleep(host, host.prng.between(50, POLL_MILLISECONDS), 'volume poll');
    this.#tell(volumes);
  }

  #failed(volumes: PodVolumes, volume: JsonObject, failure: Exclude<SetUp, { ok: true }>): void {
    const name = nameOf(volume);
    if (failure.kind === 'claim') {
      (volumes.claimTroubles ??= new Map()).set(name, failure.trouble);
      this.#tell(volumes);
    } else volumes.claimTroubles?.delete(name);
    if (failure.kind !== 'operation') return;
    this.#around.host.events.event(volumes.pod, {
      type: 'Warning',
      reason: 'FailedMount',
      message: MOUNT_FAILED(failure.volume ?? name, failure.trouble, failure.step),
    });
  }

  #mounted(volumes: PodVolumes, volume: JsonObject, setUp: Extract<SetUp, { ok: true }>): void {
    const name = nameOf(volume);
    volumes.claimTroubles?.delete(name);
    volumes.mounted = volumes.mounted.concat({ name, setUp, replaced: undefined, inMemory: isInMemory(volume) });
  }

  #tell(volumes: PodVolumes): void {
    for (const wake of volumes.waiting.splice(0)) wake();
  }

  /** Waits for a change of the pod's volumes; false when it is late. */
  *#changeBefore(volumes: PodVolumes, due: Instant): Routine<boolean> {
    const { host } = this.#around;
    return yield* wait<boolean>((resume) => {
      let answered = false;
      const answer = (inTime: boolean): void => {
        if (answered) return;
        answered = true;
        late.cancel();
        resume(inTime);
      };
      const late = host.at(due, 'volumes time out', () => answer(false));
      volumes.waiting.push(() => answer(true));
    });
  }

  *#refresh(volumes: PodVolumes, using: readonly JsonObject[]): Routine {
    for (const volume of using) {
      const setUp = yield* this.#setUp(volumes, volume);
      const mounted = mountedIn(volumes, nameOf(volume));
      if (volumes.dropped || mounted === undefined || !setUp.ok || setUp.write !== undefined) continue;
      mounted.replaced = setUp.files;
      this.#around.runtime.sandboxOf(volumes.pod.metadata.uid ?? '')?.netns.changed();
    }
  }

  *#setUp(volumes: PodVolumes, volume: JsonObject): Routine<SetUp> {
    const { pod } = volumes;
    const kind = Object.keys(volume).find((field) => field !== 'name' && volume[field] !== undefined) ?? 'emptyDir';
    const source = isJsonObject(volume[kind]) ? volume[kind] : {};
    switch (kind) {
      case 'configMap':
      case 'secret':
      case 'projected':
      case 'downwardAPI': {
        const content = yield* contentOf(kind, source, {
          pod,
          host: this.#around.host,
          objects: volumes.registered ? this.#around.objects : UNREGISTERED,
          allocatable: dig(this.#around.node(), 'status', 'allocatable'),
        });
        return content.ok
          ? { ok: true, files: content.files, plugin: kind === 'downwardAPI' ? 'downward-api' : kind.toLowerCase() }
          : { ok: false, kind: 'operation', trouble: content.trouble };
      }
      case 'hostPath':
        return setUpHostPath(source, this.#around.runtime.hostFiles);
      case 'persistentVolumeClaim':
      case 'ephemeral':
        return yield* setUpClaim(claimNameOf(volume, pod), volume, volumes.pod, this.#around);
      case 'csi':
        return yield* this.#inline(asText(source['driver']) ?? '');
      case 'nfs':
        return yield* setUpNfs(source, nameOf(volume), pod.metadata.uid ?? '', this.#around);
      // Empty until its image is there; nobody writes to it.
      case 'image':
        return { ok: true, files: new Map(), plugin: 'image' };
      case 'gitRepo':
        return { ok: false, kind: 'operation', step: 'FindPluginBySpec', trouble: 'no volume plugin matched' };
      default:
        return { ok: true, ...emptyVolume(), plugin: kind === 'emptyDir' ? 'empty-dir' : kind };
    }
  }

  /**
   * A volume that lives with its pod: nothing attaches it, but the node part of its driver makes it. Source: pkg/volume/csi/csi_mounter.go
   * (SetUpAt).
   */
  *#inline(driver: string): Routine<SetUp> {
    const { host } = this.#around;
    const csiNode = yield* host.client.get({ kind: 'CSINode', name: host.node });
    const registered = csiNode.ok && asList(dig(csiNode.object, 'spec', 'drivers')).some((each) => dig(each, 'name') === driver);
    if (!registered)
      return {
        ok: false,
        kind: 'operation',
        trouble: `kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name ${driver} not found in the list of registered CSI drivers`,
      };
    const faults = host.world.datacenter.storageFaults.get(driver);
    if (faults?.publish !== undefined) return { ok: false, kind: 'operation', trouble: faults.publish };
    return { ok: true, ...emptyVolume(), plugin: 'csi' };
  }
}

function mountedIn({ mounted }: PodVolumes, volume: string): MountedVolume | undefined {
  return mounted.find(({ name }) => name === volume);
}

function isClaim(volume: JsonObject): boolean {
  return volume['persistentVolumeClaim'] !== undefined || volume['ephemeral'] !== undefined;
}

/** The claim a volume names, or the one that is made for it. */
function claimNameOf(volume: JsonObject, pod: KubeObject): string {
  return asText(dig(volume, 'persistentVolumeClaim', 'claimName')) ?? `${pod.metadata.name}-${nameOf(volume)}`;
}

/** Source: pkg/volume/{emptydir,secret,projected,downwardapi}: those that must not be written to a disk lie in a tmpfs. */
function isInMemory(volume: JsonObject): boolean {
  return (
    dig(volume, 'emptyDir', 'medium') === 'Memory' || ['secret', 'projected', 'downwardAPI'].some((kind) => volume[kind] !== undefined)
  );
}

function usedVolumes(pod: KubeObject): readonly JsonObject[] {
  const used = new Set<string>();
  for (const field of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    for (const container of containersOf(pod, field)) {
      for (const mount of [...asList(container['volumeMounts']), ...asList(container['volumeDevices'])])
        used.add(asText(dig(mount, 'name')) ?? '');
    }
  }
  return Array.from(
    asList(dig(pod, 'spec', 'volumes'))
      .filter(isJsonObject)
      .filter((volume) => used.has(nameOf(volume))),
  );
}

const WAIT_MILLISECONDS = 123_000;
const POLL_MILLISECONDS = 300;
const LOOP_MILLISECONDS = 100;
const FIRST_ATTEMPT_MILLISECONDS = 150;
const INITIAL_WAIT_MILLISECONDS = 500;
const LONGEST_WAIT_MILLISECONDS = 122_000;
