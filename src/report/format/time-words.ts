import { formatDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';

/** `3m ago`, as seen from the time of the evidence; `in 2h` for what is still to come. */
export function ago(at: Instant, now: Instant): string {
  const seconds = Math.trunc((now - at) / 1000);
  return seconds < 0 ? `in ${formatDuration(-seconds)}` : `${formatDuration(seconds)} ago`;
}

/** `10:02:31`, with the date before it on another day than the evidence's. UTC, as Kubernetes writes its times. */
export function clockTime(at: Instant, now: Instant): string {
  const [date = '', time = ''] = formatInstant(at).replace('Z', '').split('T');
  return formatInstant(now).startsWith(date) ? time : `${date} ${time}`;
}
