import { clusterLine } from '../format/cluster-text.ts';
import { tableText } from '../format/table.ts';
import type { Look } from '../format/text-style.ts';
import { paint, shown } from '../format/text-style.ts';

const VERDICTS = ['right', 'less-exact', 'inconclusive', 'wrong', 'unreadable'] as const;

type Counts = Readonly<Record<(typeof VERDICTS)[number] | 'judged', number>>;

/** How podcheck answers parts of cases, as `eval --reduce -o json` has it. */
export interface ReducedReport {
  readonly cuts: readonly (Counts & { readonly cut: string })[];
  readonly total: Counts;
  readonly wrong: readonly { readonly cut: string; readonly case: string; readonly expected: string; readonly got: string }[];
}

/** Counts of each cut and of all, and every wrong answer. */
export function reducedText({ cuts, total, wrong }: ReducedReport, look: Look): string {
  const row = (name: string, counts: Counts): readonly string[] => [
    name,
    String(counts.judged),
    ...VERDICTS.map((verdict) => `${String(counts[verdict])} (${percent(counts[verdict], counts.judged)})`),
  ];
  const rows = [...cuts.map((counts) => row(counts.cut, counts)), row('total', total)];
  const missed = wrong.map(({ cut, case: name, expected, got }) => [
    cut,
    clusterLine(name, 60),
    clusterLine(`${expected}; got ${got}`, 400),
  ]);
  return shown(look, [
    `${paint(look, 'bold', `${percent(total.right + total['less-exact'], total.judged)} right or less exact, ${percent(total.wrong, total.judged)} wrong`)} of ${String(total.judged)} reduced cases`,
    '',
    ...tableText(['CUT', 'CASES', 'RIGHT', 'LESS EXACT', 'INCONCLUSIVE', 'WRONG', 'UNREADABLE'], rows, look).trimEnd().split('\n'),
    ...(missed.length === 0 ? [] : ['', ...tableText(['WRONG', 'CASE', 'EXPECTED; GOT'], missed, look).trimEnd().split('\n')]),
  ]);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} %`;
}
