import type { Instant } from '../base/instant.ts';
import type { Agenda } from './agenda.ts';
import type { Change, Store } from './store.ts';
import { keyOfObject } from './store.ts';

/** Lets events be gone an hour after they were last written (`--event-ttl`). */
export function expireEvents(agenda: Agenda, store: Store): void {
  const expiry = new EventExpiry(agenda, store);
  store.subscribe('events', (change) => {
    expiry.written(change);
  });
}

/** One task for the oldest, whatever their number. */
class EventExpiry {
  readonly #agenda: Agenda;
  readonly #store: Store;
  /** By the time of the last write, oldest first: a Map keeps the order of insertion. */
  readonly #written = new Map<string, { readonly namespace: string; readonly name: string; readonly at: Instant }>();
  #scheduled = false;

  constructor(agenda: Agenda, store: Store) {
    this.#agenda = agenda;
    this.#store = store;
  }

  written({ object, type }: Change): void {
    const key = keyOfObject(object);
    this.#written.delete(key);
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
    for (const { namespace, name, at } of this.#written.values()) {
      if (at + TTL_MILLISECONDS > this.#agenda.now) break;
      this.#store.delete('events', namespace, name);
    }
    this.#schedule();
  }
}

const TTL_MILLISECONDS = 3_600_000;
