import { formatInstant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import { gapJson, refJson } from '../diagnosis/cause-json.ts';
import { clusterValue } from '../format/cluster-text.ts';
import type { Place, Problem } from '../pipeline/check.ts';
import type { Obstacle, Preflight } from './preflight.ts';

/** The preflight as a contract for programs. Schema: `schemas/preflight.v1.json`. */
export function preflightJson({ files, cluster, at, ageSeconds, workloads, remarks, effects, gaps, known }: Preflight): JsonObject {
  return {
    schema: 'podcheck.preflight/v1',
    files,
    cluster: clusterValue(cluster),
    at: formatInstant(at),
    ...(ageSeconds === undefined ? {} : { ageSeconds: Math.round(ageSeconds) }),
    workloads: workloads.map(({ ref, place, verdict, lastStage, obstacles, unknown }) => ({
      object: refJson(ref),
      place: placeJson(place),
      verdict,
      ...(lastStage === undefined ? {} : { lastStage }),
      obstacles: obstacles.map(obstacleJson),
      unknown: unknown.map(clusterValue),
    })),
    remarks: remarks.map(problemJson),
    effects: effects.map(problemJson),
    gaps: gaps.map(gapJson),
    baselineFindings: known,
  };
}

function obstacleJson(obstacle: Obstacle): JsonObject {
  const { stage, assumed } = obstacle;
  return { ...problemJson(obstacle), stage, ...(assumed === undefined ? {} : { assumed: clusterValue(assumed) }) };
}

function problemJson({ rule, level, title, says, fix, object, place }: Problem): JsonObject {
  return {
    rule,
    level,
    title,
    says: clusterValue(says),
    object: refJson(object),
    ...(place === undefined ? {} : { place: placeJson(place) }),
    fix: fix.map(({ say, run, by }) => ({
      say: clusterValue(say),
      ...(run === undefined ? {} : { run: clusterValue(run) }),
      ...(by === undefined ? {} : { by }),
    })),
  };
}

function placeJson({ file, line, column }: Place): JsonObject {
  return { file, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
}
