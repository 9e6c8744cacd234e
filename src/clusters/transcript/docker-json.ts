import { textFields } from '../../base/parsed-json.ts';

const MARK = /^[\s`]{0,8}\{.{0,16000}"stream" ?: ?"std(?:out|err)"/;

/** A line of a log as Docker's json-file driver keeps it, in the layout of a CRI log; undefined for any other line. Source: moby daemon/logger/jsonfilelog. */
export function dockerLine(text: string): string | undefined {
  if (!MARK.test(text)) return undefined;
  const fields = textFields(text.slice(text.indexOf('{'))) ?? new Map<string, string>();
  const [log, stream = '', time] = [fields.get('log'), fields.get('stream'), fields.get('time')];
  if (log === undefined) return undefined;
  return `${time === undefined ? '' : `${time} ${stream} F `}${log.replaceAll(/[\r\n\t]+/g, ' ').trim()}`;
}
