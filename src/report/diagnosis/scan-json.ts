import { formatInstant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import type { CertificateRow } from '../../model/certificate.ts';
import type { ScanResult, Target } from '../../model/diagnosis.ts';
import { causeJson, gapJson, refJson } from './cause-json.ts';
import { clusterValue } from '../format/cluster-text.ts';

/** The scan as a contract for programs. Schema: `schemas/scan.v1.json`. */
export function scanJson({ at, scope, counts, causes, unexplained, starting, inactive, certificates, gaps }: ScanResult): JsonObject {
  return {
    schema: 'podcheck.scan/v1',
    at: formatInstant(at),
    scope: scope.namespace === undefined ? {} : { namespace: scope.namespace },
    counts: { ...counts },
    causes: causes.map(causeJson),
    unexplained: unexplained.map(targetJson),
    ...(starting === undefined ? {} : { starting: starting.map(targetJson) }),
    ...(inactive === undefined ? {} : { inactive: inactive.map(targetJson) }),
    ...(certificates === undefined ? {} : { certificates: certificates.map(certificateJson) }),
    gaps: gaps.map(gapJson),
  };
}

function targetJson({ ref, reason }: Target): JsonObject {
  return { object: refJson(ref), ...(reason === undefined ? {} : { reason: clusterValue(reason) }) };
}

function certificateJson({ role, places, subject, notAfter, daysLeft, status, stage, breaks, renew }: CertificateRow): JsonObject {
  return {
    role,
    places: places.map(({ where }) => clusterValue(where)),
    subject: clusterValue(subject),
    notAfter: notAfter === undefined ? null : formatInstant(notAfter),
    daysLeft: daysLeft ?? null,
    status,
    stage: stage ?? null,
    breaks,
    renew: clusterValue(renew),
  };
}
