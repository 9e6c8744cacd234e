import type { Reason } from './reason.ts';
import { row } from './reason.ts';

/** Exit codes that have one meaning everywhere. */
export const EXIT_CODES: readonly Reason[] = [
  row(
    '126',
    'containers',
    'exit code',
    'The command was found but is not executable.',
    'container runtime',
    'containers/entrypoint-not-executable',
  ),
  row('127', 'containers', 'exit code', 'The command was not found.', 'container runtime', 'containers/command-not-found'),
  row(
    '137',
    'containers',
    'exit code',
    '128 + 9: SIGKILL stopped the process. Reason OOMKilled shows that the memory limit did. Otherwise it did not stop within its grace period.',
    'signal(7)',
    'containers/oom-killed',
    'probes/liveness-probe-failing',
  ),
  row(
    '139',
    'containers',
    'exit code',
    '128 + 11: the process crashed with SIGSEGV (invalid memory access).',
    'signal(7)',
    'containers/application-error-exit',
  ),
  row(
    '143',
    'containers',
    'exit code',
    '128 + 15: SIGTERM stopped the process. The kubelet sends it when the pod is deleted or a liveness probe fails.',
    'signal(7)',
    'probes/liveness-probe-failing',
  ),
  row(
    '255',
    'containers',
    'exit code',
    'The process exited with -1. With reason Unknown the runtime lost it, usually because the node was restarted.',
    'container runtime',
  ),
];
