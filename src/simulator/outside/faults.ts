import type { Instant } from '../../base/instant.ts';
import type { EtcdState } from '../apiserver/etcd-failure.ts';
import type { ProcessName } from '../components/component.ts';
import type { MachineSpec } from './machine.ts';
import type { WebhookServer } from './webhook-servers.ts';

export type JoiningMachine = Partial<MachineSpec> & { readonly name: string };

/**
 * What can be done to a cluster from outside its API, as data, so that it can stand in a scenario and in a saved state. A part of
 * the simulator that can be broken in its own ways adds a member here and handles it with `Cluster.onFault`.
 */
export type Fault =
  /** `kube-apiserver`, a control plane process, or one of a node. */
  | { readonly fault: 'stop'; readonly process: ProcessName | 'kube-apiserver'; readonly node?: string }
  | { readonly fault: 'start'; readonly process: ProcessName | 'kube-apiserver'; readonly node?: string }
  | { readonly fault: 'restart'; readonly process: ProcessName | 'kube-apiserver'; readonly node?: string }
  | { readonly fault: 'slow'; readonly process: ProcessName; readonly node?: string; readonly milliseconds: number }
  | { readonly fault: 'etcd'; readonly state: EtcdState }
  /** A certificate gets other dates, another issuer or other names, and nobody renews it by himself; what is not given stays. */
  | {
      readonly fault: 'certificate';
      readonly name: string;
      readonly notBefore?: Instant;
      readonly notAfter?: Instant;
      readonly issuer?: string;
      readonly dnsNames?: readonly string[];
    }
  /**
   * Certificates are issued anew and used at once. Names are kubeadm's (`scheduler.conf`) or the simulator's (`kubelet-worker-1`); `all` is
   * what kubeadm renews.
   */
  | { readonly fault: 'renew'; readonly certificates: readonly string[] }
  | { readonly fault: 'webhook-server'; readonly server: WebhookServer }
  /** A machine joins; what is not said of it is as of all others. */
  | { readonly fault: 'join'; readonly machine: JoiningMachine }
  /** The history of changes is forgotten: watches from before it get 410. */
  | { readonly fault: 'compact' }
  /** A member for other parts of the simulator: `part` names who handles it. */
  | { readonly fault: 'part'; readonly part: string; readonly what: string; readonly with: Readonly<Record<string, unknown>> };
