import { onTestFinished } from 'vitest';
import type { Credentials, Grant } from '../../src/clusters/live/kubeconfig/credentials.ts';
import type { LiveConfig } from '../../src/clusters/live/kubeconfig/live-config.ts';
import { liveReader } from '../../src/clusters/live/live-reader.ts';
import type { Transport, TransportOptions } from '../../src/clusters/live/requests/transport.ts';
import { liveTransport } from '../../src/clusters/live/requests/transport.ts';
import type { ClusterReader } from '../../src/model/cluster-reader.ts';
import type { Handler, KubeServer } from './kube-server.ts';
import { AUTHORITY, kubeServer } from './kube-server.ts';

/** A configuration for a server with a certificate of the test's authority. */
export function liveConfig(server: URL, more: Partial<LiveConfig> = {}): LiveConfig {
  return {
    cluster: 'shop',
    server,
    ca: AUTHORITY.cert,
    insecureSkipTlsVerify: false,
    user: {},
    impersonate: { groups: [], extra: {} },
    namespace: 'shop',
    ...more,
  };
}

export function credentialsWith(grant: Grant): Credentials {
  return {
    current: () => Promise.resolve(grant),
    renew: () => Promise.resolve(false),
    headersOf: ({ token }) => (token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
}

export interface Opened {
  readonly transport: Transport;
  /** Milliseconds it was asked to wait before further attempts; it did not wait. */
  readonly waits: number[];
}

/** A transport that the test does not have to close. */
export function openTransport(config: LiveConfig, more: Partial<TransportOptions> & { readonly credentials?: Credentials } = {}): Opened {
  const waits: number[] = [];
  const wait = (milliseconds: number): Promise<void> => {
    waits.push(milliseconds);
    return Promise.resolve();
  };
  const transport = liveTransport(config, more.credentials ?? credentialsWith({}), { clock: Date.now, wait, ...more });
  onTestFinished(() => transport.close());
  return { transport, waits };
}

export interface Live {
  readonly reader: ClusterReader;
  readonly server: KubeServer;
}

/** A reader of a server that answers like this; both are closed after the test. */
export async function live(handle: Handler, clock: () => number = Date.now): Promise<Live> {
  const server = await kubeServer(handle);
  onTestFinished(() => server.close());
  return { reader: liveReader(openTransport(liveConfig(server.url), { clock }).transport, clock), server };
}
