import { readFileSync } from 'node:fs';

/**
 * What this thread has had of the processor, in milliseconds, exact to a few; by the clock where the system does not tell. Source: Linux,
 * Documentation/scheduler/sched-stats.rst.
 */
export function threadMilliseconds(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
