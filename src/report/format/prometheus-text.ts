import { printableUpTo } from '../../base/text.ts';

/** A gauge in Prometheus' text format, with its head; nothing where it has no values. */
export function gauge(name: string, help: string, values: readonly (readonly [labels: string, value: number])[]): readonly string[] {
  if (values.length === 0) return [];
  // Two series of the same labels would make the whole file unreadable.
  const unique = new Map(values);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...[...unique].map(([labels, value]) => `${name}${labels} ${value}`)];
}

/** One series of a histogram: how many values are up to each bound, how many there are, and their sum. */
export interface HistogramSeries {
  readonly labels: readonly (readonly [string, string])[];
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/** A histogram in Prometheus' text format; nothing where it has no series. */
export function histogram(name: string, help: string, bounds: readonly number[], series: readonly HistogramSeries[]): readonly string[] {
  if (series.length === 0) return [];
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} histogram`,
    ...series.flatMap(({ labels, counts, sum, count }) => [
      ...bounds.map((bound, index) => `${name}_bucket${labelBraces([...labels, ['le', String(bound)]])} ${counts[index] ?? 0}`),
      `${name}_bucket${labelBraces([...labels, ['le', '+Inf']])} ${count}`,
      `${name}_sum${labelBraces(labels)} ${Math.round(sum * 1000) / 1000}`,
      `${name}_count${labelBraces(labels)} ${count}`,
    ]),
  ];
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
