import { formatDuration } from '../../../base/duration.ts';
import type { Instant } from '../../../base/instant.ts';
import { parseInstant } from '../../../base/instant.ts';
import { asList, asNumber, asText, dig, isJsonObject } from '../../../base/json.ts';
import { largest } from '../../../base/lists.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { formatRef, refOf, sameObject, shows } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';

const MANAGER = 'kube-controller-manager';
/** Controllers look at a new object within a second; a new leader after a restart needs up to 15 seconds for the old lease to end. */
const DUE_SECONDS = 10;

/**
 * `unobserved` facts for workloads that no controller has looked at, and for what controllers make in every namespace; with the `lease` of
 * who should have.
 */
export async function collectUnobserved(scene: Scene, sink: FactSink): Promise<void> {
  const forsaken = defaultAccounts(sink);
  let found = forsaken;
  for (const workload of scene.workloads) {
    const due = dueOf(workload);
    const ref = refOf(workload);
    const top = scene.workloadOf(ref);
    if (due === undefined || (top !== undefined && !sameObject(top, ref))) continue;
    const age = Math.max(0, Math.round((scene.survey.now() - due.since) / 1000));
    if (age < DUE_SECONDS && !forsaken) continue;
    sink.fact(
      'unobserved',
      ref,
      { what: due.what, component: MANAGER, ageSeconds: age },
      { source: `${formatRef(ref)} status`, quote: age < DUE_SECONDS ? due.what : `${due.what} (for ${formatDuration(age)})` },
    );
    found = true;
  }
  if (found) await leaseFact(scene, sink);
}

/** What a controller should have written, and since when; undefined when it has, or when that is not shown. */
interface Due {
  readonly what: string;
  readonly since: Instant;
}

function dueOf(workload: KubeObject): Due | undefined {
  const created = parseInstant(dig(workload, 'metadata', 'creationTimestamp'));
  if (
    dig(workload, 'metadata', 'deletionTimestamp') !== undefined ||
    workload.kind === 'CronJob' ||
    workload.kind === 'ReplicationController'
  )
    return undefined;
  if (created !== undefined && isBlank(workload)) return { what: 'its status was never written', since: created };
  const [generation, observed] = [
    asNumber(dig(workload, 'metadata', 'generation')),
    asNumber(dig(workload, 'status', 'observedGeneration')),
  ];
  const changed = changedAt(workload);
  if (generation === undefined || observed === undefined || changed === undefined || observed >= generation) return undefined;
  return { what: `its status is at generation ${String(observed)}, its spec at generation ${String(generation)}`, since: changed };
}

/**
 * The API server always gives a status, if an empty one: only then, or where a description shows neither pods nor conditions, nobody wrote
 * it.
 */
function isBlank(workload: KubeObject): boolean {
  const status = dig(workload, 'status');
  if (workload.kind === 'Job')
    return (
      isJsonObject(status) &&
      shows(workload, 'status.startTime') &&
      dig(workload, 'spec', 'suspend') !== true &&
      dig(workload, 'spec', 'managedBy') === undefined &&
      Object.keys(status).length === 0
    );
  if (shows(workload, 'status.observedGeneration'))
    return isJsonObject(status) && dig(status, 'observedGeneration') === undefined && asNumber(dig(status, 'replicas')) === undefined;
  const unconditioned =
    workload.kind === 'Deployment' && shows(workload, 'status.conditions.status') && asList(dig(status, 'conditions')).length === 0;
  return unconditioned && shows(workload, 'status.replicas') && (asNumber(dig(status, 'replicas')) ?? 0) === 0;
}

/** When the spec was last written, as managedFields have it. */
function changedAt(workload: KubeObject): Instant | undefined {
  const times = asList(dig(workload, 'metadata', 'managedFields')).flatMap((entry) =>
    dig(entry, 'subresource') === undefined ? (parseInstant(dig(entry, 'time')) ?? []) : [],
  );
  return times.length === 0 ? undefined : largest(times);
}

/** The ServiceAccount `default` is made in every namespace at once; where a pod is refused for lack of it, nobody made it. */
function defaultAccounts(sink: FactSink): boolean {
  let found = false;
  for (const { about, fields, source, quote } of sink.facts.filter(({ kind }) => kind === 'refusal')) {
    if (fields['reason'] !== 'service-account-not-found' || fields['by'] !== 'default') continue;
    sink.fact(
      'unobserved',
      about,
      {
        what: `ServiceAccount default was never created in namespace ${String(fields['where'] ?? about.namespace ?? '')}`,
        component: MANAGER,
      },
      { source, quote },
    );
    found = true;
  }
  return found;
}

/** A leader renews its lease every few seconds. Source: component-base/config/types.go (LeaseDuration 15s, RetryPeriod 2s). */
async function leaseFact(scene: Scene, sink: FactSink): Promise<void> {
  const ref = { kind: 'Lease', namespace: 'kube-system', name: MANAGER };
  const read = await scene.survey.get(ref);
  if (!read.ok) return;
  const renewed = parseInstant(dig(read.value, 'spec', 'renewTime'));
  const holder = asText(dig(read.value, 'spec', 'holderIdentity'));
  if (renewed === undefined) return;
  const seconds = Math.max(0, Math.round((scene.survey.now() - renewed) / 1000));
  const lasts = asNumber(dig(read.value, 'spec', 'leaseDurationSeconds')) ?? 15;
  sink.fact(
    'lease',
    ref,
    { component: MANAGER, holder, renewedSeconds: seconds, stale: seconds > lasts },
    {
      source: formatRef(ref),
      quote: `holder ${holder ?? 'none'}, renewed ${formatDuration(seconds)} ago, valid for ${formatDuration(lasts)}`,
      at: renewed,
    },
  );
}
