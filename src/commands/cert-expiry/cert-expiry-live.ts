import { apiFindings } from '../../certificates/api-objects.ts';
import type { KubeconfigParts } from '../../certificates/kubeconfig.ts';
import { kubeconfigSightings } from '../../certificates/kubeconfig.ts';
import { metricSightings } from '../../certificates/kubelet-metrics.ts';
import { readSecretUses } from '../../certificates/secret-uses.ts';
import { metadataFindings, secretFindings } from '../../certificates/secrets.ts';
import type { Sighting } from '../../certificates/seen-certificate.ts';
import type { TierFindings, Unseen } from '../../certificates/tier-findings.ts';
import { findings, notChecked, unseenOf } from '../../certificates/tier-findings.ts';
import { reasonOf, PodcheckError } from '../../base/errors.ts';
import { append } from '../../base/lists.ts';
import { readBounded } from '../../files/read-bounded.ts';
import type { LoadedKubeconfig } from '../../clusters/live/kubeconfig/kubeconfig-files.ts';
import { loadKubeconfig } from '../../clusters/live/kubeconfig/kubeconfig-files.ts';
import type { LiveCluster } from '../../clusters/live/open-live.ts';
import type { CertificateTierId } from '../../model/certificate.ts';
import type { Scope } from '../../model/cluster-reader.ts';
import type { CertExpiryOptions } from './cert-expiry-options.ts';
import { servedFindings } from './cert-expiry-served.ts';
import type { Gathered } from './cert-expiry-sources.ts';
import { isUsable, troubleOf } from '../diagnose/connection-answer.ts';
import type { CommandContext } from '../context.ts';
import { openLiveCluster } from '../diagnose/open-evidence.ts';

/** A running cluster: its kubeconfig, what its API server serves, and what it answers. */
export async function gatherLive(options: CertExpiryOptions, context: CommandContext, say: (step: string) => void): Promise<Gathered> {
  say('reading the kubeconfig');
  const config = await loadKubeconfig(options.kubeconfig, context);
  const cluster = await openLiveCluster(options, context).catch((error: unknown) => {
    // What is wrong with one entry is no reason not to look at the rest of the kubeconfig.
    if (config.files.length === 0 || !(error instanceof PodcheckError)) throw error;
    return error;
  });
  const parts = cluster instanceof PodcheckError || config.files.length > 0 ? partsOf(config, options) : podParts(cluster);
  const sightings = await kubeconfigSightings(parts, { tier: 'kubeconfig', clientRole: 'kubeconfig-client', readFile: textOrError });
  const found: TierFindings[] = [findings('kubeconfig', sightings)];
  if (cluster instanceof PodcheckError) {
    const others = options.allContexts === true ? [await servedFindings(config, undefined, options, context)] : [];
    const rest = unreached(`${cluster.message} ${cluster.hint}`.trim(), options).filter(
      ({ tier }) => tier.id !== 'served' || others.length === 0,
    );
    return {
      findings: [...found, ...others, ...rest, ...(await otherClusters(config, undefined, options, context, say))],
      now: context.clock(),
      source: parts.file,
      absent: {},
    };
  }
  try {
    say('reading the certificate of the API server');
    found.push(await servedFindings(config, cluster.config, options, context));
    append(found, [
      ...(await answered(cluster, options, say)),
      ...(await otherClusters(config, cluster.config.cluster, options, context, say)),
    ]);
    return {
      findings: found,
      now: cluster.reader.now(),
      clockSkew: cluster.clockSkew(),
      source: cluster.config.server.href.replace(/\/$/, ''),
      absent: {},
    };
  } finally {
    cluster.close();
  }
}

/** What the chosen context of the kubeconfig shows and trusts: no request is made for it. */
export async function kubeconfigFindings(options: CertExpiryOptions, context: CommandContext): Promise<TierFindings> {
  const parts = partsOf(await loadKubeconfig(options.kubeconfig, context), options);
  return findings(
    'kubeconfig',
    await kubeconfigSightings(parts, { tier: 'kubeconfig', clientRole: 'kubeconfig-client', readFile: textOrError }),
  );
}

/** Clusters of further contexts that are asked in one run. */
const MAX_CLUSTERS = 50;

/** With `--all-contexts`: what the API of each further cluster answers, by the first of its contexts that it answers to. */
async function otherClusters(
  config: LoadedKubeconfig,
  chosen: string | undefined,
  options: CertExpiryOptions,
  context: CommandContext,
  say: (step: string) => void,
): Promise<readonly TierFindings[]> {
  if (options.allContexts !== true) return [];
  const clusters = new Map<string, string[]>();
  for (const [name, { cluster }] of config.contexts)
    if (cluster !== undefined && cluster !== chosen) clusters.set(cluster, [...(clusters.get(cluster) ?? []), name]);
  const found: TierFindings[] = [];
  for (const names of [...clusters.values()].slice(0, MAX_CLUSTERS)) append(found, await firstAnswer(names, options, context, say));
  if (clusters.size > MAX_CLUSTERS)
    found.push(notChecked('api', `only the first ${MAX_CLUSTERS} of ${clusters.size} other clusters were checked`, true));
  return found;
}

async function firstAnswer(
  names: readonly string[],
  options: CertExpiryOptions,
  context: CommandContext,
  say: (step: string) => void,
): Promise<readonly TierFindings[]> {
  let trouble = '';
  for (const name of names) {
    const { cluster: _cluster, user: _user, ...others } = options;
    const opened = await openLiveCluster({ ...others, context: name }, context).catch((error: unknown) => {
      if (error instanceof PodcheckError) return error;
      throw error;
    });
    if (opened instanceof PodcheckError) {
      trouble = trouble === '' ? `context ${name}: ${opened.message}` : trouble;
      continue;
    }
    try {
      const state = await opened.probe();
      if (isUsable(state)) return (await answered(opened, options, say)).map((findings) => inContext(name, findings));
      trouble = trouble === '' ? `context ${name}: ${troubleOf(state)}` : trouble;
    } finally {
      opened.close();
    }
  }
  return unreached(trouble, options).filter(({ tier }) => tier.id !== 'served');
}

/** Places are told apart by the context they were seen in. */
function inContext(name: string, { tier, sightings }: TierFindings): TierFindings {
  const lead = `${name.replaceAll(/\s/g, '_')}:`;
  return {
    tier: { ...tier, ...(tier.reason === undefined ? {} : { reason: `context ${name}: ${tier.reason}` }) },
    sightings: sightings.map((sighting) => ({
      ...sighting,
      where: lead + sighting.where,
      renews: { ...sighting.renews, context: name },
      ...(sighting.of === undefined ? {} : { of: lead + sighting.of }),
    })),
  };
}

/** Tiers that take a server which answers, where it does not. */
function unreached(reason: string, options: CertExpiryOptions): readonly TierFindings[] {
  const tiers: readonly CertificateTierId[] = [
    'served',
    'api',
    'metadata',
    'nodes',
    ...(options.secrets === true ? ['secrets' as const] : []),
    ...(options.probe === true ? ['probe' as const] : []),
  ];
  return tiers.map((tier) => notChecked(tier, reason, tier !== 'nodes'));
}

async function answered(cluster: LiveCluster, options: CertExpiryOptions, say: (step: string) => void): Promise<readonly TierFindings[]> {
  const state = await cluster.probe();
  if (!isUsable(state)) return unreached(troubleOf(state), options).filter(({ tier }) => tier.id !== 'served');
  const { reader } = cluster;
  const scope: Scope = options.namespace === undefined ? {} : { namespace: options.namespace };
  say('reading API objects');
  const found = [await apiFindings(reader, scope), metadataFindings(await reader.list('Secret', scope)), await metricFindings(cluster)];
  if (options.secrets === true || options.probe === true) {
    const uses = await readSecretUses(reader, scope);
    say('reading certificates in Secrets');
    const secrets = options.secrets === true ? secretFindings(await cluster.secretCertificates(scope), uses) : undefined;
    if (secrets !== undefined) found.push(secrets);
    if (options.probe === true) {
      const { probeFindings } = await import('./cert-expiry-probe.ts');
      say('reading served certificates');
      found.push(await probeFindings(reader, scope, secrets?.sightings ?? []));
    }
  }
  return found;
}

/** Nodes whose kubelets are asked: each answers with a megabyte. */
const MAX_NODES = 100;

/** What kubelets say themselves, where that is allowed: `nodes/proxy` is more than most have, so that lacking it is no fault. */
async function metricFindings(cluster: LiveCluster): Promise<TierFindings> {
  const { reader } = cluster;
  const nodes = await reader.list('Node', {});
  if (!nodes.ok) return notChecked('nodes', unseenOf('Nodes', nodes).detail, false);
  const sightings: Sighting[] = [];
  const unseen: Unseen[] = [];
  for (const { metadata } of nodes.value.slice(0, MAX_NODES)) {
    const read = await cluster.nodeMetrics(metadata.name);
    if (read.ok) append(sightings, metricSightings(metadata.name, read.value, reader.now()));
    else if (read.why === 'forbidden') return notChecked('nodes', unseenOf('metrics', read).detail, false);
    else unseen.push({ ...unseenOf(`Node/${metadata.name}`, read), notCollected: true });
  }
  const all = findings('nodes', sightings, unseen, Math.max(1, nodes.value.length));
  return { ...all, tier: { ...all.tier, asked: false } };
}

/** The clusters and users of the chosen context, or of all. */
function partsOf(config: LoadedKubeconfig, options: CertExpiryOptions): KubeconfigParts {
  const context = config.contexts.get(options.context ?? config.currentContext ?? '');
  const isChosen = (name: string, given: string | undefined, named: string | undefined): boolean =>
    options.allContexts === true || name === (given ?? named);
  return {
    file: config.files.join(', '),
    clusters: [...config.clusters.values()].filter(({ name }) => isChosen(name, options.cluster, context?.cluster)),
    users: [...config.users.values()]
      .filter(({ name }) => isChosen(name, options.user, context?.user))
      .map((user) => ({ ...user, exec: user.exec?.command })),
  };
}

/** In a pod there is no kubeconfig, but what the kubelet put there, and keeps fresh. */
function podParts({ config }: LiveCluster): KubeconfigParts {
  const { cluster, ca, user } = config;
  return {
    file: 'the pod',
    clusters: [{ name: cluster, caData: ca === undefined ? undefined : Buffer.from(ca).toString('base64') }],
    users: [{ name: user.name ?? 'service account', tokenFile: user.tokenFile, tokenRotatedBy: 'kubelet' }],
  };
}

async function textOrError(path: string): Promise<string | Error> {
  try {
    return (await readBounded(path)).toString('latin1');
  } catch (error) {
    return error instanceof Error ? error : new Error(reasonOf(error));
  }
}
