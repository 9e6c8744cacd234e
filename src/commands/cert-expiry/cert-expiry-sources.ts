import { apiFindings } from '../../certificates/api-objects.ts';
import { inventory } from '../../certificates/inventory.ts';
import { recordFindings } from '../../certificates/records.ts';
import { readSecretUses } from '../../certificates/secret-uses.ts';
import { metadataFindings, secretFindings } from '../../certificates/secrets.ts';
import type { TierFindings } from '../../certificates/tier-findings.ts';
import { notChecked } from '../../certificates/tier-findings.ts';
import { PodcheckError } from '../../base/errors.ts';
import { largest } from '../../base/lists.ts';
import type { Instant } from '../../base/instant.ts';
import { asObject, asText, dig, isJsonObject } from '../../base/json.ts';
import { concealButCertificates } from '../../clusters/conceal-secret.ts';
import type { CertificateReport, CertificateTierId } from '../../model/certificate.ts';
import { CERTIFICATE_TIERS } from '../../model/certificate.ts';
import type { ClusterReader, ListRead, Scope } from '../../model/cluster-reader.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, refOf } from '../../model/kube-object.ts';
import { APPLIED_MANIFEST, CERTIFICATE_RECORD } from '../../model/record-kinds.ts';
import type { CertExpiryOptions } from './cert-expiry-options.ts';
import type { CommandContext } from '../context.ts';
import { givenTime, openEvidence } from '../diagnose/open-evidence.ts';

/** What was looked at, by tier; tiers that are missing were not asked for. */
export interface Gathered {
  readonly findings: readonly TierFindings[];
  readonly now: Instant;
  /** For the headline. */
  readonly source: string;
  readonly clockSkew?: number | undefined;
  /** Why a tier that is missing was not looked at, where it is not for lack of an option. */
  readonly absent: Partial<Readonly<Record<CertificateTierId, string>>>;
}

/** Looks wherever was asked for, and joins what was found. */
export async function certificateReport(
  options: CertExpiryOptions,
  within: number | undefined,
  context: CommandContext,
  say: (step: string) => void,
): Promise<CertificateReport> {
  const parts: Gathered[] = [];
  if (options.dir !== undefined) {
    const { gatherFiles } = await import('./cert-expiry-files.ts');
    parts.push(await gatherFiles(options.dir, context, say));
  }
  if (options.from !== undefined || options.scenario !== undefined) parts.push(await gatherStored(options, context, say));
  else if (options.dir === undefined || namesCluster(options)) {
    const { gatherLive } = await import('./cert-expiry-live.ts');
    parts.push(await gatherLive(options, context, say));
  }
  const findings = joined(parts);
  return inventory(
    findings.flatMap(({ sightings }) => sightings),
    findings.map(({ tier }) => tier),
    {
      now: givenTime(options.now) ?? parts.at(-1)?.now ?? context.clock(),
      within,
      clockSkew: parts.at(-1)?.clockSkew,
      source: parts.map(({ source }) => source).join(' and '),
    },
  );
}

/** With `--dir` alone only files are read; whoever names a cluster besides wants both. */
function namesCluster({ context, cluster, kubeconfig, allContexts, secrets, probe }: CertExpiryOptions): boolean {
  return [context, cluster, kubeconfig].some((given) => given !== undefined) || [allContexts, secrets, probe].includes(true);
}

/** One entry for each tier, whatever number of sources had it. */
function joined(parts: readonly Gathered[]): readonly TierFindings[] {
  return CERTIFICATE_TIERS.flatMap(({ id }) => {
    const found = parts.flatMap(({ findings }) => findings.filter(({ tier }) => tier.id === id));
    const [first, ...others] = found;
    if (first === undefined) {
      const why = parts.map(({ absent }) => absent[id]).find((reason) => reason !== undefined);
      return notChecked(id, why ?? OPTIONS[id] ?? 'not requested', false);
    }
    let all = first;
    for (const other of others) all = together(all, other);
    return [all];
  });
}

const OPTIONS: Partial<Readonly<Record<CertificateTierId, string>>> = {
  secrets: 'needs --secrets',
  probe: 'needs --probe',
  files: 'needs --dir',
};

function together(a: TierFindings, b: TierFindings): TierFindings {
  const reason = [a.tier.reason, b.tier.reason].filter((one) => one !== undefined).join('; ');
  const state = a.tier.state === b.tier.state ? a.tier.state : 'PARTIAL';
  const tier = {
    id: a.tier.id,
    state,
    asked: a.tier.asked || b.tier.asked,
    found: a.tier.found + b.tier.found,
    ...(reason === '' ? {} : { reason }),
  };
  return { tier, sightings: [...a.sightings, ...b.sightings] };
}

/** A snapshot, a transcript or a simulated cluster: what it holds is all there is. */
async function gatherStored(options: CertExpiryOptions, context: CommandContext, say: (step: string) => void): Promise<Gathered> {
  say('opening the evidence');
  if (options.probe === true)
    throw new PodcheckError('usage', '--probe needs a live cluster', 'leave out --probe, or leave out --from and --scenario');
  const opened = await openEvidence(options, context, { conceal: concealButCertificates, logs: false, datedByFiles: true });
  try {
    const reader = await withManifests(opened.reader);
    const scope: Scope = opened.namespace === undefined ? {} : { namespace: opened.namespace };
    say('reading certificates');
    const secrets = await secretsOf(reader, scope);
    const isSimulated = options.scenario !== undefined;
    const findings = [
      ...recordFindings(await reader.list(CERTIFICATE_RECORD, {})),
      await apiFindings(reader, scope),
      metadataFindings(secrets),
    ];
    // A snapshot has left its cluster already; only of a running one Secrets are a matter of consent.
    if (!isSimulated || options.secrets === true) findings.push(secretFindings(secrets, await readSecretUses(reader, scope)));
    const absent = isSimulated
      ? { nodes: 'simulated kubelets have no certificate metrics' }
      : {
          kubeconfig: 'a snapshot contains none',
          served: 'cannot connect to a snapshot',
          nodes: 'a snapshot contains none',
          probe: 'cannot connect to a snapshot',
          files: 'the snapshot contains none',
        };
    return {
      findings,
      now: isSimulated ? reader.now() : presentOf(reader.now(), options, findings, context),
      source: options.scenario === undefined ? (options.from ?? []).join(', ') : `scenario ${options.scenario}`,
      absent,
    };
  } finally {
    opened.close();
  }
}

/**
 * What is piped in is of this moment; what was saved is not older than the certificates in it, whose owners renew them in objects that were
 * created long before.
 */
function presentOf(
  now: Instant,
  { from, now: given }: CertExpiryOptions,
  found: readonly TierFindings[],
  context: CommandContext,
): Instant {
  if (given !== undefined) return now;
  const issued = found.flatMap(({ sightings }) =>
    sightings.flatMap(({ seen }) => (seen.kind === 'certificate' || seen.kind === 'described' ? (seen.value.notBefore ?? []) : [])),
  );
  return largest([now, ...issued, ...(from?.includes('-') === true ? [context.clock()] : [])]);
}

/** The reader, with manifests for objects: what is to be applied, or was written down without what only a cluster adds, counts too. */
async function withManifests(reader: ClusterReader): Promise<ClusterReader> {
  const read = await reader.list(APPLIED_MANIFEST, {});
  const manifests = (read.ok ? read.value : []).flatMap((record) => manifestObject(record) ?? []);
  if (manifests.length === 0) return reader;
  return {
    get: (ref) => reader.get(ref),
    logs: (pod, container, options) => reader.logs(pod, container, options),
    now: () => reader.now(),
    ...(reader.stored === true ? { stored: true } : {}),
    list: async (kind, scope) => {
      const more = manifests.filter(
        (object) =>
          object.kind === kind &&
          (scope.namespace === undefined || object.metadata.namespace === undefined || object.metadata.namespace === scope.namespace),
      );
      const own = await reader.list(kind, scope);
      if (more.length === 0) return own;
      const known = own.ok ? own.value : [];
      const names = new Set(known.map((object) => formatRef(refOf(object))));
      const partial = own.ok ? own.partial : `only manifests of ${kind} were found`;
      return {
        ok: true,
        value: [...known, ...more.filter((object) => !names.has(formatRef(refOf(object))))],
        ...(partial === undefined ? {} : { partial }),
      };
    },
  };
}

function manifestObject(record: KubeObject): KubeObject | undefined {
  const object = dig(record, 'spec', 'object');
  const [apiVersion, kind, name] = [
    asText(dig(object, 'apiVersion')),
    asText(dig(object, 'kind')),
    asText(dig(object, 'metadata', 'name')),
  ];
  if (!isJsonObject(object) || apiVersion === undefined || kind === undefined || name === undefined) return undefined;
  const namespace = asText(dig(object, 'metadata', 'namespace')) ?? record.metadata.namespace;
  return {
    ...object,
    apiVersion,
    kind,
    metadata: { ...asObject(object['metadata']), name, ...(namespace === undefined ? {} : { namespace }) },
  };
}

/** Secrets with nothing but certificates in them, whatever the reader would have shown. */
async function secretsOf(reader: ClusterReader, scope: Scope): Promise<ListRead> {
  const read = await reader.list('Secret', scope);
  if (!read.ok || reader.stored === true) return read;
  return { ...read, value: read.value.map((secret) => concealButCertificates(secret) as KubeObject) };
}
