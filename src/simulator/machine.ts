import type { Instant } from '../base/instant.ts';
import type { Prng } from '../base/prng.ts';

/** A machine of the cluster as it was bought: what its kubelet will find and report. */
export interface MachineSpec {
  readonly name: string;
  readonly cpu: string;
  readonly memory: string;
  readonly pods: number;
  readonly ephemeralStorage: string;
  readonly address: string;
  readonly podNetwork: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  readonly extended: Readonly<Record<string, string>>;
}

/**
 * A machine with its container runtime: images and containers stay when the kubelet is restarted. The kubelet is the only one
 * to change it; logs are read from it by the API server.
 */
export class Machine {
  readonly spec: MachineSpec;
  readonly prng: Prng;
  readonly containers = new Map<string, MachineContainer>();
  #nextAddress = 2;

  constructor(spec: MachineSpec, prng: Prng) {
    this.spec = spec;
    this.prng = prng;
  }

  /** A pod address of this machine's part of the pod network. */
  takeAddress(): string {
    const base = this.spec.podNetwork.split('/')[0] ?? '';
    const [a, b, c] = base.split('.');
    const offset = this.#nextAddress++;
    return `${a}.${b}.${Number(c) + (offset >> 8)}.${offset & 255}`;
  }

  /** Containers of a pod, oldest first. */
  containersOf(podUid: string): readonly MachineContainer[] {
    return [...this.containers.values()].filter((container) => container.podUid === podUid);
  }
}

export interface MachineContainer {
  readonly id: string;
  readonly podUid: string;
  readonly name: string;
  readonly image: string;
  readonly startedAt: Instant;
  readonly finishedAt: Instant | undefined;
  readonly exitCode: number | undefined;
  readonly logs: readonly string[];
}
