import type { Instant } from '../../../base/instant.ts';
import { calendarOf, formatInstant, parseInstant } from '../../../base/instant.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { keyOfObject } from '../../store/store.ts';
import { timeOf } from '../../time/api-times.ts';
import type { SyncResult, WorkQueue } from '../../components/work-queue.ts';
import { controllerKey, controllerReference, isDeleted, ownedBy, splitKey, withOwnerIndex } from '../ownership.ts';
import { isNamespaceTerminating } from '../pod-control.ts';
import { createdAt } from '../pod-state.ts';
import type { Schedule } from './schedule.ts';
import { parseSchedule } from './schedule.ts';
import { zoneOffset } from './time-zone.ts';

/** Makes Jobs at their times. Source: pkg/controller/cronjob/{cronjob_controllerv2,utils}.go. */
export const CRONJOB_CONTROLLER: ComponentDefinition = { name: 'cronjob-controller', process: 'kube-controller-manager', start };

/** How long after its time a schedule is looked at. */
const DELTA_MILLISECONDS = 100;
const MISSED_LIMIT = 100;
const SCHEDULED_ANNOTATION = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

interface Controller {
  readonly host: ComponentHost;
  readonly crons: Informer;
  readonly jobs: Informer;
}

function start(host: ComponentHost): void {
  const crons = host.informer({ kind: 'CronJob' });
  const jobs = withOwnerIndex(host.informer({ kind: 'Job' }));
  const controller: Controller = { host, crons, jobs };
  const queue = host.queue({ name: 'cronjob' }, (key) => sync(controller, queue, key));
  crons.onChange(({ object, type }) => type !== 'DELETED' && queue.add(keyOfObject(object)));
  jobs.onChange(({ object }) => {
    const key = controllerKey(object, 'CronJob');
    if (key !== undefined) queue.add(key);
  });
}

function* sync(controller: Controller, queue: WorkQueue, key: string): Routine<SyncResult> {
  const { host, crons, jobs } = controller;
  const cron = crons.get(...splitKey(key));
  if (cron === undefined) return;
  const owned = ownedBy(jobs, cron);
  if (isStuck(cron, owned)) return { retry: 'resource name may not be empty' };
  const status = yield* takeStock(host, cron, owned);
  const outcome = yield* schedule(controller, cron, status, owned);
  if ('retry' in outcome) return outcome;
  const written = yield* write(host, cron, outcome.status);
  if (written !== undefined) return { retry: written };
  for (const event of outcome.announce) host.events.event(cron, event);
  yield* forgetOld(host, cron, owned);
  if (outcome.againAt !== undefined) queue.addAfter(key, outcome.againAt - host.now() + DELTA_MILLISECONDS, { background: true });
}

/** Whether the first Job that nobody sees cannot be asked for. Source: cronjob_controllerv2.go (syncCronJob), client-go/rest/request.go. */
function isStuck(cron: KubeObject, owned: readonly KubeObject[]): boolean {
  const uids = new Set(owned.map((job) => job.metadata.uid));
  const unseen = asList(dig(cron, 'status', 'active')).find((entry) => !uids.has(asText(dig(entry, 'uid'))));
  return unseen !== undefined && (asText(dig(unseen, 'name')) ?? '') === '';
}

/** The status with what became of the Jobs. */
function* takeStock(host: ComponentHost, cron: KubeObject, owned: readonly KubeObject[]): Routine<JsonObject> {
  let status = asObject(cron['status']);
  let active = asList(status['active']);
  for (const job of owned) {
    const listed = lists(active, job);
    const end = endOf(job);
    if (!listed && end === undefined) {
      const name = keyOfObject(job);
      // The list in the API may be newer than the one in the cache.
      const fresh = yield* host.client.get(refOf(cron));
      if (fresh.ok && lists(asList(dig(fresh.object, 'status', 'active')), job)) continue;
      warn(host, cron, 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name.slice(name.indexOf('/') + 1)}`);
    } else if (listed && end !== undefined) {
      active = active.filter((entry) => dig(entry, 'uid') !== job.metadata.uid);
      host.events.event(cron, {
        type: 'Normal',
        reason: 'SawCompletedJob',
        message: `Saw completed job: ${job.metadata.name}, condition: ${end}`,
      });
    }
    if (end === 'Complete') status = withSuccess(status, asText(dig(job, 'status', 'completionTime')));
  }
  active = yield* withoutMissing(host, cron, owned, active);
  return withFields(status, { active: active.length === 0 ? undefined : active });
}

function lists(active: readonly Json[], job: KubeObject): boolean {
  return active.some((entry) => dig(entry, 'uid') === job.metadata.uid);
}

/** Without the Jobs that nobody sees any more. */
function* withoutMissing(
  host: ComponentHost,
  cron: KubeObject,
  owned: readonly KubeObject[],
  listed: readonly Json[],
): Routine<readonly Json[]> {
  let active = listed;
  const uids = new Set(owned.map((job) => job.metadata.uid));
  for (const entry of listed) {
    if (uids.has(asText(dig(entry, 'uid'))) || !active.includes(entry)) continue;
    const name = asText(dig(entry, 'name')) ?? '';
    const there = yield* host.client.get({ kind: 'Job', namespace: cron.metadata.namespace ?? '', name });
    if (there.ok || there.code !== 404) continue;
    active = active.filter((other) => dig(other, 'uid') !== dig(entry, 'uid'));
    host.events.event(cron, { type: 'Normal', reason: 'MissingJob', message: `Active job went missing: ${name}` });
  }
  return active;
}

function withSuccess(status: JsonObject, finished: string | undefined): JsonObject {
  const known = asText(status['lastSuccessfulTime']);
  if (finished === undefined || (known !== undefined && (parseInstant(finished) ?? 0) <= (parseInstant(known) ?? 0))) return status;
  return withFields(status, { lastSuccessfulTime: finished });
}

function endOf(job: KubeObject): 'Complete' | 'Failed' | undefined {
  const end = asList(dig(job, 'status', 'conditions')).find(
    (condition) => (dig(condition, 'type') === 'Complete' || dig(condition, 'type') === 'Failed') && dig(condition, 'status') === 'True',
  );
  return end === undefined ? undefined : (dig(end, 'type') as 'Complete' | 'Failed');
}

interface CronEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

type Outcome =
  | { readonly status: JsonObject; readonly againAt: Instant | undefined; readonly announce: readonly CronEvent[] }
  | { readonly retry: string };

/** Source: cronjob_controllerv2.go (syncCronJob). */
function* schedule(controller: Controller, cron: KubeObject, status: JsonObject, owned: readonly KubeObject[]): Routine<Outcome> {
  const { host } = controller;
  const idle: Outcome = { status, againAt: undefined, announce: [] };
  if (isDeleted(cron)) return idle;
  const parsed = scheduleOf(host, cron);
  if (parsed === undefined) return idle;
  const now = host.now();
  const due = dueTime(cron, status, parsed, now);
  const againAt = parsed.next(now);
  if (due.tooMany)
    warn(
      host,
      cron,
      'TooManyMissedTimes',
      'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
    );
  const later: Outcome = { status, againAt, announce: [] };
  if (due.at === undefined) return later;
  const deadline = asNumber(dig(cron, 'spec', 'startingDeadlineSeconds'));
  if (deadline !== undefined && due.at + deadline * 1000 < now) {
    warn(host, cron, 'MissSchedule', `Missed scheduled time to start a job: ${rfc1123(due.at)}`);
    return later;
  }
  const name = `${cron.metadata.name}-${Math.floor(due.at / 60_000)}`;
  const active = asList(status['active']);
  if (active.some((entry) => dig(entry, 'name') === name) || parseInstant(status['lastScheduleTime']) === due.at) return later;
  const policy = asText(dig(cron, 'spec', 'concurrencyPolicy'));
  if (policy === 'Forbid' && active.length > 0) {
    host.events.event(cron, {
      type: 'Normal',
      reason: 'JobAlreadyActive',
      message: 'Not starting job because prior execution is running and concurrency policy is Forbid',
    });
    return later;
  }
  const kept = policy === 'Replace' ? yield* deleteActive(host, cron, active, owned) : active;
  return yield* createJob(host, cron, withFields(status, { active: kept.length === 0 ? undefined : kept }), { name, at: due.at, againAt });
}

function warn(host: ComponentHost, cron: KubeObject, reason: string, message: string): void {
  host.events.event(cron, { type: 'Warning', reason, message });
}

function scheduleOf(host: ComponentHost, cron: KubeObject): Schedule | undefined {
  const text = asText(dig(cron, 'spec', 'schedule')) ?? '';
  const zone = asText(dig(cron, 'spec', 'timeZone'));
  if (zone !== undefined && zoneOffset(zone, host.now()) === undefined) {
    warn(host, cron, 'UnknownTimeZone', `invalid timeZone: "${zone}": unknown time zone ${zone}`);
    return undefined;
  }
  if (dig(cron, 'spec', 'suspend') === true) return undefined;
  const parsed = parseSchedule(text, zone === undefined ? undefined : (at) => zoneOffset(zone, at) ?? 0);
  if (!parsed.ok) warn(host, cron, 'UnparseableSchedule', `unparseable schedule: "${text}" : ${parsed.error}`);
  else if (parsed.schedule.next(host.now()) !== undefined) return parsed.schedule;
  // A day that no month has. Go's parser gives year 1 for it: both of the next two times are the same.
  else warn(host, cron, 'InvalidSchedule', `invalid schedule: ${text} : time difference between two schedules is less than 1 second`);
  return undefined;
}

/** The latest time that has passed and was not served. Source: utils.go (mostRecentScheduleTime). */
function dueTime(
  cron: KubeObject,
  status: JsonObject,
  schedule: Schedule,
  now: Instant,
): { readonly at: Instant | undefined; readonly tooMany: boolean } {
  let from = parseInstant(status['lastScheduleTime']) ?? createdAt(cron);
  const deadline = asNumber(dig(cron, 'spec', 'startingDeadlineSeconds'));
  if (deadline !== undefined) from = Math.max(from, now - deadline * 1000);
  let at: Instant | undefined;
  let missed = 0;
  for (let next = schedule.next(from); next !== undefined && next <= now; next = schedule.next(next)) {
    at = next;
    missed++;
    if (missed > MISSED_LIMIT) break;
  }
  if (missed <= MISSED_LIMIT || at === undefined) return { at, tooMany: false };
  // Too many to go through one by one: the distance of the last two leads to the latest.
  const after = schedule.next(at) ?? at;
  const step = Math.max(60_000, after - at);
  let latest = at + Math.max(0, Math.floor((now - at) / step) - 1) * step;
  for (let next = schedule.next(latest); next !== undefined && next <= now; next = schedule.next(next)) latest = next;
  return { at: latest, tooMany: true };
}

function* deleteActive(
  host: ComponentHost,
  cron: KubeObject,
  active: readonly Json[],
  owned: readonly KubeObject[],
): Routine<readonly Json[]> {
  const kept: Json[] = [];
  for (const entry of active) {
    const job = owned.find((other) => other.metadata.uid === dig(entry, 'uid'));
    if (job === undefined) continue;
    if (!(yield* deleteJob(host, cron, job))) kept.push(entry);
  }
  return kept;
}

function* deleteJob(host: ComponentHost, cron: KubeObject, job: KubeObject): Routine<boolean> {
  const answer = yield* host.client.delete(refOf(job), { propagationPolicy: 'Background' });
  if (answer.ok) host.events.event(cron, { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted job ${job.metadata.name}` });
  else if (answer.code !== 404) warn(host, cron, 'FailedDelete', `Deleted job: ${answer.message}`);
  return answer.ok || answer.code === 404;
}

interface Due {
  readonly name: string;
  readonly at: Instant;
  readonly againAt: Instant | undefined;
}

function* createJob(host: ComponentHost, cron: KubeObject, status: JsonObject, { name, at, againAt }: Due): Routine<Outcome> {
  const template = asObject(dig(cron, 'spec', 'jobTemplate'));
  const metadata = asObject(template['metadata']);
  const { namespace } = cron.metadata;
  const answer = yield* host.client.create({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace: namespace ?? '',
      ...(metadata['labels'] === undefined ? {} : { labels: metadata['labels'] }),
      annotations: { ...asTextMap(metadata['annotations']), [SCHEDULED_ANNOTATION]: formatInstant(at) },
      ownerReferences: [controllerReference(cron)],
    },
    spec: template['spec'] ?? {},
  });
  if (!answer.ok) {
    if (isNamespaceTerminating(answer) || answer.reason === 'AlreadyExists') return { status, againAt, announce: [] };
    warn(host, cron, 'FailedCreate', `Error creating job: ${answer.message}`);
    return { retry: answer.message };
  }
  const job = answer.object;
  const entry = {
    kind: 'Job',
    namespace: namespace ?? '',
    name,
    uid: job.metadata.uid ?? '',
    apiVersion: 'batch/v1',
    resourceVersion: asText(job.metadata['resourceVersion']) ?? '',
  };
  const next = withFields(status, { active: [...asList(status['active']), entry], lastScheduleTime: timeOf(at) });
  return { status: next, againAt, announce: [{ type: 'Normal', reason: 'SuccessfulCreate', message: `Created job ${name}` }] };
}

function* write(host: ComponentHost, cron: KubeObject, status: JsonObject): Routine<string | undefined> {
  if (sameJson(cron['status'], status)) return undefined;
  const answer = yield* host.client.updateStatus(withFields(cron, { status }));
  if (answer.ok || answer.code === 404) return undefined;
  const fresh = yield* host.client.get(refOf(cron));
  if (!fresh.ok) return fresh.code === 404 ? undefined : fresh.message;
  const again = yield* host.client.updateStatus(withFields(fresh.object, { status }));
  return again.ok ? undefined : again.message;
}

function* forgetOld(host: ComponentHost, cron: KubeObject, owned: readonly KubeObject[]): Routine {
  const limits = [
    ['Complete', asNumber(dig(cron, 'spec', 'successfulJobsHistoryLimit'))],
    ['Failed', asNumber(dig(cron, 'spec', 'failedJobsHistoryLimit'))],
  ] as const;
  for (const [end, limit] of limits) {
    if (limit === undefined) continue;
    const ended = owned.filter((job) => endOf(job) === end && !isDeleted(job)).sort((a, b) => startOf(a) - startOf(b));
    for (const job of ended.slice(0, Math.max(0, ended.length - limit))) yield* deleteJob(host, cron, job);
  }
}

function startOf(job: KubeObject): Instant {
  return parseInstant(dig(job, 'status', 'startTime')) ?? createdAt(job);
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Fri, 20 Nov 2026 19:18:00 +0000`. */
function rfc1123(at: Instant): string {
  const { weekday, day, month, year } = calendarOf(at);
  return `${WEEKDAYS[weekday] ?? ''}, ${String(day).padStart(2, '0')} ${MONTHS[month - 1] ?? ''} ${year} ${formatInstant(at).slice(11, 19)} +0000`;
}
