import { getHeapStatistics } from 'node:v8';

/**
 * The part of the memory that Node may use beyond which no more is read. Judging what was read takes as much again, and more where the
 * list of pods breaks off: with half of it, the first 3 GB of a list of two million pods ended in a crash.
 */
const USED_MEMORY = 0.35;

/** Whether what was read takes so much memory that there may be too little for the rest. */
export function isMemoryFull(): boolean {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
  return used > limit * USED_MEMORY;
}
