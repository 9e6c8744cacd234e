import { formatInstant } from '../../base/instant.ts';
import { parseInteger } from '../../base/number.ts';

const MARK = /^\s{0,8}\{.{0,16000}"MESSAGE" ?:/;

/** A line of `journalctl -o json` as journalctl prints it otherwise; undefined for any other line. Source: systemd.journal-fields(7). */
export function journalLine(text: string): string | undefined {
  if (!MARK.test(text)) return undefined;
  const fields = fieldsOf(text);
  const [message, host] = [fields?.get('MESSAGE'), fields?.get('_HOSTNAME')];
  const program = fields?.get('SYSLOG_IDENTIFIER') ?? fields?.get('_COMM');
  if (message === undefined || host === undefined || program === undefined) return undefined;
  const [micros, pid] = [parseInteger(fields?.get('__REALTIME_TIMESTAMP')), fields?.get('_PID') ?? fields?.get('SYSLOG_PID')];
  const at = formatInstant(micros === undefined ? 0 : Math.floor(micros / 1000));
  return `${at} ${host} ${program}${pid === undefined ? '' : `[${pid}]`}: ${message.replaceAll(/\s+/g, ' ')}`;
}

function fieldsOf(text: string): ReadonlyMap<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    return new Map(Object.entries(value).flatMap(([key, field]) => (typeof field === 'string' ? [[key, field] as const] : [])));
  } catch {
    return undefined;
  }
}
