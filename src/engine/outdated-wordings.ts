import type { Instant } from '../base/instant.ts';
import type { Fact } from '../model/fact.ts';
import { formatRef } from '../model/kube-object.ts';
import type { StageId } from '../model/stage.ts';
import { stageOrder } from '../model/stage.ts';

/** What events said that holds no more: the object has got past it since, or a later event says something else of the same thing. */
export function withoutStale(said: readonly Fact[], facts: readonly Fact[], now: Instant): readonly Fact[] {
  if (!said.some((fact) => isEvent(fact) || isOfScheduling(fact))) return said;
  const objects = new Map<string, Standing>();
  const standingOf = (fact: Fact): Standing => {
    const key = formatRef(fact.about);
    const known = objects.get(key) ?? { facts: [] };
    objects.set(key, known);
    return known;
  };
  for (const fact of facts) if (STANDING.has(fact.kind)) standingOf(fact).facts.push(fact);
  const isOutdated = (fact: Fact): boolean => {
    if (isOfScheduling(fact)) return standingOf(fact).facts.some(showsNode);
    return isEvent(fact) && isPast(fact, standingOf(fact).facts, now);
  };
  const held = said.filter((fact) => !isOutdated(fact));
  const latest = latestOfEach(held.filter(isEvent));
  return held.filter((fact) => !isEvent(fact) || fact.at === undefined || fact.at >= (latest.get(subjectOf(fact)) ?? 0));
}

/** Facts that tell how far an object has come. */
const STANDING: ReadonlySet<Fact['kind']> = new Set(['pod', 'container', 'milestone', 'event', 'node', 'node-trouble'] as const);

interface Standing {
  readonly facts: Fact[];
}

function isEvent({ fields }: Fact): boolean {
  return fields['in'] === 'event';
}

/** Lines without a time that tell of no node: about a pod that has one they are talk of another. */
function isOfScheduling({ fields, about }: Fact): boolean {
  return fields['in'] === 'text' && fields['stage'] === 'scheduling' && about.kind === 'Pod';
}

function showsNode({ kind, fields }: Fact): boolean {
  if (kind === 'event') return ON_NODE.has(fields['reason']);
  if (kind === 'milestone') return fields['state'] === 'passed' && stageOrder(fields['stage'] as StageId) >= stageOrder('scheduling');
  return kind === 'pod' && fields['scheduled'] === true;
}

const ON_NODE: ReadonlySet<unknown> = new Set(['FailedMount', 'FailedAttachVolume', 'FailedCreatePodSandBox']);

/** Whether the pod, or the container that the words are about, has got past the stage of the rule. */
function isPast(said: Fact, standing: readonly Fact[], now: Instant): boolean {
  if (said.about.kind === 'Node') return isPastNode(said, standing, now);
  if (said.about.kind !== 'Pod') return false;
  const stage = momentOf(said);
  const pod = standing.find(({ kind }) => kind === 'pod');
  if (said.fields['reason'] === 'FailedScheduling' && pod?.fields['scheduled'] === true) return true;
  // It is about the end of the pod, whatever that had got past before.
  if (stageOrder(stage) < stageOrder('kubelet') || said.fields['reason'] === 'FailedKillPod') return false;
  if (standing.some((fact) => fact.kind === 'event' && isProgress(fact.fields['reason'], stage) && isSince(fact, said))) return true;
  if (said.fields['reason'] === 'Failed' && standing.some((fact) => hasStartedSince(fact, said))) return true;
  if (said.fields['reason'] === 'FailedAttachVolume' && standing.some((fact) => isAttachedSince(fact, said))) return true;
  if (pod === undefined) return isOld(said, now);
  if (pod.fields['deleting'] === true) return true;
  return standing.some(
    (fact) => (fact.kind === 'milestone' && hasPassed(fact, said, stage)) || (fact.kind === 'container' && hasStarted(fact, said, stage)),
  );
}

/** A node that was seen shows how it is; of another one, its kubelet says when it is ready again. */
function isPastNode(said: Fact, standing: readonly Fact[], now: Instant): boolean {
  return (
    standing.some((fact) => fact.kind !== 'event' || (fact.fields['reason'] === 'NodeReady' && (fact.at ?? now) >= (said.at ?? 0))) ||
    isOld(said, now)
  );
}

/**
 * The stage at which it was said: of volumes and devices, too, something can only fail when the container is made, and of memory when the
 * sandbox is.
 */
function momentOf({ fields }: Fact): StageId {
  const stage = fields['stage'] as StageId;
  if (fields['reason'] === 'FailedCreatePodSandBox' && stageOrder(stage) > stageOrder('sandbox')) return 'sandbox';
  return fields['reason'] === 'Failed' && stageOrder(stage) < stageOrder('images') ? 'containers' : stage;
}

/** What happens to a pod only behind the stages that events tell of most. */
const PROGRESS: ReadonlySet<unknown> = new Set(['Pulled', 'Created', 'Started']);

function isProgress(reason: unknown, stage: StageId): boolean {
  if (reason === 'Pulling') return stageOrder(stage) < stageOrder('images');
  return PROGRESS.has(reason) && isPassedOnce(stage);
}

/** Stages that a pod passes once, before its containers: afterwards what was said of them is over whenever it was said. */
function isPassedOnce(stage: StageId): boolean {
  return stageOrder(stage) < stageOrder('containers');
}

function hasPassed({ fields, at }: Fact, said: Fact, stage: StageId): boolean {
  if (fields['state'] !== 'passed' || stageOrder(fields['stage'] as StageId) < stageOrder(stage)) return false;
  return isPassedOnce(stage) || (at !== undefined && said.at !== undefined && at >= said.at);
}

function hasStarted({ fields }: Fact, said: Fact, stage: StageId): boolean {
  return (
    fields['state'] === 'running' &&
    isPassedOnce(stage) &&
    said.fields['container'] !== undefined &&
    fields['container'] === said.fields['container']
  );
}

/** What kept a container from being made or started no longer does once that one has started. */
function hasStartedSince({ kind, fields, at }: Fact, said: Fact): boolean {
  return (
    kind === 'event' &&
    fields['reason'] === 'Started' &&
    fields['container'] !== undefined &&
    fields['container'] === said.fields['container'] &&
    at !== undefined &&
    said.at !== undefined &&
    at > said.at
  );
}

/** The controller says of each volume that it has attached it. Source: pkg/volume/util/operationexecutor/operation_generator.go. */
function isAttachedSince(fact: Fact, said: Fact): boolean {
  return (
    fact.kind === 'event' && fact.fields['reason'] === 'SuccessfulAttachVolume' && volumeIn(fact) === volumeIn(said) && isSince(fact, said)
  );
}

function volumeIn({ fields }: Fact): string | undefined {
  return /\bvolume "([^"]{1,300})"/.exec(String(fields['message'] ?? ''))?.[1];
}

function isSince(fact: Fact, said: Fact): boolean {
  return fact.at !== undefined && said.at !== undefined && fact.at >= said.at;
}

/** An event of a pod that was not seen itself tells of the present only while it is young. */
const RECENT_MILLISECONDS = 900_000;

function isOld({ at }: Fact, now: Instant): boolean {
  return at !== undefined && now - at > RECENT_MILLISECONDS;
}

/** An event that names no cause, as that the kubelet has waited for a volume, says nothing else: it outdates none. */
function latestOfEach(said: readonly Fact[]): ReadonlyMap<string, Instant> {
  const latest = new Map<string, Instant>();
  for (const fact of said)
    if (fact.at !== undefined && fact.fields['unnamed'] !== true)
      latest.set(subjectOf(fact), Math.max(fact.at, latest.get(subjectOf(fact)) ?? 0));
  return latest;
}

/** What an event is about: of the same container or volume of an object, with one reason, the latest counts. */
function subjectOf({ about, fields }: Fact): string {
  return [formatRef(about), fields['stage'], fields['reason'], fields['container'], fields['volume'], fields['image']].join(' ');
}
