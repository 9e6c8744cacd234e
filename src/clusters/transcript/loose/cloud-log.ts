import type { Json } from '../../../base/json.ts';
import { asText, dig, isJsonObject } from '../../../base/json.ts';
import { parsedJson } from '../../../base/parsed-json.ts';
import type { Line } from '../clean-lines.ts';
import type { Reading } from '../reading.ts';
import { endOfJson, mayBeginJson } from './json-part.ts';

/** Entries that are looked at: an export may have thousands. */
const MAX_ENTRIES = 1000;
const NAMESPACE = /"namespace_name": ?"([a-z0-9][a-z0-9-]{0,62})"/;
const PAYLOAD = /"(?:text|json)Payload"/;

/**
 * Lines in which entries of a log that Google Cloud exported as JSON stand as the lines that they were: the kubelet's with the head of the
 * journal, a container's with the name of its pod, an event as one line. All other lines stay. Source: LogEntry of Cloud Logging.
 */
export function withoutExport(lines: readonly Line[], { gathering }: Reading): readonly Line[] {
  if (!lines.some(({ text }) => PAYLOAD.test(text))) return lines;
  const [only, ...others] = new Set(lines.flatMap(({ text }) => NAMESPACE.exec(text)?.[1] ?? []));
  if (only !== undefined && others.length === 0) gathering.useContext(only);
  const rest: Line[] = [];
  let entries = 0;
  for (let index = 0; index < lines.length;) {
    const line = lines[index];
    if (line === undefined) break;
    const next = entries < MAX_ENTRIES && mayBeginJson(line.text) ? endOfJson(lines, index) : undefined;
    const found = next === undefined ? [] : entriesIn(lines.slice(index, next));
    entries += next === undefined ? 0 : 1;
    if (found.length === 0) rest.push(line);
    else for (const text of found) rest.push({ number: line.number, text });
    index = found.length === 0 ? index + 1 : (next ?? index + 1);
  }
  return rest;
}

function entriesIn(lines: readonly Line[]): readonly string[] {
  const value = parsedJson(lines.map(({ text }) => text).join('\n'));
  return (Array.isArray(value) ? (value as readonly Json[]) : [value]).flatMap((entry) => lineOf(entry) ?? []);
}

function lineOf(entry: Json | undefined): string | undefined {
  const payload = dig(entry, 'jsonPayload');
  if (isJsonObject(payload) && payload['involvedObject'] !== undefined) return JSON.stringify(payload);
  const words = asText(dig(entry, 'textPayload')) ?? asText(dig(payload, 'MESSAGE')) ?? asText(dig(payload, 'message'));
  if (words === undefined) return undefined;
  const line = words.replaceAll(/\s+/g, ' ').trim();
  const [program, stamp] = [asText(dig(payload, 'SYSLOG_IDENTIFIER')), asText(dig(entry, 'timestamp'))];
  const label = (name: string): string | undefined => asText(dig(entry, 'resource', 'labels', name));
  if (program !== undefined && stamp !== undefined) return `${stamp} ${label('node_name') ?? ''} ${program}: ${line}`;
  const [pod, container] = [label('pod_name'), label('container_name')];
  return pod === undefined || container === undefined ? line : `[pod/${pod}/${container}] ${line}`;
}
