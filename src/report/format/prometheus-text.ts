import { printableUpTo } from '../../base/text.ts';

/** A gauge in Prometheus' text format, with its head; nothing where it has no values. */
export function gauge(name: string, help: string, values: readonly (readonly [labels: string, value: number])[]): readonly string[] {
  if (values.length === 0) return [];
  // Two series of the same labels would make the whole file unreadable.
  const unique = new Map(values);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...[...unique].map(([labels, value]) => `${name}${labels} ${value}`)];
}

/** Seconds since 1970 of an instant; 0 where there is none. */
export function epochSeconds(instant: number | undefined): number {
  return Math.round((instant ?? 0) / 1000);
}

/** `{rule="…",stage="…"}`, whatever the values have in them. */
export function labelBraces(labels: readonly (readonly [string, string])[]): string {
  return `{${labels.map(([name, value]) => `${name}="${escaped(value)}"`).join(',')}}`;
}

/** Source: Prometheus' text format 0.0.4. */
function escaped(value: string): string {
  return printableUpTo(value, 500)
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
}
