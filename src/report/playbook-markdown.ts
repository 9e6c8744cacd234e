import { printable } from '../base/text.ts';
import type { Playbook, PlaybookStep } from '../model/playbook.ts';
import { withPlaceholders } from '../model/words.ts';
import { code, document, escaped } from './markdown-words.ts';
import { conditionWords, paramWords, purposeWords, stepDetails } from './playbook-words.ts';

/** A playbook as a page of a wiki. */
export function playbookMarkdown({ name, title, use, for: purpose, owner, reviewed, params, preconditions, steps, rollback, escalation }: Playbook): string {
  return document([
    `# ${escaped(title)}`,
    '',
    escaped(use),
    '',
    `Run it with ${code(`podcheck runbook run ${name}`)}.`,
    ...section('For', purposeWords(purpose)),
    ...section('Parameters', params.map(paramWords)),
    ...section('Before', preconditions.map(({ say, when }) => `${withPlaceholders(say)} (${conditionWords(when)})`)),
    '',
    '## Steps',
    ...steps.flatMap(stepSection),
    ...(rollback.length === 0 ? [] : ['', '## To go back', ...rollback.flatMap(stepSection)]),
    '',
    '## Call for help',
    '',
    escaped(withPlaceholders(escalation.say)),
    ...(escalation.to === undefined ? [] : ['', `Call ${escaped(escalation.to)}.`]),
    ...(escalation.bring.length === 0 ? [] : ['', 'Have at hand:', '', ...escalation.bring.map((one) => `- ${escaped(withPlaceholders(one))}`)]),
    ...(owner === undefined && reviewed === undefined ? [] : ['', `Owner: ${escaped(owner ?? 'nobody')}. Last read over: ${escaped(reviewed ?? 'never')}.`]),
  ]);
}

function stepSection(step: PlaybookStep, index: number): readonly string[] {
  const details = stepDetails(step);
  const commands = details.filter(({ kind }) => kind === 'command');
  const words = details.filter(({ kind }) => kind === 'words');
  return [
    '',
    `${index + 1}. **${escaped(withPlaceholders(step.say))}** (${code(step.id)})`,
    ...(commands.length === 0 ? [] : ['', '   ```sh', ...commands.map(({ text }) => `   ${printable(text).replaceAll('`', "'").replaceAll('\n', ' ')}`), '   ```']),
    ...(words.length === 0 ? [] : ['', ...words.map(({ text }) => `   - ${escaped(text)}`)]),
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines.map((line) => `- ${escaped(line)}`)];
}
