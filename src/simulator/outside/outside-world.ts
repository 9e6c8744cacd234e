import type { KubeObject } from '../../model/kube-object.ts';
import type { NetworkNamespace } from '../network/sockets.ts';
import type { Prng } from '../../base/prng.ts';
import type { Agenda } from '../time/agenda.ts';
import { AggregatedApis } from './aggregated-apis.ts';
import type { LogPlace } from '../apiserver/request.ts';
import type { Certificates } from '../x509/certificates.ts';
import { Datacenter } from './storage-backend.ts';
import type { Machine, MachineSpec } from './machine.ts';
import type { Store } from '../store/store.ts';
import type { UnwrittenPods } from './unwritten.ts';
import type { ExecSession, ExecSink, ExecWish } from '../programs/exec-session.ts';
import type { HostHandler } from './host-handler.ts';
import { hostHandlers } from './host-handlers.ts';
import { WebhookServers } from './webhook-servers.ts';

/**
 * What a cluster consists of besides its API: the machines, the certificates, the servers webhooks are sent to. It outlives the
 * processes: a kubelet that is restarted finds its containers as they are.
 */
export interface World {
  readonly machines: Map<string, Machine>;
  /** The kubelets that can be reached, by node: the API server asks them for logs. A kubelet that stops is taken out. */
  readonly kubelets: Map<string, KubeletEndpoint>;
  /** Container runtimes, registries and the network: what kubelets and kube-proxies work on. */
  readonly datacenter: Datacenter;
  readonly webhookServers: WebhookServers;
  /** Servers that answer for groups the API server hands on. */
  readonly aggregated: AggregatedApis;
  /** The processes of the control plane: whether each runs. */
  readonly processes: Map<string, () => boolean>;
  readonly certificates: Certificates;
  readonly unwritten: UnwrittenPods;
  readonly configuration: ClusterConfiguration;
  /** Who handles the faults of a part (`{ fault: 'part', part: 'registry', … }`): the part enters itself here when it is made. */
  readonly parts: Map<string, HostHandler>;
}

export interface WorldOptions {
  readonly configuration: ClusterConfiguration;
  readonly certificates: Certificates;
  readonly machines: readonly MachineSpec[];
  readonly prng: Prng;
  readonly store: Store;
  readonly agenda: Agenda;
  readonly unwritten: UnwrittenPods;
}

/** Makes the world; parts that need more than a map of their own are made here. */
export function createWorld({ configuration, certificates, machines, prng, store, agenda, unwritten }: WorldOptions): World {
  const datacenter = new Datacenter({ ...configuration, agenda, prng: prng.split('datacenter'), store });
  for (const { name, address, podNetwork } of machines) datacenter.addMachine({ name, address, podNetwork });
  return {
    datacenter,
    machines: new Map(machines.map((spec) => [spec.name, { spec, prng: prng.split(`machine ${spec.name}`), state: undefined }])),
    kubelets: new Map(),
    webhookServers: new WebhookServers(),
    aggregated: new AggregatedApis(),
    processes: new Map(),
    certificates,
    unwritten,
    configuration,
    parts: hostHandlers(datacenter),
  };
}

/** What the administrator chose; the defaults are kubeadm's. */
export interface ClusterConfiguration {
  readonly serverAddress: string;
  readonly serviceNetwork: string;
  readonly clusterDomain: string;
  /** The API server sends webhook requests to endpoints instead of cluster IPs (`--enable-aggregator-routing`). */
  readonly aggregatorRouting: boolean;
  /** Whether something restarts control plane processes that exit. */
  readonly supervised: boolean;
  /** Whether NodeRestriction is among the admission plugins. */
  readonly nodeRestriction: boolean;
  /** Admission plugins that the API server runs without (`--disable-admission-plugins`). */
  readonly disabledAdmission: readonly string[];
  /** Everybody may do everything, and nobody is anonymous (`--authorization-mode=Node,RBAC,AlwaysAllow`). */
  readonly alwaysAllow: boolean;
  /** Kubelets renew their client certificates (`rotateCertificates`). */
  readonly rotateCertificates: boolean;
  /** Events tell that nodes join when the cluster starts; false: they were there before, as in a clone. */
  readonly nodesAreNew: boolean;
  /**
   * How long the certificates that requests are answered with are good for (`--cluster-signing-duration`), and with them those of kubelets.
   */
  readonly signingSeconds: number;
  /** Kubelets ask for serving certificates, which somebody has to approve (`serverTLSBootstrap`), instead of signing their own. */
  readonly serverTlsBootstrap: boolean;
}

export const DEFAULT_CONFIGURATION: ClusterConfiguration = {
  serverAddress: '10.77.0.1',
  serviceNetwork: '10.96.0.0/16',
  clusterDomain: 'cluster.local',
  aggregatorRouting: false,
  supervised: true,
  nodeRestriction: true,
  disabledAdmission: [],
  alwaysAllow: false,
  rotateCertificates: true,
  nodesAreNew: true,
  signingSeconds: 31_536_000,
  serverTlsBootstrap: false,
};

/** A kubelet's own API, as far as the API server uses it. */
export interface KubeletEndpoint {
  readLog(pod: KubeObject, container: string, previous: boolean): LogReading;
  /** Runs a command in a container; undefined when the container does not run. */
  exec(pod: KubeObject, container: string, wish: ExecWish, sink: ExecSink): ExecSession | { readonly why: string } | undefined;
  /** The sandbox of a pod; undefined when none runs. */
  sandbox(pod: KubeObject): { readonly id: string; readonly netns: NetworkNamespace } | undefined;
}

export type LogReading =
  | { readonly ok: true; readonly lines: readonly string[]; readonly log: LogPlace }
  /** In the kubelet's words: `container "web" in pod "web-1" is waiting to start: ContainerCreating`. */
  | { readonly ok: false; readonly why: string };
