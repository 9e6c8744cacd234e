import { onceEach } from '../../base/once.ts';
import { Matcher } from '../../base/wording/matcher.ts';
import type { FactKind } from '../../model/fact-kinds.ts';
import type { Place } from '../../model/place.ts';
import type { Rule } from '../../model/rule.ts';
import type { ReadyWording } from '../../model/wording.ts';
import { framesAround, isSaidIn, maySay, readyWording } from '../../model/wording.ts';
import type { Asks } from './asked-facts.ts';
import { asksOf } from './asked-facts.ts';
import type { FieldValues } from './fact-sink.ts';
import type { Phrases } from './phrases-of.ts';
import { phrasesOf } from './phrases-of.ts';

/** What a wording of the rules says in a text. */
export interface Reading<K extends FactKind> {
  /** What the wording and the frames around it capture, and what the rule adds. */
  readonly fields: FieldValues<K>;
  /** The text from where the wording begins up to the end of its line. */
  readonly words: string;
  /** Where the wording ends in the text. */
  readonly end: number;
}

/** The wordings of which collectors make facts: rules have them, and what they mean is nowhere else. */
export interface Vocabulary extends Phrases {
  /** What the most particular wording that fits the text says as a fact of this kind. A lone text says only what names that place. */
  read<K extends FactKind>(kind: K, text: string, place: Place, reason?: string): Reading<K> | undefined;
  /** The same for every wording in the text that comes behind the one before. */
  readAll<K extends FactKind>(kind: K, text: string, place: Place): readonly Reading<K>[];
  readonly asks: Asks;
}

/** The vocabulary of these rules, compiled once for each list of rules. */
export const vocabularyOf = onceEach(makeVocabulary);

interface Ready extends ReadyWording {
  readonly rule: Rule;
}

function makeVocabulary(rules: readonly Rule[]): Vocabulary {
  const matchers = new Map<FactKind, Matcher<Ready>>();
  const matcherOf = (kind: FactKind): Matcher<Ready> => {
    let matcher = matchers.get(kind);
    if (matcher === undefined) {
      matcher = new Matcher(
        rules.flatMap((rule) =>
          rule.tells.filter(({ fact }) => fact === kind).map((wording): Ready => ({ rule, ...readyWording(wording) })),
        ),
      );
      matchers.set(kind, matcher);
    }
    return matcher;
  };
  const read: Vocabulary['read'] = (kind, text, place, reason) => {
    const words = { place, reason, text };
    const found = matcherOf(kind).best(text, ({ wording, template }) =>
      place === 'text' ? isSaidIn(wording, place) : maySay(wording, template.literal, words),
    );
    if (found === undefined) return undefined;
    const { rule, wording } = found.wording;
    // The catalog has made sure that these are fields of the fact.
    const fields = { ...framesAround(rule, kind, words), ...found.captured, ...wording.as } as Reading<typeof kind>['fields'];
    return { fields, words: text.slice(found.start, lineEnd(text, found.start)).trim(), end: found.end };
  };
  return {
    read,
    ...phrasesOf(rules),
    asks: asksOf(rules),
    readAll(kind, text, place) {
      const readings = [];
      for (let rest = text; readings.length < READINGS;) {
        const reading = read(kind, rest, place);
        if (reading === undefined) break;
        readings.push(reading);
        rest = rest.slice(reading.end);
      }
      return readings;
    },
  };
}

/** A text that says more than this is cut. */
const READINGS = 20;

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
