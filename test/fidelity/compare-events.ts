import { asText, dig } from '../../src/base/json.ts';
import type { KubeObject } from '../../src/model/kube-object.ts';
import type { Item } from './item.ts';
import type { Side } from './compare-objects.ts';
import type { Mask } from './mask.ts';
import { pair } from './pair.ts';

/**
 * Events in the order they first appeared, object by object: type, reason, message, component, object and field path. An event
 * counts as equal when it stands in the longest common sequence of both sides.
 */
export function compareEvents(recorded: Side, simulated: Side): readonly Item[] {
  const masks = { recorded: recorded.mask, simulated: simulated.mask };
  const streams = { recorded: streamsOf(recorded), simulated: streamsOf(simulated) };
  const pairs = pair(
    streams.recorded,
    streams.simulated,
    ({ object }, side) => masks[side](object),
    (a, b) => common(a.lines, b.lines).length,
  );
  return pairs.flatMap((both) => {
    const some = both.recorded ?? both.simulated;
    const label = some === undefined ? '' : (both.recorded === undefined ? masks.simulated : masks.recorded)(some.object);
    return itemsOf(label, both.recorded?.lines ?? [], both.simulated?.lines ?? []);
  });
}

interface Stream {
  readonly object: string;
  readonly lines: readonly string[];
}

function streamsOf({ objects, mask }: Side): readonly Stream[] {
  const ordered = objects
    .map((event, index) => ({ event, index, at: firstMoment(event) }))
    .sort((a, b) => (a.at === b.at ? a.index - b.index : a.at < b.at ? -1 : 1));
  const streams = new Map<string, string[]>();
  for (const { event } of ordered) {
    const object = `${asText(dig(event, 'involvedObject', 'kind')) ?? ''}/${asText(dig(event, 'involvedObject', 'name')) ?? ''}`;
    const lines = streams.get(object) ?? [];
    streams.set(object, lines);
    lines.push(lineOf(event, mask));
  }
  return [...streams].map(([object, lines]) => ({ object, lines }));
}

/** An event is named after the nanosecond it first appeared in, in hexadecimal (tools/record/event.go). */
function firstMoment(event: KubeObject): bigint {
  const suffix = event.metadata.name.split('.').at(-1) ?? '';
  return /^[0-9a-f]{14,17}$/.test(suffix) ? BigInt(`0x${suffix}`) : 0n;
}

function lineOf(event: KubeObject, mask: Mask): string {
  const component = asText(dig(event, 'source', 'component')) ?? asText(event['reportingComponent']) ?? '';
  const path = asText(dig(event, 'involvedObject', 'fieldPath'));
  return mask(
    `${asText(event['type']) ?? ''} ${asText(event['reason']) ?? ''} (${component}${path === undefined ? '' : `, ${path}`}) ${asText(event['message']) ?? ''}`,
  );
}

function itemsOf(label: string, recorded: readonly string[], simulated: readonly string[]): readonly Item[] {
  const both = common(recorded, simulated);
  const items: Item[] = both.map((line) => ({ class: 'event', about: label, recorded: line, simulated: line }));
  const missing = withoutCommon(recorded, both);
  const extra = withoutCommon(simulated, both);
  // One that stands elsewhere or in other words is one difference, not two.
  for (const line of missing) {
    const other = extra.findIndex((candidate) => reasonOf(candidate) === reasonOf(line));
    const [found] = other < 0 ? [] : extra.splice(other, 1);
    items.push({ class: 'event', about: label, recorded: found === line ? `${line} (at another place)` : line, simulated: found });
  }
  for (const line of extra) items.push({ class: 'event', about: label, recorded: undefined, simulated: line });
  return items;
}

function reasonOf(line: string): string {
  return line.slice(0, line.indexOf(')'));
}

function withoutCommon(lines: readonly string[], both: readonly string[]): string[] {
  const rest: string[] = [];
  let next = 0;
  for (const line of lines) {
    if (line === both[next]) next++;
    else rest.push(line);
  }
  return rest;
}

/** The longest common subsequence. */
function common(a: readonly string[], b: readonly string[]): readonly string[] {
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i];
    if (row === undefined) continue;
    for (let j = b.length - 1; j >= 0; j--) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const both: string[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const line = a[i];
    if (line !== undefined && line === b[j]) {
      both.push(line);
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return both;
}
