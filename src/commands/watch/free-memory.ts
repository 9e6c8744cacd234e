import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes that may come on top of what was left after the last collection. */
const GROWTH_BYTES = 48 * 1024 * 1024;

/**
 * Gives memory back once so much has come on top. What a list or a diagnosis read is garbage a second later, but V8 collects it only when
 * memory is short, and a container that runs for months has a limit.
 */
export function memoryKeeper(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('typeof gc === "function" ? gc : undefined') as (() => void) | undefined;
  let left = used();
  return () => {
    if (collect === undefined || used() - left < GROWTH_BYTES) return;
    collect();
    left = used();
  };
}

function used(): number {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}
