import type { Look } from '../format/text-style.ts';
import { paint, shown } from '../format/text-style.ts';
import { clusterLine } from '../format/cluster-text.ts';
import { tableText } from '../format/table.ts';

/** How often podcheck named the right cause, as `eval -o json` has it. */
export interface EvalReport {
  readonly cases: number;
  readonly scored: number;
  readonly outside: number;
  readonly top1: number;
  readonly top3: number;
  readonly perLabel: Readonly<Record<string, { readonly cases: number; readonly top1: number }>>;
  readonly misses: readonly {
    readonly case: string;
    readonly expected: { readonly rootCause: string; readonly rules: readonly string[]; readonly object?: string };
    readonly got: { readonly rule: string; readonly object: string } | null;
    readonly verdict?: string;
  }[];
  readonly verdicts?: Readonly<Record<string, number>>;
}

/** The shares, each label's, and every miss by name. */
export function evalText(report: EvalReport, look: Look): string {
  const { cases, scored, outside, top1, top3, perLabel, misses } = report;
  const labels = Object.entries(perLabel).map(([label, { cases: count, top1: right }]) => [
    percent(right),
    String(count),
    clusterLine(label),
  ]);
  const missed = misses.map(({ case: name, expected, got, verdict }) => [
    clusterLine(name, 60),
    clusterLine(
      `${expected.rules.join(' or ') || 'no cause'}${expected.object === undefined ? '' : ` at ${expected.object}`}; got ${got === null ? (verdict === 'unreadable' ? 'nothing: not readable' : 'no cause') : `${got.rule} at ${got.object}`}${verdict === undefined ? '' : ` (${verdict.replace('-', ' ')})`}`,
      400,
    ),
  ]);
  if (report.verdicts !== undefined) {
    const counts = Object.entries(report.verdicts).map(([verdict, count]) => `${String(count)} ${verdict.replace('-', ' ')}`);
    return shown(look, [
      `${paint(look, 'bold', counts.join(', '))} of ${cases} cases`,
      ...(missed.length === 0 ? [] : ['', ...tableText(['NOT RIGHT', 'EXPECTED; GOT'], missed, look).trimEnd().split('\n')]),
    ]);
  }
  return shown(look, [
    `${paint(look, 'bold', `top-1 ${percent(top1)}, top-3 ${percent(top3)}`)} of ${scored} cases (${cases} in all, ${outside} outside)`,
    '',
    ...tableText(['TOP-1', 'CASES', 'LABEL'], labels, look).trimEnd().split('\n'),
    ...(missed.length === 0 ? [] : ['', ...tableText(['MISSED', 'EXPECTED; GOT'], missed, look).trimEnd().split('\n')]),
  ]);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
