import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';
import { bigintOf } from '../../base/number.ts';

/** metav1.Time of an instant, to the second; remembered for the last few seconds, since thousands of objects are made in one. */
export function timeOf(instant: Instant): string {
  const second = Math.floor(instant / 1000);
  const place = second & (REMEMBERED - 1);
  const known = texts[place];
  if (known !== undefined && seconds[place] === second) return known;
  const text = formatInstant(second * 1000);
  seconds[place] = second;
  texts[place] = text;
  return text;
}

/** metav1.MicroTime: `2026-11-20T19:17:29.068562Z`. */
export function microTimeOf(instant: Instant): string {
  const micros = Math.round(instant * 1000);
  const fraction = ((micros % 1_000_000) + 1_000_000) % 1_000_000;
  return `${timeOf(instant).slice(0, -1)}.${String(fraction).padStart(6, '0')}Z`;
}

/** Nanoseconds since 1970 in hexadecimal, as events are named; `extra` (0 to 999) tells those of one microsecond apart. */
export function nanosecondHex(instant: Instant, extra: number): string {
  return (bigintOf(Math.round(instant * 1000)) * 1000n + bigintOf(extra)).toString(16);
}

/** A power of two. */
const REMEMBERED = 64;
const seconds: number[] = [];
const texts: string[] = [];
