import { withoutUndefined } from '../../base/without-undefined.ts';
import type { Course, WatchView } from '../../model/watch-change.ts';
import { isVague, STAGE_BUCKETS } from '../../model/watch-change.ts';
import { epochSeconds, gauge, histogram, labelBraces } from '../format/prometheus-text.ts';

/** What a watch knows in Prometheus' text format: one series for each cause, none for a pod. A cause that is cured has none any more. */
export function watchMetrics(view: WatchView, version: string): string {
  const { courses, gaps, pending, objects, lagSeconds, complete, shard, stageTimes = [] } = view;
  const causes = courses.filter(({ cause }) => !isVague(cause)).map((course) => ({ labels: labelsOf(course), course }));
  const vague = courses.filter(({ cause }) => isVague(cause));
  const blind = gaps.map(({ gap: { cluster, verb, resource } }) =>
    labelBraces(Object.entries(withoutUndefined({ cluster, verb, resource }))),
  );
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
      'podcheck_unexplained',
      'Pods that are not healthy without a known cause, because no rule names it or because evidence is missing',
      vague.map((course) => [labelsOf(course), course.pods]),
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
    ...gauge(
      'podcheck_shard_info',
      'Number of this replica, and how many share the work',
      shard === undefined
        ? []
        : [
            [
              labelBraces([
                ['shard', String(shard.shard)],
                ['of', String(shard.of)],
              ]),
              1,
            ],
          ],
    ),
    ...histogram(
      'podcheck_stage_seconds',
      'Time in a stage, of pods that became Ready',
      STAGE_BUCKETS,
      stageTimes.map(({ stage, ...times }) => ({ labels: [['stage', stage]], ...times })),
    ),
    '',
  ].join('\n');
}

function labelsOf({ cluster, cause: { rule, stage, workload, fingerprint } }: Course): string {
  const { kind, namespace = '', name } = workload;
  return labelBraces(Object.entries(withoutUndefined({ cluster, rule, stage: stage ?? '', namespace, kind, name, fingerprint })));
}
