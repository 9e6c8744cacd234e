import type { Json } from '../../../base/json.ts';
import { asText, dig, digAt, isJsonObject } from '../../../base/json.ts';
import { withoutUndefined } from '../../../base/without-undefined.ts';
import { parsedJson } from '../../../base/parsed-json.ts';
import type { Line } from '../clean-lines.ts';
import type { Reading } from '../reading.ts';
import { endOfJson, mayBeginJson } from './json-part.ts';

/** Entries that are looked at: an export may have thousands. */
const MAX_ENTRIES = 1000;
/** Entries of Google Cloud, what agents add of the pod that wrote a line, and events that a program wrote into its log. */
const EXPORTED = /"(?:text|json)Payload"|"kubernetes[."]|\\"involvedObject\\"/;

/**
 * Lines in which entries of a log that was exported as JSON stand as the lines that they were: the kubelet's with the head of the journal,
 * a container's with the name of its pod, an event as one line. All other lines stay. Sources: LogEntry of Cloud Logging, the metadata that
 * Fluent Bit, Filebeat and the agent of Datadog add.
 */
export function withoutExport(lines: readonly Line[], { gathering }: Reading): readonly Line[] {
  if (!lines.some(({ text }) => EXPORTED.test(text))) return lines;
  const rest: Line[] = [];
  const namespaces = new Set<string>();
  let entries = 0;
  for (let index = 0; index < lines.length;) {
    const line = lines[index];
    if (line === undefined) break;
    const next = entries < MAX_ENTRIES && mayBeginJson(line.text) ? endOfJson(lines, index) : undefined;
    const found = next === undefined ? [] : entriesIn(lines.slice(index, next));
    entries += next === undefined ? 0 : 1;
    if (found.length === 0) rest.push(line);
    for (const { text, namespace } of found) {
      rest.push({ number: line.number, text });
      if (namespace !== undefined) namespaces.add(namespace);
    }
    index = found.length === 0 ? index + 1 : (next ?? index + 1);
  }
  const [only, ...others] = namespaces;
  if (only !== undefined && others.length === 0) gathering.useContext(only);
  return rest;
}

/** A line as it was before it was exported, and the namespace of the container that wrote it. */
interface Entry {
  readonly text: string;
  readonly namespace?: string;
}

function entriesIn(lines: readonly Line[]): readonly Entry[] {
  const value = parsedJson(lines.map(({ text }) => text).join('\n'));
  return (Array.isArray(value) ? (value as readonly Json[]) : [value]).flatMap((entry) => googleEntry(entry) ?? agentEntry(entry) ?? []);
}

function googleEntry(entry: Json | undefined): Entry | undefined {
  const payload = dig(entry, 'jsonPayload');
  if (isJsonObject(payload) && payload['involvedObject'] !== undefined) return { text: JSON.stringify(payload) };
  const words = asText(dig(entry, 'textPayload')) ?? asText(dig(payload, 'MESSAGE')) ?? asText(dig(payload, 'message'));
  if (words === undefined || (payload === undefined && dig(entry, 'textPayload') === undefined)) return undefined;
  const line = inOneLine(words);
  const [program, stamp] = [asText(dig(payload, 'SYSLOG_IDENTIFIER')), asText(dig(entry, 'timestamp'))];
  const label = (name: string): string | undefined => asText(dig(entry, 'resource', 'labels', name));
  if (program !== undefined && stamp !== undefined) return { text: `${stamp} ${label('node_name') ?? ''} ${program}: ${line}` };
  return ofContainer(line, label('namespace_name'), label('pod_name'), label('container_name'));
}

/** Where an agent or a search keeps what the line said, and what it added. */
const BODIES: readonly (readonly string[])[] = [[], ['_source'], ['content'], ['content', 'attributes'], ['attributes']];
const SAID = ['message', 'log', 'msg'] as const;

function agentEntry(entry: Json | undefined): Entry | undefined {
  const bodies = BODIES.map((path) => digAt(entry, path));
  const words = bodies.flatMap((body) => SAID.flatMap((field) => asText(dig(body, field)) ?? []))[0];
  if (words === undefined) return undefined;
  const inner = words.trimStart().startsWith('{') ? parsedJson(words) : undefined;
  if (dig(inner, 'involvedObject') !== undefined) return { text: JSON.stringify(inner) };
  const field = (flat: string, ...path: readonly string[]): string | undefined =>
    bodies.flatMap((body) => asText(dig(body, `kubernetes.${flat}`)) ?? asText(digAt(body, ['kubernetes', ...path])) ?? [])[0];
  const [namespace, pod, container] = [
    field('namespace_name', 'namespace_name') ?? field('namespace', 'namespace'),
    field('pod_name', 'pod_name') ?? field('pod.name', 'pod', 'name'),
    field('container_name', 'container_name') ?? field('container.name', 'container', 'name'),
  ];
  return pod === undefined || container === undefined ? undefined : ofContainer(inOneLine(words), namespace, pod, container);
}

function ofContainer(line: string, namespace: string | undefined, pod: string | undefined, container: string | undefined): Entry {
  return withoutUndefined({ text: pod === undefined || container === undefined ? line : `[pod/${pod}/${container}] ${line}`, namespace });
}

function inOneLine(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim();
}
