import type { Course, WatchView } from '../../model/watch-change.ts';
import { epochSeconds, gauge, labelBraces } from '../format/prometheus-text.ts';

/** What a watch knows in Prometheus' text format: one series for each cause, none for a pod. A cause that is cured has none any more. */
export function watchMetrics({ courses, gaps, pending, objects, lagSeconds, complete }: WatchView, version: string): string {
  const causes = courses.map((course) => ({ labels: labelsOf(course), course }));
  const blind = gaps.map(({ gap: { verb, resource } }) => labelBraces(Object.entries({ verb, resource })));
  return [
    ...gauge('podcheck_build_info', 'Version of podcheck', [[labelBraces(Object.entries({ version })), 1]]),
    ...gauge(
      'podcheck_cause',
      'Pods that are not healthy because of this cause',
      causes.map(({ labels, course }) => [labels, course.pods]),
    ),
    ...gauge(
      'podcheck_cause_since_timestamp_seconds',
      'When the workload became unhealthy, in seconds since 1970',
      causes.map(({ labels, course }) => [labels, epochSeconds(course.since)]),
    ),
    ...gauge(
      'podcheck_gap',
      'What cannot be listed or watched: the number of scopes',
      blind.map((labels) => [labels, blind.filter((other) => other === labels).length]),
    ),
    ...gauge('podcheck_pending_workloads', 'Unhealthy workloads without a cause yet', [['', pending]]),
    ...gauge('podcheck_watched_objects', 'Objects that are watched', [['', objects]]),
    ...gauge('podcheck_watch_complete', 'Whether everything was listed once', [['', complete ? 1 : 0]]),
    ...gauge('podcheck_watch_lag_seconds', 'Time since the server was last heard of, for the most silent kind', [
      ['', Math.round(lagSeconds * 1000) / 1000],
    ]),
    '',
  ].join('\n');
}

function labelsOf({ cause: { rule, stage, workload, fingerprint } }: Course): string {
  const { kind, namespace = '', name } = workload;
  return labelBraces(Object.entries({ rule, stage: stage ?? '', namespace, kind, name, fingerprint }));
}
