import { asTextMap, dig } from '../../base/json.ts';
import type { ClusterChanger, Written } from '../../model/cluster-changer.ts';
import type { ClusterReader, Read } from '../../model/cluster-reader.ts';
import type { WatchGap } from '../../model/followed.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import type { Change, Course } from '../../model/watch-change.ts';
import { slotName } from '../rbac/state-manifests.ts';
import { toldCourse, toldKey, toldText } from '../../watch/told-causes.ts';

export interface LedgerPorts {
  readonly reader: Pick<ClusterReader, 'get'>;
  readonly changer: ClusterChanger;
  /** Where the ConfigMaps are. */
  readonly namespace: string;
}

/** A ConfigMap holds 1 MiB. Source: pkg/apis/core/validation/validation.go (MaxSecretSize); the rest is for its metadata. */
const MOST_BYTES = 900_000;

/**
 * The causes that were told, in one ConfigMap for each replica, so that they are not told again after a restart or by who takes over. A
 * key is of one workload, and only the keys that change are written: others that write at the same time do no harm.
 */
export class ToldLedger {
  readonly #ports: LedgerPorts;
  readonly #kept = new Map<string, string>();
  /** What is not written yet; null for what is to be taken out. */
  readonly #pending = new Map<string, string | null>();
  /** Keys that were taken over from other ConfigMaps and are to be taken out there. */
  readonly #moved = new Map<number, Set<string>>();
  #bytes = 0;

  constructor(ports: LedgerPorts) {
    this.#ports = ports;
  }

  /** There is something to write. */
  get isBehind(): boolean {
    return this.#pending.size + this.#moved.size > 0;
  }

  note(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type === 'found' || change.type === 'changed') this.#put(toldKey(change.course.cause.workload), toldText(change.course));
      if (change.type === 'cured' && this.#drop(toldKey(change.course.cause.workload)))
        this.#pending.set(toldKey(change.course.cause.workload), null);
    }
  }

  /** Others have these from now on, or take them from here. */
  release(isKept: (workload: ObjectRef) => boolean): void {
    for (const [key, text] of this.#kept) {
      const workload = toldCourse(text)?.cause.workload;
      if (workload !== undefined && isKept(workload)) continue;
      this.#drop(key);
      this.#pending.delete(key);
    }
  }

  /** The causes of these workloads that any replica has told and kept; a gap where not all could be read. */
  async take(own: number, slots: number, isOwn: (workload: ObjectRef) => boolean): Promise<readonly Course[] | WatchGap> {
    const maps: KeptMap[] = [];
    for (let slot = 0; slot < slots; slot++) {
      const read = await this.#ports.reader.get({ kind: 'ConfigMap', namespace: this.#ports.namespace, name: slotName(slot) });
      if (read.ok) maps.push({ slot, data: asTextMap(dig(read.value, 'data')) });
      else if (read.why !== 'absent') return this.#unread(read);
    }
    const taken = new Map<string, Course>();
    for (const { slot, key, course } of maps.flatMap((map) => this.#valid(map, own))) {
      if (!isOwn(course.cause.workload)) continue;
      if (slot !== own) this.#moved.set(slot, (this.#moved.get(slot) ?? new Set()).add(key));
      if (!this.#kept.has(key) && (taken.get(key)?.foundAt ?? -Infinity) < course.foundAt) taken.set(key, course);
    }
    for (const [key, course] of taken) this.#put(key, toldText(course));
    return [...taken.values()];
  }

  /** Writes what has changed; a gap where that is not possible. It is tried again with the next call. */
  async flush(own: number): Promise<WatchGap | undefined> {
    if (this.#pending.size > 0) {
      const batch = new Map(this.#pending);
      let written = await this.#patch(own, Object.fromEntries(batch));
      if (!written.ok && written.reason === 'NotFound') written = await this.#create(own);
      if (!written.ok) return this.#unwritten(written);
      for (const [key, text] of batch) if (this.#pending.get(key) === text) this.#pending.delete(key);
    }
    // Only once they are here: in between nobody would have them.
    for (const [slot, keys] of this.#moved) {
      const written = await this.#patch(slot, Object.fromEntries([...keys].map((key) => [key, null])));
      if (!written.ok && written.reason !== 'NotFound') return this.#unwritten(written);
      this.#moved.delete(slot);
    }
    return undefined;
  }

  #valid({ slot, data }: KeptMap, own: number): readonly { readonly slot: number; readonly key: string; readonly course: Course }[] {
    // Some are to be taken out, and are there because that is not written yet.
    const isOver = (key: string): boolean => (slot === own ? this.#pending.has(key) : this.#moved.get(slot)?.has(key) === true);
    return Object.entries(data).flatMap(([key, text]) => {
      const course = isOver(key) ? undefined : toldCourse(text);
      return course === undefined ? [] : [{ slot, key, course }];
    });
  }

  #put(key: string, text: string): void {
    this.#drop(key);
    // What finds no room is told again after a restart.
    if (this.#bytes + sizeOf(key, text) > MOST_BYTES) return void this.#pending.set(key, null);
    this.#bytes += sizeOf(key, text);
    this.#kept.set(key, text);
    this.#pending.set(key, text);
  }

  #drop(key: string): boolean {
    const text = this.#kept.get(key);
    if (text !== undefined) this.#bytes -= sizeOf(key, text);
    return this.#kept.delete(key);
  }

  #patch(slot: number, data: Readonly<Record<string, string | null>>): Promise<Written> {
    const { namespace, changer } = this.#ports;
    return changer.send(
      { verb: 'patch', kind: 'ConfigMap', namespace, name: slotName(slot), patch: { type: 'merge', body: { data } } },
      false,
    );
  }

  #create(slot: number): Promise<Written> {
    const { namespace, changer } = this.#ports;
    const name = slotName(slot);
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: Object.fromEntries(this.#kept) };
    return changer.send({ verb: 'create', kind: 'ConfigMap', namespace, name, body }, false);
  }

  #unread({ detail, needs }: Exclude<Read<unknown>, { readonly ok: true }>): WatchGap {
    const { namespace } = this.#ports;
    return { verb: 'get', resource: 'configmaps', namespace, detail, ...(needs === undefined ? {} : { needs }) };
  }

  #unwritten({ reason, message }: Exclude<Written, { readonly ok: true }>): WatchGap {
    const { namespace } = this.#ports;
    const needs = reason === 'Forbidden' ? { needs: `patch configmaps in ${namespace}` } : {};
    return { verb: 'patch', resource: 'configmaps', namespace, detail: message, ...needs };
  }
}

/** The data of the ConfigMap of one replica. */
interface KeptMap {
  readonly slot: number;
  readonly data: Readonly<Record<string, string>>;
}

function sizeOf(key: string, text: string): number {
  return Buffer.byteLength(key) + Buffer.byteLength(text);
}
