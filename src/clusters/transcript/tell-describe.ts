import type { ObjectRef } from '../../model/kube-object.ts';
import { refOf } from '../../model/kube-object.ts';
import type { Line } from './clean-lines.ts';
import type { Described } from './describe/describe.ts';
import { readDescribe } from './describe/describe.ts';
import { unnamed } from './loose/involved.ts';
import { readLeftovers } from './loose/leftovers.ts';
import type { Reading } from './reading.ts';

/** Takes in one describe: the object, what else it shows, and that its events were looked at. Whether it could be read. */
export function tellDescribe(
  lines: readonly Line[],
  kind: string | undefined,
  namespace: string | undefined,
  byContext: boolean,
  reading: Reading,
): boolean {
  const { gathering, at } = reading;
  const described = readDescribe(lines, kind, namespace, at);
  if (described === undefined) {
    gathering.note(lines[0]?.number ?? 0, `describe output of an unknown kind: ${lines[0]?.text.slice(0, 120) ?? ''}`);
    readLeftovers(lines.slice(1), reading, inNamespaceOf(lines));
    return false;
  }
  const { object, events, podsOnNode } = described;
  seeDescribed(described, reading);
  if (byContext && object.metadata.namespace !== undefined && namespace === undefined) gathering.useContext(object.metadata.namespace);
  if (podsOnNode !== undefined) {
    for (const pod of podsOnNode) gathering.glimpses.push(pod);
    gathering.collect({ kind: 'Pod', complete: true, fieldSelector: `spec.nodeName=${object.metadata.name}` });
  }
  if (events === undefined) return true;
  for (const event of events) gathering.see(event, 'describe');
  const about = refOf(object);
  gathering.collect({ kind: 'Event', namespace: about.namespace ?? 'default', complete: true, about });
  return true;
}

function seeDescribed({ object, others, absent }: Described, { gathering }: Reading): void {
  gathering.see(object, 'describe');
  for (const other of others) gathering.see(other, 'table');
  for (const ref of absent) gathering.miss(ref);
}

/** What an object of an unknown kind tells of a pod is of one in its namespace. */
function inNamespaceOf(lines: readonly Line[]): ObjectRef {
  const namespace = lines.flatMap(({ text }) => /^Namespace:\s{1,60}([a-z0-9][a-z0-9-]{0,62})\s*$/.exec(text)?.[1] ?? []).at(0);
  return { ...unnamed('Pod'), ...(namespace === undefined ? {} : { namespace }) };
}
