import { asList, asText, dig } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json.ts';
import { append } from '../../../base/lists.ts';
import { deploymentOf } from '../../../base/template-hash.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { annotationsOf, refOf } from '../../../model/kube-object.ts';
import { IMPLIED_EVENT, PRINTED_UNSETTLED } from '../../../model/record-kinds.ts';
import type { Gathering } from '../gathering.ts';
import type { LogSighting } from '../log-output.ts';
import { unnamed } from './involved.ts';
import { withoutSuffix } from './pod-makers.ts';

/**
 * Gives what is told of a pod, a node or a claim without a name to the only one that was seen in trouble: a person shows the list, then the
 * events or the log of the one that stands out in it. Where none was seen, to the only one that is spoken of.
 */
export function nameUnnamed(gathering: Gathering): void {
  dropRepeats(gathering);
  dropRepeatedLogs(gathering);
  partLogs(gathering);
  nameJob(gathering);
  for (const kind of ['Pod', 'Node', 'PersistentVolumeClaim']) {
    const blank = unnamed(kind).name;
    const only = onlyOne(gathering, kind, blank);
    if (kind === 'Pod') nameLogs(gathering, blank, only ?? onlyLogged(gathering, blank));
    nameSightings(gathering, kind, blank, only ?? onlyTold(gathering, kind, blank));
    nameEvents(gathering, kind, blank, only);
    if (only === undefined) continue;
    if (kind === 'Node')
      for (const [index, service] of gathering.services.entries())
        if (service.node === blank) gathering.services[index] = { ...service, node: only.name };
  }
  nameContainer(gathering);
}

function nameEvents(gathering: Gathering, kind: string, blank: string, only: ObjectRef | undefined): void {
  const probed = only === undefined && kind === 'Pod' ? onlySeen(gathering, kind, blank, isUnready) : undefined;
  for (const [index, { object, segment }] of gathering.events.entries()) {
    const named = only ?? (dig(object, 'reason') === 'Unhealthy' ? probed : undefined);
    if (dig(object, 'reason') === 'FailedScheduling' && named !== undefined && hasNode(gathering, named)) continue;
    if (named !== undefined && dig(object, 'involvedObject', 'kind') === kind && dig(object, 'involvedObject', 'name') === blank)
      gathering.events[index] = { object: eventOf(object, named), segment };
  }
}

/** Whoever tells of a pod that gets no node tells of another one than that whose volumes or containers events name. */
function hasNode({ events }: Gathering, { name }: ObjectRef): boolean {
  return events.some(({ object }) => dig(object, 'involvedObject', 'name') === name && ON_NODE.has(asText(dig(object, 'reason')) ?? ''));
}

/** What is left of a description may lack the name of its container: it is the only one that the events of the pod name. */
function nameContainer({ sightings, events }: Gathering): void {
  const told = new Map<string, Set<string>>();
  for (const { object } of events) {
    const [pod = '', path = ''] = ['name', 'fieldPath'].map((field) => asText(dig(object, 'involvedObject', field)));
    const name = CONTAINER.exec(path)?.[1];
    if (name !== undefined) told.set(pod, (told.get(pod) ?? new Set()).add(name));
  }
  for (const [index, sighting] of sightings.entries()) {
    const { metadata, spec, status } = sighting.object;
    const statuses = asList(dig(status, 'containerStatuses'));
    const [name, ...more] = told.get(metadata.name) ?? [];
    if (name === undefined || more.length > 0 || statuses.length > 1 || dig(statuses[0], 'name') !== UNNAMED) continue;
    const named = JSON.parse(JSON.stringify({ spec, status }).replaceAll(`"${UNNAMED}"`, `"${name}"`)) as JsonObject;
    sightings[index] = { ...sighting, object: { ...sighting.object, ...named } };
  }
}

const UNNAMED = '<container>';
const CONTAINER = /^spec\.containers\{([^{}]{1,253})\}$/;

function nameSightings({ sightings }: Gathering, kind: string, blank: string, only: ObjectRef | undefined): void {
  if (only === undefined) return;
  for (const [index, sighting] of sightings.entries()) {
    const { object } = sighting;
    if (object.kind === kind && object.metadata.name === blank) sightings[index] = { ...sighting, object: renamed(object, only) };
  }
}

/** Helm says that a Job has failed and not which: the one whose pods have failed, where a list shows no others that have. */
function nameJob({ sightings, mentioned }: Gathering): void {
  const blank = unnamed('Job').name;
  if (!sightings.some(({ object }) => object.kind === 'Job' && object.metadata.name === blank)) return;
  const waitedFor = new Set(mentioned.flatMap((ref) => (ref.kind === 'Job' ? [ref.name] : [])));
  const failed = sightings.filter(({ object }) => object.kind === 'Pod' && isInTrouble(object));
  const [only, ...more] = waitedFor.size === 1 ? waitedFor : new Set(failed.map(({ object }) => withoutSuffix(object.metadata.name)));
  const namespace = failed[0]?.object.metadata.namespace;
  if (only === undefined || more.length > 0 || deploymentOf(only) !== undefined) return;
  for (const [index, sighting] of sightings.entries()) {
    const { object } = sighting;
    if (object.kind === 'Job' && object.metadata.name === blank)
      sightings[index] = {
        ...sighting,
        object: renamed(object, { kind: 'Job', ...(namespace === undefined ? {} : { namespace }), name: only }),
      };
  }
}

/** Containers only run, and so only write a log, in a pod that has a node, its volumes and its sandbox: the log is of another pod. */
function partLogs(gathering: Gathering): void {
  const blank = unnamed('Pod').name;
  const isBefore = ({ object }: { object: KubeObject }): boolean =>
    dig(object, 'involvedObject', 'name') === blank && BEFORE_CONTAINERS.has(asText(dig(object, 'reason')) ?? '');
  if (gathering.events.some(isBefore)) nameLogs(gathering, blank, unnamed('Other-pod'));
}

const BEFORE_CONTAINERS_ON_NODE: readonly string[] = ['FailedMount', 'FailedMapVolume', 'FailedAttachVolume', 'FailedCreatePodSandBox'];
const BEFORE_CONTAINERS: ReadonlySet<string> = new Set(['FailedScheduling', ...BEFORE_CONTAINERS_ON_NODE]);
const ON_NODE: ReadonlySet<string> = new Set([...BEFORE_CONTAINERS_ON_NODE, 'Pulling', 'Pulled', 'Started', 'BackOff', 'Unhealthy']);

/** A sentence quotes the message of an event; the event itself is shown too, with the pod that it is about. */
function dropRepeats({ events }: Gathering): void {
  const blank = unnamed('Pod').name;
  const nameOf = (event: KubeObject): string | undefined => asText(dig(event, 'involvedObject', 'name'));
  const told = new Set(events.flatMap(({ object }) => (nameOf(object) === blank ? [] : wordsOf(object))));
  const isQuote = (event: KubeObject): boolean =>
    nameOf(event) === blank && dig(event, 'metadata', 'annotations', IMPLIED_EVENT) !== undefined;
  const kept = events.filter(({ object }) => !isQuote(object) || !wordsOf(object).some((words) => told.has(words)));
  events.length = 0;
  append(events, kept);
}

/** The same of lines of a log: the line that counts is quoted before or after the log that has it. */
function dropRepeatedLogs({ logs }: Gathering): void {
  const blank = unnamed('Pod').name;
  const isBlank = ({ of }: LogSighting): boolean => of.by === 'pod' && of.pod === blank;
  const named = logs.filter((log) => !isBlank(log)).flatMap(({ lines }) => lines);
  const kept = logs.filter(
    (log) =>
      !isBlank(log) || log.lines.length > QUOTED_LINES || !log.lines.every((line) => named.some((other) => other.includes(line.trim()))),
  );
  logs.length = 0;
  append(logs, kept);
}

const QUOTED_LINES = 5;

/** None for an event without a message. */
function wordsOf(event: KubeObject): readonly string[] {
  const message = asText(dig(event, 'message')) ?? '';
  return message === '' ? [] : [`${asText(dig(event, 'reason')) ?? ''} ${message}`];
}

function nameLogs({ logs, sightings }: Gathering, blank: string, pod: ObjectRef | undefined): void {
  if (pod === undefined) return;
  const { name, namespace } = pod;
  const unstarted = sightings.filter(({ object }) => object.metadata.name === name && hasNotRun(object));
  // Only its init containers can have written one.
  const isInit = unstarted.length > 0 && unstarted.every(({ object }) => isInitializing(object));
  if (unstarted.length > 0 && !isInit) return;
  for (const [index, log] of logs.entries()) {
    if (log.of.by !== 'pod' || log.of.pod !== blank) continue;
    const container = isInit ? { container: log.container ?? INIT_CONTAINER } : {};
    logs[index] = { ...log, of: { by: 'pod', pod: name }, ...container, ...(namespace === undefined ? {} : { namespace }) };
  }
}

const INIT_CONTAINER = '<init-container>';

function isInitializing({ status }: KubeObject): boolean {
  const states = asList(dig(status, 'containerStatuses'));
  return states.length > 0 && states.every((one) => dig(one, 'state', 'waiting', 'reason') === 'PodInitializing');
}

/** Whose log a log is that says no name: of the pod in trouble that is described, or else of the only one, whatever events tell of others. */
function onlyLogged({ sightings }: Gathering, blank: string): ObjectRef | undefined {
  const pods = sightings.filter(({ object }) => object.kind === 'Pod' && object.metadata.name !== blank && isInTrouble(object));
  const described = pods.filter(({ view }) => view !== 'table');
  return onlyIn((described.length > 0 ? described : pods).map(({ object }) => refOf(object)));
}

function onlyOne(gathering: Gathering, kind: string, blank: string): ObjectRef | undefined {
  return onlyInTrouble(gathering, kind, blank) ?? onlyRestarted(gathering, kind, blank) ?? onlyMentioned(gathering, kind, blank);
}

/** The only one that all events tell of, where nothing else is shown of any: the state of a container that stands beside them is its. */
function onlyTold({ sightings, events }: Gathering, kind: string, blank: string): ObjectRef | undefined {
  if (sightings.some(({ object }) => object.kind === kind && object.metadata.name !== blank)) return undefined;
  const told = events.flatMap(({ object }) => {
    const [name, namespace] = ['name', 'namespace'].map((field) => asText(dig(object, 'involvedObject', field)));
    if (dig(object, 'involvedObject', 'kind') !== kind || name === undefined) return [];
    return [{ kind, name, ...(namespace === undefined ? {} : { namespace }) }];
  });
  const [only, ...more] = new Map(told.map((ref) => [ref.name, ref])).values();
  return more.length > 0 || only?.name === blank ? undefined : only;
}

/** The only one that is spoken of, where nothing is shown of any. */
function onlyMentioned({ mentioned, sightings, events }: Gathering, kind: string, blank: string): ObjectRef | undefined {
  const shown = [
    ...sightings.flatMap(({ object }) => (object.kind === kind ? [object.metadata.name] : [])),
    ...events.flatMap(({ object }) =>
      dig(object, 'involvedObject', 'kind') === kind ? [asText(dig(object, 'involvedObject', 'name')) ?? ''] : [],
    ),
  ];
  if (shown.some((name) => name !== blank)) return undefined;
  const found = new Map<string, ObjectRef>();
  for (const ref of mentioned) if (ref.kind === kind) found.set(ref.name, { ...found.get(ref.name), ...ref });
  return found.size === 1 ? [...found.values()][0] : undefined;
}

/** The only one that is ready again: what is told of it lies behind it. What waits for a node is another one. */
function onlyRestarted(gathering: Gathering, kind: string, blank: string): ObjectRef | undefined {
  const waits = gathering.events.some(
    ({ object }) => dig(object, 'involvedObject', 'name') === blank && dig(object, 'reason') === 'FailedScheduling',
  );
  return waits ? undefined : onlySeen(gathering, kind, blank, (object) => isUnsettled(object) && !isInTrouble(object));
}

function onlyInTrouble(gathering: Gathering, kind: string, blank: string): ObjectRef | undefined {
  return onlySeen(gathering, kind, blank, isInTrouble);
}

function onlySeen(
  { sightings, events }: Gathering,
  kind: string,
  blank: string,
  counts: (object: KubeObject) => boolean,
): ObjectRef | undefined {
  const only = onlyIn(
    sightings.flatMap(({ object }) => (object.kind === kind && object.metadata.name !== blank && counts(object) ? [refOf(object)] : [])),
  );
  if (only === undefined) return undefined;
  // Events that name another pod are about that one.
  const isTold = events.some(
    ({ object }) =>
      dig(object, 'involvedObject', 'kind') === kind && ![blank, only.name].includes(asText(dig(object, 'involvedObject', 'name')) ?? ''),
  );
  return isTold ? undefined : only;
}

/** The first of objects that are one, or replicas of one. */
function onlyIn(refs: readonly ObjectRef[]): ObjectRef | undefined {
  const [only, ...more] = new Map(refs.map((ref) => [ref.name, ref])).values();
  return only === undefined || more.some((other) => !areReplicas(only, other)) ? undefined : only;
}

/** Pods of one template have one trouble: which of them a text shows makes no difference. */
function areReplicas(one: ObjectRef, other: ObjectRef): boolean {
  const maker = REPLICA.exec(one.name)?.[1];
  return maker !== undefined && maker === REPLICA.exec(other.name)?.[1] && one.namespace === other.namespace;
}

/** `web-6d4b75cb6d-hx7bk`, `agent-hx7bk`, `web-0`: what comes before the part that tells replicas apart. */
const REPLICA =
  /^(.{1,240}-[a-f0-9bcdfghjklmnpqrstvwxz]{6,10}(?=-[a-z0-9]{5}$)|.{1,240}(?=-(?=[a-z]{0,4}\d)[bcdfghjklmnpqrstvwxz2456789]{5}$)|.{1,240}(?=-\d{1,4}$))/;

function isUnsettled(object: KubeObject): boolean {
  return annotationsOf(object)[PRINTED_UNSETTLED] !== undefined;
}

/** It runs and is not ready, which is how a probe that fails shows; what crashes beside it has another trouble. */
function isUnready(object: KubeObject): boolean {
  const { status } = object;
  return isInTrouble(object) && dig(status, 'phase') === 'Running' && dig(status, 'reason') === undefined;
}

function isInTrouble({ kind, status }: KubeObject): boolean {
  const ready = asList(dig(status, 'conditions')).find((condition) => dig(condition, 'type') === 'Ready');
  if (ready !== undefined && dig(ready, 'status') !== 'True') return true;
  if (kind === 'Node' || ready !== undefined) return false;
  const states = asList(dig(status, 'containerStatuses')).map((one) => dig(one, 'state'));
  return (
    dig(status, 'phase') === 'Pending' || dig(status, 'phase') === 'Failed' || states.some((state) => dig(state, 'waiting') !== undefined)
  );
}

/** A pod whose containers have not begun has no log. */
function hasNotRun({ kind, status }: KubeObject): boolean {
  const waits = asList(dig(status, 'containerStatuses')).map((one) => asText(dig(one, 'state', 'waiting', 'reason')) ?? '');
  return kind === 'Pod' && (dig(status, 'phase') === 'Pending' || waits.some((reason) => reason !== '' && reason !== 'CrashLoopBackOff'));
}

function renamed(object: KubeObject, { name, namespace }: ObjectRef): KubeObject {
  return { ...object, metadata: { ...object.metadata, name, ...(namespace === undefined ? {} : { namespace }) } };
}

function eventOf(event: KubeObject, { name, namespace }: ObjectRef): KubeObject {
  const place = namespace === undefined ? {} : { namespace };
  const involved: JsonObject = { ...(dig(event, 'involvedObject') as JsonObject), name, ...place };
  return { ...event, metadata: { ...event.metadata, ...place }, involvedObject: involved };
}
