import type { Instant } from '../../../base/instant.ts';
import { instantOf } from '../../../base/instant.ts';
import { parseInteger } from '../../../base/number.ts';
import { remembered } from '../../../base/memoized.ts';

/** How far a time zone is ahead of UTC at an instant, in milliseconds; undefined for a zone nobody knows. */
export function zoneOffset(zone: string, at: Instant): number | undefined {
  const format = formatOf(zone);
  if (format === undefined) return undefined;
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(at)) parts[type] = parseInteger(value) ?? 0;
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const local = instantOf({ year, month, day, hour: hour % 24, minute, second });
  return local === undefined ? undefined : local - Math.floor(at / 1000) * 1000;
}

const formatOf = remembered(
  (zone): Intl.DateTimeFormat | undefined => {
    try {
      return new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      });
    } catch {
      // The only thing that can be wrong with these options is the zone.
      return undefined;
    }
  },
  { limit: 64, length: 64 },
);
