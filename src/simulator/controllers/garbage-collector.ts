import type { Json } from '../../base/json.ts';
import { asList, asObject, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Failure } from '../apiserver/request.ts';
import type { Address } from '../components/client.ts';
import type { ComponentDefinition, ComponentHost } from '../components/component.ts';
import type { ObjectEvent } from '../components/informer.ts';
import { LruMap } from '../../base/lru-map.ts';
import { onceEach } from '../../base/once.ts';
import type { Routine } from '../time/routine.ts';
import type { SyncResult, WorkQueue } from '../components/work-queue.ts';
import { retryUnlessGone } from '../components/work-queue.ts';
import { isDeleted } from './ownership.ts';
import type { ServedKind } from './served-kinds.ts';
import { DELETABLE_KINDS, kindOfDefinition } from './served-kinds.ts';

/**
 * Deletes what has lost its owners, in the background, in the foreground, or not at all but letting go of it.
 * Source: pkg/controller/garbagecollector/{garbagecollector,graph_builder,graph}.go.
 */
export const GARBAGE_COLLECTOR: ComponentDefinition = {
  name: 'generic-garbage-collector',
  process: 'kube-controller-manager',
  eventSource: 'garbage-collector-controller',
  start,
};

const WORKERS = 20;
const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';

interface Node {
  readonly kind: ServedKind;
  object: KubeObject;
}

class Graph {
  readonly nodes = new Map<string, Node>();
  readonly dependents = new Map<string, Set<string>>();

  put(kind: ServedKind, object: KubeObject): void {
    const uid = object.metadata.uid ?? '';
    const known = this.nodes.get(uid);
    if (known !== undefined) {
      if (known.object.metadata['ownerReferences'] !== object.metadata['ownerReferences']) {
        this.#unlink(known.object);
        this.#link(object);
      }
      known.object = object;
      return;
    }
    this.nodes.set(uid, { kind, object });
    this.#link(object);
  }

  remove(object: KubeObject): void {
    const known = this.nodes.get(object.metadata.uid ?? '');
    if (known !== undefined) this.#unlink(known.object);
    this.nodes.delete(object.metadata.uid ?? '');
  }

  dependentsOf(uid: string): readonly string[] {
    return [...(this.dependents.get(uid) ?? [])];
  }

  #link(object: KubeObject): void {
    for (const { uid } of ownersOf(object)) {
      const known = this.dependents.get(uid);
      if (known === undefined) this.dependents.set(uid, new Set([object.metadata.uid ?? '']));
      else known.add(object.metadata.uid ?? '');
    }
  }

  #unlink(object: KubeObject): void {
    for (const { uid } of ownersOf(object)) {
      const known = this.dependents.get(uid);
      known?.delete(object.metadata.uid ?? '');
      if (known?.size === 0) this.dependents.delete(uid);
    }
  }
}

interface Collector {
  readonly host: ComponentHost;
  readonly graph: Graph;
  readonly absent: LruMap<true>;
}

function start(host: ComponentHost): void {
  const collector: Collector = { host, graph: new Graph(), absent: new LruMap<true>(500) };
  const toDelete = host.queue({ name: 'garbage_collector_attempt_to_delete', workers: WORKERS }, (uid) =>
    attempt(collector, toDelete, uid),
  );
  const toOrphan = host.queue({ name: 'garbage_collector_attempt_to_orphan', workers: WORKERS }, (uid) => orphanDependents(collector, uid));
  // Source: pkg/controller/garbagecollector/garbagecollector.go (ignoredResources). Every event was delivered, and kept, for nothing.
  const kinds = DELETABLE_KINDS.filter(({ resource }) => resource !== 'events');
  let unsynced = kinds.length;
  const watched = new Set<string>();
  const follow = (kind: ServedKind): void => {
    const key = `${kind.group}/${kind.resource}`;
    if (watched.has(key)) return;
    watched.add(key);
    host.informer({ kind: kind.kind }).onChange((event) => changed(collector, { toDelete, toOrphan, starting: unsynced > 0 }, kind, event));
  };
  for (const kind of kinds) {
    follow(kind);
    host.informer({ kind: kind.kind }).whenSynced(() => {
      unsynced--;
      if (unsynced === 0) for (const [uid, node] of collector.graph.nodes) if (mayGo(collector.graph, node.object)) toDelete.add(uid);
    });
  }
  host.informer({ kind: 'CustomResourceDefinition' }).onChange(({ object, type }) => {
    const kind = type === 'DELETED' ? undefined : kindOfDefinition(object);
    if (kind !== undefined) host.after(0, 'follow a custom resource', () => follow(kind));
  });
}

/** Source: graph_builder.go (processGraphChanges). */
interface Queues {
  readonly toDelete: WorkQueue;
  readonly toOrphan: WorkQueue;
  /** Not all kinds have been listed yet: nothing is judged before. */
  readonly starting: boolean;
}

function changed({ graph }: Collector, { toDelete, toOrphan, starting }: Queues, kind: ServedKind, { type, object }: ObjectEvent): void {
  const uid = object.metadata.uid ?? '';
  if (type === 'DELETED') {
    graph.remove(object);
    for (const dependent of graph.dependentsOf(uid)) toDelete.add(dependent);
    for (const owner of waitingOf(graph, ownersOf(object))) toDelete.add(owner);
    return;
  }
  const before = graph.nodes.get(uid)?.object;
  graph.put(kind, object);
  if (starting) return;
  // The states of a pod share their owners.
  if (before !== undefined && before.metadata['ownerReferences'] !== object.metadata['ownerReferences'])
    for (const owner of waitingOf(graph, unblocked(ownersOf(before), object))) toDelete.add(owner);
  if (isDeleted(object) && hasFinalizer(object, ORPHAN)) toOrphan.add(uid);
  if (isDeletingDependents(object)) {
    for (const dependent of graph.dependentsOf(uid)) toDelete.add(dependent);
    toDelete.add(uid);
  } else if (mayGo(graph, object)) toDelete.add(uid);
}

/** Owners that an object blocked and blocks no longer. Source: graph_builder.go (addUnblockedOwnersToDeleteQueue). */
function unblocked(before: readonly Owner[], object: KubeObject): readonly Owner[] {
  const blocked = ownersOf(object).flatMap((owner) => (owner.blocks ? [owner.uid] : []));
  return before.filter((owner) => owner.blocks && !blocked.includes(owner.uid));
}

/** Those that wait for what they own. */
function waitingOf({ nodes }: Graph, owners: readonly Owner[]): readonly string[] {
  return owners.flatMap(({ uid }) => (isDeletingDependents(nodes.get(uid)?.object) ? [uid] : []));
}

/** Whether an object has an owner nobody knows, or one that waits for it. */
function mayGo(graph: Graph, object: KubeObject): boolean {
  if (isDeletingDependents(object)) return true;
  return ownersOf(object).some(({ uid }) => {
    const owner = graph.nodes.get(uid);
    return owner === undefined || isDeletingDependents(owner.object);
  });
}

function propagationFor(object: KubeObject, isWaitedFor: boolean): 'Orphan' | 'Foreground' | 'Background' {
  if (hasFinalizer(object, ORPHAN)) return 'Orphan';
  return hasFinalizer(object, FOREGROUND) || isWaitedFor ? 'Foreground' : 'Background';
}

/** Source: garbagecollector.go (attemptToDeleteItem). */
function* attempt(collector: Collector, queue: WorkQueue, uid: string): Routine<SyncResult> {
  const { host, graph } = collector;
  const node = graph.nodes.get(uid);
  if (node === undefined) return;
  if (isDeleted(node.object) && !isDeletingDependents(node.object)) return;
  const live = yield* host.client.send({ verb: 'get', ...addressOf(node) });
  if (!live.ok) return retryUnlessGone(live);
  if (live.object.metadata.uid !== uid) return;
  if (isDeletingDependents(live.object)) return yield* finishForeground(collector, queue, node, live.object);
  const owners = ownersOf(live.object);
  if (owners.length === 0) return;
  const sorted = yield* classify(collector, node, owners);
  if ('failure' in sorted) return { retry: sorted.failure.message };
  const { solid, gone, waiting } = sorted;
  if (solid.length > 0) {
    if (gone.length === 0 && waiting.length === 0) return;
    return yield* letGo(collector, node, live.object, new Set([...gone, ...waiting].map((owner) => owner.uid)));
  }
  return yield* deleteOrphaned(collector, node, live.object, waiting.length > 0);
}

/** Deletes an object whose owners are gone; `waits` when one of them waits for it, and so its state does not matter. */
function* deleteOrphaned({ host, graph }: Collector, node: Node, object: KubeObject, waits: boolean): Routine<SyncResult> {
  const uid = object.metadata.uid ?? '';
  const circular = waits && graph.dependentsOf(uid).some((dependent) => isDeletingDependents(graph.nodes.get(dependent)?.object));
  if (circular) yield* unblockOwners(host, node, object);
  const propagationPolicy = propagationFor(object, waits && graph.dependentsOf(uid).length > 0);
  const version = asText(object.metadata['resourceVersion']);
  const answer = yield* host.client.send({
    verb: 'delete',
    ...addressOf(node),
    delete: {
      propagationPolicy,
      preconditions: { uid, ...(waits || version === undefined ? {} : { resourceVersion: version }) },
    },
  });
  return retryUnlessGone(answer);
}

/**
 * In a circle of owners each would wait for the next: this one no longer blocks its owners. Source: garbagecollector.go
 * (attemptToDeleteItem, unblockOwnerReferencesStrategicMergePatch).
 */
function* unblockOwners(host: ComponentHost, node: Node, object: KubeObject): Routine {
  const ownerReferences = asList(object.metadata['ownerReferences']).map((reference) => ({
    ...asObject(reference),
    blockOwnerDeletion: false,
  }));
  const body = { metadata: { uid: object.metadata.uid ?? null, ownerReferences } };
  yield* host.client.send({ verb: 'patch', ...addressOf(node), patch: { type: 'merge', body } });
}

interface Owner {
  readonly uid: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly blocks: boolean;
}

interface Sorted {
  readonly solid: Owner[];
  readonly gone: Owner[];
  readonly waiting: Owner[];
}

function* classify(collector: Collector, node: Node, owners: readonly Owner[]): Routine<Sorted | { readonly failure: Failure }> {
  const sorted: Sorted = { solid: [], gone: [], waiting: [] };
  for (const owner of owners) {
    const state = yield* stateOf(collector, node, owner);
    if (typeof state === 'object') return state;
    sorted[state].push(owner);
  }
  return sorted;
}

/** Source: garbagecollector.go (isDangling): asks the API, for the cache may lag. */
function* stateOf({ host, graph, absent }: Collector, node: Node, owner: Owner): Routine<keyof Sorted | { readonly failure: Failure }> {
  const known = graph.nodes.get(owner.uid);
  const { namespace } = node.object.metadata;
  if (known !== undefined && isOutside(known, namespace)) return elsewhere(host, node, owner);
  const kind = known?.kind ?? kindNamed(owner);
  // An owner of a kind nobody knows may be there all the same: what it owns is left alone. So is what is in no namespace, of one that is.
  if (kind === undefined || (kind.namespaced && namespace === undefined)) return 'solid';
  const place = coordinates(owner, kind.namespaced ? namespace : undefined);
  if (absent.get(place) === true) return 'gone';
  const answer = yield* host.client.send({ verb: 'get', ...placeOf(kind, namespace, owner.name) });
  if (!answer.ok && answer.code !== 404) return { failure: answer };
  if (!answer.ok || answer.object.metadata.uid !== owner.uid) {
    absent.set(place, true);
    return 'gone';
  }
  return isDeletingDependents(answer.object) ? 'waiting' : 'solid';
}

/** An owner that is absent under one kind or name may be there under another. Source: the same (ownerReferenceCoordinates). */
function coordinates({ apiVersion, kind, name, uid }: Owner, namespace: string | undefined): string {
  return [apiVersion, kind, name, uid, namespace].join(' ');
}

function isOutside({ kind, object }: Node, namespace: string | undefined): boolean {
  return kind.namespaced && object.metadata.namespace !== namespace;
}

/** An owner in a namespace that is not the object's is none; nothing is done to what is in no namespace at all. */
function elsewhere(host: ComponentHost, { object }: Node, { apiVersion, kind, name, uid }: Owner): 'solid' | 'gone' {
  const { namespace } = object.metadata;
  host.events.event(object, {
    type: 'Warning',
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef [${apiVersion}/${kind}, namespace: ${namespace ?? ''}, name: ${name}, uid: ${uid}] does not exist in namespace "${namespace ?? ''}"`,
  });
  return namespace === undefined ? 'solid' : 'gone';
}

function kindNamed(owner: Owner): ServedKind | undefined {
  return DELETABLE_KINDS.find(
    (kind) => kind.kind === owner.kind && owner.apiVersion === (kind.group === '' ? kind.version : `${kind.group}/${kind.version}`),
  );
}

/** Source: garbagecollector.go (processDeletingDependentsItem): the owner goes when none is left that blocks it. */
function* finishForeground({ host, graph }: Collector, queue: WorkQueue, node: Node, live: KubeObject): Routine<SyncResult> {
  const uid = live.metadata.uid ?? '';
  const blocking = graph
    .dependentsOf(uid)
    .filter((dependent) => ownersOf(graph.nodes.get(dependent)?.object).some((owner) => owner.uid === uid && owner.blocks));
  if (blocking.length === 0) return yield* removeFinalizer(host, node, live, FOREGROUND);
  for (const dependent of blocking) if (!isDeleted(graph.nodes.get(dependent)?.object ?? live)) queue.add(dependent);
}

function* orphanDependents(collector: Collector, uid: string): Routine<SyncResult> {
  const { host, graph } = collector;
  const node = graph.nodes.get(uid);
  if (node === undefined) return;
  for (const dependent of graph.dependentsOf(uid)) {
    const child = graph.nodes.get(dependent);
    const failed = child === undefined ? undefined : yield* letGo(collector, child, child.object, new Set([uid]));
    if (failed !== undefined) return failed;
  }
  const live = yield* host.client.send({ verb: 'get', ...addressOf(node) });
  if (!live.ok) return retryUnlessGone(live);
  return yield* removeFinalizer(host, node, live.object, ORPHAN);
}

function* letGo({ host }: Collector, node: Node, object: KubeObject, owners: ReadonlySet<string>): Routine<SyncResult> {
  const kept = asList(object.metadata['ownerReferences']).filter((reference) => !owners.has(asText(dig(reference, 'uid')) ?? ''));
  const body = { metadata: { uid: object.metadata.uid ?? null, ownerReferences: kept.length === 0 ? null : kept } };
  const answer = yield* host.client.send({ verb: 'patch', ...addressOf(node), patch: { type: 'merge', body } });
  return retryUnlessGone(answer);
}

function* removeFinalizer(host: ComponentHost, node: Node, live: KubeObject, finalizer: string): Routine<SyncResult> {
  const kept = asList(live.metadata['finalizers']).filter((one) => one !== finalizer);
  const body = { metadata: { resourceVersion: live.metadata['resourceVersion'] ?? null, finalizers: kept.length === 0 ? null : kept } };
  const answer = yield* host.client.send({ verb: 'patch', ...addressOf(node), patch: { type: 'merge', body } });
  return retryUnlessGone(answer);
}

function ownersOf(object: KubeObject | undefined): readonly Owner[] {
  const references = object?.metadata['ownerReferences'];
  return references === undefined ? [] : ownersAmong(asList(references));
}

const ownersAmong = onceEach((references: readonly Json[]): readonly Owner[] =>
  references.map((reference) => ({
    uid: asText(dig(reference, 'uid')) ?? '',
    apiVersion: asText(dig(reference, 'apiVersion')) ?? '',
    kind: asText(dig(reference, 'kind')) ?? '',
    name: asText(dig(reference, 'name')) ?? '',
    blocks: dig(reference, 'blockOwnerDeletion') === true,
  })),
);

function isDeletingDependents(object: KubeObject | undefined): boolean {
  return object !== undefined && isDeleted(object) && hasFinalizer(object, FOREGROUND);
}

function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return asList(object.metadata['finalizers']).includes(finalizer);
}

function addressOf({ kind, object }: Node): Address {
  return placeOf(kind, object.metadata.namespace, object.metadata.name);
}

function placeOf(kind: ServedKind, namespace: string | undefined, name: string): Address {
  const { group, version, resource } = kind;
  return { group, version, resource, ...(kind.namespaced && namespace !== undefined ? { namespace } : {}), name };
}
