import { formatInstant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import type { WatchGap } from '../../model/followed.ts';
import type { Change, Course, PastCourse } from '../../model/watch-change.ts';
import { refJson } from '../diagnosis/cause-json.ts';
import { clusterValue } from '../format/cluster-text.ts';

/** One change as a contract for programs. Schema: `schemas/watch.v1.json`. */
export function changeJson(change: Change): JsonObject {
  const { type, at } = change;
  const head = { schema: 'podcheck.watch/v1', type, at: formatInstant(at) };
  switch (change.type) {
    case 'found':
      return { ...head, ...courseJson(change.course) };
    case 'changed':
      return { ...head, ...courseJson(change.course), before: { fingerprint: change.before.fingerprint, rule: change.before.rule } };
    case 'cured':
      return { ...head, ...pastJson(change.course) };
    case 'gap':
      return { ...head, gap: gapJson(change.gap) };
    case 'gap-closed':
      return { ...head, gap: gapJson(change.gap), since: formatInstant(change.since) };
    case 'missed':
      return { ...head, detail: clusterValue(change.detail) };
  }
}

export function courseJson({ cluster, cause, since, foundAt, pods, reasons, times }: Course): JsonObject {
  const { fingerprint, rule, stage, title, says, workload, object, fix, evidence, needs } = cause;
  return {
    ...(cluster === undefined ? {} : { cluster }),
    fingerprint,
    rule,
    ...(stage === undefined ? {} : { stage }),
    title,
    workload: refJson(workload),
    object: refJson(object),
    since: formatInstant(since),
    foundAt: formatInstant(foundAt),
    pods,
    times,
    reasons: reasons.map(clusterValue),
    what: clusterValue(says),
    fix: fix.map(({ say, run }) => ({ say: clusterValue(say), ...(run === undefined ? {} : { run: clusterValue(run) }) })),
    evidence: evidence.map(({ source, quote, at }) => ({
      source: clusterValue(source),
      quote: clusterValue(quote),
      ...(at === undefined ? {} : { at: formatInstant(at) }),
    })),
    ...(needs.length === 0 ? {} : { needs: needs.map(clusterValue) }),
  };
}

export function pastJson(course: PastCourse): JsonObject {
  return { ...courseJson(course), endedAt: formatInstant(course.endedAt), ended: course.ended };
}

export function gapJson({ cluster, verb, resource, namespace, detail, needs }: WatchGap): JsonObject {
  return {
    ...(cluster === undefined ? {} : { cluster }),
    verb,
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    detail: clusterValue(detail),
    ...(needs === undefined ? {} : { needs }),
  };
}
