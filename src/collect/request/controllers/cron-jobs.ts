import { parseInstant } from '../../../base/instant.ts';
import { asBoolean, asList, asNumber, asText, dig } from '../../../base/json.ts';
import { isUnreadable, unseenIn } from '../../../model/cluster-reader.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { formatRef, inNamespace, refOf, shows } from '../../../model/kube-object.ts';
import { podState } from '../../objects/targets.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import { hasDate, parseCron, startsBetween } from './cron-schedule.ts';

const MISSED_LIMIT = 100;

/** A `schedule` fact for every CronJob: what it has started, what still runs, and how many starts were due and did not come. */
export async function collectCronJobs(scene: Scene, sink: FactSink): Promise<void> {
  for (const cronJob of scene.workloads.filter(({ kind }) => kind === 'CronJob')) {
    scheduleFact(cronJob, scene, sink);
    if (asList(dig(cronJob, 'status', 'active')).length > 0) await runGap(cronJob, scene, sink);
  }
}

/** Says where it could not be seen whether its Job fails. */
async function runGap(cronJob: KubeObject, { survey }: Scene, sink: FactSink): Promise<void> {
  for (const kind of ['Job', 'Pod']) {
    const list = await survey.list(kind, inNamespace(cronJob.metadata.namespace));
    const unread = list.ok ? (list.brokeOff === true ? unseenIn(list) : undefined) : isUnreadable(list) ? list : undefined;
    if (unread !== undefined) sink.gap('schedule', refOf(cronJob), unread);
  }
}

function isImpossible(schedule: ReturnType<typeof parseCron>): true | undefined {
  return schedule !== undefined && !hasDate(schedule) ? true : undefined;
}

function scheduleFact(cronJob: KubeObject, scene: Scene, sink: FactSink): void {
  const ref = refOf(cronJob);
  const active = asList(dig(cronJob, 'status', 'active'));
  const job = asText(dig(active[0], 'name'));
  const running = scene.workloads.find(
    ({ kind, metadata }) => kind === 'Job' && metadata.name === job && metadata.namespace === ref.namespace,
  );
  const [started, last] = [instantOf(running, 'startTime'), instantOf(cronJob, 'lastScheduleTime')];
  const [cron, timeZone] = [asText(dig(cronJob, 'spec', 'schedule')), asText(dig(cronJob, 'spec', 'timeZone'))];
  const schedule = parseCron(cron ?? '');
  const now = scene.survey.now();
  const known = schedule !== undefined && last !== undefined && timeZone === undefined;
  const missed = known ? startsBetween(schedule, last, now, MISSED_LIMIT) : undefined;
  const policy = asText(dig(cronJob, 'spec', 'concurrencyPolicy')) ?? (shows(cronJob, 'spec.concurrencyPolicy') ? 'Allow' : undefined);
  sink.fact(
    'schedule',
    ref,
    {
      policy,
      cron,
      timeZone,
      impossible: isImpossible(schedule),
      suspended: asBoolean(dig(cronJob, 'spec', 'suspend')),
      active: shows(cronJob, 'status.active') ? active.length : undefined,
      job,
      failing: running !== undefined && scene.podsOf(refOf(running)).some(isFailing) ? true : undefined,
      runningSeconds: started === undefined ? undefined : Math.max(0, Math.round((now - started) / 1000)),
      missed,
      deadlineSeconds: asNumber(dig(cronJob, 'spec', 'startingDeadlineSeconds')),
    },
    {
      source: `${formatRef(ref)} status`,
      quote: `schedule ${cron ?? '?'}, concurrencyPolicy ${policy ?? '?'}, active Jobs: ${String(active.length)}${missed === undefined ? '' : `, missed starts: ${String(missed)}`}`,
    },
  );
}

/** Whether it does not run, or was restarted: what fails in it then keeps its Job from its end. */
function isFailing(pod: KubeObject): boolean {
  const restarted = asList(dig(pod, 'status', 'containerStatuses')).some((status) => (asNumber(dig(status, 'restartCount')) ?? 0) > 0);
  return restarted || podState(pod).state === 'unhealthy';
}

/** A time of an object's status, or else when it was created. */
function instantOf(object: KubeObject | undefined, field: string): number | undefined {
  return parseInstant(dig(object, 'status', field)) ?? parseInstant(dig(object, 'metadata', 'creationTimestamp'));
}
