import { parseInstant } from '../base/instant.ts';
import type { Json } from '../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../base/json.ts';
import { append } from '../base/lists.ts';
import type { ListRead } from '../model/cluster-reader.ts';
import type { CertificateTierId } from '../model/certificate.ts';
import type { CertificateRoleId } from '../model/certificate-roles.ts';
import { certificateRole } from '../model/certificate-roles.ts';
import type { CertificateRotator } from '../model/certificate-rotators.ts';
import { CERTIFICATE_ROTATORS } from '../model/certificate-rotators.ts';
import type { KubeObject } from '../model/kube-object.ts';
import type { FileUse } from './file-roles.ts';
import { fileUse } from './file-roles.ts';
import { roleOfCommonName } from './secret-uses.ts';
import type { Described, Sighting } from './seen-certificate.ts';
import { sightingsOfText } from './seen-certificate.ts';
import type { TierFindings } from './tier-findings.ts';
import { findings } from './tier-findings.ts';

/** Certificates outside the API, as a source that can see them has them (`CertificateRecord`); nothing for tiers it says nothing of. */
export function recordFindings(read: ListRead): readonly TierFindings[] {
  if (!read.ok) return [];
  const byTier = new Map<CertificateTierId, Sighting[]>();
  for (const record of read.value) {
    const tier = TIERS[asText(dig(record, 'spec', 'tier')) ?? ''];
    if (tier === undefined) continue;
    const sightings = byTier.get(tier) ?? [];
    append(sightings, sightingsOfRecord(record, tier));
    byTier.set(tier, sightings);
  }
  return [...byTier].map(([tier, sightings]) => findings(tier, sightings));
}

const TIERS: Readonly<Record<string, CertificateTierId>> = {
  kubeconfig: 'kubeconfig',
  served: 'served',
  node: 'files',
  probe: 'probe',
  secret: 'secrets',
  metadata: 'metadata',
  api: 'api',
};

function sightingsOfRecord(record: KubeObject, tier: CertificateTierId): readonly Sighting[] {
  const [place, role, rotator, pem, error] = ['place', 'role', 'rotatedBy', 'pem', 'error'].map((field) =>
    asText(dig(record, 'spec', field)),
  );
  const where = place ?? record.metadata.name;
  const use = role === undefined ? (fileUse(`/${where}`) ?? NO_USE) : NO_USE;
  const rotatedBy = rotatorNamed(rotator) ?? use.rotatedBy;
  const of = /^Secret\/[^ ]*/.exec(where)?.[0];
  const sighting = { tier, where, ...(rotatedBy === undefined ? {} : { rotatedBy }), ...(of === undefined ? {} : { of }) };
  const described = describedIn(dig(record, 'spec', 'described'));
  const told = role ?? use.role ?? roleOfTier(tier);
  const seen = certificateRole(told).id;
  if (pem !== undefined) return sightingsOfText(pem, { ...sighting, role: seen });
  if (described !== undefined) {
    const named = told === 'other' ? roleOfName(described.subject) : undefined;
    return [{ ...sighting, role: named ?? seen, seen: { kind: 'described', value: described } }];
  }
  return [{ ...sighting, role: seen, seen: unseen(error ?? 'the record holds no certificate') }];
}

const NO_USE: Partial<FileUse> = {};

function unseen(reason: string): Sighting['seen'] {
  return { kind: reason.includes('not found') ? 'missing' : 'unreadable', reason };
}

/** What a certificate is taken for whose record does not say it, by where it was found. */
function roleOfTier(tier: CertificateTierId): string {
  if (tier === 'secrets' || tier === 'metadata') return 'tls-secret';
  return tier === 'api' ? 'configmap-certificate' : 'other';
}

function describedIn(value: Json | undefined): Described | undefined {
  if (!isJsonObject(value)) return undefined;
  const [subject = '', issuer = '', serial] = ['subject', 'issuer', 'serial'].map((field) => asText(dig(value, field)));
  const [notBefore, notAfter] = ['notBefore', 'notAfter'].map((field) => parseInstant(dig(value, field)));
  const names = asList(dig(value, 'names')).flatMap((name) => asText(name) ?? []);
  const times = {
    ...(notBefore === undefined ? {} : { notBefore }),
    ...(notAfter === undefined ? {} : { notAfter }),
    ...(serial === undefined ? {} : { serial }),
  };
  return { subject, issuer, names, isCa: dig(value, 'isCa') === true, ...times };
}

/** By the CN of a name as RFC 4514 writes it. */
function roleOfName(subject: string): CertificateRoleId | undefined {
  return roleOfCommonName(/(?:^|,)CN=([^,]*)/.exec(subject)?.[1] ?? '');
}

function rotatorNamed(word: string | undefined): CertificateRotator | undefined {
  return CERTIFICATE_ROTATORS.find((rotator) => rotator === word);
}
