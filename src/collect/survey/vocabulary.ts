import { Matcher } from '../../base/wording/matcher.ts';
import { locateTemplate } from '../../base/wording/read-template.ts';
import type { FactKind } from '../../model/fact-kinds.ts';
import type { Phrase, SpokenPhrase } from '../../model/phrases.ts';
import type { Place } from '../../model/place.ts';
import type { Rule } from '../../model/rule.ts';
import type { ReadyWording } from '../../model/wording.ts';
import { framesAround, isSaidIn, maySay, readyWording } from '../../model/wording.ts';
import type { FieldValues } from './fact-sink.ts';

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
export interface Vocabulary {
  /** What the most particular wording that fits the text says as a fact of this kind. A lone text says only what names that place. */
  read<K extends FactKind>(kind: K, text: string, place: Place, reason?: string): Reading<K> | undefined;
  /** The same for every wording in the text that comes behind the one before. */
  readAll<K extends FactKind>(kind: K, text: string, place: Place): readonly Reading<K>[];
  /** The most particular wording of a phrase in the text, from an index on. */
  phrase<P extends Phrase>(phrase: P, text: string, from?: number): SpokenPhrase<P> | undefined;
  /** Whether the text begins with a wording of the phrase. */
  begins(phrase: Phrase, text: string): boolean;
}

const VOCABULARIES = new WeakMap<readonly Rule[], Vocabulary>();

/** The vocabulary of these rules, compiled once for each list of rules. */
export function vocabularyOf(rules: readonly Rule[]): Vocabulary {
  let vocabulary = VOCABULARIES.get(rules);
  if (vocabulary === undefined) {
    vocabulary = makeVocabulary(rules);
    VOCABULARIES.set(rules, vocabulary);
  }
  return vocabulary;
}

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
  const frames = [...new Set(rules.flatMap((rule) => rule.frames))];
  const ready = new Map<Phrase, readonly ReadyWording[]>();
  const framesOf = (phrase: Phrase): readonly ReadyWording[] => {
    let own = ready.get(phrase);
    if (own === undefined) ready.set(phrase, (own = frames.filter((frame) => frame.phrase === phrase).map(readyWording)));
    return own;
  };
  const phrases = new Map<Phrase, Matcher<ReadyWording>>();
  const phraseMatcher = (phrase: Phrase): Matcher<ReadyWording> => {
    let matcher = phrases.get(phrase);
    if (matcher === undefined) {
      matcher = new Matcher(framesOf(phrase));
      phrases.set(phrase, matcher);
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
    phrase(phrase, text, from = 0) {
      const found = phraseMatcher(phrase).best(from === 0 ? text : text.slice(from), () => true);
      if (found === undefined) return undefined;
      // The catalog has made sure that a phrase captures what its name says.
      const captured = Object.fromEntries(Object.entries(found.captured).map(([name, value]) => [name, String(value)]));
      return { captured, start: found.start + from, end: found.end + from } as SpokenPhrase<typeof phrase>;
    },
    begins(phrase, text) {
      return framesOf(phrase).some(({ template }) => locateTemplate(template, text, text)?.start === 0);
    },
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
