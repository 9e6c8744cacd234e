import type { Instant } from '../../base/instant.ts';
import { dig } from '../../base/json.ts';
import type { ClusterReader, ListRead, Log, LogOptions, Read, Scope, Unread } from '../../model/cluster-reader.ts';
import { isUnreadable, unseenIn } from '../../model/cluster-reader.ts';
import { ANYTHING } from '../../model/fact.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef, inNamespace } from '../../model/kube-object.ts';
import type { Rule } from '../../model/rule.ts';
import { selectorOfFields } from '../../model/selectors.ts';
import type { Vocabulary } from './vocabulary.ts';
import { vocabularyOf } from './vocabulary.ts';
import { involvedIn } from '../../model/event-fields.ts';

/** One look at a cluster: every read is made once, however many collectors ask for it. */
export class Survey {
  readonly #reader: ClusterReader;
  readonly #gets = new Map<string, Promise<Read<KubeObject>>>();
  readonly #lists = new Map<string, Promise<ListRead>>();
  /** Lists of all namespaces that were asked for in place of one. */
  readonly #tries = new Map<string, Promise<ListRead>>();
  #isEverywhere = false;
  readonly #eventReads = new Map<string, Set<string>>();
  readonly #indexes = new WeakMap<readonly KubeObject[], ReadonlyMap<string, KubeObject>>();
  readonly #logs = new Map<string, Promise<Read<Log>>>();
  readonly #unread = new Map<string, UnreadPart>();

  /** What texts say, by the wordings of the rules. */
  readonly vocabulary: Vocabulary;

  constructor(reader: ClusterReader, rules: readonly Rule[] = []) {
    this.#reader = reader;
    this.vocabulary = vocabularyOf(rules);
  }

  now(): Instant {
    return this.#reader.now();
  }

  /** What was asked for and refused, or failed, or broke off; not what a source says it never had. Each once. */
  unread(): readonly UnreadPart[] {
    const { unread } = this.#reader;
    const rest = unread === undefined ? [] : [{ about: { kind: 'Object', name: ANYTHING }, unread: { detail: unread } }];
    return [...rest, ...this.#unread.values()];
  }

  /** Whether reads cost nothing: then more may be looked at than what is sick. */
  get stored(): boolean {
    return this.#reader.stored === true;
  }

  /** Whether a log may be there that it costs nothing to look at. */
  get mayHaveLogs(): boolean {
    return this.stored && this.#reader.logless !== true;
  }

  /** Whether a list of the pods of one node may show more than one of all pods does. */
  get mayHaveNodeLists(): boolean {
    return this.#reader.nodeListless !== true;
  }

  /** Answered from a list that was read already where one has the object. */
  async get(ref: ObjectRef): Promise<Read<KubeObject>> {
    for (const namespace of ref.namespace === undefined ? [undefined] : [ref.namespace, undefined]) {
      const list = await this.#lists.get(listKey(ref.kind, inNamespace(namespace)));
      if (list?.ok !== true) continue;
      const found = this.#indexed(list.value).get(formatRef({ kind: ref.kind, name: ref.name, ...inNamespace(ref.namespace) }));
      if (found !== undefined) return { ok: true, value: found };
      if (list.partial === undefined)
        return { ok: false, why: 'absent', detail: `${formatRef(ref)} is not among the ${String(list.value.length)} that exist` };
    }
    return memo(this.#gets, formatRef(ref), () => this.#noting(ref, this.#reader.get(ref)));
  }

  list(kind: string, scope: Scope): Promise<ListRead> {
    const wide = this.#wide(kind, scope);
    return wide === undefined ? this.#listed(kind, scope) : memo(this.#lists, listKey(kind, scope), () => this.#within(wide, kind, scope));
  }

  /** The objects of a list, as far as they are seen: none where it could not be read, which is noted. */
  async seen(kind: string, scope: Scope): Promise<readonly KubeObject[]> {
    const list = await this.list(kind, scope);
    return list.ok ? list.value : [];
  }

  /** From now on all namespaces are looked at: a list of each costs as many requests as there are namespaces, one of all costs one. */
  lookEverywhere(): void {
    this.#isEverywhere = true;
  }

  /** The list of all namespaces that has those of one, where there is one or it is worth a request. */
  #wide(kind: string, { namespace, labelSelector, fieldSelector }: Scope): Promise<ListRead> | undefined {
    if (namespace === undefined || labelSelector !== undefined || fieldSelector !== undefined || this.stored || !this.#isEverywhere)
      return undefined;
    const known = this.#lists.get(listKey(kind, {}));
    if (known !== undefined || !LIGHT.has(kind)) return known;
    // That nobody may list all of them is no gap: those of the namespace are asked for then.
    return memo(this.#tries, kind, async () => {
      const list = await this.#reader.list(kind, {});
      if (list.ok && list.partial === undefined) this.#lists.set(listKey(kind, {}), Promise.resolve(list));
      return list;
    });
  }

  async #within(wide: Promise<ListRead>, kind: string, scope: Scope): Promise<ListRead> {
    const list = await wide;
    if (!list.ok || list.partial !== undefined) return this.#listed(kind, scope, new Map());
    return { ok: true, value: list.value.filter(({ metadata }) => metadata.namespace === scope.namespace) };
  }

  #listed(kind: string, scope: Scope, known: Map<string, Promise<ListRead>> = this.#lists): Promise<ListRead> {
    const about = { kind, ...inNamespace(scope.namespace), name: ANYTHING };
    return memo(known, listKey(kind, scope), () => this.#noting(about, this.#reader.list(kind, scope)));
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
    return memo(this.#logs, key, () => this.#noting(pod, this.#reader.logs(pod, container, options)));
  }

  /** One line of a log, for how the kubelet answers: that it does not is what is found out, and nothing that was left unread. */
  kubeletAnswer(pod: ObjectRef, container: string): Promise<Read<Log>> {
    return this.#reader.logs(pod, container, { tailLines: 1 });
  }

  async #noting<T extends Read<unknown> | ListRead>(about: ObjectRef, reading: Promise<T>): Promise<T> {
    const read = await reading;
    const unread = this.#unreadOf(read);
    if (unread !== undefined) this.#unread.set(`${formatRef(about)} ${unread.detail}`, { about, unread });
    return read;
  }

  /** What a source never had, or has only a part of, is no read that went wrong: asking again would show no more. */
  #unreadOf(read: Read<unknown> | ListRead): UnreadPart['unread'] | undefined {
    if (!read.ok) return isUnreadable(read) ? read : undefined;
    return 'brokeOff' in read ? unseenIn(read) : undefined;
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

/** A read that got no whole answer. For a list the name is `ANYTHING`. */
export interface UnreadPart {
  readonly about: ObjectRef;
  readonly unread: Pick<Unread, 'detail' | 'needs'>;
}

/** Kinds of which a cluster has few or small objects, so that all of them are read sooner than those of each namespace. */
const LIGHT: ReadonlySet<string> = new Set([
  'Service',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodDisruptionBudget',
  'HorizontalPodAutoscaler',
  'PersistentVolumeClaim',
  'Ingress',
]);

/** Objects of a namespace whose events are read one by one. */
const EVENT_READS = 3;

function isAbout(event: KubeObject, kind: string, name: string): boolean {
  const involved = involvedIn(event);
  return dig(involved, 'kind') === kind && dig(involved, 'name') === name;
}

function keyOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  return formatRef({ kind, ...inNamespace(namespace), name });
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
