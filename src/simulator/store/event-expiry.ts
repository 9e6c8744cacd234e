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
  /**
   * All writes, oldest first, by what was written, at which revision and when: numbers beside each other, for there are as many as events.
   * One that is not the latest of its event counts no more.
   */
  #keys: string[] = [];
  #revisions: number[] = [];
  #times: Instant[] = [];
  #head = 0;
  readonly #unwritten: Unwritten;
  /** Those that would be gone, but for what has been counted in the meantime: by what they are about. */
  readonly #kept = new Map<string, Set<string>>();
  #scheduled = false;

  constructor(agenda: Agenda, store: Store, unwritten: Unwritten) {
    this.#agenda = agenda;
    this.#store = store;
    this.#unwritten = unwritten;
    unwritten.onShow((uid) => agenda.after(WRITING_MILLISECONDS, 'events expire', () => this.#letGo(uid), { background: true }));
  }

  written({ object, type, key, revision }: Change): void {
    this.#kept.get(subjectOf(object))?.delete(key);
    if (type === 'DELETED') return;
    this.#keys.push(key);
    this.#revisions.push(revision);
    this.#times.push(this.#agenda.now);
    this.#schedule();
  }

  /** When the oldest was written that is still there. */
  #oldest(): Instant | undefined {
    while (this.#head < this.#keys.length && this.#event() === undefined) this.#head++;
    return this.#times[this.#head];
  }

  /** What the oldest write wrote, if nothing was written to it since. */
  #event(): KubeObject | undefined {
    const event = this.#find(this.#keys[this.#head] ?? '');
    return event?.metadata['resourceVersion'] === String(this.#revisions[this.#head]) ? event : undefined;
  }

  #find(key: string): KubeObject | undefined {
    const [namespace, name = ''] = key.split('/');
    return this.#store.get('events', namespace, name);
  }

  #dropOld(): void {
    if (this.#head < 1024 || this.#head * 2 < this.#keys.length) return;
    this.#keys = this.#keys.slice(this.#head);
    this.#revisions = this.#revisions.slice(this.#head);
    this.#times = this.#times.slice(this.#head);
    this.#head = 0;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    const oldest = this.#oldest();
    if (oldest === undefined) return;
    this.#scheduled = true;
    this.#agenda.at(oldest + TTL_MILLISECONDS, 'events expire', () => this.#expire(), { background: true });
  }

  #expire(): void {
    this.#scheduled = false;
    for (let oldest = this.#oldest(); oldest !== undefined && oldest + TTL_MILLISECONDS <= this.#agenda.now; oldest = this.#oldest()) {
      const key = this.#keys[this.#head++] ?? '';
      const event = this.#find(key);
      if (event === undefined) continue;
      if (this.#unwritten.isHidden(subjectOf(event))) this.#keep(subjectOf(event), key);
      else this.#delete(event);
    }
    this.#dropOld();
    this.#schedule();
  }

  #keep(uid: string, key: string): void {
    const kept = this.#kept.get(uid) ?? new Set<string>();
    kept.add(key);
    this.#kept.set(uid, kept);
  }

  #delete({ metadata: { namespace, name } }: KubeObject): void {
    this.#store.delete('events', namespace, name);
  }

  /** What has not been written anew by now is as old as it was. */
  #letGo(uid: string): void {
    for (const key of Array.from(this.#kept.get(uid) ?? [])) {
      const event = this.#find(key);
      if (event !== undefined) this.#delete(event);
    }
    this.#kept.delete(uid);
  }
}

function subjectOf(event: KubeObject): string {
  return asText(dig(event, 'involvedObject', 'uid')) ?? '';
}

/** Until what was counted has been written. */
const WRITING_MILLISECONDS = 1000;
const TTL_MILLISECONDS = 3_600_000;
