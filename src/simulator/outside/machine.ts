import type { Prng } from '../../base/prng.ts';

/** A machine of the cluster as it was bought: what its kubelet will find and report. */
export interface MachineSpec {
  readonly name: string;
  readonly cpu: string;
  readonly memory: string;
  readonly pods: number;
  readonly ephemeralStorage: string;
  readonly address: string;
  /** Its part of the pod network: `10.88.1.0/24`. */
  readonly podNetwork: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  /** Extended resources by name: `nvidia.com/gpu`. */
  readonly extended: Readonly<Record<string, string>>;
}

/**
 * A machine with all that stays on it when its kubelet is restarted: containers, images, files, addresses. What that is belongs
 * to the kubelet, which keeps it in `state` and finds it there again.
 */
export interface Machine {
  readonly spec: MachineSpec;
  readonly prng: Prng;
  /** Empty until the machine's kubelet first starts. */
  state: object | undefined;
}

export function machineSpec(given: Partial<MachineSpec> & { readonly name: string }, index: number): MachineSpec {
  return {
    cpu: '4',
    memory: '8Gi',
    pods: 110,
    ephemeralStorage: '100Gi',
    address: `10.77.${Math.floor((index + 10) / 250)}.${((index + 10) % 250) + 1}`,
    podNetwork: `10.${128 + Math.floor(index / 256)}.${index % 256}.0/24`,
    labels: {},
    taints: [],
    extended: {},
    ...given,
  };
}
