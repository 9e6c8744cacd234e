import { formatInstant } from '../base/instant.ts';
import type { JsonObject } from '../base/json.ts';
import type { ScanResult } from '../model/diagnosis.ts';
import { causeJson, gapJson, refJson } from './cause-json.ts';
import { clusterValue } from './cluster-text.ts';

/** The scan as a contract for programs. Schema: `schemas/scan.v1.json`. */
export function scanJson({ at, scope, counts, causes, unexplained, gaps }: ScanResult): JsonObject {
  return {
    schema: 'podcheck.scan/v1',
    at: formatInstant(at),
    scope: scope.namespace === undefined ? {} : { namespace: scope.namespace },
    counts: { ...counts },
    causes: causes.map(causeJson),
    unexplained: unexplained.map(({ ref, reason }) => ({ object: refJson(ref), ...(reason === undefined ? {} : { reason: clusterValue(reason) }) })),
    gaps: gaps.map(gapJson),
  };
}
