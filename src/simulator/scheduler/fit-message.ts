import { WORDS } from './scheduler-messages.ts';

/**
 * The scheduler's sentence: why none of the nodes will do. Reasons are counted and sorted as texts, counts included.
 * Source: pkg/scheduler/framework/types.go (FitError.Error).
 */
export function fitMessage(
  nodes: number,
  said: { readonly reasons: ReadonlyMap<string, number> } | { readonly preFilter: string },
  postFilter = '',
): string {
  const start = `0/${nodes} nodes are available:`;
  const end = postFilter === '' ? '' : ` ${postFilter}`;
  if ('preFilter' in said) return `${start} ${said.preFilter}.${end}`;
  const histogram = [...said.reasons].map(([reason, count]) => `${count} ${reason}`).toSorted(byBytes);
  return `${start}${histogram.length === 0 ? '' : ` ${histogram.join(', ')}.`}${end}`;
}

/** A part of the message that says why preemption did not help either. */
export function preemptionPart(why: string, ofClaims: string = WORDS.noClaims): string {
  return `${ofClaims}, preemption: ${why}`;
}

/** Source: pkg/scheduler/schedule_one.go (truncateMessage). */
export function eventNote(message: string): string {
  return message.length <= NOTE_LIMIT ? message : `${message.slice(0, NOTE_LIMIT - MORE.length)}${MORE}`;
}

export function countReason(reasons: Map<string, number>, reason: string): void {
  reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
}

const NOTE_LIMIT = 1024;
const MORE = ' ...';

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
