import { formatInstant } from '../base/instant.ts';
import type { Diagnosis } from '../model/diagnosis.ts';
import { candidateLines, causeLines } from './cause-lines.ts';
import { gapLines } from './gap-lines.ts';
import type { Look } from './look.ts';
import { paint, shown } from './look.ts';
import { objectWords } from './object-words.ts';
import type { SourceFlags } from './runbook-command.ts';
import { stageLines } from './stage-lines.ts';
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

const CANDIDATES = 5;

/** A diagnosis for a person: where on its way the pod is, why it stops there, what proves it, what to do, and what nobody looked at. */
export function diagnosisText(diagnosis: Diagnosis, look: Look, { wide, timeline, way, standing, flags }: DiagnosisTextOptions): string {
  const { target, at, stages, causes, gaps } = diagnosis;
  const [cause, ...others] = causes;
  const lines = [
    `${paint(look, 'bold', objectWords(target))}  ${standing === undefined ? verdictWords(diagnosis, look) : paint(look, 'yellow', standing)}`,
    paint(look, 'dim', `as of ${formatInstant(at)}`),
    '',
    ...(way ?? (timeline ? timelineLines(stages, look) : stageLines(stages, at, look, wide))),
  ];
  if (cause !== undefined) lines.push('', paint(look, 'bold', `CAUSE  ${cause.title}`), '', ...causeLines(cause, at, look, { wide, flags, target }));
  if (others.length > 0) {
    const shown = wide ? others : others.slice(0, CANDIDATES);
    lines.push('', paint(look, 'bold', 'OTHER CANDIDATES'), ...shown.flatMap((other) => candidateLines(other, look)));
    if (shown.length < others.length) lines.push(`  and ${others.length - shown.length} more (-o wide)`);
  }
  if (gaps.length > 0) lines.push('', paint(look, 'bold', 'COULD NOT LOOK AT'), ...gapLines(gaps, look, wide));
  if (causes.length === 0) lines.push(...closing(diagnosis));
  return shown(look, lines);
}

function verdictWords({ outcome }: Diagnosis, look: Look): string {
  switch (outcome) {
    case 'healthy':
      return paint(look, 'green', 'is healthy');
    case 'explained':
      return paint(look, 'red', 'is stopped, and the cause is known');
    case 'unexplained':
      return paint(look, 'yellow', 'is not well, and no rule knows why');
    case 'inconclusive':
      return paint(look, 'yellow', 'cannot be judged: something that decides was not seen');
  }
}

/** What to do when there is nothing to say about why. */
function closing({ outcome, gaps }: Diagnosis): readonly string[] {
  if (outcome === 'unexplained') return ['', 'Everything podcheck knows to look at was seen. `-o json` has it for a report.'];
  if (outcome === 'inconclusive' && gaps.length === 0) return ['', 'The evidence does not show the state of this object.'];
  return [];
}
