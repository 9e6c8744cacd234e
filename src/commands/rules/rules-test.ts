import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { PodcheckError } from '../../base/errors.ts';
import { didYouMean, printable } from '../../base/text.ts';
import { shippedScenarios } from '../../catalog/bundled-data.ts';
import type { Rule } from '../../model/rule.ts';
import { isStage } from '../../model/stage.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { gatherRules, mergeRules, rulesIn } from './gather-rules.ts';
import type { RuleSituation } from './rule-situations.ts';
import { failureOf, played, situationsIn } from './rule-situations.ts';

/** Which rules are tested: those of a folder (of the bundled ones without it) whose ids begin so. */
interface Chosen {
  readonly folder?: string;
  readonly prefix: string;
}

/**
 * Checks rules (file, line, column and field of everything wrong) and tries them on the situations beside them. `word` is a folder of
 * rules, the folder of a stage, a rule's file, or an id: of a rule in `rules/` of the working folder where it has one, else of a bundled
 * one.
 */
export async function runRulesTest(word: string | undefined, context: CommandContext): Promise<ExitCode> {
  if (word === undefined) {
    context.write(`${(await gatherRules([])).length} bundled rules are valid\n`);
    return EXIT.healthy;
  }
  const { folder, prefix } = chosen(word, context.workingFolder);
  const shipped = await gatherRules([]);
  const own = folder === undefined ? shipped : await rulesIn(folder);
  const tested = own.filter(({ id }) => prefix === '' || id === prefix || id.startsWith(`${prefix}/`));
  if (tested.length === 0) throw unknownRule(word, own);
  const rules = folder === undefined ? shipped : mergeRules(shipped, own);
  const ids = tested.map(({ id }) => id);
  const situations =
    folder === undefined
      ? (await shippedScenarios()).map((scenario) => played(scenario)).filter(({ rule }) => ids.includes(rule))
      : await situationsIn(folder, ids);
  return tried(tested, situations, rules, context);
}

async function tried(
  tested: readonly Rule[],
  situations: readonly RuleSituation[],
  rules: readonly Rule[],
  context: CommandContext,
): Promise<ExitCode> {
  const failures: string[] = [];
  for (const situation of situations) {
    context.signal.throwIfAborted();
    const failure = await context.progress(`trying ${printable(situation.name)}`, () => failureOf(situation, rules, context));
    if (failure !== undefined) failures.push(`FAILED ${printable(situation.name)}: ${printable(failure)}`);
  }
  const untested = tested.filter(({ id }) => !situations.some(({ rule, kind }) => rule === id && kind === 'match'));
  context.write(
    [
      `${tested.length} ${tested.length === 1 ? 'rule is' : 'rules are'} valid, ${situations.length - failures.length} of ${situations.length} ${situations.length === 1 ? 'situation passes' : 'situations pass'}`,
      ...failures,
      ...untested.map(({ id }) => `no situation: ${printable(id)} (add ${printable(id)}.match.txt or ${printable(id)}.scenario.yaml)`),
      '',
    ].join('\n'),
  );
  return failures.length === 0 ? EXIT.healthy : EXIT.usage;
}

/** Files are named like ids: the folder of a stage stands in a folder of rules, and a rule's file in that of its stage. */
function chosen(word: string, workingFolder: string): Chosen {
  const path = resolve(workingFolder, word);
  const kind = statSync(path, { throwIfNoEntry: false });
  if (kind?.isFile() === true && path.endsWith('.yaml'))
    return { folder: dirname(dirname(path)), prefix: `${basename(dirname(path))}/${basename(path).split('.', 1)[0] ?? ''}` };
  if (kind?.isDirectory() === true)
    return isStage(basename(path)) ? { folder: dirname(path), prefix: basename(path) } : { folder: path, prefix: '' };
  const rules = join(workingFolder, 'rules');
  return existsSync(join(rules, `${word}.yaml`)) || (isStage(word) && existsSync(join(rules, word)))
    ? { folder: rules, prefix: word }
    : { prefix: word };
}

function unknownRule(word: string, rules: readonly Rule[]): PodcheckError {
  return new PodcheckError(
    'usage',
    `"${word}" is neither a folder nor a rule${didYouMean(
      word,
      rules.map(({ id }) => id),
    )}`,
    'give a folder with <stage>/<name>.yaml, a file, or an ID of `podcheck rules list`',
  );
}
