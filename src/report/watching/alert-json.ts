import { formatInstant } from '../../base/instant.ts';
import type { Instant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Course, PastCourse } from '../../model/watch-change.ts';
import { clusterLine } from '../format/cluster-text.ts';

/**
 * A cause as an alert of Alertmanager's API v2. Its labels make it the same one each time it is sent; without an end it is over when it
 * has not been sent for a while. Source: Alertmanager's api/v2/openapi.yaml (postableAlert).
 */
export function alertJson(course: Course | PastCourse): JsonObject {
  const { cluster, cause, since } = course;
  const { rule, stage, workload, fingerprint, title, says, fix } = cause;
  const { kind, namespace, name } = workload;
  const run = fix.find((step) => step.run !== undefined)?.run;
  return {
    labels: {
      alertname: 'PodcheckCause',
      severity: 'warning',
      ...(cluster === undefined ? {} : { cluster: clusterLine(cluster) }),
      rule,
      ...(stage === undefined ? {} : { stage }),
      ...(namespace === undefined ? {} : { namespace: clusterLine(namespace) }),
      kind: clusterLine(kind),
      name: clusterLine(name),
      fingerprint,
    },
    annotations: {
      summary: clusterLine(title),
      description: clusterLine(says, 1200),
      ...(run === undefined ? {} : { fix: clusterLine(run) }),
    },
    startsAt: formatInstant(since),
    ...endOf(course),
  };
}

function endOf(course: Course | PastCourse): { readonly endsAt?: string } {
  const endedAt: Instant | undefined = 'endedAt' in course ? course.endedAt : undefined;
  return endedAt === undefined ? {} : { endsAt: formatInstant(endedAt) };
}
