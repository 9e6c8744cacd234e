import { runInThisContext } from 'node:vm';

declare global {
  var limitedWork: (() => void) | undefined;
}

/** What the work gives. Undefined when it takes longer: it is ended then, in the middle of an expression or a loop. */
export function within<Given>(milliseconds: number, work: () => Given): { readonly given: Given } | undefined {
  let done: { readonly given: Given } | undefined;
  globalThis.limitedWork = (): void => void (done = { given: work() });
  try {
    runInThisContext('limitedWork()', { timeout: milliseconds });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    globalThis.limitedWork = undefined;
  }
  return done;
}
