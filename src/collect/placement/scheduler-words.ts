import { smallest } from '../../base/lists.ts';
import { withoutTail } from '../../base/text.ts';
import { parseInteger } from '../../base/number.ts';
import type { Blocker } from './refusals.ts';

/** One reason of a FailedScheduling message and the number of nodes it holds for. `nodes` is undefined for what concerns the pod as a whole. */
export interface SaidReason {
  readonly blocker: Blocker;
  readonly nodes: number | undefined;
  readonly words: string;
  readonly resource?: string;
  /** As old versions name it: `key`, or `key: value`. */
  readonly taintKey?: string;
  readonly taintValue?: string;
  readonly claim?: string;
}

/** What the scheduler said: how many nodes there are, and why none of them will do. */
export interface Said {
  readonly nodes: number;
  readonly reasons: readonly SaidReason[];
  readonly text: string;
  /** False where the counted reasons stand for fewer nodes than there are: the message was cut, and what is missing may matter more. */
  readonly complete: boolean;
}

/** Reasons of the filter plugins of 1.25 to 1.36 by what stays the same in their wordings. Source: the Err… constants of pkg/scheduler/framework/plugins. */
const WORDS: readonly (readonly [part: string, blocker: Blocker])[] = [
  ['were unschedulable', 'unschedulable'],
  ['untolerated taint', 'taint'],
  ["that the pod didn't tolerate", 'taint'],
  ["didn't match Pod's node affinity", 'node-affinity'],
  ["didn't match node selector", 'node-affinity'],
  ['scheduler-enforced node affinity', 'node-affinity'],
  ['[NodeAffinity]', 'node-affinity'],
  ['plugin NodeAffinity', 'node-affinity'],
  ['pod affinity terms conflict', 'node-affinity'],
  ["didn't match the requested node name", 'node-name'],
  ["didn't have free ports", 'host-port'],
  ['Too many pods', 'pod-count'],
  ['ReadWriteOncePod access mode', 'volume-in-use'],
  ['had no available disk', 'volume-in-use'],
  ['exceed max volume count', 'volume-limit'],
  ['volume node affinity conflict', 'volume-node'],
  ["PersistentVolume's node affinity", 'volume-node'],
  ['no available volume zone', 'volume-node'],
  ["didn't find available persistent volumes to bind", 'no-volume'],
  ['enough free storage', 'no-volume'],
  ['bound to non-existent pv', 'claim'],
  ['unbound immediate PersistentVolumeClaims', 'claim'],
  ['persistentvolumeclaim "', 'claim'],
  ['cannot allocate all claims', 'device'],
  ['resourceclaim not available', 'device'],
  ['device class ', 'device'],
  ['ResourceClaim not created yet', 'device'],
  ['resourceclaim "', 'device'],
  ['resource claim ', 'device'],
  ['invalid resource pools', 'device'],
  ['topology spread constraints', 'spread'],
  ["didn't match pod affinity rules", 'pod-affinity'],
  ["didn't match pod affinity/anti-affinity", 'pod-anti-affinity'],
  ["didn't match pod anti-affinity rules", 'pod-anti-affinity'],
  ['existing pods anti-affinity rules', 'existing-anti-affinity'],
];

/** Conditions of nodes that are taints since 1.12. Source: pkg/scheduler/algorithm/predicates/error.go of 1.9 to 1.14. */
const CONDITIONS: readonly (readonly [words: string, taint: string])[] = [
  ['node(s) were not ready', 'not-ready'],
  ['node(s) had unknown conditions', 'unreachable'],
  ['node(s) had memory pressure', 'memory-pressure'],
  ['node(s) had disk pressure', 'disk-pressure'],
  ['node(s) were out of disk space', 'disk-pressure'],
  ['node(s) had pid pressure', 'pid-pressure'],
  ['node(s) had unavailable network', 'network-unavailable'],
];

/**
 * Takes a FailedScheduling message apart: `0/4 nodes are available: 1 node(s) were unschedulable, 3 Insufficient cpu. preemption: …`.
 * Undefined when it is something else (a scheduler's internal error). Source: pkg/scheduler/framework/types.go (FitError.Error).
 */
export function parseSaid(message: string): Said | undefined {
  if (message.includes('no nodes available to schedule pods')) return { nodes: 0, text: message, reasons: [{ blocker: 'no-nodes', nodes: undefined, words: 'no nodes available to schedule pods' }], complete: true };
  const head = /(?:^|\s)0\/(\d+) nodes are available:\s*/.exec(message);
  if (head === null) return oldSaid(message);
  const nodes = parseInteger(head[1]) ?? 0;
  // A message over several lines was wrapped by whoever pasted it: a break stands where a blank was, or beside one.
  const rest = message.slice(head.index + head[0].length).split('\n').map((line) => line.trim()).filter((line) => line !== '').join(' ');
  const reasons = entriesOf(beforePreemption(rest)).map(reasonOf).filter(({ words }) => words !== '');
  return { nodes, reasons, text: message, complete: isComplete(reasons, nodes) };
}

/** Predicates of the versions before 1.9, which name them with the nodes they fail on. Source: plugin/pkg/scheduler/algorithm/predicates/error.go of 1.7. */
const PREDICATES: readonly (readonly [name: string, blocker: Blocker])[] = [
  ['PodToleratesNodeTaints', 'taint'], ['MatchNodeSelector', 'node-affinity'], ['PodFitsHostPorts', 'host-port'], ['HostName', 'node-name'], ['NoDiskConflict', 'volume-in-use'], ['MaxVolumeCount', 'volume-limit'],
  ['NoVolumeZoneConflict', 'volume-node'], ['NoVolumeNodeConflict', 'volume-node'], ['MatchInterPodAffinity', 'pod-anti-affinity'], ['NodeUnschedulable', 'unschedulable'],
];

/** `No nodes are available that match all of the following predicates:: Insufficient cpu (2), PodToleratesNodeTaints (1).`: how many nodes there are it does not say. */
function oldSaid(message: string): Said | undefined {
  const head = /No nodes are available that match all of the (?:following )?predicates::? /.exec(message);
  if (head === null) return undefined;
  const entries = [...message.slice(head.index + head[0].length).matchAll(/([A-Z][\w ./-]{1,80}) \((\d{1,6})\)/g)].slice(0, REASON_LIMIT);
  const reasons = entries.map(([, words = '', count]): SaidReason => {
    const resource = /^Insufficient (\S+)$/.exec(words)?.[1];
    const blocker = resource === undefined ? (PREDICATES.find(([name]) => words === name)?.[1] ?? 'other') : blockerOf(resource);
    return { blocker, nodes: parseInteger(count), words, ...(resource === undefined ? {} : { resource }) };
  });
  const nodes = reasons.reduce((sum, reason) => sum + (reason.nodes ?? 0), 0);
  return reasons.length === 0 ? undefined : { nodes, reasons, text: message, complete: true };
}

/** Up to 1.15 the scheduler counted pods as a resource. */
function blockerOf(resource: string): Blocker {
  return resource === 'pods' ? 'pod-count' : 'resource';
}

/** One node can be counted for several resources, so that the counts may add up to more than there are nodes, but never to less. */
function isComplete(reasons: readonly SaidReason[], nodes: number): boolean {
  let counted = 0;
  for (const reason of reasons) {
    if (reason.nodes === undefined) return OF_THE_POD.has(reason.blocker);
    counted += reason.nodes;
  }
  return counted >= nodes;
}

/** What concerns the pod as a whole and is said without a count. */
export const OF_THE_POD: ReadonlySet<Blocker> = new Set(['claim', 'device', 'no-nodes', 'no-volume', 'other']);

/** What the PostFilter plugins say comes behind; it repeats `nodes are available`. */
function beforePreemption(text: string): string {
  const ends = ['. preemption:', '. no new claims', '. still not schedulable', '. deallocation of ResourceClaim', ', preemption:', 'preemption: 0/'].map((mark) => text.indexOf(mark)).filter((index) => index >= 0);
  return withoutTail(ends.length === 0 ? text.trim() : text.slice(0, smallest(ends)).trim(), '. \t\n');
}

/** Reasons stand in a row, each with its count; a comma that no count follows belongs to the reason. */
function entriesOf(text: string): readonly string[] {
  const entries: string[] = [];
  for (const part of text.split(', ')) {
    const last = entries.at(-1);
    if (last === undefined || /^\d+ /.test(part)) entries.push(part);
    else entries[entries.length - 1] = `${last}, ${part}`;
  }
  return entries.slice(0, REASON_LIMIT);
}

const REASON_LIMIT = 64;

function reasonOf(entry: string): SaidReason {
  const counted = /^(\d+)(?: ([^]*))?$/.exec(entry);
  const [nodes, words] = counted === null ? [undefined, entry] : [parseInteger(counted[1]), counted[2] ?? ''];
  const resource = /^Insufficient (\S+)$/.exec(words)?.[1];
  if (resource !== undefined) return { blocker: blockerOf(resource), nodes, words, resource };
  const blocker = WORDS.find(([part]) => words.includes(part))?.[1] ?? 'other';
  const condition = CONDITIONS.find(([part]) => words === part)?.[1];
  if (condition !== undefined) return { blocker: 'taint', nodes, words, taintKey: `node.kubernetes.io/${condition}`, taintValue: '' };
  const taint = blocker === 'taint' ? /\{([^:{}\s]+):([^{}]*)\}/.exec(words) : null;
  const claim = blocker === 'claim' ? /persistentvolumeclaim "([^"]+)"/.exec(words)?.[1] : undefined;
  return {
    blocker,
    nodes,
    words,
    ...(taint === null ? {} : { taintKey: taint[1] ?? '', taintValue: (taint[2] ?? '').trim() }),
    ...(claim === undefined ? {} : { claim }),
  };
}
