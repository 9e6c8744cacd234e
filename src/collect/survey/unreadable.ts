import type { Unread } from '../../model/cluster-reader.ts';

/** Whether a read was refused, or went wrong: what nobody has collected may simply not have been asked for. */
export function isUnreadable({ why }: Unread): boolean {
  return why === 'forbidden' || why === 'failed';
}
