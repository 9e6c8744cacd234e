import { formatInstant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import { causeJson, gapJson, refJson } from './cause-json.ts';
import { clusterValue } from '../format/cluster-text.ts';

/** The diagnosis as a contract for programs. Schema: `schemas/diagnosis.v1.json`. */
export function diagnosisJson({ target, at, outcome, state, reason, pods, stages, causes, others, gaps }: Diagnosis): JsonObject {
  return {
    schema: 'podcheck.diagnosis/v1',
    target: refJson(target),
    at: formatInstant(at),
    outcome,
    state,
    ...(reason === undefined ? {} : { reason: clusterValue(reason) }),
    ...(pods === undefined ? {} : { pods: { ...pods } }),
    stages: stages.map((stage) => ({
      id: stage.id,
      verdict: stage.verdict,
      ...(stage.at === undefined ? {} : { at: formatInstant(stage.at) }),
      ...(stage.reason === undefined ? {} : { reason: clusterValue(stage.reason) }),
    })),
    causes: causes.map(causeJson),
    ...(others === undefined ? {} : { others: others.map(({ ref }) => refJson(ref)) }),
    gaps: gaps.map(gapJson),
  };
}
