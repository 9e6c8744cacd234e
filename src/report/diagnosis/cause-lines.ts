import type { Instant } from '../../base/instant.ts';
import { printable, repeated } from '../../base/text.ts';
import type { Cause } from '../../model/diagnosis.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef } from '../../model/kube-object.ts';
import { clusterBlock, clusterLine } from '../format/cluster-text.ts';
import { wrap } from '../format/display-width.ts';
import type { Look } from '../format/text-style.ts';
import { paint } from '../format/text-style.ts';
import { objectList, objectWords } from '../format/object-words.ts';
import { fixWords } from '../format/fix-words.ts';
import { INDENT, proofLines } from './proof-lines.ts';
import type { SourceFlags } from './runbook-command.ts';
import { runbookCommand } from './runbook-command.ts';

export interface CauseOptions {
  /** All evidence, all that is affected, where to read more. */
  readonly wide: boolean;
  readonly flags?: SourceFlags | undefined;
  /** What was asked about. */
  readonly target?: ObjectRef | undefined;
}

/** A cause in full: what, why, the proof with its source, the fix. Commands stand alone on their lines, unwrapped, to be copied. */
export function causeLines(cause: Cause, now: Instant, look: Look, { wide, flags, target }: CauseOptions): readonly string[] {
  const runbook = runbookCommand(cause, target, flags ?? []);
  return [
    ...wrap(clusterLine(cause.what, 1200), look.width).map((line) => paint(look, 'bold', line)),
    ...wrap(clusterLine(cause.why, 1200), look.width),
    ...(cause.symptom === undefined ? [] : wrap(SYMPTOM, look.width)),
    ...aboutLines(cause, target, look, wide),
    '',
    ...labelled('Proof', proofLines(cause.evidence, now, look, wide), look),
    ...labelled('Fix', fixLines(cause, look), look),
    ...labelled('Rule', [cause.rule], look),
    ...(runbook === undefined ? [] : labelled('Runbook', continued(runbook, look), look)),
    ...(wide ? labelled('See', cause.references, look) : []),
  ];
}

/** Behind the reasons of an answer that only says what is seen. */
export const SYMPTOM = 'This is a symptom: no rule names its cause. Look further with the commands below.';

/** A further candidate: its title and object. */
export function candidateLines(cause: Cause, look: Look): readonly string[] {
  return hanging(`${cause.rank}. `, `${cause.title}: ${objectWords(cause.object)} (${cause.rule})`, {
    ...look,
    width: look.width - INDENT,
  });
}

/** Text behind a lead, made harmless, its further lines under the first word. */
export function hanging(lead: string, text: string, look: Look): readonly string[] {
  return wrap(printable(text), look.width - lead.length).map((line, index) => (index === 0 ? lead : repeated(' ', lead.length)) + line);
}

/** Lines behind a label; none where there is nothing to say. */
export function labelled(label: string, lines: readonly string[], look: Look): readonly string[] {
  return lines.map((line, index) => `${index === 0 ? paint(look, 'dim', label.padEnd(INDENT)) : ' '.repeat(INDENT)}${line}`);
}

/** A command over as many lines as it needs, which a shell takes as one. */
function continued(words: readonly string[], look: Look): readonly string[] {
  const lines: string[] = [];
  for (const word of words.map((each) => clusterLine(each, 400))) {
    const last = lines.at(-1);
    // Two columns are for a blank and the backslash.
    if (last !== undefined && last.length + 1 + word.length + 2 <= look.width - INDENT) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(lines.length === 0 ? word : `  ${word}`);
  }
  return lines.map((line, index) => (index === lines.length - 1 ? line : `${line} \\`));
}

/** The object at fault and what suffers from it, where the first line does not say it. */
function aboutLines(cause: Cause, target: ObjectRef | undefined, look: Look, wide: boolean): readonly string[] {
  const { object, workload, affected } = cause;
  if (wide) {
    const about =
      workload === undefined || formatRef(workload) === formatRef(object)
        ? objectWords(object)
        : `${objectWords(object)}, of ${objectWords(workload)}`;
    return [
      '',
      ...labelled('Object', wrap(about, look.width - INDENT), look),
      ...(affected.length === 0 ? [] : labelled('Affects', wrap(objectList(affected, affected.length), look.width - INDENT), look)),
    ];
  }
  const others = affected.filter((ref) => !UNTOLD.has(ref.kind) && target !== undefined && formatRef(ref) !== formatRef(target));
  return others.length === 0 ? [] : wrap(`It also affects ${objectList(others, AFFECTED)}.`, look.width);
}

const AFFECTED = 3;
/** Pods are told by their workloads, and a cluster is all there is. */
const UNTOLD: ReadonlySet<string> = new Set(['Pod', 'Cluster']);

/** Each step: its command, alone on its line, then what it does. */
function fixLines({ fix }: Cause, look: Look): readonly string[] {
  return fix.flatMap((step) => {
    const { run } = step;
    const lead = run === undefined ? '' : '  ';
    return [
      ...(run === undefined
        ? []
        : clusterBlock(run, true)
            .split('\n')
            .map((line) => paint(look, 'green', line))),
      ...wrap(clusterLine(fixWords(step), 600), look.width - INDENT - lead.length).map((line) => lead + line),
    ];
  });
}
