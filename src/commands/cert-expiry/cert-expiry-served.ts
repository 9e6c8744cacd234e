import { append } from '../../base/lists.ts';
import { readBounded } from '../../files/read-bounded.ts';
import { servedSightings } from '../../certificates/served.ts';
import type { Sighting } from '../../certificates/seen-certificate.ts';
import type { TierFindings, Unseen } from '../../certificates/tier-findings.ts';
import { findings, notChecked } from '../../certificates/tier-findings.ts';
import type { ClusterEntry } from '../../clusters/live/kubeconfig/kubeconfig-entries.ts';
import type { LoadedKubeconfig } from '../../clusters/live/kubeconfig/kubeconfig-files.ts';
import type { LiveConfig } from '../../clusters/live/kubeconfig/live-config.ts';
import { bareHost, chooseProxy } from '../../clusters/live/connection/proxy-choice.ts';
import { servedChain } from '../../clusters/live/connection/served-chain.ts';
import type { CertExpiryOptions } from './cert-expiry-options.ts';
import type { CommandContext } from '../context.ts';

interface Target {
  readonly server: URL;
  readonly proxy: URL | undefined;
  readonly ca: string | undefined;
  readonly serverName: string | undefined;
  /** The kubeconfig says that nothing is to be verified. */
  readonly insecure: boolean;
}

const HANDSHAKE_SECONDS = 10;

/**
 * What the API server shows to anybody; with `--all-contexts`, those of all clusters of the kubeconfig. `live` is the one that was chosen.
 */
export async function servedFindings(
  config: LoadedKubeconfig,
  live: LiveConfig | undefined,
  options: CertExpiryOptions,
  context: CommandContext,
): Promise<TierFindings> {
  const targets: Target[] =
    live === undefined
      ? []
      : [{ server: live.server, proxy: live.proxy, ca: live.ca, serverName: live.tlsServerName, insecure: live.insecureSkipTlsVerify }];
  if (options.allContexts === true) {
    for (const cluster of config.clusters.values()) {
      const target = cluster.name === live?.cluster ? undefined : await targetOf(cluster, context);
      if (target !== undefined) targets.push(target);
    }
  }
  const encrypted = targets.filter(({ server }) => server.protocol === 'https:');
  if (encrypted.length === 0) return notChecked('served', 'the server uses HTTP, without a certificate', false);
  const sightings: Sighting[] = [];
  const unseen: Unseen[] = [];
  for (const target of encrypted) {
    const found = await servedBy(target);
    if ('detail' in found) unseen.push(found);
    else append(sightings, found.sightings);
  }
  return findings('served', sightings, unseen, encrypted.length);
}

async function servedBy({
  server,
  proxy,
  ca,
  serverName,
  insecure,
}: Target): Promise<{ readonly sightings: readonly Sighting[] } | Unseen> {
  const chain = await servedChain({ server, proxy, ca, serverName, timeoutSeconds: HANDSHAKE_SECONDS });
  const where = server.href.replace(/\/$/, '');
  if ('kind' in chain) return { what: where, detail: chain.detail, notCollected: false };
  const sightings = servedSightings({
    tier: 'served',
    where,
    role: 'apiserver-serving',
    chainRole: 'apiserver-intermediate',
    certificates: chain.certificates,
    ...(insecure ? {} : { host: serverName ?? bareHost(server) }),
    ...(insecure || chain.untrusted === undefined
      ? {}
      : {
          untrusted: `it is not signed by a CA of the kubeconfig (${chain.untrusted}): clients reject it with "signed by unknown authority"`,
        }),
  });
  return { sightings };
}

async function targetOf(
  { server, caData, caFile, tlsServerName, proxyUrl, insecureSkipTlsVerify }: ClusterEntry,
  { env }: CommandContext,
): Promise<Target | undefined> {
  const url = server !== undefined && URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined) return undefined;
  const ca =
    caData === undefined
      ? caFile === undefined
        ? undefined
        : await readBounded(caFile).then(
            (bytes) => bytes.toString('utf8'),
            () => undefined,
          )
      : Buffer.from(caData, 'base64').toString('utf8');
  // Where the file of the authority is missing, which is a finding of its own, there is nothing to verify by.
  const insecure = insecureSkipTlsVerify || (ca === undefined && caFile !== undefined);
  return { server: url, proxy: chooseProxy(url, proxyUrl, env), ca, serverName: tlsServerName, insecure };
}
