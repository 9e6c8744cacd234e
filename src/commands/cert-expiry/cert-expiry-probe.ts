import { append } from '../../base/lists.ts';
import type { ProbeTarget } from '../../certificates/probe-targets.ts';
import { probeTargets } from '../../certificates/probe-targets.ts';
import { servedSightings } from '../../certificates/served.ts';
import type { Sighting } from '../../certificates/seen-certificate.ts';
import type { TierFindings, Unseen } from '../../certificates/tier-findings.ts';
import { findings } from '../../certificates/tier-findings.ts';
import type { ServedChain } from '../../clusters/live/connection/served-chain.ts';
import { servedChain } from '../../clusters/live/connection/served-chain.ts';
import type { ClusterReader, Scope } from '../../model/cluster-reader.ts';

const HANDSHAKE_SECONDS = 5;
const AT_ONCE = 16;
/** More servers than this are not asked in one run. */
const MAX_TARGETS = 1000;

/** What webhooks, aggregated APIs, kubelets and hosts really serve, against what their clients trust and what is stored for them. */
export async function probeFindings(reader: ClusterReader, scope: Scope, stored: readonly Sighting[]): Promise<TierFindings> {
  const { targets, unseen } = await probeTargets(reader, scope, stored);
  const sightings: Sighting[] = [];
  const missed: Unseen[] = [...unseen];
  const waiting = targets.slice(0, MAX_TARGETS);
  if (targets.length > MAX_TARGETS)
    missed.push({ what: 'servers', detail: `only the first ${MAX_TARGETS} of ${targets.length} were checked`, notCollected: false });
  const results = new Map<ProbeTarget, ServedChain | string>();
  const work = async (): Promise<void> => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) results.set(target, await asked(target));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // In the order of the targets, not of the answers.
  for (const target of targets) {
    const chain = results.get(target);
    if (typeof chain === 'string') missed.push({ what: target.where, detail: chain, notCollected: false });
    else if (chain !== undefined) append(sightings, sightingsOf(target, chain));
  }
  return findings('probe', sightings, missed, results.size + unseen.length);
}

/** The chain of the first address that answers, or why none did. */
async function asked({ addresses, port, host, ca }: ProbeTarget): Promise<ServedChain | string> {
  let detail = 'no address is known';
  for (const address of addresses) {
    const url = `https://${address.includes(':') ? `[${address}]` : address}:${port}`;
    if (!URL.canParse(url)) continue;
    const chain = await servedChain({
      server: new URL(url),
      ca,
      ...(host === undefined ? {} : { serverName: host }),
      timeoutSeconds: HANDSHAKE_SECONDS,
    });
    if (!('kind' in chain)) return chain;
    detail = chain.detail;
  }
  return detail;
}

function sightingsOf({ where, role, host, ca, stored }: ProbeTarget, { certificates, untrusted }: ServedChain): readonly Sighting[] {
  const refused =
    ca === undefined || untrusted === undefined
      ? undefined
      : `it is not signed by the caBundle of its clients (${untrusted}): they reject it`;
  return servedSightings({ tier: 'probe', where, role, chainRole: 'issuer-ca', certificates, host, stored, untrusted: refused });
}
