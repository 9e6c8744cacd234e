import { assert } from '../../base/assert.ts';
import type { Instant } from '../../base/instant.ts';
import { asText, dig } from '../../base/json.ts';
import { deepFreeze, withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';

/**
 * What etcd is to a cluster: every object by resource and key, one revision for all of them, and the changes since the last
 * compaction, so that a watch can start in the past. Objects are values: they are shared, never changed and never cloned; an
 * update puts another object in its place.
 */
export class Store {
  readonly #tables = new Map<string, Table>();
  readonly #now: () => Instant;
  readonly #freeze: boolean;
  readonly #historyMilliseconds: number;
  #history: (Change | undefined)[] = [];
  #historyHead = 0;
  #compacted = 0;
  #revision = 1;
  #total = 0;
  readonly #everything = new Set<Subscriber>();

  constructor(options: StoreOptions) {
    this.#now = options.now;
    this.#freeze = options.freeze ?? false;
    this.#historyMilliseconds = options.historyMilliseconds ?? 300_000;
  }

  /** The revision of the latest change. */
  get revision(): number {
    return this.#revision;
  }

  /** Objects of all resources. */
  get total(): number {
    return this.#total;
  }

  /** Changes up to this revision are forgotten: a watch from before it is told that it is too late (410). */
  get compactedRevision(): number {
    return this.#compacted;
  }

  /** Whether a mistake is to be found at once, whatever that costs: in tests. */
  get freezes(): boolean {
    return this.#freeze;
  }

  get(resource: string, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#tables.get(resource)?.find(namespace, name)?.object;
  }

  /** The objects of a resource in the order of their keys, of all namespaces or of one. */
  list(resource: string, namespace?: string): readonly KubeObject[] {
    const table = this.#tables.get(resource);
    if (table === undefined) return [];
    return namespace === undefined ? table.sorted() : table.sortedIn(namespace);
  }

  /** Pods of a node or the node of a name (`PARTITIONS`), in the order of their keys. */
  listPartition(resource: string, partition: string): readonly KubeObject[] {
    return this.#tables.get(resource)?.sortedOf(partition) ?? [];
  }

  count(resource: string, namespace?: string): number {
    const table = this.#tables.get(resource);
    return namespace === undefined ? (table?.size ?? 0) : (table?.shelves.get(namespace)?.entries.size ?? 0);
  }

  resources(): readonly string[] {
    return [...this.#tables.keys()].filter((resource) => this.count(resource) > 0).sort();
  }

  /** Puts a new object in; the key must be free. Answers it with its resourceVersion. */
  create(resource: string, object: KubeObject): KubeObject {
    const table = this.#table(resource);
    const stored = this.#stamp(object);
    const key = table.add(stored, resource);
    this.#total++;
    this.#commit({ revision: this.#revision, at: this.#now(), type: 'ADDED', resource, key, object: stored, previous: undefined });
    return stored;
  }

  /** Puts objects in that are there before the first change: they have the revision that the store begins with. */
  begin(objects: readonly (readonly [resource: string, object: KubeObject])[]): void {
    for (const [resource, object] of objects) this.#begin(resource, object);
  }

  #begin(resource: string, object: KubeObject): void {
    const stored = withFields(object, { metadata: withFields(object.metadata, { resourceVersion: String(this.#revision) }) });
    const key = this.#table(resource).add(stored, resource);
    this.#total++;
    this.#commit({ revision: this.#revision, at: this.#now(), type: 'ADDED', resource, key, object: stored, previous: undefined });
  }

  /** Puts another object in the place of one that is there. Answers it with its resourceVersion. */
  update(resource: string, object: KubeObject): KubeObject {
    const table = this.#table(resource);
    const { namespace, name } = object.metadata;
    const entry = table.find(namespace, name);
    assert(entry !== undefined, `${resource} ${name} is there`);
    const previous = entry.object;
    const stored = this.#stamp(object);
    table.replace(entry, stored);
    this.#commit({ revision: this.#revision, at: this.#now(), type: 'MODIFIED', resource, key: entry.key, object: stored, previous });
    return stored;
  }

  /** Takes an object out. Answers its last state, with the resourceVersion of its deletion. */
  delete(resource: string, namespace: string | undefined, name: string): KubeObject | undefined {
    const table = this.#tables.get(resource);
    const entry = table?.find(namespace, name);
    if (table === undefined || entry === undefined) return undefined;
    const { key, object: previous } = entry;
    const last = this.#stamp(previous);
    table.remove(entry);
    this.#total--;
    this.#commit({ revision: this.#revision, at: this.#now(), type: 'DELETED', resource, key, object: last, previous });
    return last;
  }

  /** Calls the sink with every change of the resource from now on, in order, while it is being committed. */
  subscribe(resource: string, sink: (change: Change) => void, options: SubscribeOptions = {}): () => void {
    const table = this.#table(resource);
    const subscriber: Subscriber = { sink, namespace: options.namespace };
    const set = options.partition === undefined ? table.subscribers : table.subscribersOf(options.partition);
    set.add(subscriber);
    return () => set.delete(subscriber);
  }

  subscribeAll(sink: (change: Change) => void): () => void {
    const subscriber: Subscriber = { sink, namespace: undefined };
    this.#everything.add(subscriber);
    return () => this.#everything.delete(subscriber);
  }

  /** The changes of a resource after a revision; undefined when some of them are compacted away. */
  changesSince(resource: string, revision: number): readonly Change[] | undefined {
    if (revision < this.#compacted) return undefined;
    const changes: Change[] = [];
    for (let index = this.#firstAfter(revision); index < this.#history.length; index++) {
      const change = this.#history[index];
      if (change?.resource === resource) changes.push(change);
    }
    return changes;
  }

  /** Forgets the changes up to a revision. */
  compact(revision: number): void {
    this.#compacted = Math.max(this.#compacted, Math.min(revision, this.#revision));
    this.#historyHead = this.#firstAfter(this.#compacted);
    this.#dropForgotten();
  }

  #table(resource: string): Table {
    const known = this.#tables.get(resource);
    if (known !== undefined) return known;
    const table = new Table(PARTITIONS[resource]);
    this.#tables.set(resource, table);
    return table;
  }

  #stamp(object: KubeObject): KubeObject {
    this.#revision++;
    const stored = withFields(object, { metadata: withFields(object.metadata, { resourceVersion: String(this.#revision) }) });
    return this.#freeze ? deepFreeze(stored) : stored;
  }

  #commit(change: Change): void {
    this.#history.push(change);
    this.#forgetOld(change.at);
    const table = this.#table(change.resource);
    for (const subscriber of this.#everything) subscriber.sink(change);
    notify(table.subscribers, change);
    if (table.partitionOf === undefined || !table.hasPartitionSubscribers) return;
    const now = table.partitionOf(change.object);
    const before = change.previous === undefined ? undefined : table.partitionOf(change.previous);
    if (now !== undefined) notify(table.partitionSubscribers.get(now), change);
    if (before !== undefined && before !== now) notify(table.partitionSubscribers.get(before), change);
  }

  /** etcd is compacted every five minutes by the API server; here each change forgets what is older, which costs no timer. */
  #forgetOld(now: Instant): void {
    for (;;) {
      const oldest = this.#history[this.#historyHead];
      if (oldest === undefined) break;
      const many = this.#history.length - this.#historyHead > HISTORY_LIMIT;
      if (!many && oldest.at >= now - this.#historyMilliseconds) break;
      this.#compacted = oldest.revision;
      // At once, not when the list is cut: it holds the states of two minutes more.
      this.#history[this.#historyHead++] = undefined;
    }
    this.#dropForgotten();
  }

  #dropForgotten(): void {
    if (this.#historyHead < 1024 || this.#historyHead * 2 < this.#history.length) return;
    this.#history = this.#history.slice(this.#historyHead);
    this.#historyHead = 0;
  }

  #firstAfter(revision: number): number {
    let [low, high] = [this.#historyHead, this.#history.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#history[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export interface StoreOptions {
  readonly now: () => Instant;
  /** Freezes every object that is stored, so that a component that changes one fails at once: for tests. */
  readonly freeze?: boolean;
  readonly historyMilliseconds?: number;
}

export interface Change {
  readonly revision: number;
  readonly at: Instant;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resource: string;
  /** Namespace and name, as `keyOf` puts them together. */
  readonly key: string;
  /** The state after the change; of a deletion the last state, with the revision of the deletion. */
  readonly object: KubeObject;
  readonly previous: KubeObject | undefined;
}

export interface SubscribeOptions {
  readonly namespace?: string;
  /** Only changes of this partition (`PARTITIONS`): what a thousand kubelets watch costs each change one look-up. */
  readonly partition?: string;
}

/** Resources that are watched and listed by one of their fields. */
const PARTITIONS: Readonly<Record<string, (object: KubeObject) => string | undefined>> = {
  pods: (object) => asText(dig(object, 'spec', 'nodeName')),
  nodes: (object) => object.metadata.name,
};

/** Changes kept for watches that start in the past, however young they are. */
const HISTORY_LIMIT = 10_000;

interface Subscriber {
  readonly sink: (change: Change) => void;
  readonly namespace: string | undefined;
}

/** An object's place: its key is the very same text in all changes of it, so that whoever looks by it need not read it. */
interface Entry {
  readonly key: string;
  object: KubeObject;
}

/** The objects of a namespace, or those of no namespace, by name. */
interface Shelf {
  readonly entries: Map<string, Entry>;
  /** Their names in order; undefined when one came or went. */
  sorted: readonly string[] | undefined;
}

class Table {
  readonly shelves = new Map<string, Shelf>();
  readonly partitions = new Map<string, Map<string, Entry>>();
  readonly subscribers = new Set<Subscriber>();
  readonly partitionSubscribers = new Map<string, Set<Subscriber>>();
  readonly partitionOf: ((object: KubeObject) => string | undefined) | undefined;
  hasPartitionSubscribers = false;
  size = 0;

  constructor(partitionOf: ((object: KubeObject) => string | undefined) | undefined) {
    this.partitionOf = partitionOf;
  }

  find(namespace: string | undefined, name: string): Entry | undefined {
    return this.shelves.get(namespace ?? NO_NAMESPACE)?.entries.get(name);
  }

  /** Answers its key. */
  add(object: KubeObject, resource: string): string {
    const { namespace, name } = object.metadata;
    const shelf = this.#shelf(namespace ?? NO_NAMESPACE);
    assert(!shelf.entries.has(name), `${resource} ${keyOf(namespace, name)} is new`);
    const entry: Entry = { key: keyOf(namespace, name), object };
    shelf.entries.set(name, entry);
    shelf.sorted = undefined;
    this.size++;
    const partition = this.partitionOf?.(object);
    if (partition !== undefined) innerMap(this.partitions, partition).set(entry.key, entry);
    return entry.key;
  }

  replace(entry: Entry, object: KubeObject): void {
    const previous = entry.object;
    entry.object = object;
    if (this.partitionOf === undefined) return;
    const [partition, before] = [this.partitionOf(object), this.partitionOf(previous)];
    if (partition === before) return;
    if (before !== undefined) drop(this.partitions, before, entry.key);
    if (partition !== undefined) innerMap(this.partitions, partition).set(entry.key, entry);
  }

  remove({ key, object }: Entry): void {
    const { namespace = NO_NAMESPACE, name } = object.metadata;
    const shelf = this.#shelf(namespace);
    shelf.entries.delete(name);
    shelf.sorted = undefined;
    if (shelf.entries.size === 0) this.shelves.delete(namespace);
    this.size--;
    const partition = this.partitionOf?.(object);
    if (partition !== undefined) drop(this.partitions, partition, key);
  }

  subscribersOf(partition: string): Set<Subscriber> {
    this.hasPartitionSubscribers = true;
    const known = this.partitionSubscribers.get(partition);
    if (known !== undefined) return known;
    const set = new Set<Subscriber>();
    this.partitionSubscribers.set(partition, set);
    return set;
  }

  /** Keys are texts of namespace and name with a slash between, and in their order. */
  sorted(): readonly KubeObject[] {
    if (this.shelves.size === 1) for (const namespace of this.shelves.keys()) return this.sortedIn(namespace);
    const namespaces = [...this.shelves.keys()].map((namespace) => `${namespace}/`).sort();
    return namespaces.flatMap((namespace) => this.sortedIn(namespace.slice(0, -1)));
  }

  sortedIn(namespace: string): readonly KubeObject[] {
    const shelf = this.shelves.get(namespace);
    if (shelf === undefined) return [];
    shelf.sorted ??= [...shelf.entries.keys()].sort();
    return shelf.sorted.map((name) => (shelf.entries.get(name) as Entry).object);
  }

  sortedOf(partition: string): readonly KubeObject[] {
    const entries = this.partitions.get(partition);
    return entries === undefined ? [] : [...entries.keys()].sort().map((key) => (entries.get(key) as Entry).object);
  }

  #shelf(namespace: string): Shelf {
    const known = this.shelves.get(namespace);
    if (known !== undefined) return known;
    const shelf: Shelf = { entries: new Map(), sorted: undefined };
    this.shelves.set(namespace, shelf);
    return shelf;
  }
}

const NO_NAMESPACE = '';

function innerMap(maps: Map<string, Map<string, Entry>>, name: string): Map<string, Entry> {
  const known = maps.get(name);
  if (known !== undefined) return known;
  const map = new Map<string, Entry>();
  maps.set(name, map);
  return map;
}

function drop(maps: Map<string, Map<string, Entry>>, name: string, key: string): void {
  const map = maps.get(name);
  map?.delete(key);
  if (map?.size === 0) maps.delete(name);
}

function notify(subscribers: ReadonlySet<Subscriber> | undefined, change: Change): void {
  if (subscribers === undefined) return;
  for (const { sink, namespace } of subscribers) {
    if (namespace === undefined || namespace === change.object.metadata.namespace) sink(change);
  }
}

export function keyOf(namespace: string | undefined, name: string): string {
  if (namespace === undefined) return name;
  // One text for the beginnings of all keys of a namespace, or each key keeps its own.
  if (namespace !== latest) [latest, beginning] = [namespace, `${namespace}/`];
  return beginning + name;
}

let [latest, beginning] = ['', '/'];

export function keyOfObject(object: KubeObject): string {
  return keyOf(object.metadata.namespace, object.metadata.name);
}
