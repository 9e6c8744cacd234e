import { digestOf } from '../../../base/digest.ts';
import type { Instant } from '../../../base/instant.ts';
import type { JsonObject } from '../../../base/json.ts';
import { asList, asObject, dig } from '../../../base/json.ts';
import { formatQuantity, parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Task } from '../../time/agenda.ts';
import type { ComponentHost } from '../../components/component.ts';
import { connected, sleep } from '../../components/component.ts';
import { leaseBeat } from '../../components/heartbeats.ts';
import type { EventWords } from '../../components/recorder.ts';
import type { MachineSpec } from '../../outside/machine.ts';
import { machineSpec } from '../../outside/machine.ts';
import type { Routine } from '../../time/routine.ts';
import { microTimeOf, timeOf } from '../../time/api-times.ts';
import type { NodeRuntime } from '../runtime/runtime.ts';
import { NETWORK_NOT_READY } from '../kubelet-messages.ts';
import { KUBERNETES_VERSION } from '../../version.ts';

type Pressure = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

/**
 * The node's object, its conditions and its lease. It is written when something of it changes; that it is alive is a heartbeat
 * (components/heartbeats.ts). Source: pkg/kubelet/{kubelet_node_status.go,nodestatus/setters.go}.
 */
export class NodeStatus {
  readonly #host: ComponentHost;
  readonly #runtime: NodeRuntime;
  readonly #heardAgain: () => void;
  readonly #machine: MachineSpec | undefined;
  readonly #pressures = new Map<Pressure, boolean>([
    ['MemoryPressure', false],
    ['DiskPressure', false],
    ['PIDPressure', false],
  ]);
  readonly #since = new Map<string, Instant>();
  readonly #shown = new Map<string, string>();
  #object: KubeObject | undefined;
  #look: Task | undefined;
  #registered = false;
  #downSince: Instant | undefined;

  /** `heardAgain` is called when the kubelet is answered once more after a time in which it was not. */
  constructor(host: ComponentHost, runtime: NodeRuntime, heardAgain: () => void) {
    this.#host = host;
    this.#heardAgain = heardAgain;
    this.#runtime = runtime;
    this.#machine = host.world.machines.get(host.node)?.spec;
  }

  /** The node as the API has it; undefined until it is registered. */
  object(): KubeObject | undefined {
    return this.#object;
  }

  pressures(): readonly string[] {
    return [...this.#pressures.keys()].filter((pressure) => this.#holds(pressure)).sort();
  }

  #holds(pressure: Pressure): boolean {
    return this.#pressures.get(pressure) === true || this.#runtime.faults.pressures?.includes(pressure) === true;
  }

  /** Registers the node and goes on when it is known. */
  start(ready: () => void): void {
    this.#tellOfStart({ type: 'Normal', reason: 'Starting', message: 'Starting kubelet.' });
    this.#tellOfStart({ type: 'Warning', reason: 'InvalidDiskCapacity', message: 'invalid capacity 0 on image filesystem' });
    this.#host.spawn(this.#register(ready));
  }

  setPressure(pressure: Pressure, holds: boolean): void {
    if (this.#pressures.get(pressure) === holds) return;
    this.#pressures.set(pressure, holds);
    this.#host.spawn(this.#write());
  }

  /** Something of the runtime changed: seen by the next checks, and a runtime is not called down before it was so for 30 s. */
  look(): void {
    const { down } = this.#runtime.faults;
    if (down === true) this.#downSince ??= this.#host.now();
    else this.#downSince = undefined;
    this.#lookAt(this.#host.now() + (down === true ? DOWN_AFTER_MILLISECONDS + 100 : this.#host.prng.between(1000, 5000)));
  }

  #lookAt(at: Instant): void {
    this.#look?.cancel();
    this.#look = this.#host.at(at, 'node status', () => this.#host.spawn(this.#write()));
  }

  *#register(ready: () => void): Routine {
    const host = this.#host;
    for (;;) {
      const answer = yield* host.client.create(this.#newNode());
      if (answer.ok || answer.reason === 'AlreadyExists') break;
      yield* sleep(host, REGISTER_RETRY_MILLISECONDS, 'register node');
      yield* connected(host);
    }
    const nodes = host.informer({ kind: 'Node', fieldSelector: `metadata.name=${host.node}` });
    nodes.onChange(({ type, object, previous }) => this.#changed(type === 'DELETED' ? undefined : object, previous));
    this.#tellOfStart({ type: 'Normal', reason: 'NodeAllocatableEnforced', message: 'Updated Node Allocatable limit across pods' });
    yield* this.#takeLease();
    this.#followDrivers();
    nodes.whenSynced(() => {
      this.#registered = true;
      this.look();
      host.spawn(this.#write());
      ready();
    });
  }

  #changed(object: KubeObject | undefined, previous: KubeObject | undefined): void {
    this.#object = object;
    if (object === undefined || previous === undefined) return;
    const [before, now] = [dig(previous, 'spec', 'unschedulable') === true, dig(object, 'spec', 'unschedulable') === true];
    if (before !== now) this.#say(now ? 'NodeNotSchedulable' : 'NodeSchedulable');
  }

  *#takeLease(): Routine {
    const host = this.#host;
    const spec = { holderIdentity: host.node, leaseDurationSeconds: 40, renewTime: microTimeOf(host.now()) };
    yield* host.client.create({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: host.node, namespace: 'kube-node-lease' },
      spec,
    });
    const beat = leaseBeat('kube-node-lease', host.node);
    let heard = true;
    host.heartbeats.begin(beat, 10_000, () => {
      const before = heard;
      heard = host.connected();
      if (heard && !before) this.#bringAgain();
      return heard;
    });
    host.onStop(() => host.heartbeats.end(beat));
  }

  /** While it was not heard others may have written that the node is lost: its next report says otherwise. */
  #bringAgain(): void {
    this.#lastWritten = '';
    this.#lookAt(this.#host.now() + this.#host.prng.between(0, 10_000));
    this.#heardAgain();
  }

  /** The node part of every CSI driver there is registers itself, unless a scenario keeps it from that. */
  #followDrivers(): void {
    const host = this.#host;
    host.informer({ kind: 'CSIDriver' }).onChange(({ type, object }) => {
      if (type !== 'ADDED' || host.world.datacenter.storageFaults.get(object.metadata.name)?.register !== undefined) return;
      host.spawn(this.#registerDriver(object.metadata.name));
    });
  }

  *#registerDriver(driver: string): Routine {
    const host = this.#host;
    const known = yield* host.client.get({ kind: 'CSINode', name: host.node });
    if (known.ok && asList(dig(known.object, 'spec', 'drivers')).some((each) => dig(each, 'name') === driver)) return;
    const entry = { name: driver, nodeID: host.node, topologyKeys: null };
    const others = known.ok ? asList(dig(known.object, 'spec', 'drivers')).filter((each) => dig(each, 'name') !== driver) : [];
    if (known.ok) yield* host.client.patch({ kind: 'CSINode', name: host.node }, 'merge', { spec: { drivers: [...others, entry] } });
    else
      yield* host.client.create({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSINode',
        metadata: { name: host.node },
        spec: { drivers: [entry] },
      });
  }

  *#write(): Routine {
    if (!this.#registered) return;
    const conditions = this.#conditions();
    const shown = JSON.stringify(conditions.map(({ type, status, message }) => [type, status, message]));
    this.#announce(conditions);
    if (shown === this.#lastWritten) return;
    this.#lastWritten = shown;
    const answer = yield* this.#host.client.patch(
      { kind: 'Node', name: this.#host.node },
      'merge',
      { status: { conditions } },
      { subresource: 'status' },
    );
    if (answer.ok || answer.code === 404) return;
    this.#lastWritten = '';
    this.#host.whenConnected(() => this.#lookAt(this.#host.now() + 10_000));
  }

  #lastWritten = '';

  #conditions(): readonly (JsonObject & { readonly type: string; readonly status: string; readonly message: string })[] {
    const now = this.#host.now();
    const problem = this.#problem(now);
    const entries: (readonly [string, string, string, string])[] = [...this.#pressures.keys()].map((type) => {
      const [yes, no] = PRESSURE_WORDS[type];
      const holds = this.#holds(type);
      return [type, holds ? 'True' : 'False', ...(holds ? yes : no)] as const;
    });
    entries.push(
      problem === undefined
        ? ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status']
        : ['Ready', 'False', 'KubeletNotReady', problem],
    );
    return entries.map(([type, status, reason, message]) => {
      const key = `${type}=${status}`;
      if (!this.#since.has(key)) {
        for (const other of ['True', 'False']) this.#since.delete(`${type}=${other}`);
        this.#since.set(key, now);
      }
      return { type, status, lastHeartbeatTime: timeOf(now), lastTransitionTime: timeOf(this.#since.get(key) ?? now), reason, message };
    });
  }

  #problem(now: Instant): string | undefined {
    if (this.#downSince !== undefined)
      return now - this.#downSince >= DOWN_AFTER_MILLISECONDS
        ? 'container runtime is down'
        : this.#shown.get('Ready') === 'False'
          ? 'container runtime is down'
          : undefined;
    return this.#runtime.faults.cniConfigMissing === true ? NETWORK_NOT_READY : undefined;
  }

  #announce(conditions: readonly (JsonObject & { readonly type: string; readonly status: string })[]): void {
    for (const { type, status } of conditions) {
      const before = this.#shown.get(type);
      if (before === status) continue;
      this.#shown.set(type, status);
      const isWell = (status === 'True') === (type === 'Ready');
      if (before === undefined && isWell && !this.#host.world.configuration.nodesAreNew) continue;
      this.#say(EVENTS[`${type}=${status}`] ?? type);
    }
  }

  #tellOfStart(words: EventWords): void {
    if (this.#host.world.configuration.nodesAreNew) this.#host.events.event(this.#involved(), words);
  }

  #say(reason: string): void {
    this.#host.events.event(this.#involved(), { type: 'Normal', reason, message: `Node ${this.#host.node} status is now: ${reason}` });
  }

  #involved(): { readonly apiVersion: string; readonly kind: string; readonly name: string } {
    return { apiVersion: 'v1', kind: 'Node', name: this.#host.node };
  }

  #newNode() {
    const machine = this.#machine ?? machineSpec({ name: this.#host.node }, 0);
    const { node } = this.#host;
    const { architecture } = this.#runtime.options;
    const capacity: JsonObject = {
      cpu: machine.cpu,
      'ephemeral-storage': machine.ephemeralStorage,
      memory: machine.memory,
      pods: String(machine.pods),
      ...machine.extended,
    };
    const labels = {
      'beta.kubernetes.io/arch': architecture,
      'beta.kubernetes.io/os': 'linux',
      'kubernetes.io/arch': architecture,
      'kubernetes.io/hostname': node,
      'kubernetes.io/os': 'linux',
      ...machine.labels,
    };
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: node, labels, annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' } },
      spec: machine.taints.length > 0 ? { taints: machine.taints as unknown as JsonObject[string] } : {},
      status: {
        capacity,
        allocatable: { ...asObject(capacity), memory: lessThreshold(machine.memory) },
        conditions: this.#conditions(),
        addresses: [
          { type: 'InternalIP', address: this.#runtime.netns.ip },
          { type: 'Hostname', address: node },
        ],
        daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
        nodeInfo: nodeInfo(node, architecture),
      },
    };
  }
}

/** Allocatable is less by the hard eviction threshold of memory, 100Mi. */
function lessThreshold(memory: string): string {
  const amount = parseQuantity(memory) ?? 0n;
  const threshold = parseQuantity('100Mi') ?? 0n;
  return formatQuantity(amount > threshold ? amount - threshold : 0n, 'bytes');
}

function nodeInfo(node: string, architecture: string): JsonObject {
  const id = digestOf(node);
  return {
    machineID: id,
    systemUUID: id,
    bootID: id,
    kernelVersion: '6.12.0',
    osImage: 'Debian GNU/Linux 13 (trixie)',
    containerRuntimeVersion: 'containerd://2.1.9',
    kubeletVersion: KUBERNETES_VERSION,
    kubeProxyVersion: '',
    operatingSystem: 'linux',
    architecture,
  };
}

const DOWN_AFTER_MILLISECONDS = 30_000;
const REGISTER_RETRY_MILLISECONDS = 7000;

const PRESSURE_WORDS: Readonly<Record<Pressure, readonly [readonly [string, string], readonly [string, string]]>> = {
  MemoryPressure: [
    ['KubeletHasInsufficientMemory', 'kubelet has insufficient memory available'],
    ['KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ],
  DiskPressure: [
    ['KubeletHasDiskPressure', 'kubelet has disk pressure'],
    ['KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ],
  PIDPressure: [
    ['KubeletHasInsufficientPID', 'kubelet has insufficient PID available'],
    ['KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ],
};

const EVENTS: Readonly<Record<string, string>> = {
  'MemoryPressure=True': 'NodeHasInsufficientMemory',
  'MemoryPressure=False': 'NodeHasSufficientMemory',
  'DiskPressure=True': 'NodeHasDiskPressure',
  'DiskPressure=False': 'NodeHasNoDiskPressure',
  'PIDPressure=True': 'NodeHasInsufficientPID',
  'PIDPressure=False': 'NodeHasSufficientPID',
  'Ready=True': 'NodeReady',
  'Ready=False': 'NodeNotReady',
};
