import { PodcheckError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { nearest } from '../../base/text.ts';
import { shippedFactKinds, shippedRules, shippedScenarios } from '../../catalog/bundled-data.ts';
import { collect } from '../../collect/collect.ts';
import type { FactKind } from '../../model/fact-kinds.ts';
import { FACT_KINDS, IMPLICIT_FIELDS, isFactKind } from '../../model/fact-kinds.ts';
import type { Rule } from '../../model/rule.ts';
import { patternsOf } from '../../model/rule-patterns.ts';
import { factKindsText, factKindText } from '../../report/rules/fact-kind-text.ts';
import type { FactExample } from '../../report/rules/fact-kind-text.ts';
import { playScenario } from '../../simulator/index.ts';
import type { CommandContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { gatherRules } from './gather-rules.ts';
import { dataText, outputFormat } from '../output-format.ts';
import type { RulesOptions } from './rules.ts';

/** Scenarios that are played at most until one shows a fact of the kind: each takes some tenths of a second. */
const MAX_PLAYED = 8;

/** All kinds of facts that rules may use, or one of them with its fields, an example and the rules that use it. */
export async function runRulesFacts(word: string | undefined, options: RulesOptions, context: CommandContext): Promise<ExitCode> {
  const format = outputFormat(options.output, 'rules facts');
  const kinds = await shippedFactKinds();
  if (word === undefined) {
    context.write(
      format === 'text'
        ? factKindsText(kinds, context.look)
        : await dataText(
            Object.entries(kinds).map(([kind, { says }]) => ({ kind, says })),
            format,
          ),
    );
    return EXIT.healthy;
  }
  if (!isFactKind(word)) throw unknownKind(word);
  const users = (await gatherRules(options.rules ?? [])).filter((rule) => kindsOf(rule).has(word)).map(({ id }) => id);
  const example = await exampleOf(word, users);
  if (format === 'text') context.write(factKindText(word, kinds[word], users, example, context.look));
  else {
    const { says, fields } = kinds[word];
    context.write(
      await dataText(
        {
          kind: word,
          says,
          fields: fields as unknown as Json,
          implicitFields: IMPLICIT_FIELDS as unknown as Json,
          rules: users,
          example: (example ?? null) as unknown as Json,
        },
        format,
      ),
    );
  }
  return EXIT.healthy;
}

function unknownKind(word: string): PodcheckError {
  const near = nearest(word, Object.keys(FACT_KINDS));
  return new PodcheckError(
    'usage',
    `unknown kind of fact "${word}"`,
    near.length === 0 ? '`podcheck rules facts` lists all kinds' : `did you mean ${near.join(' or ')}?`,
  );
}

function kindsOf(rule: Rule): ReadonlySet<FactKind> {
  return new Set(patternsOf(rule).map(({ fact }) => fact));
}

/** A fact of the kind from a scenario of a rule that uses it. */
async function exampleOf(kind: FactKind, users: readonly string[]): Promise<FactExample | undefined> {
  const wanted = new Set(users);
  const scenarios = (await shippedScenarios()).filter(({ expect }) => expect?.cause !== undefined && wanted.has(expect.cause));
  for (const scenario of scenarios.slice(0, MAX_PLAYED)) {
    const { cluster } = playScenario(scenario, { seed: 1 });
    const { facts } = await collect(cluster.reader(), {}, await shippedRules());
    const fact = facts.find((each) => each.kind === kind);
    if (fact !== undefined) return { scenario: scenario.id, fact };
  }
  return undefined;
}
