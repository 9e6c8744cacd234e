import type { Instant } from '../../base/instant.ts';
import { asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Agenda } from '../time/agenda.ts';
import type { Change, Store } from './store.ts';
import type { Unwritten } from '../outside/unwritten.ts';

/** Lets events be gone an hour after they were last written (`--event-ttl`). */
export function expireEvents(agenda: Agenda, store: Store, unwritten: Unwritten): void {
  const expiry = new EventExpiry(agenda, store, unwritten);
  store.subscribe('events', (change) => {
    expiry.written(change);
  });
}

/** One task for the oldest, whatever their number. */
class EventExpiry {
  readonly #agenda: Agenda;
  readonly #store: Store;
  /** The last write of each. */
  readonly #written = new Map<string, Written>();
  /** All writes, oldest first; from a Map of 400,000 the oldest is not taken cheaply, for it passes over all that are gone. */
  #writes: Written[] = [];
  #head = 0;
  readonly #unwritten: Unwritten;
  /** Those that would be gone, but for what has been counted in the meantime: by what they are about. */
  readonly #kept = new Map<string, Map<string, Written>>();
  #scheduled = false;

  constructor(agenda: Agenda, store: Store, unwritten: Unwritten) {
    this.#agenda = agenda;
    this.#store = store;
    this.#unwritten = unwritten;
    unwritten.onShow((uid) => agenda.after(WRITING_MILLISECONDS, 'events expire', () => this.#letGo(uid), { background: true }));
  }

  written({ object, type, key }: Change): void {
    this.#kept.get(subjectOf(object))?.delete(key);
    if (type === 'DELETED') {
      this.#written.delete(key);
      return;
    }
    const written = { key, namespace: object.metadata.namespace ?? '', name: object.metadata.name, at: this.#agenda.now };
    this.#written.set(key, written);
    this.#writes.push(written);
    this.#schedule();
  }

  #oldest(): Written | undefined {
    for (; this.#head < this.#writes.length; this.#head++) {
      const written = this.#writes[this.#head];
      if (written !== undefined && this.#written.get(written.key) === written) return written;
    }
    return undefined;
  }

  #dropOld(): void {
    if (this.#head < 1024 || this.#head * 2 < this.#writes.length) return;
    this.#writes = this.#writes.slice(this.#head);
    this.#head = 0;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    const oldest = this.#oldest();
    if (oldest === undefined) return;
    this.#scheduled = true;
    this.#agenda.at(oldest.at + TTL_MILLISECONDS, 'events expire', () => this.#expire(), { background: true });
  }

  #expire(): void {
    this.#scheduled = false;
    for (
      let written = this.#oldest();
      written !== undefined && written.at + TTL_MILLISECONDS <= this.#agenda.now;
      written = this.#oldest()
    ) {
      const { key, namespace, name } = written;
      this.#written.delete(key);
      const event = this.#store.get('events', namespace, name);
      if (event !== undefined && this.#unwritten.isHidden(subjectOf(event))) this.#keep(subjectOf(event), key, written);
      else this.#store.delete('events', namespace, name);
    }
    this.#dropOld();
    this.#schedule();
  }

  #keep(uid: string, key: string, written: Written): void {
    const kept = this.#kept.get(uid) ?? new Map<string, Written>();
    kept.set(key, written);
    this.#kept.set(uid, kept);
  }

  /** What has not been written anew by now is as old as it was. */
  #letGo(uid: string): void {
    for (const { namespace, name } of this.#kept.get(uid)?.values() ?? []) this.#store.delete('events', namespace, name);
    this.#kept.delete(uid);
  }
}

interface Written {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly at: Instant;
}

function subjectOf(event: KubeObject): string {
  return asText(dig(event, 'involvedObject', 'uid')) ?? '';
}

/** Until what was counted has been written. */
const WRITING_MILLISECONDS = 1000;
const TTL_MILLISECONDS = 3_600_000;
