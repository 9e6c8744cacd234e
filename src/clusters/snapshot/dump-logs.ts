import type { StoredLog } from '../memory-reader.ts';
import { boundedLog } from './log-text.ts';

/** Source: kubectl/pkg/cmd/clusterinfo/clusterinfo_dump.go. */
const START = /^==== START logs for container (\S+) of pod ([^\s/]+)\/(\S+) ====$/;

export interface CutText {
  /** The text without the logs; their lines are left empty, so that line numbers stay. */
  readonly rest: string;
  readonly logs: readonly StoredLog[];
}

/**
 * Takes the logs out of what `kubectl cluster-info dump` wrote: each stands between a START and an END banner that name
 * container and pod. A log whose end is missing goes to the end of the text.
 */
export function cutDumpLogs(text: string): CutText {
  if (!text.includes('==== START logs for container ')) return { rest: text, logs: [] };
  const logs: StoredLog[] = [];
  const kept: string[] = [];
  let open:
    | { readonly end: string; readonly container: string; readonly namespace: string; readonly name: string; readonly lines: string[] }
    | undefined;
  const close = (): void => {
    if (open === undefined) return;
    const { container, namespace, name, lines } = open;
    logs.push({ pod: { kind: 'Pod', namespace, name }, container, previous: false, ...boundedLog(lines) });
    open = undefined;
  };
  for (const raw of text.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const start = open === undefined && line.startsWith('==== START') ? START.exec(line) : null;
    if (open !== undefined && line === open.end) close();
    else if (open !== undefined) open.lines.push(line);
    else if (start !== null) {
      const [, container = '', namespace = '', name = ''] = start;
      open = { end: `==== END logs for container ${container} of pod ${namespace}/${name} ====`, container, namespace, name, lines: [] };
    } else {
      kept.push(raw);
      continue;
    }
    kept.push('');
  }
  close();
  return { rest: kept.join('\n'), logs };
}
