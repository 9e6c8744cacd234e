import type { Instant } from '../../../base/instant.ts';
import { LruMap } from '../../lru.ts';

/** How far a time zone is ahead of UTC at an instant, in milliseconds; undefined for a zone nobody knows. */
export function zoneOffset(zone: string, at: Instant): number | undefined {
  const format = formatOf(zone);
  if (format === undefined) return undefined;
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(new Date(at))) parts[type] = Number(value);
  const local = Date.UTC(parts['year'] ?? 1970, (parts['month'] ?? 1) - 1, parts['day'] ?? 1, (parts['hour'] ?? 0) % 24, parts['minute'] ?? 0, parts['second'] ?? 0);
  return local - Math.floor(at / 1000) * 1000;
}

const formats = new LruMap<{ readonly format: Intl.DateTimeFormat | undefined }>(64);

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone);
  if (known !== undefined) return known.format;
  let format: Intl.DateTimeFormat | undefined;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' });
  } catch {
    // The only thing that can be wrong with these options is the zone.
    format = undefined;
  }
  formats.set(zone, { format });
  return format;
}
