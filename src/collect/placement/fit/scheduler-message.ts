import { smallest } from '../../../base/lists.ts';
import { withoutTail } from '../../../base/text.ts';
import { parseInteger } from '../../../base/number.ts';
import type { FieldValues } from '../../survey/fact-sink.ts';
import type { Vocabulary } from '../../survey/vocabulary.ts';
import type { Blocker } from './node-refusals.ts';

/**
 * One reason of a FailedScheduling message and the number of nodes it holds for. `nodes` is undefined for what concerns the pod as a whole.
 */
export interface SaidReason extends Pick<FieldValues<'fit-summary'>, 'resource' | 'taintKey' | 'claim' | 'condition' | 'device'> {
  readonly blocker: Blocker;
  readonly nodes: number | undefined;
  readonly words: string;
  readonly taintValue?: string;
}

/** What the scheduler said: how many nodes there are, and why none of them will do. */
export interface Said {
  readonly nodes: number;
  readonly reasons: readonly SaidReason[];
  readonly text: string;
  /** False where the counted reasons stand for fewer nodes than there are: the message was cut, and what is missing may matter more. */
  readonly complete: boolean;
}

/**
 * Takes a FailedScheduling message apart: `0/4 nodes are available: 1 node(s) were unschedulable, 3 Insufficient cpu. preemption: …`.
 * Undefined when it is something else (a scheduler's internal error). Source: pkg/scheduler/framework/types.go (FitError.Error).
 */
export function parseSaid(message: string, vocabulary: Vocabulary): Said | undefined {
  const head = vocabulary.phrase('nodes-counted', message);
  if (head === undefined || /\d/.test(message[head.start - 1] ?? ''))
    return oldSaid(message, vocabulary) ?? withoutNodes(message, vocabulary) ?? withoutHead(message, vocabulary);
  const nodes = parseInteger(head.captured.nodes) ?? 0;
  // A message over several lines was wrapped by whoever pasted it: a break stands where a blank was, or beside one.
  const rest = message
    .slice(head.end)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
    .replace(/(?:…|\.{3})$/, '');
  const read = entriesOf(beforePreemption(rest))
    .map((entry) => reasonOf(entry, vocabulary))
    .filter(({ words }) => words !== '');
  const reasons = allCounted(withoutEither(read, vocabulary), nodes);
  return { nodes, reasons, text: message, complete: isComplete(reasons, nodes) };
}

const OF_NEIGHBOURS: ReadonlySet<Blocker> = new Set(['pod-affinity', 'pod-anti-affinity', 'existing-anti-affinity']);

/** From 1.9 to 1.18 a node was counted once for affinity or anti-affinity, and again for the one that it was. */
function withoutEither(reasons: readonly SaidReason[], vocabulary: Vocabulary): readonly SaidReason[] {
  const either = (reason: SaidReason): boolean => vocabulary.phrase('either-affinity', reason.words) !== undefined;
  return reasons.some((reason) => OF_NEIGHBOURS.has(reason.blocker) && !either(reason)) ? reasons.filter((one) => !either(one)) : reasons;
}

/**
 * `No nodes are available that match all of the following predicates:: Insufficient cpu (2), PodToleratesNodeTaints (1).`: how many nodes
 * there are it does not say.
 */
function oldSaid(message: string, vocabulary: Vocabulary): Said | undefined {
  const head = vocabulary.phrase('predicates-counted', message);
  if (head === undefined) return undefined;
  const entries = [...message.slice(head.end).matchAll(/([A-Z][\w ./-]{1,80}) \((\d{1,6})\)/g)].slice(0, REASON_LIMIT);
  const reasons = entries.map(([, words = '', count]) => wordedReason(words, parseInteger(count), vocabulary));
  return reasons.length === 0 ? undefined : { nodes: countedNodes(reasons), reasons, text: message, complete: true };
}

function countedNodes(reasons: readonly SaidReason[]): number {
  return reasons.reduce((sum, { nodes = 0 }) => sum + nodes, 0);
}

/**
 * `3 Insufficient cpu, 2 node(s) had untolerated taint {dedicated: gpu}.`: reasons that were pasted without the head, which counts all
 * nodes. They are as many as the reasons count, for every node has one. Where a reason has no count, nothing can be said of any number.
 */
function withoutHead(message: string, vocabulary: Vocabulary): Said | undefined {
  const reasons = entriesOf(beforePreemption(message)).map((entry) => reasonOf(entry, vocabulary));
  if (reasons.some(({ blocker }) => blocker === 'other')) return undefined;
  const complete = reasons.every(({ nodes }) => nodes !== undefined && nodes > 0);
  return { nodes: countedNodes(reasons), reasons, text: message, complete };
}

/** A cluster without nodes has a sentence of its own. */
function withoutNodes(message: string, vocabulary: Vocabulary): Said | undefined {
  const found = vocabulary.read('fit-summary', message, 'event');
  if (found?.fields.blocker !== 'no-nodes') return undefined;
  return { nodes: 0, text: message, reasons: [{ blocker: 'no-nodes', nodes: undefined, words: found.words }], complete: true };
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

/** The only reason of nodes that was written down without its count holds for the nodes that the others leave. */
function allCounted(reasons: readonly SaidReason[], nodes: number): readonly SaidReason[] {
  const [first, second] = reasons.filter((reason) => reason.nodes === undefined && !OF_THE_POD.has(reason.blocker));
  if (first === undefined || second !== undefined) return reasons;
  const left = nodes - countedNodes(reasons);
  return left <= 0 ? reasons : reasons.map((reason) => (reason === first ? { ...reason, nodes: left } : reason));
}

/** What concerns the pod as a whole and is said without a count. */
export const OF_THE_POD: ReadonlySet<Blocker> = new Set(['claim', 'device', 'no-nodes', 'no-volume', 'other']);

/** What the PostFilter plugins say comes behind; it repeats `nodes are available`. */
function beforePreemption(text: string): string {
  const ends = [
    '. preemption:',
    '. no new claims',
    '. still not schedulable',
    '. deallocation of ResourceClaim',
    ', preemption:',
    'preemption: 0/',
  ]
    .map((mark) => text.indexOf(mark))
    .filter((index) => index >= 0);
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

function reasonOf(entry: string, vocabulary: Vocabulary): SaidReason {
  const counted = /^(\d+)(?: ([^]*))?$/.exec(entry);
  const [nodes, words] = counted === null ? [undefined, entry] : [parseInteger(counted[1]), counted[2] ?? ''];
  return wordedReason(words, nodes, vocabulary);
}

function wordedReason(words: string, nodes: number | undefined, vocabulary: Vocabulary): SaidReason {
  const { blocker = 'other', taint, ...named } = vocabulary.read('fit-summary', words, 'event')?.fields ?? {};
  const [taintKey = '', taintValue = ''] = taint?.split(/:([^]*)/) ?? [];
  return { blocker, nodes, words, ...named, ...(taint === undefined ? {} : { taintKey: taintKey.trim(), taintValue: taintValue.trim() }) };
}
