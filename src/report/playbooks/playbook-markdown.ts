import type { Playbook, PlaybookStep } from '../../model/playbook.ts';
import { withPlaceholders } from '../../model/placeholders.ts';
import type { Markdown } from '../format/markdown-words.ts';
import { BLANK, code, document, fenced, marked } from '../format/markdown-words.ts';
import { conditionWords, paramWords, purposeWords, stepDetails } from './playbook-words.ts';

/** A playbook as a page of a wiki. */
export function playbookMarkdown({
  name,
  title,
  use,
  for: purpose,
  owner,
  reviewed,
  params,
  preconditions,
  steps,
  rollback,
  escalation,
}: Playbook): string {
  return document([
    marked`# ${title}`,
    BLANK,
    marked`${use}`,
    BLANK,
    marked`Run it with ${code(`podcheck runbook run ${name}`)}.`,
    ...section('For', purposeWords(purpose)),
    ...section('Parameters', params.map(paramWords)),
    ...section(
      'Before',
      preconditions.map(({ say, when }) => `${withPlaceholders(say)} (${conditionWords(when)})`),
    ),
    BLANK,
    marked`## Steps`,
    ...steps.flatMap(stepSection),
    ...(rollback.length === 0 ? [] : [BLANK, marked`## To go back`, ...rollback.flatMap(stepSection)]),
    BLANK,
    marked`## Call for help`,
    BLANK,
    marked`${withPlaceholders(escalation.say)}`,
    ...(escalation.to === undefined ? [] : [BLANK, marked`Call ${escalation.to}.`]),
    ...(escalation.bring.length === 0
      ? []
      : [BLANK, marked`Have at hand:`, BLANK, ...escalation.bring.map((one) => marked`- ${withPlaceholders(one)}`)]),
    ...(owner === undefined && reviewed === undefined
      ? []
      : [BLANK, marked`Owner: ${owner ?? 'nobody'}. Last read over: ${reviewed ?? 'never'}.`]),
  ]);
}

function stepSection(step: PlaybookStep, index: number): readonly Markdown[] {
  const details = stepDetails(step);
  const commands = details.filter(({ kind }) => kind === 'command');
  const words = details.filter(({ kind }) => kind === 'words');
  return [
    BLANK,
    marked`${index + 1}. **${withPlaceholders(step.say)}** (${code(step.id)})`,
    ...(commands.length === 0 ? [] : [BLANK, ...fenced(commands.map(({ text }) => text.replaceAll('\n', ' ')).join('\n'), '   ', 'sh')]),
    ...(words.length === 0 ? [] : [BLANK, ...words.map(({ text }) => marked`   - ${text}`)]),
  ];
}

function section(title: string, lines: readonly string[]): readonly Markdown[] {
  return lines.length === 0 ? [] : [BLANK, marked`## ${title}`, BLANK, ...lines.map((line) => marked`- ${line}`)];
}
