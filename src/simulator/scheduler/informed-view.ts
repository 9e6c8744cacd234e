import type { KubeObject } from '../../model/kube-object.ts';
import type { ComponentHost } from '../components/component.ts';
import type { Informer, ObjectEvent } from '../components/informer.ts';
import { SelectingServices } from '../components/selecting-services.ts';
import { DeviceLedger } from './devices/ledger.ts';
import type { SchedulerCache } from './scheduler-cache.ts';
import type { LookedUpKind, SchedulerView } from './view.ts';

/** The scheduler's view of everything but nodes and pods, out of informers. */
export class InformedView implements SchedulerView {
  readonly cache: SchedulerCache;
  readonly takenVolumes = new Set<string>();
  readonly devices: DeviceLedger;
  readonly #informers: ReadonlyMap<LookedUpKind, Informer>;
  readonly #services: SelectingServices;

  constructor(host: ComponentHost, cache: SchedulerCache) {
    this.cache = cache;
    this.#informers = new Map(KINDS.map((kind) => [kind, host.informer({ kind })] as const));
    this.#services = new SelectingServices(host.informer({ kind: 'Service' }));
    this.devices = new DeviceLedger({
      claim: (namespace, name) => this.find('ResourceClaim', namespace, name),
      slices: () => this.all('ResourceSlice'),
      classes: () => this.all('DeviceClass'),
      now: () => host.now(),
    });
    this.#informers
      .get('ResourceClaim')
      ?.onChange(({ type, key, object }) => this.devices.claimChanged(key, type === 'DELETED' ? undefined : object));
    this.#informers.get('ResourceSlice')?.onChange(() => this.devices.slicesChanged());
    this.#informers.get('DeviceClass')?.onChange(() => {
      this.devices.classesChanged();
      cache.forgetClasses();
    });
  }

  /** Tells of every change of those objects. */
  onChange(handler: (kind: LookedUpKind, event: ObjectEvent) => void): void {
    for (const [kind, informer] of this.#informers) informer.onChange((event) => handler(kind, event));
  }

  /** Runs when the first lists of all of them are there. */
  whenSynced(run: () => void): void {
    let open = this.#informers.size;
    for (const informer of this.#informers.values()) informer.whenSynced(() => void (--open === 0 && run()));
  }

  find(kind: LookedUpKind, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#informers.get(kind)?.get(namespace, name);
  }

  all(kind: LookedUpKind): Iterable<KubeObject> {
    return this.#informers.get(kind)?.list() ?? [];
  }

  servicesOf(namespace: string, labels: Readonly<Record<string, string>>): readonly KubeObject[] {
    return this.#services.of(namespace, labels);
  }
}

const KINDS: readonly LookedUpKind[] = [
  'Namespace',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'StorageClass',
  'CSINode',
  'CSIDriver',
  'CSIStorageCapacity',
  'ResourceClaim',
  'ResourceSlice',
  'DeviceClass',
  'Service',
  'ReplicaSet',
  'StatefulSet',
  'ReplicationController',
  'PodDisruptionBudget',
];
