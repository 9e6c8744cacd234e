import type { Instant } from '../../base/instant.ts';
import { asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Agenda } from '../time/agenda.ts';
import type { Change, Store } from './store.ts';
import { keyOfObject } from './store.ts';
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
  /** By the time of the last write, oldest first: a Map keeps the order of insertion. */
  readonly #written = new Map<string, Written>();
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

  written({ object, type }: Change): void {
    const key = keyOfObject(object);
    this.#written.delete(key);
    this.#kept.get(subjectOf(object))?.delete(key);
    if (type === 'DELETED') return;
    this.#written.set(key, { namespace: object.metadata.namespace ?? '', name: object.metadata.name, at: this.#agenda.now });
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    for (const oldest of this.#written.values()) {
      this.#scheduled = true;
      this.#agenda.at(oldest.at + TTL_MILLISECONDS, 'events expire', () => this.#expire(), { background: true });
      return;
    }
  }

  #expire(): void {
    this.#scheduled = false;
    for (const [key, written] of this.#written) {
      if (written.at + TTL_MILLISECONDS > this.#agenda.now) break;
      this.#written.delete(key);
      const event = this.#store.get('events', written.namespace, written.name);
      if (event !== undefined && this.#unwritten.isHidden(subjectOf(event))) this.#keep(subjectOf(event), key, written);
      else this.#store.delete('events', written.namespace, written.name);
    }
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
