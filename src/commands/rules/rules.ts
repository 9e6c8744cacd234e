import { PodcheckError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { nearest, printable } from '../../base/text.ts';
import type { Rule } from '../../model/rule.ts';
import type { StageId } from '../../model/stage.ts';
import { STAGE_IDS, stageOrder } from '../../model/stage.ts';
import type { Look } from '../../report/format/text-style.ts';
import { paint } from '../../report/format/text-style.ts';
import { ruleText } from '../../report/rules/rule-text.ts';
import { tableText } from '../../report/format/table.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { gatherRules } from './gather-rules.ts';
import type { OutputOptions, RuleOptions } from '../options.ts';
import { dataText, outputFormat } from '../output-format.ts';

export interface RulesOptions extends RuleOptions, OutputOptions {}

/** All rules, in the order of the stages they are about. */
export async function runRulesList(options: RulesOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'rules list');
  const rules = (await gatherRules(options.rules ?? [])).toSorted(
    (a, b) => stageOrder(a.stage) - stageOrder(b.stage) || (a.id < b.id ? -1 : 1),
  );
  if (format === 'text') {
    context.write(
      STAGE_IDS.flatMap((stage) =>
        stageTable(
          stage,
          rules.filter((rule) => rule.stage === stage),
          context.look,
        ),
      ).join('\n'),
    );
  } else {
    context.write(
      await dataText(
        rules.map(({ id, stage, kind, title }) => ({ id, stage, kind, title })),
        format,
      ),
    );
  }
  return EXIT.healthy;
}

/** A stage with its rules, whose ids begin with it; a table of its own, for ids are short in one stage and long in another. */
function stageTable(stage: StageId, rules: readonly Rule[], look: Look): readonly string[] {
  if (rules.length === 0) return [];
  const rows = rules.map(({ id, kind, title }) => [
    `  ${printable(id.slice(stage.length + 1))}`,
    printable(kind === 'symptom' ? `${title} (symptom)` : title),
  ]);
  return [`${paint(look, 'bold', `${stage}/`)}\n${tableText(['', ''], rows, look)}`];
}

/** One rule in full. */
export async function runRulesShow(id: string, options: RulesOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'rules show');
  const rules = await gatherRules(options.rules ?? []);
  const rule = rules.find((candidate) => candidate.id === id);
  if (rule === undefined) throw unknownRule(id, rules);
  // A rule is data; its interfaces just do not say that it is JSON.
  context.write(format === 'text' ? ruleText(rule, context.look) : await dataText(rule as unknown as Json, format));
  return EXIT.healthy;
}

function unknownRule(id: string, rules: readonly Rule[]): PodcheckError {
  const inStage = rules.filter((rule) => rule.stage === id).map((rule) => rule.id);
  const near =
    inStage.length > 0
      ? inStage.slice(0, 5)
      : nearest(
          id,
          rules.map((rule) => rule.id),
        );
  return new PodcheckError(
    'usage',
    `unknown rule "${id}"`,
    near.length === 0 ? '`podcheck rules list` lists all rules' : `did you mean ${near.join(' or ')}?`,
  );
}
