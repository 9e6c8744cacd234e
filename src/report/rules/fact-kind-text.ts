import type { Fact } from '../../model/fact.ts';
import type { FactKind } from '../../model/fact-kinds.ts';
import { IMPLICIT_FIELDS } from '../../model/fact-kinds.ts';
import type { FactKindSpec, FieldSpec } from '../../model/fact-kinds/spec.ts';
import { formatRef } from '../../model/kube-object.ts';
import { hanging } from '../diagnosis/cause-lines.ts';
import { clusterLine } from '../format/cluster-text.ts';
import { tableText } from '../format/table.ts';
import type { Look } from '../format/text-style.ts';
import { paint, shown } from '../format/text-style.ts';

/** One fact of a kind, and the scenario that shows it. */
export interface FactExample {
  readonly scenario: string;
  readonly fact: Fact;
}

/** All kinds of facts, by name, with what each says. */
export function factKindsText(kinds: Readonly<Record<FactKind, FactKindSpec>>, look: Look): string {
  return tableText(
    ['FACT', 'WHAT IT SAYS'],
    Object.entries(kinds)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([kind, { says }]) => [kind, says]),
    look,
  );
}

/** One kind for the author of a rule: its fields with their types, the rules that use it, and a fact of a simulated cluster. */
export function factKindText(
  kind: FactKind,
  spec: FactKindSpec,
  rules: readonly string[],
  example: FactExample | undefined,
  look: Look,
): string {
  return [
    shown(look, [paint(look, 'bold', kind), '', ...hanging('  ', spec.says, look), '']),
    fieldTable('  FIELD', spec.fields, look),
    '\n',
    fieldTable('  FIELD OF ALL FACTS', IMPLICIT_FIELDS, look),
    shown(look, [
      '',
      ...exampleLines(example, look),
      paint(look, 'dim', rules.length === 0 ? 'No rule uses it.' : `Rules that use it (${rules.length})`),
      ...rules.map((id) => `  ${id}`),
    ]),
  ].join('');
}

function fieldTable(head: string, fields: Readonly<Record<string, FieldSpec>>, look: Look): string {
  return tableText(
    [head, 'TYPE', 'MEANING'],
    Object.entries(fields).map(([name, { type, says, oneOf }]) => [
      `  ${name}`,
      type,
      oneOf === undefined ? says : `${says}: ${oneOf.join(', ')}`,
    ]),
    look,
  );
}

function exampleLines(example: FactExample | undefined, look: Look): readonly string[] {
  if (example === undefined) return ['No example: no scenario of these rules shows it.', ''];
  const { scenario, fact } = example;
  const fields = Object.entries(fact.fields).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`,
  );
  return [
    paint(look, 'dim', `Example: scenario ${scenario}`),
    ...hanging('  about    ', formatRef(fact.about), look),
    ...fields.flatMap((field, index) => hanging(index === 0 ? '  fields   ' : '           ', clusterLine(field, 400), look)),
    ...hanging('  source   ', clusterLine(fact.source, 400), look),
    ...(fact.quote === '' ? [] : hanging('  quote    ', clusterLine(fact.quote, 400), look)),
    '',
  ];
}
