import type { Evidence } from '../model/diagnosis.ts';
import type { Fact, Scalar } from '../model/fact.ts';
import type { FactKind } from '../model/fact-kinds.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import type { Place } from '../model/place.ts';
import type { Rule } from '../model/rule.ts';
import type { SpokenField } from '../model/spoken-fields.ts';
import { SPOKEN_FIELDS } from '../model/spoken-fields.ts';
import type { Words } from '../model/wording.ts';
import type { Ear, Heard } from './wording-index.ts';
import { earFor } from './wording-index.ts';
import { withoutStale } from './outdated-wordings.ts';

/**
 * `said` facts: every text of the evidence in which a wording of a rule stands. A text says one thing, by the most particular wording
 * that fits it. What is over by now is left out.
 */
export function hear({ facts, at }: Pick<Evidence, 'facts' | 'at'>, rules: readonly Rule[]): readonly Fact[] {
  const ear = earFor(rules);
  return withoutStale(
    facts.flatMap((fact) => wordsOf(fact).flatMap((words) => saidFact(fact, words, ear) ?? [])),
    facts,
    at,
  );
}

function wordsOf(fact: Fact): readonly Words[] {
  const fields = SPOKEN.get(fact.kind);
  return fields === undefined ? [] : fields.flatMap((spoken) => wordsIn(fact, spoken));
}

const SPOKEN: ReadonlyMap<FactKind, readonly SpokenField[]> = new Map(
  SPOKEN_FIELDS.map(({ fact }) => [fact, SPOKEN_FIELDS.filter((spoken) => spoken.fact === fact)]),
);

function wordsIn({ fields }: Fact, { place, field, reason, only, lines }: SpokenField): readonly Words[] {
  if (only !== undefined && fields[only.field] !== only.value) return [];
  const [text, machineWord] = [fields[field], reason === undefined ? undefined : fields[reason]];
  if (text === undefined && machineWord === undefined) return [];
  const texts = text === undefined ? [''] : lines === true ? String(text).split('\n') : [String(text)];
  return texts.map((each) => ({
    place,
    reason: machineWord === undefined ? undefined : String(machineWord),
    text: QUOTING.has(place) ? each.replaceAll('\\"', '"') : each,
  }));
}

/** Where a text mostly stands within another one, with its quotation marks escaped. */
const QUOTING: ReadonlySet<Place> = new Set(['pull', 'start', 'log', 'journal', 'text']);

function saidFact(fact: Fact, words: Words, ear: Ear): Fact | undefined {
  const heard = ear.hears(words);
  if (heard === undefined) return undefined;
  const { rule, wording, captured, around } = heard;
  const about = aboutOf(fact, heard);
  // Among objects that were seen, words about none of them are talk.
  if (about.kind === 'Text' && fact.fields['alone'] !== true) return undefined;
  const fields = {
    ...around,
    ...fact.fields,
    ...captured,
    ...wording.as,
    rule: rule.id,
    stage: rule.stage,
    in: words.place,
    words: words.text,
  };
  const quote = words.place === 'journal' && !fact.quote.includes(words.text) ? `${fact.quote}\n${words.text.trim()}` : fact.quote;
  return { ...fact, kind: 'said', about, quote, fields: words.reason === undefined ? fields : { ...fields, reason: words.reason } };
}

/** A lone text is about the object that it names, if it names one. */
function aboutOf({ kind, about }: Fact, { captured, around }: Heard): ObjectRef {
  if (kind !== 'text' || about.kind !== 'Text') return about;
  const { pod, node, namespace } = { ...around, ...captured } as Readonly<Record<string, Scalar>>;
  if (pod !== undefined) return { kind: 'Pod', ...(namespace === undefined ? {} : { namespace: String(namespace) }), name: String(pod) };
  return node === undefined ? about : { kind: 'Node', name: String(node) };
}
