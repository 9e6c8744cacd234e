import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import type { Line } from '../clean-lines.ts';
import type { Reading } from '../reading.ts';
import { eventFragment, forwardedEvent, mayBeginEvent } from './event-fragment.ts';
import { unnamed } from './involved.ts';
import { inspectedContainer } from './inspected-container.ts';
import { jsonPart, mayBeginJson } from './json-part.ts';
import { sparkState } from './spark-state.ts';
import { stateBlock } from './state-block.ts';
import { mayBeginFragment, statusFragment } from './status-fragment.ts';

/**
 * Takes in the part of an object that begins on a line: fields of an event, the state of a container, a fragment of YAML or JSON. The line
 * after it; undefined when none begins.
 */
export function objectPartAt(lines: readonly Line[], index: number, reading: Reading, about: ObjectRef | undefined): number | undefined {
  const first = lines[index];
  if (first === undefined) return undefined;
  const pod = about?.kind === 'Pod' ? about : unnamed('Pod');
  for (const part of PARTS) {
    const found = part.at(lines, index, { reading, about, pod });
    if (found === undefined) continue;
    see(found.object, first, part.name, reading);
    return found.next;
  }
  return undefined;
}

interface Around {
  readonly reading: Reading;
  readonly about: ObjectRef | undefined;
  /** The pod that is spoken of, or one without a name. */
  readonly pod: ObjectRef;
}

interface Part {
  readonly object: KubeObject;
  /** The line after it. */
  readonly next: number;
}

/** What a part of an object may be, in the order in which it is tried; reading some takes time whether they are there or not. */
const PARTS: readonly {
  readonly name: string;
  readonly at: (lines: readonly Line[], index: number, around: Around) => Part | undefined;
}[] = [
  { name: 'event', at: forwardedAt },
  {
    name: 'fields of an event',
    at: (lines, index, { reading, about }) =>
      mayBeginEvent(lines[index]?.text ?? '') && reading.gathering.mayTry() ? eventFragment(lines, index, about, reading.at) : undefined,
  },
  { name: 'state of a pod', at: sparkState },
  { name: 'state of a container in its runtime', at: (lines, index, { pod }) => inspectedContainer(lines, index, pod) },
  { name: 'state of a container', at: (lines, index, { pod }) => stateBlock(lines, index, pod) },
  {
    name: 'part of an object as JSON',
    at: (lines, index, { reading, about, pod }) =>
      mayBeginJson(lines[index]?.text ?? '') && reading.gathering.mayTry() ? jsonPart(lines, index, about ?? pod) : undefined,
  },
  {
    name: 'part of an object',
    at: (lines, index, { reading, pod }) =>
      mayBeginFragment(lines[index]?.text ?? '') && reading.gathering.mayTry() ? statusFragment(lines, index, pod) : undefined,
  },
];

function forwardedAt(lines: readonly Line[], index: number, { reading }: Around): Part | undefined {
  const line = lines[index];
  const object = line === undefined ? undefined : forwardedEvent(line, reading.at);
  return object === undefined ? undefined : { object, next: index + 1 };
}

function see(object: KubeObject, first: Line, what: string, { gathering }: Reading): void {
  gathering.see(object, 'table');
  gathering.collect({ kind: object.kind, namespace: '', complete: false });
  gathering.explain(first.number, what);
}

/** Takes in all parts of objects. Gives the other lines. */
export function withoutObjectParts(lines: readonly Line[], reading: Reading, about: ObjectRef | undefined): readonly Line[] {
  const rest: Line[] = [];
  for (let index = 0; index < lines.length;) {
    const next = objectPartAt(lines, index, reading, about);
    const line = lines[index];
    if (next === undefined && line !== undefined) rest.push(line);
    index = next ?? index + 1;
  }
  return rest;
}
