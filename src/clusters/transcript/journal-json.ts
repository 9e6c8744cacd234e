import { textFields } from '../../base/parsed-json.ts';
import { formatInstant } from '../../base/instant.ts';
import { parseInteger } from '../../base/number.ts';

const MARK = /^\s{0,8}\{.{0,16000}"MESSAGE" ?:/;

/** A line of `journalctl -o json` as journalctl prints it otherwise; undefined for any other line. Source: systemd.journal-fields(7). */
export function journalLine(text: string): string | undefined {
  if (!MARK.test(text)) return undefined;
  const fields = textFields(text) ?? new Map<string, string>();
  const [message, host, program] = [fields.get('MESSAGE'), fields.get('_HOSTNAME'), fields.get('SYSLOG_IDENTIFIER') ?? fields.get('_COMM')];
  if (message === undefined || host === undefined || program === undefined) return undefined;
  return `${stampOf(fields)} ${host} ${program}${processOf(fields)}: ${message.replaceAll(/\s+/g, ' ')}`;
}

function stampOf(fields: ReadonlyMap<string, string>): string {
  return formatInstant(Math.floor((parseInteger(fields.get('__REALTIME_TIMESTAMP')) ?? 0) / 1000));
}

function processOf(fields: ReadonlyMap<string, string>): string {
  const pid = fields.get('_PID') ?? fields.get('SYSLOG_PID');
  return pid === undefined ? '' : `[${pid}]`;
}
