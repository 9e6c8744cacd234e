import { textOf } from '../../base/json-text.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { asItems } from '../apiserver/lists.ts';
import type { Answer } from '../apiserver/request.ts';
import type { WatchEvent, WatchHandle } from '../apiserver/watch.ts';
import type { ClientOptions } from './client.ts';
import { addressOfKind, Client } from './client.ts';
import { keyOf, keyOfObject } from '../store/store.ts';
import { TIMING } from '../time/timing.ts';

/** What handlers of an informer are told. `previous` is what the cache had. */
export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  readonly previous: KubeObject | undefined;
  /** Namespace and name, as `keyOf` puts them together. */
  readonly key: string;
}

export interface InformerOptions {
  readonly kind: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  readonly namespace?: string;
}

/**
 * A component's view of one kind: lists once, then watches, so that it is a little behind the API server. A watch that ends
 * (server gone, too old) is taken up again or listed anew with growing waits; a list that is refused is tried again likewise.
 * Source: staging/src/k8s.io/client-go/tools/cache/{reflector,shared_informer}.go (back-off 0.8 s to 30 s, doubled).
 */
export class Informer {
  readonly #options: InformerOptions;
  readonly #around: ClientOptions;
  readonly #client: Client;
  readonly #slots = new Map<string, Slot>();
  readonly #handlers: ((event: ObjectEvent) => void)[] = [];
  readonly #indices: Index[] = [];
  #buffer: WatchEvent[] = [];
  #deliveryDue = false;
  #watch: WatchHandle | undefined;
  #synced = false;
  #stopped = false;
  #failures = 0;
  readonly #whenSynced: (() => void)[] = [];

  constructor(options: InformerOptions, around: ClientOptions) {
    this.#options = options;
    this.#around = around;
    this.#client = new Client(around);
  }

  get kind(): string {
    return this.#options.kind;
  }

  get synced(): boolean {
    return this.#synced;
  }

  get(namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#slots.get(keyOf(namespace, name))?.object;
  }

  /** In no particular order that matters, but always the same one. */
  *list(): Iterable<KubeObject> {
    for (const { object } of this.#slots.values()) yield object;
  }

  get size(): number {
    return this.#slots.size;
  }

  /** Objects by what `addIndex` made of them, in the order they came. */
  by(index: string, key: string): readonly KubeObject[] {
    const found = this.#indices.find(({ name }) => name === index)?.shelves.get(key);
    if (found === undefined) return [];
    const objects: KubeObject[] = [];
    for (const { object } of found.values()) objects.push(object);
    return objects;
  }

  /** Files every object under keys of its own making: by owner, by node, by label. */
  addIndex(name: string, keysOf: (object: KubeObject) => readonly string[]): this {
    if (this.#indices.some((index) => index.name === name)) return this;
    const index: Index = { name, keysOf, shelves: new Map() };
    this.#indices.push(index);
    for (const [key, slot] of this.#slots) file(index, this.#indices.length - 1, key, slot);
    return this;
  }

  /** Objects that are known already are told as ADDED at once. */
  onChange(handler: (event: ObjectEvent) => void): this {
    this.#handlers.push(handler);
    for (const [key, { object }] of this.#slots) handler({ type: 'ADDED', object, previous: undefined, key });
    return this;
  }

  /** Runs when the first list has come, or now if it has. */
  whenSynced(run: () => void): void {
    if (this.#synced) run();
    else this.#whenSynced.push(run);
  }

  /** Begins to list and watch. Done once, by whoever made it. */
  start(): void {
    this.#list();
  }

  /** Ends the watch, as when a connection is lost; it will be taken up again. */
  disconnect(): void {
    this.#watch?.stop();
    this.#watch = undefined;
    this.#retry();
  }

  /** Ends it for good. */
  stop(): void {
    this.#stopped = true;
    this.#watch?.stop();
    this.#watch = undefined;
  }

  #list(): void {
    const { server } = this.#around;
    const { kind, fieldSelector, labelSelector, namespace } = this.#options;
    // Its definition went away before its objects were asked for.
    if (server.resources.named(kind) === undefined) return;
    const selectors = {
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
    };
    const address = { ...addressOfKind(server.resources, kind), ...(namespace === undefined ? {} : { namespace }) };
    this.#client.post({ verb: 'list', ...address, ...selectors, resourceVersion: '0' }, (answer) =>
      this.#listed(answer, { ...address, ...selectors }),
    );
  }

  #listed(answer: Answer, scope: { readonly group: string; readonly version: string; readonly resource: string }): void {
    if (!answer.ok) {
      // Nobody asks again and again whether the server is back: it says so.
      if (answer.code === 0) this.#around.server.whenReachable(() => this.#retry());
      else if (answer.code === 401) this.#around.server.whenHeard(this.#around.credential, () => this.#retry());
      else this.#retry();
      return;
    }
    const resourceVersion = textOf(answer.object.metadata['resourceVersion']);
    const request = { verb: 'watch' as const, ...scope, resourceVersion, credential: this.#around.credential() };
    const started = this.#around.server.watch(
      request,
      (event) => this.#buffered(event),
      () => this.#ended(),
    );
    if (!started.ok) {
      this.#retry();
      return;
    }
    this.#watch = started.handle;
    this.#failures = 0;
    this.#replace(asItems(answer.object));
    if (this.#synced) return;
    this.#synced = true;
    for (const run of this.#whenSynced.splice(0)) run();
  }

  /** What the list has is told as added or changed; what it lacks any more as deleted. */
  #replace(objects: readonly KubeObject[]): void {
    const listed = new Set(objects.map(keyOfObject));
    for (const [key, { object }] of this.#slots) if (!listed.has(key)) this.#apply({ type: 'DELETED', object });
    for (const object of objects) this.#apply({ type: 'MODIFIED', object });
  }

  #buffered(event: WatchEvent): void {
    this.#buffer.push(event);
    if (this.#deliveryDue) return;
    this.#deliveryDue = true;
    const { agenda, prng, owner, slowness } = this.#around;
    const delay = TIMING.watchMilliseconds * prng.between(0.75, 1.25) + slowness();
    agenda.after(delay, `watch ${this.kind}`, () => this.#deliver(), { owner });
  }

  #deliver(): void {
    this.#deliveryDue = false;
    const events = this.#buffer;
    this.#buffer = [];
    for (const event of events) this.#apply(event);
  }

  #apply(event: WatchEvent): void {
    const key = event.key ?? keyOfObject(event.object);
    const slot = this.#slots.get(key);
    const previous = slot?.object;
    if (event.type === 'DELETED') {
      if (slot === undefined) return;
      this.#slots.delete(key);
      for (let place = 0; place < this.#indices.length; place++) unfile(this.#indices[place] as Index, key, slot.names[place] ?? NO_NAMES);
      this.#tell({ type: 'DELETED', object: event.object, previous, key });
      return;
    }
    if (previous?.metadata['resourceVersion'] === event.object.metadata['resourceVersion']) return;
    this.#put(key, slot, event.object);
    this.#tell({ type: previous === undefined ? 'ADDED' : 'MODIFIED', object: event.object, previous, key });
  }

  #put(key: string, known: Slot | undefined, object: KubeObject): void {
    const slot: Slot = known ?? { object, names: this.#indices.length === 0 ? NO_LISTS : this.#indices.map(() => NO_NAMES) };
    slot.object = object;
    if (known === undefined) this.#slots.set(key, slot);
    for (let place = 0; place < this.#indices.length; place++) file(this.#indices[place] as Index, place, key, slot);
  }

  #tell(event: ObjectEvent): void {
    for (const handler of this.#handlers) handler(event);
  }

  #ended(): void {
    this.#watch = undefined;
    this.#retry();
  }

  #retry(): void {
    if (this.#stopped) return;
    const { agenda, prng, owner } = this.#around;
    const milliseconds = Math.min(30_000, 800 * 2 ** Math.min(this.#failures, 10)) * prng.between(1, 2);
    this.#failures++;
    agenda.after(milliseconds, `list ${this.kind} again`, () => this.#list(), { owner, background: true });
  }
}

/** An object's place in the cache; the indices hold the slot, so that another state of the object is put in one place only. */
interface Slot {
  object: KubeObject;
  /** Under which names it lies, by the place of the index. */
  names: (readonly string[])[];
}

interface Index {
  readonly name: string;
  readonly keysOf: (object: KubeObject) => readonly string[];
  readonly shelves: Map<string, Map<string, Slot>>;
}

const NO_NAMES: readonly string[] = [];
const NO_LISTS: (readonly string[])[] = [];

function file(index: Index, place: number, key: string, slot: Slot): void {
  const names = index.keysOf(slot.object);
  const before = slot.names[place] ?? NO_NAMES;
  if (sameNames(names, before)) return;
  for (const name of names) {
    if (before.includes(name)) continue;
    const shelf = index.shelves.get(name);
    if (shelf === undefined) index.shelves.set(name, new Map([[key, slot]]));
    else shelf.set(key, slot);
  }
  if (before.length > 0)
    unfile(
      index,
      key,
      before.filter((name) => !names.includes(name)),
    );
  // In place: for each index of a pod that came, its whole list was made anew.
  if (place < slot.names.length) slot.names[place] = names;
  else slot.names = [...Array.from({ length: place }, (_, at) => slot.names[at] ?? NO_NAMES), names];
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

function unfile({ shelves }: Index, key: string, names: readonly string[]): void {
  for (const name of names) {
    const shelf = shelves.get(name);
    shelf?.delete(key);
    if (shelf?.size === 0) shelves.delete(name);
  }
}
