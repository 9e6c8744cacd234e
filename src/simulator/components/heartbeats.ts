import type { Instant } from '../../base/instant.ts';

/**
 * Things that would be written every few seconds and change nothing: leases of nodes and of leaders. They are not written but
 * known: since when one beats, how often, and when it stopped. Whoever reads a Lease is shown the time of the last beat, and
 * whoever waits for one to stop is told at once and reckons with the time of the last beat.
 */
export class Heartbeats {
  readonly #beats = new Map<string, Beat>();
  readonly #listeners: ((name: string, beating: boolean) => void)[] = [];
  readonly #now: () => Instant;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** Begins to beat; `works` says whether a beat sent now would arrive, and is asked whenever something may have changed. */
  begin(name: string, everyMilliseconds: number, works: () => boolean): void {
    this.#beats.set(name, { since: this.#now(), every: everyMilliseconds, works, stopped: undefined });
    this.#tell(name, true);
  }

  /** Stops for good, as when its process ends. */
  end(name: string): void {
    const beat = this.#beats.get(name);
    if (beat === undefined) return;
    beat.works = () => false;
    this.refresh();
  }

  /** Asks every beat whether it still arrives. Called when a process, a certificate or the API server changed its state. */
  refresh(): void {
    for (const [name, beat] of this.#beats) {
      const works = beat.works();
      if (works === (beat.stopped === undefined)) continue;
      if (works) [beat.since, beat.stopped] = [this.#now(), undefined];
      else beat.stopped = lastBefore(beat, this.#now());
      this.#tell(name, works);
    }
  }

  /** When it last beat; undefined when it never did. */
  last(name: string): Instant | undefined {
    const beat = this.#beats.get(name);
    return beat === undefined ? undefined : (beat.stopped ?? lastBefore(beat, this.#now()));
  }

  beating(name: string): boolean {
    const beat = this.#beats.get(name);
    return beat !== undefined && beat.stopped === undefined;
  }

  onChange(listener: (name: string, beating: boolean) => void): () => void {
    this.#listeners.push(listener);
    return () => {
      const index = this.#listeners.indexOf(listener);
      if (index >= 0) this.#listeners.splice(index, 1);
    };
  }

  #tell(name: string, beating: boolean): void {
    for (const listener of Array.from(this.#listeners)) listener(name, beating);
  }
}

/** The heartbeat of a Lease. */
export function leaseBeat(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

interface Beat {
  since: Instant;
  readonly every: number;
  works: () => boolean;
  stopped: Instant | undefined;
}

function lastBefore(beat: Beat, now: Instant): Instant {
  return beat.since + Math.floor((now - beat.since) / beat.every) * beat.every;
}
