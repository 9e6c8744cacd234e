import { append } from '../../base/lists.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import { candidateLines, causeLines, labelled } from './cause-lines.ts';
import { gapLines, gapSummary } from './gap-lines.ts';
import { headline } from './headline.ts';
import type { Look } from '../format/text-style.ts';
import { paint, shown } from '../format/text-style.ts';
import type { SourceFlags } from './runbook-command.ts';
import { stageLines } from './stage-lines.ts';
import { stageSummary } from './stage-summary.ts';
import { timelineLines } from './timeline-lines.ts';

export interface DiagnosisTextOptions {
  /** Every stage on its own line, all evidence, all gaps. */
  readonly wide: boolean;
  /** When each stage was passed, instead of the stage list. */
  readonly timeline: boolean;
  /** Lines on the way through the stages that somebody has written already. */
  readonly way?: readonly string[];
  /** How it stands with the object, where the outcome alone does not say it. */
  readonly standing?: string;
  /** Where the cluster is, for commands to go on with. */
  readonly flags?: SourceFlags;
}

const CANDIDATES = 2;

/** A diagnosis for a person, on one screen: the object and the cause, the stages, the proof, the fix, and what was not seen. */
export function diagnosisText(diagnosis: Diagnosis, look: Look, { wide, timeline, way, standing, flags }: DiagnosisTextOptions): string {
  const { target, at, stages, causes, gaps, outcome } = diagnosis;
  const [cause, ...others] = causes;
  // Without a cause the reasons of the stages are all there is to tell.
  const isOpen = cause === undefined && outcome !== 'healthy';
  const ownWay = (): readonly string[] => {
    if (timeline) return timelineLines(stages, look);
    return wide || isOpen ? stageLines(stages, at, look, wide) : stageSummary(stages, look);
  };
  const lines = [...headline(diagnosis, look, standing), ...(way ?? (stages.length === 0 ? [] : ownWay()))];
  if (cause !== undefined) append(lines, ['', ...causeLines(cause, at, look, { wide, flags, target })]);
  append(lines, otherLines(others, look, wide));
  if (gaps.length > 0) {
    const brief = cause !== undefined && !wide;
    append(
      lines,
      brief ? labelled('Not seen', gapSummary(gaps, look), look) : ['', paint(look, 'bold', 'NOT SEEN'), ...gapLines(gaps, look, wide)],
    );
  }
  if (outcome === 'unexplained') lines.push('', 'All evidence that podcheck looks for was seen. For a report use -o json.');
  if (outcome === 'inconclusive' && gaps.length === 0) lines.push('', 'The evidence does not show the state of this object.');
  return shown(look, lines);
}

function otherLines(others: Diagnosis['causes'], look: Look, wide: boolean): readonly string[] {
  if (others.length === 0) return [];
  const told = wide ? others : others.slice(0, CANDIDATES);
  const words = told.flatMap((other) => candidateLines(other, look));
  const left = others.length - told.length;
  return [...(wide ? [''] : []), ...labelled('Also', words, look), ...(left > 0 ? labelled('', [`and ${left} more (-o wide)`], look) : [])];
}
