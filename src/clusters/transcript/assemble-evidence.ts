import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import { asList, asNumber, asText, dig, digAt } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { annotationsOf, formatRef, OBSERVED, refOf, shows } from '../../model/kube-object.ts';
import {
  APPLIED_MANIFEST,
  CLIENT_ANSWER,
  LOOSE_TEXT,
  NODE_SERVICE,
  PRINTED_RESTARTS,
  PRINTED_UNSETTLED,
  RECORD_API_VERSION,
} from '../../model/record-kinds.ts';
import type { Collected, Refusal, StoredEvidence } from '../memory-reader.ts';
import { combine } from '../merge-evidence.ts';
import { impliedCollected, isListed, withImplied } from './implied-evidence.ts';
import { loggedPod } from './loose/logged-pod.ts';
import { nameUnnamed } from './loose/name-unnamed.ts';
import type { Gathering, Sighting, View } from './gathering.ts';
import type { NamespaceFinder } from './namespaces.ts';
import { inNamespace, isNamespaced, namespaceFinder } from './namespaces.ts';
import type { LogSighting } from './log-output.ts';
import { namedBySelector, resolveLogs } from './resolve-logs.ts';

/**
 * Makes one evidence of everything that was gathered: fills in namespaces, merges the looks at each object, gives logs to their containers.
 */
export function finish(gathering: Gathering, now: Instant): StoredEvidence {
  nameUnnamed(gathering);
  const finder = namespaceFinder(gathering);
  const merged = mergeSightings(gathering.sightings.map((sighting) => placed(sighting, finder)));
  const missed = missing(gathering, finder);
  const live = [...merged].filter(([key, { segment }]) => (missed.get(key)?.segment ?? -1) <= segment);
  const glimpses = new Map(gathering.glimpses.map((glimpse) => [formatRef(refOf(glimpse)), glimpse] as const));
  const objects = live.map(([key, { object }]) => withGlimpse(object, glimpses.get(key)));
  const present = new Set(live.map(([key]) => key));
  const events = mergeEvents(gathering, finder);
  const collected = collectedBy(gathering, finder);
  const whole = withImplied(withLogged(objects, gathering, collected, finder), events, collected);
  return {
    objects: [...whole, ...events, ...records(gathering, objects)],
    glimpses: [...glimpses].filter(([key]) => !present.has(key)).map(([, glimpse]) => glimpse),
    collected: [...collected, ...impliedCollected(whole, objects), ...recordsCollected(gathering)],
    absent: [...missed].filter(([key]) => !present.has(key)).map(([, { ref }]) => ref),
    refused: gathering.refused.map(({ refusal, segment }) => refusedIn(refusal, segment, finder)),
    logs: resolveLogs(
      gathering.logs,
      whole.filter(({ kind }) => kind === 'Pod'),
      finder,
    ),
    now,
  };
}

/**
 * With the pods of which only a log was seen, and with the container that wrote it where a list does not show the containers of its pod.
 */
function withLogged(
  objects: readonly KubeObject[],
  gathering: Gathering,
  collected: readonly Collected[],
  finder: NamespaceFinder,
): readonly KubeObject[] {
  const seen = new Map(objects.map((object) => [keyOf(object), object] as const));
  const crashes = gathering.looseTexts.some(({ text }) => /CrashLoopBackOff|\bcrash[- ]?loop/i.test(text));
  const isChosen = new Set(gathering.logs.map(({ of }) => JSON.stringify(of))).size <= FEW_LOGS;
  const logged = gathering.logs.flatMap((sighting) => {
    const { of, namespace, segment, lines } = sighting;
    if (lines.length === 0) return [];
    const place = namespace ?? placeOf(of, segment, finder);
    const name = nameOf(of, objects, place);
    if (name === undefined) return [];
    // A log of which nobody knows the pod is of one that is listed, or of another.
    const listed = seen.get(formatRef({ kind: 'Pod', namespace: place, name }));
    const isOver = isSettled(listed, sighting);
    const isInit = listed !== undefined && isOfInit(sighting, listed);
    const pod = loggedPod(sighting, name, place, { crashes: crashes && name.startsWith('<'), listed, isOver, isChosen, isInit });
    if (listed !== undefined) return showsContainers(listed) && !isInit ? [] : [combine(pod, listed)];
    return isListed(collected, pod.metadata.namespace) && !pod.metadata.name.startsWith('<') ? [] : [pod];
  });
  const byKey = new Map(logged.map((pod) => [keyOf(pod), pod]));
  return [
    ...objects.map((object) => byKey.get(keyOf(object)) ?? object),
    ...[...byKey].flatMap(([key, pod]) => (seen.has(key) ? [] : [pod])),
  ];
}

/** Whoever shows more has not looked for the one that tells. */
const FEW_LOGS = 3;

function placeOf(of: LogSighting['of'], segment: number, finder: NamespaceFinder): string {
  if (of.by === 'selector') return finder.ofSegment(segment);
  return finder.ofObject(of.by === 'pod' ? { kind: 'Pod', name: of.pod } : { kind: of.kind, name: of.name }, segment);
}

/** The pod that wrote a log, called after the workload or the label that was asked for where no pod was seen that may be it. */
function nameOf(of: LogSighting['of'], objects: readonly KubeObject[], place: string): string | undefined {
  if (of.by === 'pod') return of.pod;
  const after = of.by === 'workload' ? of.name : namedBySelector(of.selector);
  const begin = of.by === 'workload' ? `${of.name}-` : '';
  const isSeen = objects.some(({ kind, metadata }) => kind === 'Pod' && metadata.namespace === place && metadata.name.startsWith(begin));
  return after === undefined || isSeen ? undefined : `${after}-<pod>`;
}

function showsContainers(pod: KubeObject): boolean {
  return ['status.containerStatuses.name', 'status.initContainerStatuses.name', 'spec.containers.name'].some((field) => shows(pod, field));
}

/**
 * Whether another container wrote the log than those that wait for the init containers: it is one of these. Whoever asked for the log of
 * the container was told so. Source: pkg/kubelet/kubelet_pods.go (convertToAPIContainerStatuses).
 */
function isOfInit({ container }: LogSighting, pod: KubeObject): boolean {
  const statuses = asList(dig(pod, 'status', 'containerStatuses'));
  if (container === undefined || statuses.length === 0 || shows(pod, 'spec.containers.name')) return false;
  const waits = statuses.filter((status) => dig(status, 'state', 'waiting', 'reason') === 'PodInitializing');
  return waits.length === statuses.length && !waits.some((status) => dig(status, 'name') === container);
}

/** Whether a list shows a pod ready, and not only just again, so that what ended the run before is over. What never restarted never ended. */
function isSettled(pod: KubeObject | undefined, { previous }: LogSighting): boolean {
  if (pod === undefined) return false;
  const { [PRINTED_RESTARTS]: restarts, [PRINTED_UNSETTLED]: unsettled } = annotationsOf(pod);
  if (previous ? unsettled !== undefined : restarts !== '0') return false;
  return asList(dig(pod, 'status', 'conditions')).some((one) => dig(one, 'type') === 'Ready' && dig(one, 'status') === 'True');
}

function placed({ object, view, segment }: Sighting, finder: NamespaceFinder): Sighting {
  if (object.metadata.namespace !== undefined || !isNamespaced(object.kind)) return { object, view, segment };
  return { object: inNamespace(object, finder.ofObject({ kind: object.kind, name: object.metadata.name }, segment)), view, segment };
}

const RANK: Readonly<Record<View, number>> = { table: 0, describe: 1, whole: 2 };

/** One object for each reference, its looks put over one another: fuller ones over poorer ones, newer over older of the same kind. */
function mergeSightings(sightings: readonly Sighting[]): ReadonlyMap<string, { readonly object: KubeObject; readonly segment: number }> {
  const groups = new Map<string, Sighting[]>();
  for (const sighting of sightings) {
    const key = keyOf(sighting.object);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [sighting]);
    else group.push(sighting);
  }
  const merged = new Map<string, { object: KubeObject; segment: number }>();
  for (const [key, group] of groups) {
    const ordered = group.toSorted((a, b) => RANK[a.view] - RANK[b.view] || a.segment - b.segment);
    const [first, ...others] = ordered;
    if (first === undefined) continue;
    let { object } = first;
    for (const other of others) object = combine(object, other.object);
    merged.set(key, { object, segment: lastOf(group) });
  }
  return merged;
}

function lastOf(group: readonly Sighting[]): number {
  let last = 0;
  for (const { segment } of group) last = Math.max(last, segment);
  return last;
}

function keyOf(object: KubeObject): string {
  const { kind, namespace, name } = refOf(object);
  return formatRef({ kind, ...(namespace === undefined ? {} : { namespace }), name });
}

/** What was said not to exist, last said last. Where the namespace can only be guessed nothing is said. */
function missing(
  gathering: Gathering,
  finder: NamespaceFinder,
): ReadonlyMap<string, { readonly ref: ObjectRef; readonly segment: number }> {
  const found = new Map<string, { ref: ObjectRef; segment: number }>();
  for (const { ref, segment } of gathering.absent) {
    const namespace = ref.namespace ?? (isNamespaced(ref.kind) ? finder.surely({ kind: '', name: ref.name }, segment) : undefined);
    if (namespace === undefined && isNamespaced(ref.kind)) continue;
    const placedRef = { ...ref, ...(namespace === undefined ? {} : { namespace }) };
    found.set(formatRef(placedRef), { ref: placedRef, segment });
  }
  return found;
}

/** A pod of a table with its node from the node's own describe, and with its requests where its containers are not known. */
function withGlimpse(object: KubeObject, glimpse: KubeObject | undefined): KubeObject {
  return glimpse === undefined || shows(object, 'spec.containers.resources') ? object : combine(glimpse, object);
}

/** The same event printed in several places is one: the newest look at it counts. Events read whole have a name of their own. */
function mergeEvents(gathering: Gathering, finder: NamespaceFinder): readonly KubeObject[] {
  const byContent = new Map<string, KubeObject>();
  const whole = new Map<string, KubeObject>();
  for (const { object, segment } of gathering.events) {
    const event = placedEvent(object, segment, finder);
    if (event[OBSERVED] === undefined) whole.set(event.metadata.uid ?? formatRef(refOf(event)), event);
    else {
      const key = contentOf(event);
      const known = byContent.get(key);
      byContent.set(key, known === undefined ? event : newerEvent(known, event));
    }
  }
  const wholeContents = new Set([...whole.values()].map(contentOf));
  const names = new Set([...whole.values()].map(({ metadata }) => metadata.name));
  const printed = [...byContent].filter(([key]) => !wholeContents.has(key)).map(([, event]) => event);
  return [...whole.values(), ...printed.map((event) => named(event, names))];
}

function placedEvent(event: KubeObject, segment: number, finder: NamespaceFinder): KubeObject {
  const involved = dig(event, 'involvedObject');
  const [kind, name] = [asText(dig(involved, 'kind')) ?? '', asText(dig(involved, 'name')) ?? ''];
  const isPlaced = dig(involved, 'namespace') !== undefined || (event[OBSERVED] === undefined && event.metadata.namespace !== undefined);
  if (isPlaced || !isNamespaced(kind)) return event;
  const namespace = finder.ofObject({ kind, name }, segment);
  const placedIn = inNamespace(event, namespace);
  return { ...placedIn, involvedObject: { ...(involved as JsonObject), namespace } };
}

function contentOf(event: KubeObject): string {
  const texts = [
    ['involvedObject', 'kind'],
    ['involvedObject', 'namespace'],
    ['involvedObject', 'name'],
    ['type'],
    ['reason'],
    ['message'],
  ];
  return texts.map((path) => asText(digAt(event, path))?.trim() ?? '').join('\n');
}

function newerEvent(a: KubeObject, b: KubeObject): KubeObject {
  const seen = (event: KubeObject): Instant => parseInstant(dig(event, 'lastTimestamp')) ?? 0;
  const [older, newer] = seen(a) > seen(b) ? [b, a] : [a, b];
  const count = Math.max(asNumber(dig(older, 'count')) ?? 1, asNumber(dig(newer, 'count')) ?? 1);
  const firsts = [older, newer]
    .map((event) => asText(dig(event, 'firstTimestamp')))
    .filter((text) => text !== undefined)
    .toSorted();
  const [first] = firsts;
  return { ...combine(older, newer), count, ...(first === undefined ? {} : { firstTimestamp: first }) };
}

/** Printed events mostly have no name; the line they stood on made one, which must not repeat. */
function named(event: KubeObject, names: Set<string>): KubeObject {
  let { name } = event.metadata;
  for (let number = 2; names.has(name); number++) name = `${event.metadata.name}-${String(number)}`;
  names.add(name);
  return name === event.metadata.name ? event : { ...event, metadata: { ...event.metadata, name } };
}

function collectedBy(gathering: Gathering, finder: NamespaceFinder): readonly Collected[] {
  return gathering.collected.map(({ collected, segment }) => {
    const { about } = collected;
    if (about !== undefined) {
      const namespace = about.namespace ?? (isNamespaced(about.kind) ? finder.ofObject(about, segment) : undefined);
      return { ...collected, namespace: namespace ?? 'default', about: { ...about, ...(namespace === undefined ? {} : { namespace }) } };
    }
    return collected.namespace === ''
      ? { ...collected, namespace: finder.ofSegment(segment), complete: collected.complete && finder.isSure(segment) }
      : collected;
  });
}

function refusedIn(refusal: Refusal, segment: number, finder: NamespaceFinder): Refusal {
  if (refusal.namespace !== undefined || refusal.why === 'forbidden' || !isNamespaced(refusal.kind)) return refusal;
  return { ...refusal, namespace: finder.ofSegment(segment) };
}

function records(gathering: Gathering, objects: readonly KubeObject[]): readonly KubeObject[] {
  const answers = gathering.answers.map((spec, index) => record(CLIENT_ANSWER, `answer-${String(index)}`, spec));
  const manifests = gathering.manifests.map(({ namespace, spec }, index) =>
    record(APPLIED_MANIFEST, `${asText(spec['file']) ?? 'manifest'}#${String(index + 1)}`, spec, namespace ?? namespaceLike(spec, objects)),
  );
  const texts = gathering.looseTexts.map(({ text, line }) => record(LOOSE_TEXT, `line ${String(line)}`, { text, line }));
  return [...answers, ...manifests, ...services(gathering), ...texts];
}

/** A manifest without a namespace is in the one where its object is, if there is just one such object. */
function namespaceLike(spec: JsonObject, objects: readonly KubeObject[]): string | undefined {
  const [kind, name] = [asText(dig(spec, 'object', 'kind')), asText(dig(spec, 'object', 'metadata', 'name'))];
  if (kind === undefined || !isNamespaced(kind)) return undefined;
  const same = objects.filter((object) => object.kind === kind && object.metadata.name === name);
  return same.length === 1 ? same[0]?.metadata.namespace : undefined;
}

/** All that was said of a service of a node; its state is the one said last. */
function services(gathering: Gathering): readonly KubeObject[] {
  const found = new Map<string, { node: string; service: string; spec: JsonObject; lines: string[] }>();
  for (const { node, service, spec, lines } of gathering.services) {
    const known = found.get(`${node}/${service}`) ?? { node, service, spec: {}, lines: [] };
    const seen = new Set(known.lines);
    found.set(`${node}/${service}`, {
      node,
      service,
      spec: { ...known.spec, ...spec },
      lines: [...known.lines, ...lines.filter((line) => !seen.has(line))],
    });
  }
  return [...found].map(([name, { node, service, spec, lines }]) =>
    record(NODE_SERVICE, name, { node, service, active: 'unknown', ...spec, lines }),
  );
}

function record(kind: string, name: string, spec: JsonObject, namespace?: string): KubeObject {
  return { apiVersion: RECORD_API_VERSION, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) }, spec };
}

/** Answers are all there; of manifests and services a transcript has only those somebody looked at. */
function recordsCollected(gathering: Gathering): readonly Collected[] {
  return [
    ...(gathering.answers.length === 0 ? [] : [{ kind: CLIENT_ANSWER, complete: true }]),
    ...(gathering.manifests.length === 0 ? [] : [{ kind: APPLIED_MANIFEST, complete: true }]),
    ...(gathering.looseTexts.length === 0 ? [] : [{ kind: LOOSE_TEXT, complete: true }]),
    ...(gathering.services.length === 0 ? [] : [{ kind: NODE_SERVICE, complete: false }]),
  ];
}
