import type { Instant } from '../../base/instant.ts';

/** What a process has used since it began, so that any moment can be asked about later and nothing needs to be sampled. */
export class UsageHistory {
  readonly #steps: { readonly at: Instant; readonly cores: number; readonly memory: number }[] = [];

  /** From now on it uses so many cores or bytes; what is not given stays. */
  set(at: Instant, change: { readonly cores?: number; readonly memory?: number }): boolean {
    const last = this.#steps.at(-1) ?? { cores: 0, memory: 0 };
    const next = { at, cores: change.cores ?? last.cores, memory: change.memory ?? last.memory };
    if (next.cores === last.cores && next.memory === last.memory) return false;
    this.#steps.push(next);
    if (this.#steps.length > MOST_STEPS) this.#steps.splice(0, this.#steps.length - MOST_STEPS);
    return true;
  }

  /** Core seconds used between two moments. */
  coreSeconds(from: Instant, to: Instant): number {
    let sum = 0;
    for (const [index, step] of this.#steps.entries()) {
      const [begin, end] = [Math.max(from, step.at), Math.min(to, this.#steps[index + 1]?.at ?? to)];
      if (end > begin) sum += (step.cores * (end - begin)) / 1000;
    }
    return sum;
  }

  memoryAt(at: Instant): number {
    return this.#steps.findLast((step) => step.at <= at)?.memory ?? 0;
  }

  get lastChange(): Instant {
    return this.#steps.at(-1)?.at ?? 0;
  }
}

/** Older ones are not asked about any more. */
const MOST_STEPS = 100;
