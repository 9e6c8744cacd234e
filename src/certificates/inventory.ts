import type { Instant } from '../base/instant.ts';
import type { X509 } from '../base/x509/certificate.ts';
import { digestOf } from '../base/digest.ts';
import type { CertificateReport, CertificateRow, CertificateStatus, CertificateTier } from '../model/certificate.ts';
import type { CertificateRole, CertificateRoleId } from '../model/certificate-roles.ts';
import { certificateRole } from '../model/certificate-roles.ts';
import type { CertificateRotator } from '../model/certificate-rotators.ts';
import { renewal } from '../model/certificate-rotators.ts';
import { stageOrder } from '../model/stage.ts';
import { rotatorOf } from './rotator.ts';
import type { Described, Sighting } from './seen-certificate.ts';
import { statusAt } from './status.ts';

export interface InventoryOptions {
  readonly now: Instant;
  /** Milliseconds; relative thresholds without it. */
  readonly within?: number | undefined;
  readonly source: string;
  /** Milliseconds by which the cluster's clock is ahead of ours. */
  readonly clockSkew?: number | undefined;
}

/** Joins sightings of the same certificate into one row, judges each, and puts first what ends first. */
export function inventory(sightings: readonly Sighting[], tiers: readonly CertificateTier[], options: InventoryOptions): CertificateReport {
  const groups = grouped(sightings);
  const aliveIssuers = issuersInUse(groups, options.now);
  const rows = [...groups.values()].map((group) => rowOf(group, options, aliveIssuers));
  const { now, source, clockSkew } = options;
  return {
    at: now,
    source,
    ...(clockSkew === undefined ? {} : { clockSkewSeconds: Math.round(clockSkew / 1000) }),
    tiers,
    certificates: rows.toSorted(byUrgency),
  };
}

/** Sightings of one certificate; the first decides what it is. */
type Group = readonly [Sighting, ...Sighting[]];

function grouped(sightings: readonly Sighting[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, [Sighting, ...Sighting[]]>();
  const byObject = new Map<string, string>();
  const add = (key: string, sighting: Sighting): void => {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [sighting]);
    else group.push(sighting);
  };
  for (const sighting of sightings) {
    if (sighting.seen.kind !== 'certificate') continue;
    const { fingerprint, notAfter } = sighting.seen.value;
    add(fingerprint, sighting);
    byObject.set(`${sighting.where.split(' ', 1)[0] ?? ''} ${notAfter}`, fingerprint);
  }
  for (const sighting of sightings) {
    if (sighting.seen.kind === 'certificate') continue;
    // What only tells the dates of a certificate that was read as well is one more place of it.
    const same =
      sighting.seen.kind === 'described' && sighting.of !== undefined
        ? byObject.get(`${sighting.of} ${sighting.seen.value.notAfter ?? ''}`)
        : undefined;
    add(same ?? keyOf(sighting), sighting);
  }
  return groups;
}

function keyOf({ where, role, seen, of }: Sighting): string {
  if (seen.kind === 'certificate') return seen.value.fingerprint;
  if (seen.kind !== 'described') return digestOf(`${seen.kind} ${where} ${role} ${seen.reason}`);
  const { subject, serial, issuer, notAfter } = seen.value;
  return digestOf(serial === undefined ? `${of ?? where} ${role} ${notAfter ?? ''}` : `${issuer ?? ''} ${subject} ${serial}`);
}

/** Subjects of whatever signed a certificate that is still valid: such an authority is in use. */
function issuersInUse(groups: ReadonlyMap<string, Group>, now: Instant): ReadonlySet<string> {
  const issuers = new Set<string>();
  for (const [{ seen }] of groups.values()) {
    if (seen.kind === 'certificate' && seen.value.notAfter >= now && !seen.value.selfIssued) issuers.add(signedBy(seen.value));
  }
  return issuers;
}

function signedBy({ issuerBytes, authorityKeyId }: X509): string {
  return `${authorityKeyId ?? ''} ${issuerBytes}`;
}

function rowOf(group: Group, { now, within }: InventoryOptions, aliveIssuers: ReadonlySet<string>): CertificateRow {
  const [first] = group;
  const role = roleOf(group);
  const facts = factsOf(first);
  const rotatedBy =
    group.find((sighting) => sighting.rotatedBy !== undefined)?.rotatedBy ??
    (first.seen.kind === 'certificate' ? rotatorOf(role, first.seen.value) : 'unknown');
  const { status, reason } = judged(group, { now, within, role, rotatedBy, aliveIssuers });
  const { notBefore, notAfter } = facts;
  return {
    id: keyOf(first).slice(0, 8),
    ...facts,
    role: role.id,
    places: placesOf(group),
    ...(notAfter === undefined ? {} : { daysLeft: Math.floor((notAfter - now) / DAY) }),
    ...(notAfter === undefined || notBefore === undefined || notAfter <= notBefore
      ? {}
      : { usedShare: Math.max(0, Math.round(((now - notBefore) / (notAfter - notBefore)) * 1000) / 1000) }),
    status,
    ...(reason === undefined ? {} : { reason }),
    rotatedBy,
    ...(role.stage === undefined ? {} : { stage: role.stage }),
    breaks: role.breaks,
    renew: inContext(renewal(role, rotatedBy, renewalPlace(group)), renewalPlace(group)?.context),
  };
}

/** What lies in the cluster of another context is renewed there, whichever client does it. */
function inContext(renew: string, context: string | undefined): string {
  if (context === undefined) return renew;
  const word = /^[\w.:@/-]+$/.test(context) ? context : `'${context.replaceAll("'", String.raw`'\''`)}'`;
  return renew.replaceAll(/\b(?:kubectl|cmctl|oc) (?=[a-z-])/g, (client) => `${client}--context ${word} `);
}

const DAY = 86_400_000;

/** Where it is renewed is where its owner is known. */
function renewalPlace(group: Group): Sighting['renews'] {
  const told = group.filter(({ renews }) => renews !== undefined);
  return (told.find(({ rotatedBy }) => rotatedBy !== undefined) ?? told[0])?.renews;
}

type Facts = Pick<CertificateRow, 'fingerprint' | 'subject' | 'names' | 'issuer' | 'serial' | 'key' | 'isCa' | 'notBefore' | 'notAfter'>;

function factsOf({ seen }: Sighting): Facts {
  if (seen.kind === 'described') return described(seen.value);
  if (seen.kind !== 'certificate') return { subject: '', names: [], issuer: '', isCa: false };
  const { fingerprint, subject, issuer, serial, key, isCa, notBefore, notAfter, dnsNames, ipAddresses, otherNames } = seen.value;
  return {
    fingerprint,
    subject: subject.text,
    names: [...dnsNames, ...ipAddresses, ...otherNames],
    issuer: issuer.text,
    serial,
    key,
    isCa,
    notBefore,
    notAfter,
  };
}

function described({ subject, issuer = '', serial, names = [], isCa = false, notBefore, notAfter }: Described): Facts {
  return {
    subject,
    names,
    issuer,
    isCa,
    ...(serial === undefined ? {} : { serial }),
    ...(notBefore === undefined ? {} : { notBefore }),
    ...(notAfter === undefined ? {} : { notAfter }),
  };
}

/** The role that stops most: that of the earliest stage; one that says what it is for before one that only says where it lies. */
function roleOf(group: Group): CertificateRole {
  const ids = [...new Set(group.map(({ role }) => role))];
  const [best] = ids.map(certificateRole).toSorted((a, b) => weight(a) - weight(b));
  return best ?? certificateRole('other');
}

/** From the most telling to the least of those that only name the kind of place. */
const VAGUE: readonly CertificateRoleId[] = [
  'issuer-ca',
  'signed-request',
  'tls-secret',
  'configmap-certificate',
  'other',
  'trust-bundle-member',
];

function weight({ id, stage }: CertificateRole): number {
  const vague = VAGUE.indexOf(id);
  if (vague >= 0) return 200 + vague;
  return stage === undefined ? 100 : stageOrder(stage);
}

function placesOf(group: Group): CertificateRow['places'] {
  const places = new Map(group.map(({ tier, where, role }) => [`${tier} ${where}`, { tier, where, role }]));
  return [...places.values()];
}

interface Judging {
  readonly now: Instant;
  readonly within: number | undefined;
  readonly role: CertificateRole;
  readonly rotatedBy: CertificateRotator;
  readonly aliveIssuers: ReadonlySet<string>;
}

interface Judged {
  readonly status: CertificateStatus;
  readonly reason?: string | undefined;
}

function judged(group: Group, judging: Judging): Judged {
  const [{ seen }] = group;
  const harmless = harmlessBy(group, judging);
  if (harmless !== undefined) return { status: 'INFO', reason: harmless };
  if (seen.kind === 'unreadable') return { status: 'UNREADABLE', reason: seen.reason };
  if (seen.kind === 'missing') return { status: 'MISSING', reason: seen.reason };
  if (seen.kind === 'unchecked') return { status: 'NOT_CHECKED', reason: seen.reason };
  const { notBefore, notAfter } = seen.value;
  if (notAfter === undefined) return { status: 'NOT_CHECKED', reason: 'its expiry date is unknown' };
  const isAuthority = judging.role.authority || (seen.value.isCa ?? false);
  const dueAt = group.find((sighting) => sighting.dueAt !== undefined)?.dueAt;
  const status = statusAt({ notBefore, notAfter, isAuthority, rotatedBy: judging.rotatedBy, dueAt }, judging.now, judging.within);
  const mismatch = group.find((sighting) => sighting.mismatch !== undefined)?.mismatch;
  if (mismatch !== undefined) return { status: status === 'EXPIRED' || status === 'NOT_YET_VALID' ? status : 'MISMATCH', reason: mismatch };
  return { status };
}

/** Why it is of no consequence wherever it was seen; undefined when it matters at one place. */
function harmlessBy(group: Group, { now, aliveIssuers }: Judging): string | undefined {
  let reason: string | undefined;
  for (const sighting of group) {
    reason = harmlessAt(sighting, now, aliveIssuers);
    if (reason === undefined) return undefined;
  }
  return reason;
}

function harmlessAt({ role, harmless, bundle, seen }: Sighting, now: Instant, aliveIssuers: ReadonlySet<string>): string | undefined {
  if (harmless !== undefined) return harmless;
  if (role === 'trust-bundle-member' && seen.kind === 'certificate') return 'a member of a bundle of public authorities';
  if (bundle === undefined || seen.kind !== 'certificate' || !seen.value.isCa || seen.value.notAfter >= now || bundle.latestEnd < now)
    return undefined;
  return aliveIssuers.has(signerKey(seen.value))
    ? undefined
    : 'it has expired, but it signed no certificate that was found, and others of its bundle are valid';
}

function signerKey({ subjectBytes, subjectKeyId }: X509): string {
  return `${subjectKeyId ?? ''} ${subjectBytes}`;
}

const ORDER: Readonly<Record<CertificateStatus, number>> = {
  EXPIRED: 0,
  NOT_YET_VALID: 0,
  MISMATCH: 0,
  MISSING: 0,
  UNREADABLE: 0,
  CRITICAL: 0,
  WARN: 0,
  DUE: 0,
  NOT_CHECKED: 1,
  OK: 2,
  INFO: 3,
};

/** What needs a hand, what ends first first; then what could not be judged, what is well, and what does not matter. */
function byUrgency(a: CertificateRow, b: CertificateRow): number {
  const rank = ORDER[a.status] - ORDER[b.status];
  if (rank !== 0) return rank;
  const ends = (a.notAfter ?? -Infinity) === (b.notAfter ?? -Infinity) ? 0 : (a.notAfter ?? -Infinity) - (b.notAfter ?? -Infinity);
  if (ends !== 0) return ends;
  const [first, second] = [a.places[0]?.where ?? '', b.places[0]?.where ?? ''];
  return first < second ? -1 : first > second ? 1 : a.id < b.id ? -1 : 1;
}
