import type { KubeObject } from '../model/kube-object.ts';
import type { Certificates } from './certificates.ts';
import type { Machine } from './machine.ts';
import type { WebhookServers } from './webhook-servers.ts';
import type { ContainerBehaviours } from './container-behaviours.ts';

/**
 * What a cluster consists of besides its API: the machines, what their containers do, the servers webhooks are sent to, the
 * certificates. It outlives the processes: a kubelet that is restarted finds its containers as they are.
 */
export interface World {
  readonly machines: ReadonlyMap<string, Machine>;
  readonly behaviours: ContainerBehaviours;
  readonly webhookServers: WebhookServers;
  readonly certificates: Certificates;
  readonly logs: LogSource;
  readonly configuration: ClusterConfiguration;
}

/** What the administrator chose; the defaults are kubeadm's. */
export interface ClusterConfiguration {
  readonly serverAddress: string;
  readonly serviceNetwork: string;
  readonly podNetwork: string;
  readonly clusterDomain: string;
  /** API server sends webhook requests to endpoints instead of cluster IPs (`--enable-aggregator-routing`). */
  readonly aggregatorRouting: boolean;
  /** Whether something restarts control plane processes that exit. */
  readonly supervised: boolean;
  /** Whether NodeRestriction is among the admission plugins. */
  readonly nodeRestriction: boolean;
}

export const DEFAULT_CONFIGURATION: ClusterConfiguration = {
  serverAddress: '10.77.0.1',
  serviceNetwork: '10.96.0.0/16',
  podNetwork: '10.88.0.0/16',
  clusterDomain: 'cluster.local',
  aggregatorRouting: false,
  supervised: true,
  nodeRestriction: true,
};

/** What the API server gets when it asks a kubelet for the lines of a container. */
export type LogReading =
  | { readonly ok: true; readonly lines: readonly string[] }
  /** `why` in the kubelet's words, or, when it cannot be reached, in those of Go's client. */
  | { readonly ok: false; readonly unreachable: boolean; readonly why: string };

/** Reads the lines a container has written; the kubelets answer. */
export interface LogSource {
  read(pod: KubeObject, container: string, previous: boolean): LogReading;
}
