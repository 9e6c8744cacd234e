import { assert } from '../../base/assert.ts';
import type { FollowListener } from '../../model/followed.ts';
import { resourceOfKind } from '../../model/resources.ts';
import type { ClusterChanger } from '../../model/cluster-changer.ts';
import type { ClusterReader, ListRead, Read, Scope } from '../../model/cluster-reader.ts';
import type { CredentialOptions } from './kubeconfig/credentials.ts';
import { credentialsOf } from './kubeconfig/credentials.ts';
import { resolveKubeconfig } from './kubeconfig/kubeconfig.ts';
import type { Surroundings } from './kubeconfig/kubeconfig-files.ts';
import type { FollowOptions } from './follow.ts';
import { follow } from './follow.ts';
import { nodeMetrics, secretCertificates } from './live-certificates.ts';
import { liveChanger } from './live-changer.ts';
import type { LiveConfig, LiveOptions } from './kubeconfig/live-config.ts';
import { liveReader } from './live-reader.ts';
import type { ConnectionState } from './probe.ts';
import { probe, unreadyWords } from './probe.ts';
import type { TransportCounts, TransportLimits } from './requests/transport.ts';
import { liveTransport } from './requests/transport.ts';

/** A running cluster, ready to be read. Nothing is sent before the first read or probe. */
export interface LiveCluster {
  readonly reader: ClusterReader;
  /** Nothing is changed but through this. */
  readonly changer: ClusterChanger;
  readonly config: LiveConfig;
  probe(): Promise<ConnectionState>;
  /** What the API server says of itself where it is not ready, without the checks that pass. */
  unreadyWords(): Promise<string | undefined>;
  /** Secrets with nothing in them but certificates; all else of an answer is dropped before anybody sees it. */
  secretCertificates(scope: Scope): Promise<ListRead>;
  /** What the kubelet of a node says in its metrics, asked through the API server. */
  nodeMetrics(node: string): Promise<Read<string>>;
  /** Milliseconds by which the server's clock is ahead of ours; undefined before its first answer. */
  clockSkew(): number | undefined;
  /** Lists a kind and watches it until the signal is raised (`follow`). */
  follow(kind: string, options: FollowOptions, listener: FollowListener): Promise<void>;
  counts(): TransportCounts;
  close(): void;
}

export interface OpenLiveOptions extends LiveOptions, Omit<CredentialOptions, 'env'> {
  readonly around: Surroundings;
  readonly limits?: Partial<TransportLimits>;
  readonly signal?: AbortSignal;
  /** `podcheck/1.2.3`: what the server's audit log calls us. */
  readonly userAgent?: string;
}

/** Throws a PodcheckError when the kubeconfig does not say which cluster is meant, or cannot be used. */
export async function openLive(options: OpenLiveOptions): Promise<LiveCluster> {
  const config = await resolveKubeconfig(options, options.around);
  const credentials = credentialsOf(config, { ...options, env: options.around.env });
  const transport = liveTransport(config, credentials, options);
  return {
    reader: liveReader(transport, options.clock),
    changer: liveChanger(transport),
    config,
    probe: () => probe(config, transport, credentials),
    unreadyWords: () => unreadyWords(transport),
    secretCertificates: (scope) => secretCertificates(transport, scope),
    nodeMetrics: (node) => nodeMetrics(transport, node),
    clockSkew: () => transport.clockSkew(),
    follow: (kind, followOptions, listener) => {
      const api = resourceOfKind(kind);
      assert(api !== undefined, `${kind} is a known kind`);
      return follow(transport, api, followOptions, listener);
    },
    counts: () => transport.counts(),
    close: () => transport.close(),
  };
}
