import { PodcheckError } from '../base/errors.ts';
import { nearest } from '../base/text.ts';
import type { Reason } from '../catalog/reasons/reason.ts';
import { REASONS, reasonNamed } from '../catalog/reasons.ts';
import { shippedPlaybooks } from '../catalog/bundled-data.ts';
import type { Playbook } from '../model/playbook.ts';
import type { Rule } from '../model/rule.ts';
import { wordingsOf } from '../model/wording.ts';
import { isStage, STAGE_IDS } from '../model/stage.ts';
import { hanging } from '../report/diagnosis/cause-lines.ts';
import type { Look } from '../report/format/text-style.ts';
import { paint, shown } from '../report/format/text-style.ts';
import { playbookText } from '../report/playbooks/playbook-text.ts';
import { ruleText, stageText } from '../report/rules/rule-text.ts';
import type { CommandContext } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';
import { gatherRules } from './rules/gather-rules.ts';
import type { RuleOptions } from './options.ts';

/**
 * What a stage, a rule, a playbook (`playbook/crash-loop`) or a word of Kubernetes means. Words may come unquoted: `podcheck explain
 * Insufficient cpu`.
 */
export async function runExplain(words: readonly string[], options: RuleOptions, context: CommandContext): Promise<ExitCode> {
  context.write(await explained(words.join(' ').trim(), options, context.look));
  return EXIT.healthy;
}

/** What a word means, for a person. Throws a PodcheckError for one that nobody knows. */
export async function explained(word: string, options: RuleOptions, look: Look): Promise<string> {
  const rules = await gatherRules(options.rules ?? []);
  return explanation(word, { rules, playbooks: await shippedPlaybooks() }, look);
}

interface Known {
  readonly rules: readonly Rule[];
  readonly playbooks: readonly Playbook[];
}

function explanation(word: string, { rules, playbooks }: Known, look: Look): string {
  const playbook = playbooks.find(({ name }) => word === `playbook/${name}` || (word === name && !isStage(word)));
  if (playbook !== undefined) return playbookText(playbook, look);
  if (isStage(word)) return stageText(word, rules, look);
  const rule = rules.find(({ id }) => id === word) ?? onlyOne(rules.filter(({ id }) => id.endsWith(`/${word}`)));
  if (rule !== undefined) return ruleText(rule, look);
  const reason =
    reasonNamed(word) ?? onlyOne(REASONS.filter((known) => word.length > 3 && known.reason.toLowerCase().includes(word.toLowerCase())));
  if (reason !== undefined) return reasonText(reason, rules, look);
  const near = nearest(word.toLowerCase(), [
    ...STAGE_IDS,
    ...rules.flatMap(({ id }) => [id, id.slice(id.indexOf('/') + 1)]),
    ...REASONS.map((known) => known.reason.toLowerCase()),
  ]);
  throw new PodcheckError(
    'usage',
    `"${word}" is not a known stage, rule, status reason or playbook`,
    near.length === 0
      ? 'list the rules with `podcheck rules list`; explain a stage with `podcheck explain volumes`'
      : `did you mean ${near.map(properly).join(' or ')}?`,
  );
}

function reasonText({ reason, stage, seen, means, source, rules: first }: Reason, rules: readonly Rule[], look: Look): string {
  const named = first.flatMap((id) => rules.find((rule) => rule.id === id) ?? []);
  const looking = [...new Set([...named, ...rules.filter((rule) => mentions(rule, reason))])];
  const lines = [
    paint(look, 'bold', `${reason} (${seen}, stage ${stage})`),
    '',
    ...hanging('  ', means, look),
    ...hanging('  Source: ', source, look),
    ...listed('Rules for it', looking, look),
    '',
    `  podcheck explain ${stage} lists all rules of the stage.`,
  ];
  return shown(look, lines);
}

function listed(title: string, rules: readonly Rule[], look: Look): readonly string[] {
  if (rules.length === 0) return [];
  return [
    '',
    paint(look, 'dim', `  ${title}`),
    ...rules.flatMap(({ id, title: what }) => [`    ${id}`, ...hanging('        ', what, look)]),
  ];
}

/** Whether a value that the rule's patterns compare with is, or holds, the word. */
function mentions(rule: Rule, word: string): boolean {
  const wanted = word.toLowerCase();
  const patterns = [...rule.when.all, ...rule.when.any.flat(), ...rule.support];
  const said = wordingsOf(rule).some(
    ({ reason, text }) => reason.some((each) => each.toLowerCase() === wanted) || text.toLowerCase().includes(wanted),
  );
  return said || patterns.some(({ where }) => JSON.stringify(where).toLowerCase().includes(wanted));
}

function onlyOne<T>(candidates: readonly T[]): T | undefined {
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** A reason as Kubernetes writes it. */
function properly(word: string): string {
  return reasonNamed(word)?.reason ?? word;
}
