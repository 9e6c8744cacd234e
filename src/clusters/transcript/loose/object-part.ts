import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import type { Line } from '../clean-lines.ts';
import type { Reading } from '../reading.ts';
import { eventFragment, forwardedEvent, mayBeginEvent } from './event-fragment.ts';
import { unnamed } from './involved.ts';
import { sparkState } from './spark-state.ts';
import { stateBlock } from './state-block.ts';
import { mayBeginFragment, statusFragment } from './status-fragment.ts';

/**
 * Takes in the part of an object that begins on a line: fields of an event, the state of a container, a fragment of YAML or JSON. The line
 * after it; undefined when none begins.
 */
export function objectPartAt(lines: readonly Line[], index: number, reading: Reading, about: ObjectRef | undefined): number | undefined {
  const first = lines[index];
  const forwarded = first === undefined ? undefined : forwardedEvent(first, reading.at);
  if (forwarded !== undefined) {
    see(forwarded, first, 'event', reading);
    return index + 1;
  }
  const mayBeEvent = mayBeginEvent(first?.text ?? '') && reading.gathering.mayTry();
  const told = mayBeEvent ? eventFragment(lines, index, about, reading.at) : undefined;
  if (told !== undefined) {
    see(told.event, first, 'fields of an event', reading);
    return told.next;
  }
  const printed = sparkState(lines, index);
  if (printed !== undefined) {
    see(printed.pod, first, 'state of a pod', reading);
    return printed.next;
  }
  const pod = about?.kind === 'Pod' ? about : unnamed('Pod');
  const state = stateBlock(lines, index, pod);
  if (state !== undefined) {
    see(state.pod, first, 'state of a container', reading);
    return state.next;
  }
  const mayBegin = mayBeginFragment(first?.text ?? '') && reading.gathering.mayTry();
  const fragment = mayBegin ? statusFragment(lines, index, pod) : undefined;
  if (fragment === undefined) return undefined;
  see(fragment.object, first, 'part of an object', reading);
  return fragment.next;
}

function see(object: KubeObject, first: Line | undefined, what: string, { gathering }: Reading): void {
  gathering.see(object, 'table');
  gathering.collect({ kind: object.kind, namespace: '', complete: false });
  gathering.explain(first?.number ?? 0, what);
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
