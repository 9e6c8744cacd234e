import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { CertificateReport, CertificateRow } from '../../model/certificate.ts';
import { clusterValue } from '../format/cluster-text.ts';

/** As `schemas/certificates.v1.json` has it. */
export function certificatesJson({ at, source, clockSkewSeconds, tiers, certificates }: CertificateReport): JsonObject {
  return {
    schema: 'podcheck.certificates/v1',
    at: formatInstant(at),
    source: clusterValue(source),
    ...(clockSkewSeconds === undefined ? {} : { clockSkewSeconds }),
    tiers: tiers.map(({ id, state, asked, reason, found }) => ({
      id,
      state,
      asked,
      found,
      ...(reason === undefined ? {} : { reason: clusterValue(reason) }),
    })),
    certificates: certificates.map(rowJson),
  };
}

function rowJson(row: CertificateRow): JsonObject {
  return {
    id: row.id,
    fingerprint: row.fingerprint ?? null,
    role: row.role,
    places: row.places.map(({ tier, where, role }) => ({ tier, where: clusterValue(where), role })),
    subject: clusterValue(row.subject),
    names: row.names.map(clusterValue),
    issuer: clusterValue(row.issuer),
    serial: row.serial ?? null,
    key: row.key ?? null,
    isCa: row.isCa,
    notBefore: instantJson(row.notBefore),
    notAfter: instantJson(row.notAfter),
    daysLeft: row.daysLeft ?? null,
    usedShare: row.usedShare ?? null,
    status: row.status,
    ...(row.reason === undefined ? {} : { reason: clusterValue(row.reason) }),
    rotatedBy: row.rotatedBy,
    stage: row.stage ?? null,
    breaks: row.breaks,
    renew: clusterValue(row.renew),
  };
}

function instantJson(instant: Instant | undefined): Json {
  return instant === undefined ? null : formatInstant(instant);
}
