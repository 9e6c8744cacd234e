import { parseInstant } from '../../base/instant.ts';
import { asList, asNumber, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, refOf, sameObject, shows } from '../../model/kube-object.ts';
import type { FactSink } from '../fact-sink.ts';
import { ageSeconds } from '../pods.ts';
import type { Scene } from '../scene.ts';

const MANAGER = 'kube-controller-manager';
/** Controllers look at a new object within a second; a new leader after a restart needs up to 15 seconds for the old lease to end. */
const DUE_SECONDS = 10;

/** `unobserved` facts for workloads that no controller has looked at, and for what controllers make in every namespace; with the `lease` of who should have. */
export async function collectUnobserved(scene: Scene, sink: FactSink): Promise<void> {
  let found = defaultAccounts(sink);
  for (const workload of scene.workloads) {
    const what = unobserved(workload);
    const age = ageSeconds(workload, scene.survey.now());
    if (what === undefined || age === undefined || age < DUE_SECONDS) continue;
    const ref = refOf(workload);
    const top = scene.workloadOf(ref);
    if (top !== undefined && !sameObject(top, ref)) continue;
    sink.fact('unobserved', ref, { what, component: MANAGER, ageSeconds: age }, { source: `${formatRef(ref)} status`, quote: `${what}, ${String(age)} s after it was made` });
    found = true;
  }
  if (found) await leaseFact(scene, sink);
}

/** What is not there that the controller writes first of all; undefined when it has looked, or when that is not shown. */
function unobserved(workload: KubeObject): string | undefined {
  if (dig(workload, 'metadata', 'deletionTimestamp') !== undefined) return undefined;
  if (workload.kind === 'Job') return jobUnobserved(workload);
  if (workload.kind === 'CronJob' || workload.kind === 'ReplicationController') return undefined;
  const [generation, observed] = [asNumber(dig(workload, 'metadata', 'generation')), asNumber(dig(workload, 'status', 'observedGeneration'))];
  if (shows(workload, 'status.observedGeneration')) {
    if (observed === undefined) return 'its status was never written';
    return generation !== undefined && observed < generation ? `its status is of generation ${String(observed)}, its spec of ${String(generation)}` : undefined;
  }
  const blank = workload.kind === 'Deployment' && shows(workload, 'status.conditions') && asList(dig(workload, 'status', 'conditions')).length === 0;
  return blank && (asNumber(dig(workload, 'status', 'replicas')) ?? 0) === 0 ? 'it has no conditions and no pods' : undefined;
}

function jobUnobserved(job: KubeObject): string | undefined {
  if (!shows(job, 'status.startTime') || !shows(job, 'status.conditions') || dig(job, 'spec', 'suspend') === true) return undefined;
  const started = parseInstant(dig(job, 'status', 'startTime')) !== undefined || asList(dig(job, 'status', 'conditions')).length > 0 || asNumber(dig(job, 'status', 'active')) !== undefined;
  return started ? undefined : 'its status was never written';
}

/** The ServiceAccount `default` is made in every namespace at once; where a pod is refused for lack of it, nobody made it. */
function defaultAccounts(sink: FactSink): boolean {
  let found = false;
  for (const { about, fields, source, quote } of sink.facts.filter(({ kind }) => kind === 'refusal')) {
    if (fields['reason'] !== 'service-account-not-found' || fields['by'] !== 'default') continue;
    sink.fact('unobserved', about, { what: `ServiceAccount default was never made in namespace ${String(fields['where'] ?? about.namespace ?? '')}`, component: MANAGER }, { source, quote });
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
  sink.fact('lease', ref, { component: MANAGER, holder, renewedSeconds: seconds, stale: seconds > lasts }, { source: formatRef(ref), quote: `holder ${holder ?? 'none'}, renewed ${String(seconds)} s ago, lasts ${String(lasts)} s`, at: renewed });
}
