import type { Reason } from './reasons/reason.ts';
import { CONTAINER_REASONS } from './reasons/container.ts';
import { EXIT_CODES } from './reasons/exit-code.ts';
import { NODE_REASONS } from './reasons/node.ts';
import { REQUEST_REASONS } from './reasons/request.ts';
import { SCHEDULING_REASONS } from './reasons/scheduling.ts';
import { STATUS_COLUMN_REASONS } from './reasons/status-column.ts';

/** Reasons of Kubernetes 1.36, on the way of a pod; then what kubectl prints, and exit codes. */
export const REASONS: readonly Reason[] = [
  ...REQUEST_REASONS,
  ...SCHEDULING_REASONS,
  ...NODE_REASONS,
  ...CONTAINER_REASONS,
  ...STATUS_COLUMN_REASONS,
  ...EXIT_CODES,
];

/**
 * The reason of this name, in any case of letters; undefined when it is not in the table. What kubectl prints of an init container is its
 * own reason.
 */
export function reasonNamed(word: string): Reason | undefined {
  const wanted = aliasOf(word.trim().toLowerCase());
  return REASONS.find(({ reason }) => reason.toLowerCase() === wanted);
}

/** Words with numbers stand for all numbers; an exit code that has a row of its own is named by it; a node shows two words. */
function aliasOf(lower: string): string {
  if (/^init:\d{1,4}\/\d{1,4}$/.test(lower)) return 'init:0/1';
  if (/^\d{1,4}\/\d{1,4}$/.test(lower)) return 'ready 0/1';
  if (/^(?:init:)?signal:\d{1,3}$/.test(lower)) return 'signal:9';
  const code = /^(?:init:)?exit ?code[: ]? ?(\d{1,3})$/.exec(lower)?.[1];
  if (code !== undefined) return REASONS.some(({ reason }) => reason === code) ? code : 'exitcode:1';
  return lower.replace(/^init:(?=[a-z])/, '').replace(/,schedulingdisabled$/, '');
}
