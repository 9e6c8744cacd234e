import { asText } from '../../../base/json.ts';
import type { Container } from '../runtime/runtime-container.ts';

/**
 * What a container left behind: the runtime's words, its termination file, or the end of its log. Source:
 * pkg/kubelet/kuberuntime/kuberuntime_container.go (getTerminationMessage).
 */
export function terminationMessage(container: Container): string | undefined {
  if (container.message !== undefined) return container.message;
  const { spec } = container.settings;
  const path = asText(spec['terminationMessagePath']) ?? '/dev/termination-log';
  const written = container.process?.files.read(path, 0);
  if (typeof written === 'string' && written !== '') return written.slice(0, FILE_LIMIT);
  if (spec['terminationMessagePolicy'] !== 'FallbackToLogsOnError' || container.exitCode === 0) return undefined;
  const lines = container.logs
    .slice(-LOG_LINES)
    .map(({ line }) => `${line}\n`)
    .join('');
  return lines === '' ? undefined : lines.slice(-LOG_LIMIT);
}

const FILE_LIMIT = 4096;
const LOG_LIMIT = 2048;
const LOG_LINES = 80;
