import type { Instant } from '../base/instant.ts';
import { dig } from '../base/json.ts';
import type { ClusterReader, ListRead, Log, LogOptions, Read, Scope } from '../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { formatRef } from '../model/kube-object.ts';
import { selectorOfFields } from '../model/selectors.ts';

/** One look at a cluster: every read is made once, however many collectors ask for it. */
export class Survey {
  readonly #reader: ClusterReader;
  readonly #gets = new Map<string, Promise<Read<KubeObject>>>();
  readonly #lists = new Map<string, Promise<ListRead>>();
  readonly #eventReads = new Map<string, Set<string>>();
  readonly #indexes = new WeakMap<readonly KubeObject[], ReadonlyMap<string, KubeObject>>();
  readonly #logs = new Map<string, Promise<Read<Log>>>();

  constructor(reader: ClusterReader) {
    this.#reader = reader;
  }

  now(): Instant {
    return this.#reader.now();
  }

  /** Whether reads cost nothing: then more may be looked at than what is sick. */
  get stored(): boolean {
    return this.#reader.stored === true;
  }

  /** Answered from a list that was read already where one has the object. */
  async get(ref: ObjectRef): Promise<Read<KubeObject>> {
    for (const namespace of ref.namespace === undefined ? [undefined] : [ref.namespace, undefined]) {
      const list = await this.#lists.get(listKey(ref.kind, namespace === undefined ? {} : { namespace }));
      if (list?.ok !== true) continue;
      const found = this.#indexed(list.value).get(formatRef({ kind: ref.kind, name: ref.name, ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }) }));
      if (found !== undefined) return { ok: true, value: found };
      if (list.partial === undefined) return { ok: false, why: 'absent', detail: `${formatRef(ref)} is not among the ${String(list.value.length)} that exist` };
    }
    return memo(this.#gets, formatRef(ref), () => this.#reader.get(ref));
  }

  list(kind: string, scope: Scope): Promise<ListRead> {
    return memo(this.#lists, listKey(kind, scope), () => this.#reader.list(kind, scope));
  }

  /**
   * Events about one object. Where each read is a request, objects beyond the first few of a namespace are answered from one list of
   * all its events, so that the number of requests does not grow with the replicas of a workload.
   */
  async eventsAbout({ kind, namespace = 'default', name }: ObjectRef): Promise<ListRead> {
    const scope = { namespace, fieldSelector: selectorOfFields({ 'involvedObject.kind': kind, 'involvedObject.name': name }) };
    const asked = this.#eventReads.get(namespace) ?? new Set();
    this.#eventReads.set(namespace, asked);
    if (this.stored || asked.has(scope.fieldSelector) || asked.size < EVENT_READS) {
      asked.add(scope.fieldSelector);
      return this.list('Event', scope);
    }
    const all = await this.list('Event', { namespace });
    return all.ok ? { ...all, value: all.value.filter((event) => isAbout(event, kind, name)) } : all;
  }

  logs(pod: ObjectRef, container: string, options: LogOptions): Promise<Read<Log>> {
    const key = `${formatRef(pod)} ${container} ${String(options.previous ?? false)} ${String(options.tailLines)}`;
    return memo(this.#logs, key, () => this.#reader.logs(pod, container, options));
  }

  #indexed(objects: readonly KubeObject[]): ReadonlyMap<string, KubeObject> {
    let index = this.#indexes.get(objects);
    if (index === undefined) {
      index = new Map(objects.map((object) => [keyOf(object), object]));
      this.#indexes.set(objects, index);
    }
    return index;
  }
}

/** Objects of a namespace whose events are read one by one. */
const EVENT_READS = 6;

function isAbout(event: KubeObject, kind: string, name: string): boolean {
  const involved = dig(event, 'involvedObject') ?? dig(event, 'regarding');
  return dig(involved, 'kind') === kind && dig(involved, 'name') === name;
}

function keyOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  return formatRef({ kind, ...(namespace === undefined ? {} : { namespace }), name });
}

function listKey(kind: string, scope: Scope): string {
  return [kind, scope.namespace ?? '*', scope.labelSelector ?? '', scope.fieldSelector ?? ''].join(' ');
}

function memo<T>(map: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  let pending = map.get(key);
  if (pending === undefined) {
    pending = read();
    map.set(key, pending);
  }
  return pending;
}
