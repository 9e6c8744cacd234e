import { isWorkloadKind } from '../model/workload-kinds.ts';
import type { Instant } from '../base/instant.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { controllerOf, formatRef } from '../model/kube-object.ts';
import type { Illness } from './illness.ts';
import { FOLLOWED_KINDS, illnessOf, provenAt } from './illness.ts';

/**
 * What is kept of an object that is well: a hundred thousand of these have to fit in some ten megabytes, so that names that many share
 * are one text, and who owns what is a link.
 */
interface Summary {
  readonly kind: string;
  readonly uid: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly ownerKind: string | undefined;
  readonly ownerName: string | undefined;
  readonly ownerUid: string | undefined;
  readonly version: string | undefined;
  /** The round of its list in which it was last seen. */
  round: number;
}

const FOLLOWED: ReadonlySet<string> = new Set(FOLLOWED_KINDS);

/** What is not well, and since when. */
export interface Sick {
  readonly ref: ObjectRef;
  readonly reason: string;
  readonly since: Instant;
  /** When the watch saw it first. */
  readonly seenAt: Instant;
}

/** A workload of which something is not well. */
export interface SickWorkload {
  readonly ref: ObjectRef;
  readonly since: Instant;
  /** Where only what belongs to it was seen, since when: it may come any moment, and belong to another one. */
  readonly unseenSince?: Instant;
  readonly pods: number;
  /** What is wrong with its objects, each word once, in order. */
  readonly reasons: readonly string[];
}

/** All objects that are followed, as summaries, and those that are not well. Changes only by what it is told. */
export class Inventory {
  readonly #objects = new Map<string, Summary>();
  readonly #sick = new Map<string, Sick>();
  /** Until when a pod that is well has not proven it, by UID. */
  readonly #unproven = new Map<string, Instant>();
  readonly #rounds = new Map<string, number>();
  readonly #texts = new Map<string, string>();

  get size(): number {
    return this.#objects.size;
  }

  get sick(): number {
    return this.#sick.size;
  }

  /** A list of what `scope` names begins: what is not told until `listed` is gone. */
  listing(scope: string): void {
    this.#rounds.set(scope, (this.#rounds.get(scope) ?? 0) + 1);
  }

  listed(scope: string, kind: string, namespace: string | undefined): void {
    const round = this.#rounds.get(scope) ?? 0;
    for (const [uid, object] of this.#objects)
      if (object.kind === kind && object.round !== round && (namespace === undefined || object.namespace === namespace)) this.gone(uid);
    // Texts of what is gone are not kept: those that are in use come again with the next list.
    this.#texts.clear();
  }

  seen(scope: string, object: KubeObject, now: Instant): void {
    const { uid } = object.metadata;
    if (uid === undefined) return;
    const round = this.#rounds.get(scope) ?? 0;
    const version = object.metadata['resourceVersion'] as string | undefined;
    const known = this.#objects.get(uid);
    if (known !== undefined && known.version === version) {
      known.round = round;
      return;
    }
    this.#objects.set(uid, this.#summaryOf(object, { uid, version, round }));
    this.#judge(uid, object, now);
  }

  gone(uid: string): void {
    this.#objects.delete(uid);
    this.#sick.delete(uid);
    this.#unproven.delete(uid);
  }

  knows(uid: string | undefined): boolean {
    return uid !== undefined && this.#objects.has(uid);
  }

  /** Whether an object is there; false also for a kind that is not followed. */
  has({ kind, namespace, name }: ObjectRef): boolean {
    for (const object of this.#objects.values())
      if (object.name === name && object.kind === kind && object.namespace === namespace) return true;
    return false;
  }

  /** The workloads of which something is not well, each by its key. */
  sickWorkloads(): ReadonlyMap<string, SickWorkload> {
    const workloads = new Map<string, { ref: ObjectRef; since: Instant; unseenSince?: Instant; pods: number; reasons: Set<string> }>();
    for (const [uid, { ref, reason, since, seenAt }] of this.#sick) {
      const { ref: top, isWhole } = this.#topOf(uid) ?? { ref, isWhole: true };
      const key = formatRef(top);
      const unseen = isWhole ? {} : { unseenSince: seenAt };
      const workload = workloads.get(key) ?? { ref: top, since, ...unseen, pods: 0, reasons: new Set<string>() };
      workload.since = Math.min(workload.since, since);
      if (ref.kind === 'Pod') workload.pods += 1;
      workload.reasons.add(reason);
      workloads.set(key, workload);
    }
    return new Map(Array.from(workloads, ([key, workload]) => [key, { ...workload, reasons: [...workload.reasons].toSorted() }]));
  }

  /** Until when a workload that is well has not proven that it stays so. */
  provenAt(now: Instant): ReadonlyMap<string, Instant> {
    const workloads = new Map<string, Instant>();
    for (const [uid, at] of this.#unproven) {
      if (at <= now) {
        this.#unproven.delete(uid);
        continue;
      }
      const top = this.#topOf(uid);
      if (top === undefined) continue;
      const key = formatRef(top.ref);
      workloads.set(key, Math.max(at, workloads.get(key) ?? at));
    }
    return workloads;
  }

  #summaryOf(object: KubeObject, { uid, version, round }: Pick<Summary, 'uid' | 'version' | 'round'>): Summary {
    const owner = controllerOf(object);
    return {
      kind: this.#shared(object.kind),
      uid,
      namespace: object.metadata.namespace === undefined ? undefined : this.#shared(object.metadata.namespace),
      name: object.metadata.name,
      ownerKind: owner === undefined ? undefined : this.#shared(owner.kind),
      ownerName: owner === undefined ? undefined : this.#shared(owner.name),
      ownerUid: owner?.uid === undefined ? undefined : this.#shared(owner.uid),
      version,
      round,
    };
  }

  #judge(uid: string, object: KubeObject, now: Instant): void {
    const illness = illnessOf(object);
    if (illness === undefined) {
      this.#sick.delete(uid);
      const proven = object.kind === 'Pod' ? provenAt(object) : undefined;
      if (proven !== undefined && proven > now) this.#unproven.set(uid, proven);
      else this.#unproven.delete(uid);
      return;
    }
    this.#unproven.delete(uid);
    this.#sick.set(uid, this.#sickOf(uid, object, illness, now));
  }

  #sickOf(uid: string, { kind, metadata }: KubeObject, { reason, since }: Illness, now: Instant): Sick {
    const before = this.#sick.get(uid);
    // A pod that is being deleted is not well from the time by which it should have ended.
    const begun = reason === 'Terminating' ? (since ?? now) : Math.min(before?.since ?? now, since ?? now);
    const ref = { kind, name: metadata.name, ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }) };
    return { ref, reason, since: begun, seenAt: before?.seenAt ?? now };
  }

  /** The workload at the top, as far as its owners are known, and whether none is to come that was not seen; the object where it has no owner. */
  #topOf(uid: string): { readonly ref: ObjectRef; readonly isWhole: boolean } | undefined {
    let object = this.#objects.get(uid);
    if (object === undefined) return undefined;
    for (let steps = 0; steps < MOST_OWNERS; steps++) {
      const { namespace, ownerKind, ownerName, ownerUid }: Summary = object;
      if (ownerKind === undefined || ownerName === undefined || !isWorkloadKind(ownerKind)) break;
      const owner: Summary | undefined = ownerUid === undefined ? undefined : this.#objects.get(ownerUid);
      if (owner === undefined) return { ref: refTo(ownerKind, namespace, ownerName), isWhole: !FOLLOWED.has(ownerKind) };
      object = owner;
    }
    return { ref: refTo(object.kind, object.namespace, object.name), isWhole: true };
  }

  #shared(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}

/** A pod, its ReplicaSet, its Deployment; longer chains are a circle. */
const MOST_OWNERS = 5;

function refTo(kind: string, namespace: string | undefined, name: string): ObjectRef {
  return namespace === undefined ? { kind, name } : { kind, namespace, name };
}
