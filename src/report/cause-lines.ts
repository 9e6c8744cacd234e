import type { Instant } from '../base/instant.ts';
import { printable } from '../base/text.ts';
import type { Cause, Quote } from '../model/diagnosis.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { formatRef } from '../model/kube-object.ts';
import { clusterBlock, clusterLine } from './cluster-text.ts';
import { wrap } from './display-width.ts';
import type { Look } from './look.ts';
import { mark, paint } from './look.ts';
import { objectList, objectWords } from './object-words.ts';
import type { SourceFlags } from './runbook-command.ts';
import { runbookCommand } from './runbook-command.ts';
import { clockTime } from './time-words.ts';

/** Pieces of evidence a person is shown; `wide` shows all there are. */
const QUOTES = 4;
const AFFECTED = 6;

export interface CauseOptions {
  /** All evidence, all that is affected, where to read more. */
  readonly wide: boolean;
  readonly flags?: SourceFlags | undefined;
  /** What was asked about. */
  readonly target?: ObjectRef | undefined;
}

/** A cause in full: what, why, the evidence with its source, what to do. Commands stand alone on their lines, unwrapped, to be copied. */
export function causeLines(cause: Cause, now: Instant, look: Look, { wide, flags, target }: CauseOptions): readonly string[] {
  const runbook = runbookCommand(cause, target, flags ?? []);
  return [
    ...filled(cause.what, '  ', look).map((line) => paint(look, 'bold', line)),
    '',
    ...labelled('Why', clusterLine(cause.why, 1200), look),
    ...labelled('Object', aboutWords(cause), look),
    ...affectedLines(cause, look, wide),
    ...evidenceLines(cause.evidence, now, look, wide),
    ...fixLines(cause, look),
    ...labelled('Rule', cause.rule, look),
    ...(runbook === undefined ? [] : continued(runbook, look)),
    ...(wide ? cause.references.flatMap((reference) => labelled('See', reference, look)) : []),
  ];
}

/** A further candidate, in a line or two. */
export function candidateLines(cause: Cause, look: Look): readonly string[] {
  return hanging(`  ${cause.rank}. `, `${clusterLine(cause.what, 300)} (${cause.rule})`, look);
}

/** Text behind a lead, made harmless, its further lines under the first word. */
export function hanging(lead: string, text: string, look: Look): readonly string[] {
  return wrap(printable(text), look.width - lead.length).map((line, index) => (index === 0 ? lead : ' '.repeat(lead.length)) + line);
}

function labelled(label: string, text: string, look: Look): readonly string[] {
  const lead = `  ${label.padEnd(9)} `;
  return hanging(lead, text, look).map((line, index) => (index === 0 ? line.replace(label, paint(look, 'dim', label)) : line));
}

/** A command over as many lines as it needs, which a shell takes as one. */
function continued(words: readonly string[], look: Look): readonly string[] {
  const lines: string[] = [];
  for (const word of words.map((each) => clusterLine(each, 400))) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + CONTINUED <= look.width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line, index) => `${index === 0 ? `  ${paint(look, 'dim', 'Runbook')}   ` : ' '.repeat(14)}${line}${index === lines.length - 1 ? '' : ' \\'}`);
}

/** Columns beside the words of a line: what it begins with, a blank, and the backslash. */
const CONTINUED = 17;

function filled(text: string, indent: string, look: Look): readonly string[] {
  return wrap(clusterLine(text, 1200), look.width - indent.length).map((line) => indent + line);
}

function aboutWords({ object, workload }: Cause): string {
  return workload === undefined || formatRef(workload) === formatRef(object) ? objectWords(object) : `${objectWords(object)}, of ${objectWords(workload)}`;
}

function affectedLines({ affected, object, workload }: Cause, look: Look, wide: boolean): readonly string[] {
  const said = new Set([object, ...(workload === undefined ? [] : [workload])].map(formatRef));
  const others = affected.filter((ref) => !said.has(formatRef(ref)));
  return others.length === 0 ? [] : labelled('Affects', objectList(others, wide ? others.length : AFFECTED), look);
}

function evidenceLines(evidence: readonly Quote[], now: Instant, look: Look, wide: boolean): readonly string[] {
  const shown = wide ? evidence : evidence.slice(0, QUOTES);
  const lines = shown.flatMap((quote) => quoteLines(quote, now, look, wide));
  const hidden = evidence.length - shown.length;
  if (lines.length === 0) return [];
  return ['', paint(look, 'dim', '  Evidence'), ...lines, ...(hidden > 0 ? [`    and ${hidden} more (-o wide)`] : [])];
}

function quoteLines({ source, quote, at }: Quote, now: Instant, look: Look, wide: boolean): readonly string[] {
  const heading = at === undefined ? source : `${source}, ${clockTime(at, now)}`;
  const bar = `      ${mark(look, 'bar')} `;
  return [
    ...wrap(clusterLine(heading, 300), look.width - 4).map((line) => `    ${line}`),
    ...wrap(clusterBlock(quote, wide), look.width - bar.length).map((line) => paint(look, 'cyan', (bar + line).trimEnd())),
  ];
}

function fixLines({ fix }: Cause, look: Look): readonly string[] {
  if (fix.length === 0) return [];
  const steps = fix.flatMap(({ say, run }, index) => [
    ...hanging(fix.length === 1 ? '    ' : `    ${index + 1}. `, clusterLine(say, 600), look),
    ...(run === undefined ? [] : commandLines(run).map((line) => `       ${paint(look, 'green', line)}`)),
  ]);
  return ['', paint(look, 'dim', '  Fix'), ...steps, ''];
}

function commandLines(run: string): readonly string[] {
  return clusterBlock(run, true).split('\n');
}
