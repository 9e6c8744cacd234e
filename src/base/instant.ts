/** A point in time: milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** Reads what Kubernetes writes (RFC 3339, with or without fractions); undefined for anything else. */
export function parseInstant(text: unknown): Instant | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/.test(text)) return undefined;
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** RFC 3339 in UTC, to the second, as Kubernetes' metav1.Time writes it. */
export function formatInstant(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, -MILLISECONDS_LENGTH)}Z`;
}

/** `.123Z`, which ISO text always ends with. */
const MILLISECONDS_LENGTH = 5;
