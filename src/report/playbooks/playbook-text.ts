import { printable } from '../../base/text.ts';
import type { Playbook, PlaybookStep } from '../../model/playbook.ts';
import { withPlaceholders } from '../../model/placeholders.ts';
import { hanging } from '../diagnosis/cause-lines.ts';
import { clusterLine } from '../format/cluster-text.ts';
import type { Look } from '../format/text-style.ts';
import { paint, shown } from '../format/text-style.ts';
import { conditionWords, paramWords, purposeWords, stepDetails } from './playbook-words.ts';

/** A playbook for a person: what it is for, each step with its command and what the answer tells, and when to call for help. */
export function playbookText(
  { name, title, use, for: purpose, params, preconditions, steps, rollback, escalation }: Playbook,
  look: Look,
): string {
  const lines = [
    paint(look, 'bold', clusterLine(title)),
    paint(look, 'dim', `playbook ${clusterLine(name)}`),
    '',
    ...hanging('  ', use, look),
    ...purposeWords(purpose).flatMap((line) => hanging('  ', line, look)),
    ...listed('  Parameters', params.map(paramWords), look),
    ...listed(
      '  Before',
      preconditions.map(({ say, when }) => `${withPlaceholders(say)} (${conditionWords(when)})`),
      look,
    ),
    ...steps.flatMap((step, index) => stepLines(step, `  ${String(index + 1)}. `, look)),
    ...(rollback.length === 0 ? [] : ['', paint(look, 'dim', '  Rollback')]),
    ...rollback.flatMap((step, index) => stepLines(step, `  ${String(index + 1)}. `, look)),
    '',
    ...hanging(
      '  Escalation     ',
      withPlaceholders(
        [
          escalation.say,
          ...(escalation.to === undefined ? [] : [`Call ${escalation.to}.`]),
          ...(escalation.bring.length === 0 ? [] : [`Bring: ${escalation.bring.join(', ')}.`]),
        ].join(' '),
      ),
      look,
    ),
  ];
  return shown(look, lines);
}

function stepLines(step: PlaybookStep, lead: string, look: Look): readonly string[] {
  const details = stepDetails(step);
  return [
    '',
    ...hanging(lead, `${withPlaceholders(step.say)} (${step.id})`, look),
    ...details.flatMap(({ kind, text }) =>
      kind === 'command'
        ? printable(text)
            .split('\n')
            .map((line) => `     ${paint(look, 'green', line)}`)
        : hanging('     ', text, look),
    ),
  ];
}

function listed(title: string, lines: readonly string[], look: Look): readonly string[] {
  return lines.length === 0 ? [] : ['', paint(look, 'dim', title), ...lines.flatMap((line) => hanging('    ', line, look))];
}
