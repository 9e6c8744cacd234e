import type { Instant } from '../base/instant.ts';
import type { ClusterReader, ListRead, Log, LogOptions, Read, Scope } from '../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { formatRef } from '../model/kube-object.ts';

/** One look at a cluster: every read is made once, however many collectors ask for it. */
export class Survey {
  readonly #reader: ClusterReader;
  readonly #gets = new Map<string, Promise<Read<KubeObject>>>();
  readonly #lists = new Map<string, Promise<ListRead>>();
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
      const found = list.value.find(({ metadata }) => metadata.name === ref.name && metadata.namespace === ref.namespace);
      if (found !== undefined) return { ok: true, value: found };
      if (list.partial === undefined) return { ok: false, why: 'absent', detail: `${formatRef(ref)} is not among the ${String(list.value.length)} that exist` };
    }
    return memo(this.#gets, formatRef(ref), () => this.#reader.get(ref));
  }

  list(kind: string, scope: Scope): Promise<ListRead> {
    return memo(this.#lists, listKey(kind, scope), () => this.#reader.list(kind, scope));
  }

  logs(pod: ObjectRef, container: string, options: LogOptions): Promise<Read<Log>> {
    const key = `${formatRef(pod)} ${container} ${String(options.previous ?? false)} ${String(options.tailLines)}`;
    return memo(this.#logs, key, () => this.#reader.logs(pod, container, options));
  }
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
