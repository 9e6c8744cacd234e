import type { Instant } from '../../base/instant.ts';
import { parseInstant } from '../../base/instant.ts';
import { formatDuration } from '../../base/duration.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import { append, largest } from '../../base/lists.ts';
import { maskedJson } from '../../base/mask/masked-json.ts';
import { printable, printableUpTo } from '../../base/text.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { involvedIn } from '../../model/event-fields.ts';

const LONGEST_VALUE = 400;
const DEEPEST = 12;

/**
 * An object for a person to read: as YAML, without what the server keeps for itself and without passwords, tokens and values of Secrets.
 */
export function objectLines(object: KubeObject): readonly string[] {
  const metadata = withFields(asObject(object.metadata), {
    managedFields: undefined,
    uid: undefined,
    resourceVersion: undefined,
    generation: undefined,
  });
  const shown = withFields<JsonObject>(object, { metadata });
  return block(maskedJson(object.kind === 'Secret' ? concealed(shown) : shown), '', 0);
}

/** The rows of a list: name, what it says of itself, age. */
export function listLines(objects: readonly KubeObject[], now: Instant): readonly string[] {
  const rows = objects.map((object) => [nameOf(object), stateOf(object), ageOf(object, now)] as const);
  const widths = [0, 1].map((column) => largest([0, ...rows.map((row) => (row[column] ?? '').length)]));
  return rows.map((row) =>
    row
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell))
      .join('  ')
      .trimEnd(),
  );
}

/** Events, oldest first, as `kubectl events` has them. */
export function eventLines(events: readonly KubeObject[], now: Instant): readonly string[] {
  const timed = events.map((event) => ({
    event,
    at:
      parseInstant(
        asText(dig(event, 'lastTimestamp')) ??
          asText(dig(event, 'series', 'lastObservedTime')) ??
          asText(dig(event, 'eventTime')) ??
          event.metadata['creationTimestamp'],
      ) ?? 0,
  }));
  return timed
    .toSorted((a, b) => a.at - b.at)
    .map(({ event, at }) => {
      const count = asNumber(dig(event, 'count')) ?? asNumber(dig(event, 'series', 'count')) ?? 1;
      const object = asObject(involvedIn(event));
      const message = asText(dig(event, 'message')) ?? asText(dig(event, 'note')) ?? '';
      return printableUpTo(
        `${formatDuration((now - at) / 1000)} ago${count > 1 ? ` (x${count})` : ''}  ${asText(event['type']) ?? ''}  ${asText(event['reason']) ?? ''}  ${asText(object['kind']) ?? ''}/${asText(object['name']) ?? ''}  ${message.trim()}`,
        500,
      );
    });
}

function nameOf({ metadata: { name, namespace } }: KubeObject): string {
  return printable(namespace === undefined ? name : `${namespace}/${name}`);
}

function ageOf(object: KubeObject, now: Instant): string {
  const made = parseInstant(object.metadata['creationTimestamp']);
  return made === undefined ? '' : formatDuration((now - made) / 1000);
}

/** What matters of an object in a few words. */
function stateOf(object: KubeObject): string {
  const words: string[] = [];
  const phase = asText(dig(object, 'status', 'phase'));
  if (phase !== undefined) words.push(phase);
  const [wanted, ready] = [
    asNumber(dig(object, 'spec', 'replicas')) ?? asNumber(dig(object, 'status', 'desiredNumberScheduled')),
    asNumber(dig(object, 'status', 'readyReplicas')) ?? asNumber(dig(object, 'status', 'numberReady')),
  ];
  if (wanted !== undefined) words.push(`${ready ?? 0}/${wanted} ready`);
  for (const container of asList(dig(object, 'status', 'containerStatuses'))) append(words, containerState(container));
  for (const condition of asList(dig(object, 'status', 'conditions'))) append(words, conditionWords(condition, object.kind));
  const node = asText(dig(object, 'spec', 'nodeName'));
  if (node !== undefined) words.push(`on ${node}`);
  if (dig(object, 'spec', 'unschedulable') === true) words.push('SchedulingDisabled');
  return printableUpTo(words.join(', '), LONGEST_VALUE);
}

/** A condition that is not as it should be; of a node also that it is Ready. */
function conditionWords(condition: Json, kind: string): readonly string[] {
  const type = asText(dig(condition, 'type')) ?? '';
  const status = asText(dig(condition, 'status')) ?? '';
  if (status === 'True') return kind === 'Node' && type === 'Ready' ? ['Ready'] : [];
  if (!/^(Ready|PodScheduled|Available|Progressing)$/.test(type)) return [];
  const why = asText(dig(condition, 'reason'));
  return [`${type}=${status}${why === undefined ? '' : ` (${why})`}`];
}

/** `web: CrashLoopBackOff, restarts: 3`; nothing for a container that runs and always did. */
function containerState(container: Json): readonly string[] {
  const reason = asText(dig(container, 'state', 'waiting', 'reason')) ?? asText(dig(container, 'state', 'terminated', 'reason'));
  const restarts = asNumber(dig(container, 'restartCount')) ?? 0;
  const said = [reason, restarts > 0 ? `restarts: ${restarts}` : undefined].filter((word) => word !== undefined);
  return said.length === 0 ? [] : [`${asText(dig(container, 'name')) ?? ''}: ${said.join(', ')}`];
}

function concealed(secret: JsonObject): JsonObject {
  const hidden = (value: Json | undefined): JsonObject =>
    Object.fromEntries(Object.keys(asObject(value)).map((key) => [key, '(not shown)']));
  return withFields(secret, {
    ...(secret['data'] === undefined ? {} : { data: hidden(secret['data']) }),
    ...(secret['stringData'] === undefined ? {} : { stringData: hidden(secret['stringData']) }),
    metadata: withFields(asObject(secret['metadata']), { annotations: undefined }),
  });
}

function block(value: Json | undefined, indent: string, depth: number): readonly string[] {
  if (isJsonObject(value) && depth < DEEPEST)
    return Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : field(printable(key), member, indent, depth)));
  if (Array.isArray(value) && depth < DEEPEST) {
    return (value as readonly Json[]).flatMap((member) => {
      const lines = block(member, `${indent}  `, depth + 1);
      return lines.map((line, index) => (index === 0 ? `${indent}- ${line.trimStart()}` : line));
    });
  }
  return [`${indent}${leaf(value)}`];
}

function field(key: string, member: Json, indent: string, depth: number): readonly string[] {
  const nested = (isJsonObject(member) && Object.keys(member).length > 0) || (Array.isArray(member) && member.length > 0);
  return nested ? [`${indent}${key}:`, ...block(member, `${indent}  `, depth + 1)] : [`${indent}${key}: ${leaf(member)}`];
}

function leaf(value: Json | undefined): string {
  return printableUpTo(typeof value === 'string' ? value.replaceAll('\n', String.raw`\n`) : JSON.stringify(value ?? null), LONGEST_VALUE);
}
