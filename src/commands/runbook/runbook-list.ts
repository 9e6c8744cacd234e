import { PodcheckError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { printable } from '../../base/text.ts';
import { shippedPlaybooks, shippedRules } from '../../catalog/bundled-data.ts';
import type { Playbook } from '../../model/playbook.ts';
import { isStage, STAGE_IDS } from '../../model/stage.ts';
import { playbookMarkdown } from '../../report/playbooks/playbook-markdown.ts';
import { playbookText } from '../../report/playbooks/playbook-text.ts';
import { tableText } from '../../report/format/table.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import type { OutputOptions } from '../options.ts';
import { dataText, outputFormat } from '../output-format.ts';
import { playbookNamed, playbooksForRule } from './runbook-books.ts';

export interface RunbookListOptions extends OutputOptions {
  readonly alert?: string;
  readonly stage?: string;
  readonly rule?: string;
}

/** The playbooks that come along, or those for an alert, a stage or a rule. */
export async function runRunbookList(options: RunbookListOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'runbook list');
  const playbooks = await chosen(options, await shippedPlaybooks());
  if (format === 'text') {
    context.write(
      playbooks.length === 0
        ? 'No matching playbook.\n'
        : tableText(
            ['PLAYBOOK', 'TITLE'],
            playbooks.map(({ name, title }) => [printable(name), printable(title)]),
            context.look,
          ),
    );
  } else {
    context.write(
      await dataText(
        playbooks.map(({ name, title, use, for: purpose, steps }) => ({
          name,
          title,
          use,
          alerts: purpose.alerts,
          rules: purpose.rules,
          stages: purpose.stages,
          steps: steps.length,
        })),
        format,
      ),
    );
  }
  return EXIT.healthy;
}

async function chosen({ alert, stage, rule }: RunbookListOptions, playbooks: readonly Playbook[]): Promise<readonly Playbook[]> {
  if (stage !== undefined && !isStage(stage))
    throw new PodcheckError('usage', `unknown stage "${stage}"`, `one of: ${STAGE_IDS.join(', ')}`);
  let found = playbooks;
  if (alert !== undefined) found = found.filter(({ for: { alerts } }) => alerts.includes(alert));
  if (stage !== undefined) found = found.filter(({ for: { stages } }) => stages.some((one) => one === stage));
  if (rule !== undefined) {
    const rules = await shippedRules();
    if (!rules.some(({ id }) => id === rule))
      throw new PodcheckError('usage', `unknown rule "${rule}"`, '`podcheck rules list` lists all rules');
    found = playbooksForRule(rule, rules, found);
  }
  return found;
}

/** One playbook in full. */
export async function runRunbookShow(word: string, options: OutputOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'runbook show');
  const { playbook } = await playbookNamed(word);
  // A playbook is data; its interfaces just do not say that it is JSON.
  context.write(
    format === 'text'
      ? playbookText(playbook, context.look)
      : format === 'markdown'
        ? playbookMarkdown(playbook)
        : await dataText(playbook as unknown as Json, format),
  );
  return EXIT.healthy;
}
