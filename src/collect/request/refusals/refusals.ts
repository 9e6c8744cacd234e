import { isWorkloadKind } from '../../../model/workload-kinds.ts';
import type { Instant } from '../../../base/instant.ts';
import type { Fact } from '../../../model/fact.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { formatRef, objectKey, refOf } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import type { Vocabulary } from '../../survey/vocabulary.ts';
import { countsOf } from '../../objects/workloads.ts';
import { refusalFact } from './refusal-fact.ts';
import { subjectIn } from './error-subject.ts';
import type { RefusalWords } from './read-refusals.ts';
import { readRefusals } from './read-refusals.ts';
import { missingPods } from '../quotas/shortage.ts';

/** Events by which a controller says that the API server refused what it wanted to make. */
const REFUSED: ReadonlySet<string> = new Set(['FailedCreate', 'ReplicaSetCreateError']);
/**
 * Refusals older than the newest one by more than this, for another reason, are over: controllers retry at least every quarter of an hour.
 */
const OVERTAKEN_SECONDS = 60;

/** A `refusal` fact for each reason for which a controller cannot make its pods now, from its events and its ReplicaFailure condition. */
export async function collectRefusals(scene: Scene, sink: FactSink): Promise<void> {
  const bySubject = new Map<string, Fact[]>();
  for (const fact of sink.facts.filter(isRefusal)) {
    const key = formatRef(fact.about);
    const facts = bySubject.get(key);
    if (facts === undefined) bySubject.set(key, [fact]);
    else facts.push(fact);
  }
  const byName = new Map(bySubject.size === 0 ? [] : scene.workloads.map((workload) => [objectKey(workload), workload] as const));
  const made = bySubject.size === 0 ? [] : madePods(sink.facts, scene.survey.vocabulary);
  for (const [name, facts] of bySubject) {
    const workload = byName.get(name);
    if (isOver(workload, scene)) continue;
    const current = lacksPods(workload, scene) ? facts : facts.filter((fact) => !isAnswered(fact, name, made, scene.survey.vocabulary));
    for (const fact of currentOnes(current, scene)) await factOf(fact, scene, sink);
  }
}

/** A controller that was seen to lack pods is refused still, whatever it could make in between. */
function lacksPods(workload: KubeObject | undefined, scene: Scene): boolean {
  return workload !== undefined && (missingPods(workload, scene) ?? 0) > 0;
}

/** A pod that came to be, by its name and the key of the controller that told of it. */
interface MadePod {
  readonly by: string | undefined;
  readonly pod: string;
  readonly at: Instant;
}

/** Events that a pod has once, when it has been created. */
const BEGINS: ReadonlySet<string> = new Set(['Scheduled', 'Pulled', 'Created', 'Started']);

function madePods(facts: readonly Fact[], vocabulary: Vocabulary): readonly MadePod[] {
  return facts.flatMap(({ kind, fields, about, at, count }): readonly MadePod[] => {
    if (kind !== 'event' || at === undefined) return [];
    if (fields['reason'] === 'SuccessfulCreate')
      return [{ by: formatRef(about), pod: vocabulary.phrase('created-pod', String(fields['message'] ?? ''))?.captured.pod ?? '', at }];
    return about.kind === 'Pod' && BEGINS.has(String(fields['reason'])) && (count ?? 1) === 1
      ? [{ by: undefined, pod: about.name, at }]
      : [];
  });
}

/**
 * Whether the controller has made a pod since it was refused, or at the same time: a refused creation is tried again within twice the time
 * it took so
 * far, so that one which is still refused was refused later. The refusal names what the names of the pods begin with.
 */
function isAnswered({ kind, at, fields }: Fact, name: string, made: readonly MadePod[], vocabulary: Vocabulary): boolean {
  if (kind !== 'event' || at === undefined) return false;
  const begins = subjectIn(String(fields['message'] ?? ''), vocabulary)?.name;
  return made.some((one) => one.at >= at && (one.by === name || (begins?.endsWith('-') === true && one.pod.startsWith(begins))));
}

function isRefusal({ kind, fields }: Fact): boolean {
  if (kind === 'condition') return fields['type'] === 'ReplicaFailure' && fields['status'] === 'True';
  return kind === 'event' && fields['type'] === 'Warning' && REFUSED.has(String(fields['reason']));
}

/** A controller that has all its pods was refused once, and is not any more. */
function isOver(workload: KubeObject | undefined, scene: Scene): boolean {
  return workload !== undefined && isComplete(workload, scene);
}

function isComplete(workload: KubeObject, scene: Scene): boolean {
  if (workload.kind === 'Job') return scene.podsOf(refOf(workload)).length > 0;
  const { desired, updated } = countsOf(workload, scene);
  const renewed = workload.kind !== 'Deployment' || desired === undefined || updated === undefined || updated >= desired;
  return missingPods(workload, scene) === 0 && renewed;
}

/** Events tell the present reason, the newest best; the condition keeps the message it began with and speaks only where events do not. */
function currentOnes(facts: readonly Fact[], scene: Scene): readonly Fact[] {
  const events = facts.filter(({ kind }) => kind === 'event').toSorted((a, b) => ageOf(a) - ageOf(b));
  const [newest] = events;
  if (newest === undefined) return facts;
  const current = events.filter((event) => ageOf(event) - ageOf(newest) <= OVERTAKEN_SECONDS);
  const seen = new Set<string>();
  return current.filter((event) => {
    const reasons = refusalsIn(event, scene)
      .map(({ reason, by, field }) => `${reason} ${by ?? ''} ${field ?? ''}`)
      .join();
    return seen.has(reasons) ? false : seen.add(reasons);
  });
}

function refusalsIn(fact: Fact, { survey }: Scene): readonly RefusalWords[] {
  return readRefusals(String(fact.fields['message'] ?? ''), placeOf(fact), survey.vocabulary);
}

function placeOf({ kind }: Fact): 'event' | 'condition' {
  return kind === 'event' ? 'event' : 'condition';
}

function ageOf({ fields }: Fact): number {
  const age = fields['ageSeconds'];
  return typeof age === 'number' ? age : 0;
}

async function factOf(fact: Fact, scene: Scene, sink: FactSink): Promise<void> {
  // A description shows the condition's reason only: the events of the ReplicaSet have the words.
  const message = String(fact.fields['message'] ?? `${String(fact.fields['reason'] ?? 'FailedCreate')} (the ReplicaSet's events say why)`);
  const words = readRefusals(message, placeOf(fact), scene.survey.vocabulary);
  // What another kind could not create (a Machine, a volume) is no pod unless the API server's words say what was refused.
  if (words.length === 0 && !isWorkloadKind(fact.about.kind)) return;
  const about = fact.workload ?? fact.about;
  const { source, quote, at } = fact;
  for (const one of words.length > 0 ? words : [{ reason: 'other' as const, detail: message }]) {
    await refusalFact({ words: one, about, via: placeOf(fact), message, blocking: true, scene, sink, proof: { source, quote, at } });
  }
}
