import { printableUpTo } from '../../src/base/text.ts';
import type { CaptureScore } from './score.ts';

export interface FidelityReport {
  readonly score: number;
  readonly compared: number;
  readonly equal: number;
  readonly captures: readonly CaptureScore[];
  /** Recordings that need something outside of the model. */
  readonly outside: readonly { readonly name: string; readonly reason: string }[];
}

export function reportOf(captures: readonly CaptureScore[], outside: FidelityReport['outside']): FidelityReport {
  const compared = captures.reduce((sum, capture) => sum + capture.compared, 0);
  const equal = captures.reduce((sum, capture) => sum + capture.equal, 0);
  return { score: compared === 0 ? 1 : equal / compared, compared, equal, captures, outside };
}

/** The report for a person: every difference, then a line for each class of things, the captures left out, and the score. */
export function reportLines(report: FidelityReport): readonly string[] {
  return [
    ...report.captures.flatMap(captureLines),
    '',
    ...classLines(report),
    ...report.captures.flatMap(({ name, leftOut }) => leftOut.map(({ command, reason }) => `not compared: ${name}: ${command}: ${reason}`)),
    ...report.outside.map(({ name, reason }) => `outside of the model: ${name}: ${reason}`),
    '',
    `${report.equal} of ${report.compared} equal in ${report.captures.length} captures: ${report.score.toFixed(4)}`,
  ];
}

function captureLines({ name, score, equal, compared, differences }: CaptureScore): readonly string[] {
  return [
    `${score.toFixed(3)} ${name} (${equal} of ${compared})`,
    ...differences.flatMap(({ class: kind, about, recorded, simulated }) => [
      `  ${kind}: ${about}`,
      `    recorded:  ${shown(recorded)}`,
      `    simulated: ${shown(simulated)}`,
    ]),
  ];
}

function shown(words: string | undefined): string {
  return words === undefined ? '-' : printableUpTo(words, 600).replaceAll('\n', '⏎');
}

function classLines({ captures }: FidelityReport): readonly string[] {
  const counts = new Map<string, number>();
  for (const { differences } of captures) for (const { class: kind } of differences) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${String(count).padStart(6)} differences: ${kind}`);
}
