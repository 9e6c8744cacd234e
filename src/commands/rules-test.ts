import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { append } from '../base/lists.ts';
import { printable } from '../base/text.ts';
import { collect } from '../collect/collect.ts';
import { scan } from '../engine/scan.ts';
import type { Rule } from '../model/rule.ts';
import type { CommandContext } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';
import { gatherRules, rulesIn } from './gather-rules.ts';
import { openEvidence } from './open-evidence.ts';

/** What an example proves: that the rule is named first, or that it is not named at all. */
interface Example {
  readonly rule: string;
  readonly file: string;
  readonly kind: 'match' | 'near';
}

/**
 * Checks the rules of a folder (file, line and field of everything wrong) and plays the examples beside them: in
 * `<stage>/<name>.match….txt` the rule must be the first cause, in `<stage>/<name>.near-….txt` it must not be found.
 * The examples are anything `--from` reads.
 */
export async function runRulesTest(folder: string | undefined, context: CommandContext): Promise<ExitCode> {
  if (folder === undefined) {
    context.write(`${(await gatherRules([])).length} bundled rules are valid\n`);
    return EXIT.healthy;
  }
  const own = await rulesIn(folder);
  const rules = await gatherRules([folder]);
  const examples = await examplesIn(folder, own);
  const failures: string[] = [];
  for (const example of examples) append(failures, (await failuresOf(example, folder, rules, context)));
  const untested = own.filter(({ id }) => !examples.some(({ rule, kind }) => rule === id && kind === 'match'));
  context.write([
    `${own.length} ${own.length === 1 ? 'rule is' : 'rules are'} valid, ${examples.length - failures.length} of ${examples.length} examples pass`,
    ...failures.map((failure) => `FAILED ${failure}`),
    ...untested.map(({ id }) => `no example: ${printable(id)} (add ${printable(id)}.match.txt)`),
    '',
  ].join('\n'));
  return failures.length === 0 ? EXIT.healthy : EXIT.usage;
}

async function examplesIn(folder: string, rules: readonly Rule[]): Promise<readonly Example[]> {
  const files = (await readdir(folder, { recursive: true })).map((file) => file.split('\\').join('/')).toSorted();
  return rules.flatMap(({ id }) =>
    files.flatMap((file): readonly Example[] => {
      if (!file.startsWith(`${id}.`) || file === `${id}.yaml`) return [];
      const kind = /^(match|near)[.-]/.exec(file.slice(id.length + 1))?.[1];
      return kind === 'match' || kind === 'near' ? [{ rule: id, file, kind }] : [];
    }),
  );
}

async function failuresOf({ rule, file, kind }: Example, folder: string, rules: readonly Rule[], context: CommandContext): Promise<readonly string[]> {
  const { reader } = await openEvidence({ from: [join(folder, file)] }, context, { looseTexts: true });
  const named = scan(await collect(reader, {}), rules, {}).causes.map((cause) => cause.rule);
  const shown = printable(file);
  if (kind === 'match') return named[0] === rule ? [] : [`${shown}: expected ${rule} as the first cause, got ${named[0] ?? 'none'}`];
  return named.includes(rule) ? [`${shown}: ${rule} must not be a cause, but is`] : [];
}
