import type { Instant } from '../../base/instant.ts';
import { formatHttpDate, parseInstant } from '../../base/instant.ts';
import type { Json } from '../../base/json.ts';
import { asTextMap } from '../../base/json.ts';

/** `Labels:  app=web`, one pair in a line. */
export function mapLines(title: string, map: Json | undefined): readonly string[] {
  const pairs = Object.entries(asTextMap(map))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => (title === 'Annotations' ? `${key}: ${value.replaceAll('\n', ' ')}` : `${key}=${value}`));
  return pairs.length === 0 ? [`${title}:\t<none>`] : pairs.map((pair, at) => `${at === 0 ? `${title}:` : ''}\t${pair}`);
}

export function withoutApplied(annotations: Json | undefined): Json {
  const { 'kubectl.kubernetes.io/last-applied-configuration': _, ...others } = asTextMap(annotations);
  return others;
}

/** `Fri, 20 Nov 2026 09:00:05 +0000`, as Go writes RFC 1123. */
export function longTime(time: Json | undefined): string {
  const instant = parseInstant(time);
  return instant === undefined ? '<unset>' : formatLong(instant);
}

function formatLong(instant: Instant): string {
  return formatHttpDate(instant).replace(/GMT$/, '+0000');
}
