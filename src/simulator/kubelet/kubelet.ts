import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { ComponentDefinition, ComponentHost } from '../components/component.ts';
import type { ObjectEvent } from '../components/informer.ts';
import type { KubeletEndpoint, LogReading } from '../outside/outside-world.ts';
import type { Rejection } from './node/pod-admission.ts';
import { rejectionOf } from './node/pod-admission.ts';
import { followDeviceDrivers } from './devices/device-slices.ts';
import { BackOff } from './containers/back-off.ts';
import { manageCertificates } from './node/certificate-manager.ts';
import { Evictor } from './node/eviction.ts';
import { startAttach } from '../programs/program-streams.ts';
import { startExec } from './runtime/exec.ts';
import { ImageManager } from './images/image-manager.ts';
import type { KubeletParts } from './kubelet-parts.ts';
import { NodeStatus } from './node/node-status.ts';
import { ObjectCache } from './object-cache.ts';
import { isMirror } from './pods/pod-fields.ts';
import type { RepeatedCrashesOf } from './pods/repeated-crashes.ts';
import { PodWorker } from './pods/pod-worker.ts';
import { RejectedPods } from './pods/rejected-pods.ts';
import { Prober } from './probes/prober.ts';
import { StaticPods } from './pods/static-pods.ts';
import { StatusWriter } from './status/status-writer.ts';
import { Ticks } from './sync-times.ts';
import { followGrowth } from './volumes/volume-growth.ts';
import { VolumeManager } from './volumes/volumes.ts';

/** The kubelet of a machine: takes the pods bound to its node, runs them, and reports on them and on the node. */
export function kubeletWith(crashesOf: RepeatedCrashesOf): ComponentDefinition {
  return { name: 'kubelet', process: 'kubelet', start: (host) => new Kubelet(host, crashesOf).start() };
}

class Kubelet {
  readonly #host: ComponentHost;
  readonly #crashesOf: RepeatedCrashesOf;
  readonly #workers = new Map<string, PodWorker>();
  readonly #parts: KubeletParts;
  readonly #node: NodeStatus;
  readonly #statics: StaticPods;
  readonly #evictor: Evictor;
  /** Pods that were not taken, or were over before this kubelet came. */
  readonly #rejected: RejectedPods;

  constructor(host: ComponentHost, crashesOf: RepeatedCrashesOf) {
    this.#host = host;
    this.#crashesOf = crashesOf;
    const { datacenter } = host.world;
    const runtime = datacenter.runtime(host.node);
    const ticks = new Ticks(host.now(), host.prng);
    const node = (): KubeObject | undefined => this.#node.object();
    const objects: ObjectCache = new ObjectCache(host, (ref) => this.#parts.volumes.objectChanged(ref));
    this.#parts = {
      host,
      runtime,
      objects,
      ticks,
      node,
      hostIp: runtime.netns.ip,
      rejection: (pod) => this.#rejection(pod),
      volumes: new VolumeManager({ host, runtime, objects, node }),
      images: new ImageManager(host, runtime, objects),
      prober: new Prober(host, runtime, (uid, kind) => this.#workers.get(uid)?.probed(kind)),
      restarts: new BackOff(10_000, 300_000),
      statuses: new StatusWriter(host, (pod) => this.#apiPod(pod)),
      services: (namespace) => datacenter.network.view.linkedIn(namespace),
    };
    this.#node = new NodeStatus(host, runtime, () => {
      for (const worker of this.#workers.values()) if (worker.active) this.#parts.statuses.again(worker.pod);
    });
    this.#statics = new StaticPods(
      host,
      (pod) => this.#admit(pod),
      (uid) => this.#workers.get(uid)?.remove(),
      (pod) => this.#parts.statuses.again(pod),
    );
    this.#rejected = new RejectedPods(this.#parts, (pod, ending, podIp) => {
      this.#work(this.#apiPod(pod) ?? pod).conclude(ending, podIp);
    });
    this.#evictor = new Evictor(host, runtime, ticks, this.#node, () => [...this.#workers.values()].filter((worker) => worker.active));
  }

  start(): void {
    const { host, runtime } = this.#parts;
    runtime.attach({
      record: (fields) => host.record('container', fields),
      containerChanged: (uid) => this.#containerChanged(uid),
      memoryChanged: () => this.#evictor.look(),
      reachabilityChanged: () => this.#runtimeChanged(),
    });
    followGrowth(host, this.#parts.volumes);
    host.world.kubelets.set(host.node, {
      readLog: (pod, container, previous) => this.#readLog(pod, container, previous),
      exec: (...wanted) => this.#exec(...wanted),
      sandbox: (pod) => {
        const sandbox = runtime.sandboxOf(this.#uidOf(pod));
        return sandbox?.ready === true ? sandbox : undefined;
      },
    });
    host.onStop(() => {
      runtime.attach(undefined);
      host.world.kubelets.delete(host.node);
      for (const worker of this.#workers.values()) worker.abandon();
    });
    this.#node.start(() => {
      manageCertificates(host);
      followDeviceDrivers(host);
      this.#evictor.begin();
      const pods = host.informer({ kind: 'Pod', fieldSelector: `spec.nodeName=${host.node}` });
      this.#lookUp = (namespace, name) => pods.get(namespace, name);
      pods.onChange((event) => this.#podChanged(event));
      pods.whenSynced(() => {
        this.#statics.start(this.#lookUp);
        this.#forgetOrphans();
        this.#evictor.look();
      });
    });
  }

  #lookUp: (namespace: string | undefined, name: string) => KubeObject | undefined = () => undefined;

  #podChanged({ type, object }: ObjectEvent): void {
    if (isMirror(object)) {
      this.#statics.mirrorChanged(type, object);
      return;
    }
    const uid = object.metadata.uid ?? '';
    const worker = this.#workers.get(uid);
    if (type === 'DELETED') (worker ?? this.#leftOver(object))?.remove();
    else if (worker !== undefined) worker.update(object);
    else if (!this.#rejected.has(uid)) this.#admit(object);
    else if (object.metadata['deletionTimestamp'] !== undefined) this.#endRejected(object);
    if (type === 'DELETED') this.#rejected.delete(uid);
  }

  /** A pod that was not taken may still run when it is gone. */
  #leftOver(pod: KubeObject): PodWorker | undefined {
    return this.#parts.runtime.sandboxOf(pod.metadata.uid ?? '') === undefined ? undefined : this.#work(pod);
  }

  /** The same when it is to end. */
  #endRejected(pod: KubeObject): void {
    const uid = pod.metadata.uid ?? '';
    if (this.#parts.runtime.sandboxOf(uid) === undefined) {
      this.#letGo(pod);
      return;
    }
    this.#rejected.delete(uid);
    this.#admit(pod);
  }

  #admit(pod: KubeObject): void {
    const uid = pod.metadata.uid ?? '';
    const over = ['Succeeded', 'Failed'].includes(asText(dig(pod, 'status', 'phase')) ?? '');
    if (over) {
      this.#rejected.add(uid);
      if (pod.metadata['deletionTimestamp'] !== undefined) this.#letGo(pod);
      return;
    }
    const ends = pod.metadata['deletionTimestamp'] !== undefined;
    const rejection = ends ? undefined : this.#rejection(pod);
    if (rejection !== undefined) {
      this.#rejected.reject(pod, rejection);
      return;
    }
    const worker = this.#work(pod);
    if (ends) worker.end({ graceSeconds: undefined });
    else worker.request(this.#host.now());
  }

  #work(pod: KubeObject): PodWorker {
    const uid = pod.metadata.uid ?? '';
    const worker = new PodWorker(pod, this.#parts, this.#crashesOf(uid, this.#parts), (finished) => {
      if (this.#workers.get(uid) === finished) this.#workers.delete(uid);
      for (const other of this.#workers.values()) other.retryResize();
    });
    this.#workers.set(uid, worker);
    return worker;
  }

  #rejection(pod: KubeObject): Rejection | undefined {
    const others = [...this.#workers.values()].filter((worker) => worker.active && worker.uid !== pod.metadata.uid);
    return rejectionOf(pod, {
      node: this.#node.object(),
      active: others.map((worker) => worker.pod),
      pressures: this.#node.pressures(),
      unregistered: this.#parts.runtime.faults.unregisteredDevices ?? [],
      numaCpus: this.#parts.runtime.faults.numaCpus,
      hasAppArmor: this.#parts.runtime.faults.appArmorMissing !== true,
    });
  }

  /** A pod that is over and was deleted needs no more than the kubelet's word. */
  #letGo(pod: KubeObject): void {
    const { name, namespace, uid } = pod.metadata;
    this.#host.client.post({
      verb: 'delete',
      group: '',
      version: 'v1',
      resource: 'pods',
      name,
      ...(namespace === undefined ? {} : { namespace }),
      delete: { gracePeriodSeconds: 0, preconditions: uid === undefined ? {} : { uid } },
    });
    if (uid !== undefined) this.#parts.runtime.forget(uid);
  }

  /** Containers of pods that are gone are stopped after a restart. Source: pkg/kubelet/kubelet_pods.go (HandlePodCleanups). */
  #forgetOrphans(): void {
    const { runtime } = this.#parts;
    for (const uid of runtime.podUids()) {
      if (this.#workers.has(uid) || this.#rejected.has(uid)) continue;
      for (const container of runtime.containersOf(uid)) container.process?.kill();
      runtime.forget(uid);
    }
  }

  #containerChanged(uid: string): void {
    const { host, ticks } = this.#parts;
    const changed = host.now();
    host.at(ticks.relistAfter(changed), 'relist', () => {
      const worker = this.#workers.get(uid);
      if (worker?.syncing === true && !worker.hasSeen(changed)) worker.request(host.now());
    });
  }

  #runtimeChanged(): void {
    const { host, runtime } = this.#parts;
    this.#node.look();
    this.#evictor.look();
    if (runtime.faults.down === true) return;
    host.after(host.prng.between(2500, 5000), 'runtime is up', () => {
      for (const worker of this.#workers.values()) {
        worker.unpark(host.now());
        if (runtime.sandboxOf(worker.uid)?.ready === false) worker.request(host.now());
      }
    });
  }

  /** A pod as the API has it; for a static pod its mirror. */
  #apiPod(pod: KubeObject): KubeObject | undefined {
    const { namespace, name, uid = '' } = pod.metadata;
    if (this.#statics.has(uid)) return this.#statics.mirrorOf(uid);
    const known = this.#lookUp(namespace, name);
    return known?.metadata.uid === uid ? known : undefined;
  }

  #uidOf(pod: KubeObject): string {
    return this.#statics.uidOfMirror(pod) ?? pod.metadata.uid ?? '';
  }

  #exec(...[pod, container, wish, sink]: Parameters<KubeletEndpoint['exec']>): ReturnType<KubeletEndpoint['exec']> {
    const { runtime } = this.#parts;
    const running = runtime.containersOf(this.#uidOf(pod)).find((each) => each.name === container && each.state === 'running');
    if (running === undefined) return undefined;
    return wish.attach === true ? startAttach(running, wish, sink) : startExec(runtime, running, wish, sink);
  }

  #readLog(pod: KubeObject, container: string, previous: boolean): LogReading {
    const uid = this.#uidOf(pod);
    const own = this.#parts.runtime.containersOf(uid).filter((each) => each.name === container);
    const wanted = own.at(previous ? -2 : -1);
    if (wanted !== undefined && wanted.state !== 'created')
      return {
        ok: true,
        lines: wanted.logs.map(({ line }) => line),
        log: {
          container: wanted.id,
          times: wanted.logs.map(({ at }) => at),
          before: wanted.droppedLines,
          running: wanted.state === 'running',
        },
      };
    if (previous) return { ok: false, why: `previous terminated container "${container}" in pod "${pod.metadata.name}" not found` };
    const reason = this.#workers.get(uid)?.reasons.get(container);
    return {
      ok: false,
      why: `container "${container}" in pod "${pod.metadata.name}" is waiting to start: ${WAITING_WORDS[reason?.reason ?? ''] ?? reason?.reason ?? waitingReason(pod, container)}`,
    };
  }
}

/** Source: pkg/kubelet/kubelet_pods.go (validateContainerLogStatus). */
const WAITING_WORDS: Readonly<Record<string, string>> = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: 'trying and failing to pull image',
};

function waitingReason(pod: KubeObject, container: string): string {
  const found = asList(dig(pod, 'status', 'containerStatuses')).find((status) => dig(status, 'name') === container);
  return asText(dig(found, 'state', 'waiting', 'reason')) ?? 'ContainerCreating';
}
