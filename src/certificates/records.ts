import { parseInstant } from '../base/instant.ts';
import { asList, asText, dig } from '../base/json.ts';
import type { ListRead } from '../model/cluster-reader.ts';
import type { CertificateTierId } from '../model/certificate.ts';
import { certificateRole } from '../model/certificate-roles.ts';
import type { CertificateRotator } from '../model/certificate-rotators.ts';
import { CERTIFICATE_ROTATORS } from '../model/certificate-rotators.ts';
import type { KubeObject } from '../model/kube-object.ts';
import type { Sighting } from './sighting.ts';
import { sightingsOfText } from './sighting.ts';
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
    sightings.push(...sightingsOfRecord(record, tier));
    byTier.set(tier, sightings);
  }
  return [...byTier].map(([tier, sightings]) => findings(tier, sightings, 1, []));
}

const TIERS: Readonly<Record<string, CertificateTierId>> = { kubeconfig: 'kubeconfig', served: 'served', node: 'files', probe: 'probe' };

function sightingsOfRecord(record: KubeObject, tier: CertificateTierId): readonly Sighting[] {
  const [place, role, rotator, pem] = ['place', 'role', 'rotatedBy', 'pem'].map((field) => asText(dig(record, 'spec', field)));
  const rotatedBy = rotatorNamed(rotator);
  const where = { tier, where: place ?? record.metadata.name, role: certificateRole(role ?? 'other').id, ...(rotatedBy === undefined ? {} : { rotatedBy }) };
  if (pem !== undefined) return sightingsOfText(pem, where);
  const described = dig(record, 'spec', 'described');
  const [subject, issuer, serial] = ['subject', 'issuer', 'serial'].map((field) => asText(dig(described, field)));
  const [notBefore, notAfter] = ['notBefore', 'notAfter'].map((field) => parseInstant(dig(described, field)));
  if (described === undefined) return [{ ...where, seen: { kind: 'unreadable', reason: 'the record holds no certificate' } }];
  const names = asList(dig(described, 'names')).flatMap((name) => asText(name) ?? []);
  const times = { ...(notBefore === undefined ? {} : { notBefore }), ...(notAfter === undefined ? {} : { notAfter }), ...(serial === undefined ? {} : { serial }) };
  return [{ ...where, seen: { kind: 'described', value: { subject: subject ?? '', issuer: issuer ?? '', names, isCa: dig(described, 'isCa') === true, ...times } } }];
}

function rotatorNamed(word: string | undefined): CertificateRotator | undefined {
  return CERTIFICATE_ROTATORS.find((rotator) => rotator === word);
}
