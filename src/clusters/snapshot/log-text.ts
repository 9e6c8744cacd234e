import { MAX_LOG_BYTES, MAX_LOG_LINE, MAX_LOG_LINES } from './limits.ts';

/** A log's end within bounds. `filtered` when lines were left out. */
export interface BoundedLog {
  readonly lines: readonly string[];
  readonly filtered: boolean;
}

/** Keeps the last lines: what ended a container stands there. */
export function boundedLog(lines: readonly string[], isTail = false): BoundedLog {
  const end = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  const kept: string[] = [];
  let size = 0;
  for (let at = end - 1; at >= 0 && kept.length < MAX_LOG_LINES; at--) {
    const line = (lines[at] ?? '').slice(0, MAX_LOG_LINE);
    size += line.length;
    if (size > MAX_LOG_BYTES && kept.length > 0) break;
    kept.push(line);
  }
  return { lines: kept.reverse(), filtered: isTail || kept.length < end };
}

/** The lines of a log's text; of a tail the first line is dropped, since it began before. */
export function readLogText(text: string, isTail: boolean): BoundedLog {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  return boundedLog(isTail ? lines.slice(1) : lines, isTail);
}
