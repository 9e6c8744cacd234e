import type { Instant } from '../../base/instant.ts';
import { asText, dig } from '../../base/json.ts';
import { smallest } from '../../base/lists.ts';
import { zoneOffset } from '../controllers/cronjob/time-zone.ts';
import { parseSchedule } from '../controllers/cronjob/schedule.ts';
import type { Cluster } from '../cluster.ts';

/** When the next of the CronJobs that have never run is to run, if that is within a day: what they do is not seen before. */
export function nextFirstRun(cluster: Cluster): Instant | undefined {
  const now = cluster.now();
  const due = cluster.store.list('cronjobs.batch').flatMap((cronJob): readonly Instant[] => {
    const { spec } = cronJob;
    if (dig(spec, 'suspend') === true || dig(cronJob, 'status', 'lastScheduleTime') !== undefined) return [];
    const zone = asText(dig(spec, 'timeZone'));
    const parsed = parseSchedule(asText(dig(spec, 'schedule')) ?? '', zone === undefined ? undefined : (at) => zoneOffset(zone, at) ?? 0);
    const next = parsed.ok ? parsed.schedule.next(now) : undefined;
    return next === undefined || next - now > A_DAY ? [] : [next];
  });
  return due.length === 0 ? undefined : smallest(due);
}

const A_DAY = 86_400_000;
