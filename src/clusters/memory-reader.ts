import type { Instant } from '../base/instant.ts';
import { grouped } from '../base/lists.ts';
import { onceFor } from '../base/once.ts';
import type { ClusterReader, ListRead, Log, LogOptions, Read, Scope, Unread } from '../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { formatRef, refOf } from '../model/kube-object.ts';
import { resourceOfKind } from '../model/resources.ts';
import type { FieldRequirement } from '../model/selectors.ts';
import { storedObjects } from './stored-objects.ts';
import type { StoredObjects } from './stored-objects.ts';
import { matchObjectFields, matchObjectLabels, parseFieldSelector, parseLabelSelector } from '../model/selectors.ts';
import { positionOf, ReadAgain } from './snapshot/outlined-objects.ts';
import { sharing } from './snapshot/sharing.ts';
import { commandWord, namespaceFlag } from '../model/placeholders.ts';

/** What a source that cannot be asked again has shown: its objects, and what else is known of what it would have shown. */
export interface StoredEvidence {
  /** At most one for each kind, namespace and name; records (`record-kinds.ts`) stand among them. */
  readonly objects: readonly KubeObject[];
  /**
   * Pods of which only their node and what they request is known. They are served to whoever asks for the pods of a node, and kept
   * from lists of pods, where they would look like pods in trouble.
   */
  readonly glimpses?: readonly KubeObject[];
  readonly collected: readonly Collected[];
  /** Objects the cluster said do not exist. */
  readonly absent: readonly ObjectRef[];
  readonly refused: readonly Refusal[];
  readonly logs: readonly StoredLog[];
  readonly now: Instant;
  /** It has the answers to the questions of a diagnosis, and to no others: nothing more is asked of it on suspicion. */
  readonly recorded?: true;
  /** What of the source was not read, where that may be anything. */
  readonly unread?: string;
}

/** A kind that was listed. Without a namespace: in all of them, or the kind has none. */
export interface Collected {
  readonly kind: string;
  readonly namespace?: string;
  /** All there is in this scope is among the objects, so what is not there does not exist. */
  readonly complete: boolean;
  /** Reading it went wrong: there is more in the source itself. */
  readonly brokeOff?: true;
  /** Only Events: those about this object were listed, no others. */
  readonly about?: ObjectRef;
  /** The list was narrowed by selectors: it says nothing beyond them. */
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** A read the cluster refused or failed. Without a name: a list; without a namespace: everywhere. */
export interface Refusal {
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly why: 'forbidden' | 'failed';
  readonly detail: string;
  readonly needs?: string;
}

/** One container's log. Either `lines`, or `unread` with what was answered instead of them. */
export interface StoredLog {
  readonly pod: ObjectRef;
  readonly container: string;
  readonly previous: boolean;
  readonly lines: readonly string[];
  readonly filtered: boolean;
  readonly unread?: Unread;
}

/** Serves stored evidence as a cluster, keeping apart what is not there and what was not looked at. */
export function memoryReader(store: StoredEvidence): ClusterReader {
  const index = indexed(store);
  const again = store.objects.some((object) => positionOf(object) !== undefined) ? new ReadAgain(sharing()) : undefined;
  return {
    get: (ref) => (again === undefined ? Promise.resolve(getObject(index, ref)) : wholeObject(again, getObject(index, ref))),
    list: (kind, scope) =>
      again === undefined
        ? Promise.resolve(listObjects(index, kind, scope, within(index, kind, scope)))
        : listWhole(index, again, kind, scope),
    logs: (pod, container, options) => Promise.resolve(readLog(index, pod, container, options)),
    now: () => store.now,
    ...(store.recorded === true ? {} : { stored: true }),
    ...(again === undefined ? {} : { vast: true }),
    ...(store.logs.length === 0 ? { logless: true } : {}),
    ...(hasNodeLists(store) ? {} : { nodeListless: true }),
    ...(store.unread === undefined ? {} : { unread: store.unread }),
  };
}

function hasNodeLists({ glimpses, collected }: StoredEvidence): boolean {
  return (glimpses ?? []).length > 0 || collected.some(({ kind, fieldSelector }) => kind === 'Pod' && fieldSelector !== undefined);
}

interface Index {
  readonly store: StoredEvidence;
  readonly byKind: ReadonlyMap<string, StoredObjects>;
  readonly logs: ReadonlyMap<string, readonly StoredLog[]>;
  /** The objects of a kind by their keys. */
  readonly byName: (kind: string) => ReadonlyMap<string, KubeObject>;
  readonly absent: ReadonlySet<string>;
  /** What was listed, by kind: the pods of each node of a large cluster are asked for. */
  readonly collected: ReadonlyMap<string, readonly Collected[]>;
}

function indexed(store: StoredEvidence): Index {
  const byKind = grouped(store.objects, ({ kind }) => kind);
  return {
    store,
    byKind: new Map([...byKind].map(([kind, objects]) => [kind, storedObjects(objects)] as const)),
    logs: grouped(store.logs, ({ pod }) => podKey(pod)),
    // The keys of all objects of a large cluster take long, and few kinds are asked for by name.
    byName: onceFor((kind: string) => new Map((byKind.get(kind) ?? []).map((object) => [formatRef(refOf(object)), object] as const))),
    absent: new Set(store.absent.map(formatRef)),
    collected: grouped(store.collected, ({ kind }) => kind),
  };
}

/** A log may name its pod without a kind. */
function podKey({ namespace, name }: ObjectRef): string {
  return `${namespace ?? ''}/${name}`;
}

function getObject(index: Index, ref: ObjectRef): Read<KubeObject> {
  const object = index.byName(ref.kind).get(formatRef(ref));
  if (object !== undefined) {
    const replaced = ref.uid !== undefined && object.metadata.uid !== undefined && ref.uid !== object.metadata.uid;
    return replaced ? absent(`${formatRef(ref)} is now another object with the same name`) : { ok: true, value: object };
  }
  if (isAbsent(index, ref)) return absent(`${formatRef(ref)} does not exist`);
  const refusal = index.store.refused.find(
    (one) => refuses(one, ref.kind, ref.namespace) && (one.name === undefined || one.name === ref.name),
  );
  if (refusal !== undefined) return unreadOf(refusal);
  if (isCovered(index, ref.kind, ref.namespace === undefined ? {} : { namespace: ref.namespace })) {
    return absent(`${formatRef(ref)} does not exist: it is not in the complete list of ${pluralOf(ref.kind)}`);
  }
  return notCollected(`${formatRef(ref)} was not collected`, getCommand(ref));
}

/** The same object with all that its source has of it. */
async function wholeObject(again: ReadAgain, read: Read<KubeObject>): Promise<Read<KubeObject>> {
  if (!read.ok) return read;
  await again.read([read.value]);
  const value = again.whole(read.value);
  return value === undefined ? { ok: false, why: 'failed', detail: changedDetail(formatRef(refOf(read.value))) } : { ok: true, value };
}

function changedDetail(what: string): string {
  return `${what} could not be read again: its file has changed, or is damaged there`;
}

function isAbsent(index: Index, { kind, namespace, name }: ObjectRef): boolean {
  if (index.absent.has(formatRef({ kind, ...(namespace === undefined ? {} : { namespace }), name }))) return true;
  return namespace !== undefined && index.absent.has(formatRef({ kind: 'Namespace', name: namespace }));
}

function within(index: Index, kind: string, scope: Scope): readonly KubeObject[] {
  return index.byKind.get(kind)?.within(scope) ?? [];
}

/** Those of the scope are read again before more is asked of them. */
async function listWhole(index: Index, again: ReadAgain, kind: string, scope: Scope): Promise<ListRead> {
  const objects = within(index, kind, scope).filter((object) => isWithin(object, scope));
  await again.read(objects);
  const whole = objects.map((object) => again.whole(object)).filter((object) => object !== undefined);
  const list = listObjects(index, kind, scope, whole);
  const lost = objects.length - whole.length;
  return lost === 0 || !list.ok ? list : { ...list, partial: changedDetail(`${String(lost)} of the ${pluralOf(kind)}`), brokeOff: true };
}

function listObjects(index: Index, kind: string, scope: Scope, objects: readonly KubeObject[]): ListRead {
  const { value, undecided } = select(asksForNode(kind, scope) ? [...objects, ...glimpsesOf(index)] : objects, scope);
  if (isCovered(index, kind, scope)) {
    if (undecided === 0) return { ok: true, value };
    return { ok: true, value, partial: `${undecided} of the ${pluralOf(kind)} lack a field that the selector needs` };
  }
  const refusal = index.store.refused.find((one) => one.name === undefined && refuses(one, kind, scope.namespace));
  if (value.length > 0 || (refusal === undefined && wasTouched(index, kind, scope))) {
    const why = refusal?.detail ?? `no complete list of ${pluralOf(kind)}${where(scope)} was collected`;
    return { ok: true, value, partial: why, ...(hasBrokenOff(index, kind, scope) ? { brokeOff: true as const } : {}) };
  }
  if (refusal !== undefined) return unreadOf(refusal);
  return notCollected(`${pluralOf(kind)}${where(scope)} were not collected`, listCommand(kind, scope));
}

function asksForNode(kind: string, { fieldSelector }: Scope): boolean {
  return kind === 'Pod' && parseFieldSelector(fieldSelector ?? '').some(({ field, equal }) => field === 'spec.nodeName' && equal);
}

function glimpsesOf({ store, byName }: Index): readonly KubeObject[] {
  return (store.glimpses ?? []).filter((glimpse) => !byName(glimpse.kind).has(formatRef(refOf(glimpse))));
}

/** Objects within the scope, and the number of those of which that cannot be told. */
function select(objects: readonly KubeObject[], scope: Scope): { readonly value: readonly KubeObject[]; readonly undecided: number } {
  const labels = parseLabelSelector(scope.labelSelector ?? '');
  const fields = parseFieldSelector(scope.fieldSelector ?? '');
  if (labels.length + fields.length === 0) return { value: objects.filter((object) => isWithin(object, scope)), undecided: 0 };
  const value: KubeObject[] = [];
  let undecided = 0;
  for (const object of objects) {
    if (!isWithin(object, scope)) continue;
    const [byLabels, byFields] = [matchObjectLabels(labels, object), matchFields(fields, object)];
    if (byLabels === 'no' || byFields === 'no') continue;
    if (byLabels === 'unknown' || byFields === 'unknown') undecided++;
    else value.push(object);
  }
  return { value, undecided };
}

function isWithin({ metadata }: KubeObject, { namespace }: Scope): boolean {
  return namespace === undefined || metadata.namespace === namespace || metadata.namespace === undefined;
}

/** Printed events name the object they are about but never its uid: then kind and name have to do. */
function matchFields(fields: readonly FieldRequirement[], object: KubeObject): ReturnType<typeof matchObjectFields> {
  const match = matchObjectFields(fields, object);
  if (match !== 'unknown' || object.kind !== 'Event') return match;
  return matchObjectFields(
    fields.filter(({ field }) => field !== INVOLVED_UID),
    object,
  );
}

const INVOLVED_UID = 'involvedObject.uid';

/** Whether everything of this kind in this scope was collected. */
function isCovered(index: Index, kind: string, scope: Scope): boolean {
  const collected = index.collected.get(kind) ?? [];
  if (collected.some((one) => covers(one, kind, scope))) return true;
  if (scope.namespace !== undefined) return index.absent.has(formatRef({ kind: 'Namespace', name: scope.namespace }));
  if (resourceOfKind(kind)?.namespaced !== true || !(index.collected.get('Namespace') ?? []).some((one) => covers(one, 'Namespace', {})))
    return false;
  const namespaces = (index.byKind.get('Namespace')?.all ?? []).map(({ metadata }) => metadata.name);
  return namespaces.every((namespace) => collected.some((one) => covers(one, kind, { ...scope, namespace })));
}

function covers(one: Collected, kind: string, scope: Scope): boolean {
  if (one.kind !== kind || !one.complete) return false;
  if (one.namespace !== undefined && one.namespace !== scope.namespace) return false;
  if (one.labelSelector !== undefined && one.labelSelector !== scope.labelSelector) return false;
  if (one.fieldSelector !== undefined && one.fieldSelector !== scope.fieldSelector) return false;
  return one.about === undefined || isAbout(one.about, scope.fieldSelector ?? '');
}

/** Whether a field selector asks for events about this one object. */
function isAbout(about: ObjectRef, selector: string): boolean {
  const asked = new Map(
    parseFieldSelector(selector)
      .filter(({ equal }) => equal)
      .map(({ field, value }) => [field, value]),
  );
  const agrees = (field: string, value: string | undefined): boolean => {
    const wanted = asked.get(`involvedObject.${field}`);
    return wanted === undefined || value === undefined || wanted === value;
  };
  return (
    asked.has('involvedObject.name') &&
    agrees('name', about.name) &&
    agrees('kind', about.kind) &&
    agrees('namespace', about.namespace) &&
    agrees('uid', about.uid)
  );
}

function hasBrokenOff(index: Index, kind: string, { namespace }: Scope): boolean {
  return (index.collected.get(kind) ?? []).some(
    (one) => one.brokeOff === true && (one.namespace === undefined || namespace === undefined || one.namespace === namespace),
  );
}

/** Whether the source looked at this kind here at all, so that what it has is worth something. */
function wasTouched(index: Index, kind: string, scope: Scope): boolean {
  return (index.collected.get(kind) ?? []).some(
    (one) => one.about === undefined && (one.namespace === undefined || scope.namespace === undefined || one.namespace === scope.namespace),
  );
}

function refuses(refusal: Refusal, kind: string, namespace: string | undefined): boolean {
  return refusal.kind === kind && (refusal.namespace === undefined || refusal.namespace === namespace);
}

function unreadOf({ why, detail, needs }: Refusal): Unread {
  return { ok: false, why, detail, ...(needs === undefined ? {} : { needs }) };
}

function readLog({ logs }: Index, pod: ObjectRef, container: string, options: LogOptions): Read<Log> {
  const previous = options.previous === true;
  const found = (logs.get(podKey(pod)) ?? []).filter(
    (log) => log.pod.name === pod.name && log.pod.namespace === pod.namespace && log.container === container && log.previous === previous,
  );
  const whole = found.findLast((log) => log.unread === undefined && !log.filtered) ?? found.findLast((log) => log.unread === undefined);
  if (whole !== undefined) {
    const lines = options.tailLines <= 0 ? [] : whole.lines.slice(-options.tailLines);
    return { ok: true, value: { lines, filtered: whole.filtered } };
  }
  const unread = found.at(-1)?.unread;
  if (unread !== undefined) return unread;
  const which = previous ? 'the previous log' : 'the log';
  const command = `kubectl logs${namespaceFlag(pod.namespace)} ${commandWord(pod.name)} -c ${commandWord(container, 'container')}${previous ? ' --previous' : ''}`;
  return notCollected(`${which} of container ${container} of ${formatRef(pod)} was not collected`, command);
}

function absent(detail: string): Unread {
  return { ok: false, why: 'absent', detail };
}

function notCollected(detail: string, needs: string): Unread {
  return { ok: false, why: 'not-collected', detail, needs };
}

function getCommand({ kind, namespace, name }: ObjectRef): string {
  return `kubectl get${namespaceFlag(namespace)} ${resourceName(kind)} ${commandWord(name)} -o yaml`;
}

function listCommand(kind: string, scope: Scope): string {
  const namespaced = resourceOfKind(kind)?.namespaced === true;
  const scoped = !namespaced ? '' : scope.namespace === undefined ? ' -A' : namespaceFlag(scope.namespace);
  return `kubectl get${scoped} ${resourceName(kind)} -o yaml`;
}

function where({ namespace }: Scope): string {
  return namespace === undefined ? '' : ` in ${namespace}`;
}

/** What kubectl calls the kind. */
function resourceName(kind: string): string {
  return resourceOfKind(kind)?.plural ?? commandWord(kind.toLowerCase(), 'kind');
}

/** The kind's plural as a sentence has it. */
function pluralOf(kind: string): string {
  return resourceOfKind(kind) === undefined ? `${kind} records` : resourceName(kind);
}
