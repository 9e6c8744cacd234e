import { performance } from 'node:perf_hooks';
import type { Instant } from '../base/instant.ts';
import type { Cluster } from '../simulator/index.ts';

/** Virtual seconds to a second of the wall clock; `max`: what a write sets off is over before the next request is heard. */
export type Speed = number | 'max';

export interface ClockState {
  readonly now: Instant;
  readonly speed: Speed;
  readonly paused: boolean;
}

export interface ClockOptions {
  readonly speed: Speed;
  /** Whether time must stand still for a moment: watchers that have not yet got what happened. */
  readonly hold: () => boolean;
  /** Called again and again, whether time passes or not: for what follows the state of the cluster. */
  readonly ticked: () => void;
  /** A task threw: a bug, which whoever runs the clock must hear of. */
  readonly failed: (error: unknown) => void;
}

/**
 * Lets the time of a cluster pass as the wall clock does: in slices, so that requests are heard in between, and never
 * all at once after the machine has slept.
 */
export class Clock {
  readonly #cluster: Cluster;
  readonly #options: ClockOptions;
  #speed: Speed;
  #paused = false;
  #behind: Instant;
  #last = performance.now();
  #timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  #closed = false;
  #occupied = 0;
  #settleUntil: Instant | undefined;
  readonly #waiting: (() => void)[] = [];

  constructor(cluster: Cluster, options: ClockOptions) {
    this.#cluster = cluster;
    this.#options = options;
    this.#speed = options.speed;
    this.#behind = cluster.now();
    this.#schedule();
  }

  state(): ClockState {
    return { now: this.#cluster.now(), speed: this.#speed, paused: this.#paused };
  }

  /** Another speed, which also lets a paused clock go on. */
  set speed(speed: Speed) {
    this.#pass();
    this.#speed = speed;
    this.#paused = false;
    this.#schedule();
  }

  /** Stops at once: what was still to be caught up with is left, but for what somebody waits for. */
  pause(): void {
    this.#pass();
    this.#paused = true;
    if (this.#waiting.length === 0) this.#behind = this.#cluster.now();
  }

  resume(): void {
    this.#pass();
    this.#paused = false;
    this.#schedule();
  }

  /** Lets so many milliseconds pass now, paused or not, as fast as they can be computed. */
  advance(milliseconds: number): Promise<void> {
    this.#pass();
    this.#behind = Math.max(this.#behind, this.#cluster.now()) + milliseconds;
    return this.#closed ? Promise.resolve() : this.#reached();
  }

  /** After a write: at the speed `max`, lets everything happen that it sets off. */
  wrote(): void {
    if (this.#speed !== 'max' || this.#paused) return;
    this.#settleUntil = this.#cluster.now() + SETTLE_MILLISECONDS;
    this.#schedule();
  }

  /** After something was typed into a container: what is short happens at once, however time passes. */
  nudge(): void {
    if (this.#speed === 'max' && !this.#paused) this.wrote();
    else if (this.#paused) void this.advance(NUDGE_MILLISECONDS);
    else this.#schedule();
  }

  /** Lets time pass, paused or not, until what is given back is called: for a command that runs. */
  occupy(): () => void {
    let held = true;
    this.#pass();
    this.#occupied++;
    return () => {
      if (!held) return;
      held = false;
      this.#pass();
      this.#occupied--;
      if (this.#paused && this.#occupied === 0 && this.#waiting.length === 0) this.#behind = this.#cluster.now();
    };
  }

  /** Resolves when nothing is being caught up with: at once but for the speed `max` and a cluster that is behind. */
  caughtUp(): Promise<void> | undefined {
    return this.#settleUntil === undefined || this.#closed ? undefined : this.#reached();
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
    this.#release();
  }

  /** Adds what has passed on the wall to what the cluster is to catch up with. */
  #pass(): void {
    const now = performance.now();
    const passed = Math.min(now - this.#last, LONGEST_MILLISECONDS);
    this.#last = now;
    if (!this.#paused || this.#occupied > 0)
      this.#behind = Math.max(this.#behind, this.#cluster.now()) + passed * (this.#speed === 'max' ? 1 : this.#speed);
  }

  #run(): void {
    this.#timer = undefined;
    if (this.#closed) return;
    try {
      this.#slice();
    } catch (error) {
      this.close();
      this.#options.failed(error);
      return;
    }
    this.#schedule();
  }

  #slice(): void {
    this.#options.ticked();
    if (this.#options.hold()) {
      // What passes while everybody waits for a slow watcher is not made up for.
      this.#last = performance.now();
      return;
    }
    this.#pass();
    const end = performance.now() + SLICE_MILLISECONDS;
    const goOn = (): boolean => performance.now() < end && !this.#options.hold();
    if (this.#settleUntil !== undefined) this.#settle(this.#settleUntil, goOn);
    else if (this.#cluster.advanceWhile(this.#behind, goOn)) this.#release();
  }

  /** A slice of running until nothing is left to be done; the time that passes counts for the wall clock too. */
  #settle(until: Instant, goOn: () => boolean): void {
    while (goOn()) {
      const left = until - this.#cluster.now();
      const { settled, limit } = this.#cluster.runUntilSettled({ tasks: 100, milliseconds: Math.max(0, left) });
      if (!settled && limit === 'tasks') continue;
      this.#settleUntil = undefined;
      this.#behind = this.#cluster.now();
      this.#release();
      return;
    }
  }

  #reached(): Promise<void> {
    this.#schedule();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Now when there is something to catch up with, else a little later. */
  #schedule(): void {
    this.#cancel();
    if (this.#closed) return;
    const busy = this.#settleUntil !== undefined || this.#waiting.length > 0 || this.#behind > this.#cluster.now();
    if (busy && !this.#options.hold()) this.#timer = setImmediate(() => this.#run());
    else this.#timer = setTimeout(() => this.#run(), busy ? HOLD_MILLISECONDS : TICK_MILLISECONDS);
  }

  #cancel(): void {
    if (this.#timer === undefined) return;
    if (typeof this.#timer === 'object' && 'refresh' in this.#timer) clearTimeout(this.#timer);
    else clearImmediate(this.#timer);
    this.#timer = undefined;
  }
}

/** How often time is let pass when nothing else happens. */
const TICK_MILLISECONDS = 25;
/** As much as a command takes that waits for nobody. */
const NUDGE_MILLISECONDS = 500;
/** How soon it is looked whether those who are slow have caught up. */
const HOLD_MILLISECONDS = 3;
/** For so long a cluster may keep requests waiting. */
const SLICE_MILLISECONDS = 15;
/** A machine that slept, or a debugger that held the process: no more than this is made up for. */
const LONGEST_MILLISECONDS = 60_000;
/** What never rests (a container that crashes again and again) is let go on for so long. */
const SETTLE_MILLISECONDS = 180_000;
