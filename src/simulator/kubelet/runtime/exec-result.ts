import type { Routine } from '../../time/routine.ts';

/** What came of a command that was run in a container, in containerd's words. */
export type ExecResult =
  | { readonly kind: 'ended'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'failed'; readonly message: string };

/** The container's program does not run. */
export function* gone(): Routine<ExecResult> {
  return {
    kind: 'failed',
    message: 'rpc error: code = NotFound desc = failed to exec in container: failed to load task: no running task found',
  };
}

/** The command could not be begun. */
export function* notStarted(id: string, trouble: string): Routine<ExecResult> {
  return { kind: 'failed', message: `rpc error: code = Unknown desc = ${execFailed(id, trouble)}` };
}

export function execFailed(id: string, trouble: string): string {
  return `failed to exec in container: failed to start exec "${id}": OCI runtime exec failed: exec failed: unable to start container process: ${trouble.replace(/^.*error during container init: /, '')}`;
}
