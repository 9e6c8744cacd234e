import type { Instant } from '../../../base/instant.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { refOf } from '../../../model/kube-object.ts';
import { withoutUndefined } from '../../../base/without-undefined.ts';
import type { Line } from '../clean-lines.ts';
import { Draft, given, userOfClaim } from '../draft.ts';
import { stateBlock } from '../loose/state-block.ts';
import { CLUSTER_DESCRIBES, leaseIn } from './cluster.ts';
import { describedEvents } from './described-events.ts';
import { describeGenerically } from './generic.ts';
import { kindOfDescribe, TOP_KEYS } from './describe-kinds.ts';
import type { DescribeReader } from './describe-reader.ts';
import { withIndentation } from './lost-indentation.ts';
import { describeMetadata } from './metadata.ts';
import { nodePods } from './node-pods.ts';
import { describePod } from './pod.ts';
import { POLICY_DESCRIBES } from './policy.ts';
import { indentOf, Sections } from './sections.ts';
import { missingBackends, SERVING_DESCRIBES } from './serving.ts';
import { endpointsOfService } from './service-endpoints.ts';
import { WORKLOAD_DESCRIBES } from './workloads.ts';

const READERS: Readonly<Record<string, DescribeReader>> = {
  Pod: describePod,
  ...WORKLOAD_DESCRIBES,
  ...SERVING_DESCRIBES,
  ...CLUSTER_DESCRIBES,
  ...POLICY_DESCRIBES,
};

/** What one describe shows. */
export interface Described {
  readonly line: number;
  readonly object: KubeObject;
  /** Other objects of which it shows a part: a node's Lease, a Service's Endpoints. */
  readonly others: readonly KubeObject[];
  /** Objects that it says do not exist. */
  readonly absent: readonly ObjectRef[];
  /** Events about the object; undefined when the text does not come to them. */
  readonly events?: readonly KubeObject[];
  /** A node's describe names all pods on it that have not ended, with what they request; undefined when it was cut before. */
  readonly podsOnNode?: readonly KubeObject[];
}

/**
 * Reads one describe. `kind` is what the command asked for, and is told from the keys without it; `namespace` the command's, for
 * kinds whose describe does not print it. Undefined when it cannot be told what is described.
 */
export function readDescribe(
  lines: readonly Line[],
  kind: string | undefined,
  namespace: string | undefined,
  at: Instant,
): Described | undefined {
  const joined = withIndentation(unwrapped(lines));
  const fields = new Sections(withoutData(joined), TOP_KEYS);
  const name = given(fields.value('Name'));
  const actual = kind ?? kindOfDescribe(fields, joined);
  if (name === undefined || actual === undefined) return undefined;
  const draft = new Draft(actual, name, given(fields.value('Namespace')) ?? namespace);
  const reader = READERS[actual];
  if (reader === undefined || (fields.has('API Version') && fields.has('Metadata'))) {
    const all = new Sections(joined);
    describeMetadata(fields, draft);
    describeGenerically(all, draft);
  } else reader(fields, draft, at, joined);
  const object = draft.build();
  return withoutUndefined({
    line: lines[0]?.number ?? 0,
    object,
    others: [...othersIn(fields, object), ...tornStates(fields, joined, object)],
    absent: object.kind === 'Ingress' ? missingBackends(fields, object) : [],
    events: describedEvents(fields.get('Events'), object, at),
    podsOnNode: actual === 'Node' ? nodePods(fields.get('Non-terminated Pods'), name) : undefined,
  });
}

/** Objects of other kinds of which the describe of an object shows a part. */
function othersIn(fields: Sections, object: KubeObject): readonly KubeObject[] {
  if (object.kind === 'Service') return endpointsOfService(fields, object);
  if (object.kind === 'PersistentVolumeClaim') return usersOfClaim(fields, object);
  if (object.kind === 'Deployment') return newReplicaSet(fields, object);
  const lease = object.kind === 'Node' ? leaseIn(fields) : undefined;
  return lease === undefined ? [] : [leaseOf(object.metadata.name, lease)];
}

/** The ReplicaSet that the pods of a Deployment come from: what happens to it happens to the Deployment. */
function newReplicaSet(fields: Sections, { apiVersion, metadata }: KubeObject): readonly KubeObject[] {
  const [, name] = /^([a-z0-9][a-z0-9.-]{0,252}) \(\d/.exec(fields.value('NewReplicaSet') ?? '') ?? [];
  if (name === undefined) return [];
  const owner = { apiVersion: apiVersion ?? 'apps/v1', kind: 'Deployment', name: metadata.name, uid: '', controller: true };
  return [new Draft('ReplicaSet', name, metadata.namespace).set('metadata.ownerReferences', [owner]).build()];
}

/** Of a pod whose list of containers was left out, down to the lines that somebody thought telling. */
function tornStates(fields: Sections, lines: readonly Line[], object: KubeObject): readonly KubeObject[] {
  if (object.kind !== 'Pod' || fields.has('Containers') || fields.has('Init Containers')) return [];
  const states: KubeObject[] = [];
  for (let index = 0; index < lines.length;) {
    const block = stateBlock(lines, index, refOf(object));
    if (block !== undefined) states.push(block.object);
    index = block?.next ?? index + 1;
  }
  return states;
}

/** A claim's describe names the pods that use it, in older versions as mounted by. What else such a pod uses is not shown. */
function usersOfClaim(fields: Sections, { metadata }: KubeObject): readonly KubeObject[] {
  const names = [...(fields.values('Used By') ?? []), ...(fields.values('Mounted By') ?? [])].flatMap((text) => text.split(/[,\s]+/));
  return names.filter((name) => given(name) !== undefined).map((name) => userOfClaim(name, metadata.namespace, metadata.name));
}

function leaseOf(node: string, spec: NonNullable<ReturnType<typeof leaseIn>>): KubeObject {
  const draft = new Draft('Lease', node, 'kube-node-lease');
  for (const [field, value] of Object.entries(spec)) draft.show(`spec.${field}`, value);
  return draft.build();
}

/** The values of a ConfigMap stand at the left margin as they are, and may look like anything. */
function withoutData(lines: readonly Line[]): readonly Line[] {
  const data = lines.findIndex(({ text }, index) => text === 'Data' && lines[index + 1]?.text === '====');
  if (data < 0) return lines;
  const events = lines.findLastIndex(({ text }) => text.startsWith('Events:'));
  return [...lines.slice(0, data), ...(events > data ? lines.slice(events) : [])];
}

const KEY_LINE = /^\s*(?:- )?[^\s:][^:]*:(?:\s|$)/;

/** Quotas and limit ranges print their rows at the left margin. */
const MARGIN_TABLE = /^(?:Resource|Type) {2,}\S/;

/** A terminal of a fixed width broke the longest lines: what it broke off begins at the left margin and is no key. */
function unwrapped(lines: readonly Line[]): readonly Line[] {
  let width = 0;
  for (const { text } of lines) width = Math.max(width, text.length);
  if (width < 60 || width > 400 || lines.some(({ text }) => MARGIN_TABLE.test(text))) return lines;
  const joined: Line[] = [];
  let full = false;
  for (const line of lines) {
    const last = joined.at(-1);
    const broken = full && last !== undefined && line.text !== '' && indentOf(line.text) <= 1 && !KEY_LINE.test(line.text);
    if (broken) joined[joined.length - 1] = { number: last.number, text: last.text + line.text };
    else joined.push(line);
    full = line.text.length === width;
  }
  return joined;
}

/** Whether a line begins a describe: `Name:` with the keys that follow it in every layout. */
export function beginsDescribe(lines: readonly Line[], at: number): boolean {
  if (!/^Name:\s+\S/.test(lines[at]?.text ?? '')) return false;
  const following = lines.slice(at + 1, at + 8).map(({ text }) => text);
  return following.some((text) =>
    /^(?:Namespace|Labels|Roles|Annotations|Selector|Priority|IsDefaultClass|Value|Created on|Type  |Scopes?):?(?:\s|$)/.test(text),
  );
}

/** Cuts the output of describe into its objects: each further one comes after a blank line. */
export function describesIn(lines: readonly Line[]): readonly (readonly Line[])[] {
  const starts = lines.flatMap((_, index) =>
    beginsDescribe(lines, index) && (index === 0 || lines[index - 1]?.text.trim() === '') ? [index] : [],
  );
  return starts.map((start, index) => withoutBlankEnd(lines.slice(start, starts[index + 1])));
}

function withoutBlankEnd(lines: readonly Line[]): readonly Line[] {
  return lines.slice(0, lines.findLastIndex(({ text }) => text.trim() !== '') + 1);
}
