import { assert } from '../../base/assert.ts';
import type { Instant } from '../../base/instant.ts';
import { TimeHeap } from './time-heap.ts';

/** Something that will happen at its own time, unless it is cancelled before. */
export interface Task {
  readonly at: Instant;
  readonly label: string;
  /** Whether a cluster with only this left to do counts as settled: certificates ending, events expiring. */
  readonly background: boolean;
  readonly owner: object | undefined;
  readonly pending: boolean;
  cancel(): void;
}

export interface TaskOptions {
  readonly background?: boolean;
  /** All tasks of one owner can be cancelled together, when its process stops. */
  readonly owner?: object;
}

/**
 * Virtual time: tasks in the order of (time, order of scheduling). Time moves only from task to task, so waiting is free.
 * Times are kept to the microsecond, so that a sum of many delays is the same on every machine.
 */
export class Agenda {
  #now: Instant;
  readonly #heap = new TimeHeap<Entry>();
  #sequence = 0;
  #cancelled = 0;
  #foreground = 0;
  #steps = 0;

  constructor(start: Instant) {
    this.#now = start;
  }

  get now(): Instant {
    return this.#now;
  }

  /** How many tasks have run. */
  get steps(): number {
    return this.#steps;
  }

  /** How many tasks wait that are not background. */
  get foreground(): number {
    return this.#foreground;
  }

  get length(): number {
    return this.#heap.length - this.#cancelled;
  }

  /** Runs `run` at that time, or now if it has passed, after everything scheduled for the same time before. */
  at(time: Instant, label: string, run: () => void, options: TaskOptions = {}): Task {
    const at = Math.max(this.#now, toMicrosecond(time));
    assert(Number.isFinite(at), `the time of ${label} is finite`);
    const entry = new Entry(this, { at, label, run, background: options.background ?? false, owner: options.owner });
    if (!entry.background) this.#foreground++;
    this.#heap.push(at, this.#sequence++, entry);
    return entry;
  }

  after(milliseconds: number, label: string, run: () => void, options?: TaskOptions): Task {
    return this.at(this.#now + milliseconds, label, run, options);
  }

  /** When the next task is due; undefined when nothing is. */
  next(): Task | undefined {
    this.#dropCancelled();
    return this.#heap.first;
  }

  /** Runs the next task and moves time to it; false when there is none due until then. */
  step(until: Instant = Number.POSITIVE_INFINITY): boolean {
    this.#dropCancelled();
    const entry = this.#heap.first;
    if (entry === undefined || entry.at > until) return false;
    this.#heap.removeFirst();
    this.#now = entry.at;
    this.#steps++;
    if (!entry.background) this.#foreground--;
    entry.finish()();
    return true;
  }

  /** Moves time on without running anything: nothing may be due before. */
  moveTo(time: Instant): void {
    assert((this.next()?.at ?? time) >= time, 'time does not pass a task that is due');
    this.#now = Math.max(this.#now, time);
  }

  cancelOwned(owner: object): void {
    for (const entry of this.#heap.inOrder()) if (entry.owner === owner) entry.cancel();
  }

  /** The tasks waiting, soonest first: for saying what still runs. */
  waiting(limit: number): readonly Task[] {
    return this.#heap
      .inOrder()
      .filter((entry) => entry.pending)
      .slice(0, limit);
  }

  /** For entries only: keeps the counts right. */
  forget(entry: Task): void {
    this.#cancelled++;
    if (!entry.background) this.#foreground--;
    if (this.#cancelled > 1000 && this.#cancelled * 2 > this.#heap.length) this.#dropAllCancelled();
  }

  #dropCancelled(): void {
    for (let first = this.#heap.first; first?.pending === false; first = this.#heap.first) {
      this.#heap.removeFirst();
      this.#cancelled--;
    }
  }

  #dropAllCancelled(): void {
    this.#heap.keep(({ pending }) => pending);
    this.#cancelled = 0;
  }
}

interface Planned {
  readonly at: Instant;
  readonly label: string;
  readonly run: () => void;
  readonly background: boolean;
  readonly owner: object | undefined;
}

class Entry implements Task {
  readonly #agenda: Agenda;
  #run: (() => void) | undefined;
  readonly at: Instant;
  readonly label: string;
  readonly background: boolean;
  readonly owner: object | undefined;

  constructor(agenda: Agenda, { at, label, run, background, owner }: Planned) {
    this.#agenda = agenda;
    this.at = at;
    this.label = label;
    this.#run = run;
    this.background = background;
    this.owner = owner;
  }

  get pending(): boolean {
    return this.#run !== undefined;
  }

  cancel(): void {
    if (this.#run === undefined) return;
    this.#run = undefined;
    this.#agenda.forget(this);
  }

  finish(): () => void {
    const run = this.#run;
    assert(run !== undefined, 'a task runs once');
    this.#run = undefined;
    return run;
  }
}

/** The moment an agenda makes of a time. */
export function toMicrosecond(time: Instant): Instant {
  return Math.round(time * 1000) / 1000;
}
