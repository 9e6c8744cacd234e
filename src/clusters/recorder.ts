import type { ClusterReader, ListRead, Log, LogOptions, Read, Scope } from '../model/cluster-reader.ts';
import { isUnreadable } from '../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { formatRef, refOf } from '../model/kube-object.ts';
import type { Collected, Refusal, StoredEvidence, StoredLog } from './memory-reader.ts';

/** A reader that remembers what it was told. */
export interface Recorder {
  /** Asks the source, every time. */
  readonly reader: ClusterReader;
  /** All answers so far: read through `memoryReader` they give the same answers to the same questions. */
  evidence(): StoredEvidence;
}

/** Wraps a reader of any kind. Nothing is hidden: the live reader has never seen what must not be kept. */
export function recorder(source: ClusterReader): Recorder {
  const kept = new Kept();
  return {
    reader: {
      get: async (ref) => {
        const read = await source.get(ref);
        if (!read.ok && read.why === 'absent' && ref.uid !== undefined) await askByName(source, ref, kept);
        else kept.one(ref, read);
        return read;
      },
      list: async (kind, scope) => {
        const read = await source.list(kind, scope);
        kept.list(kind, scope, read);
        return read;
      },
      logs: async (pod, container, options) => {
        const read = await source.logs(pod, container, options);
        kept.log(pod, container, options, read);
        return read;
      },
      now: () => source.now(),
    },
    evidence: () => kept.evidence(source.now()),
  };
}

/** With a uid, absent may mean that another object has the name by now: which of the two it is must be remembered. */
async function askByName(source: ClusterReader, { kind, namespace, name }: ObjectRef, kept: Kept): Promise<void> {
  const ref = { kind, ...(namespace === undefined ? {} : { namespace }), name };
  kept.one(ref, await source.get(ref));
}

/** The latest answer about each thing: what was absent and then there is there. */
class Kept {
  readonly #objects = new Map<string, KubeObject>();
  readonly #absent = new Map<string, ObjectRef>();
  readonly #collected = new Map<string, Collected>();
  readonly #refused = new Map<string, Refusal>();
  readonly #logs = new Map<string, StoredLog>();

  one(ref: ObjectRef, read: Read<KubeObject>): void {
    const { kind, namespace, name } = ref;
    const place = { kind, ...(namespace === undefined ? {} : { namespace }), name };
    const key = formatRef(ref);
    if (read.ok) this.#keep(read.value);
    else if (read.why === 'absent') {
      this.#absent.set(key, place);
      this.#objects.delete(key);
    } else if (read.why !== 'not-collected') this.#refused.set(key, { ...place, why: read.why, detail: read.detail, ...needsOf(read) });
  }

  list(kind: string, scope: Scope, read: ListRead): void {
    const { namespace, labelSelector, fieldSelector } = scope;
    const place = { kind, ...(namespace === undefined ? {} : { namespace }) };
    const key = JSON.stringify([kind, namespace, labelSelector, fieldSelector]);
    if (read.ok) {
      for (const object of read.value) this.#keep(object);
      const selectors = {
        ...(labelSelector === undefined ? {} : { labelSelector }),
        ...(fieldSelector === undefined ? {} : { fieldSelector }),
      };
      this.#collected.set(key, { ...place, ...selectors, complete: read.partial === undefined });
    } else if (isUnreadable(read)) {
      this.#refused.set(key, { ...place, why: read.why, detail: read.detail, ...needsOf(read) });
    }
  }

  log(pod: ObjectRef, container: string, options: LogOptions, read: Read<Log>): void {
    const previous = options.previous === true;
    const answer = read.ok ? read.value : { lines: [], filtered: false, unread: read };
    this.#logs.set(JSON.stringify([formatRef(pod), container, previous]), { pod, container, previous, ...answer });
  }

  evidence(now: number): StoredEvidence {
    return {
      objects: [...this.#objects.values()],
      collected: [...this.#collected.values()],
      absent: [...this.#absent.values()],
      refused: [...this.#refused.values()],
      logs: [...this.#logs.values()],
      now,
    };
  }

  #keep(object: KubeObject): void {
    const key = formatRef(refOf(object));
    this.#objects.set(key, object);
    this.#absent.delete(key);
    this.#refused.delete(key);
  }
}

function needsOf({ needs }: { readonly needs?: string }): { readonly needs?: string } {
  return needs === undefined ? {} : { needs };
}
