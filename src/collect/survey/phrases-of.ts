import { Matcher } from '../../base/wording/matcher.ts';
import { locateTemplate } from '../../base/wording/read-template.ts';
import type { Phrase, SpokenPhrase } from '../../model/phrases.ts';
import type { Rule } from '../../model/rule.ts';
import type { ReadyWording } from '../../model/wording.ts';
import { readyWording } from '../../model/wording.ts';

/** The phrases that stand in the frames of the rules. */
export interface Phrases {
  /** The most particular wording of a phrase in the text, from an index on. */
  phrase<P extends Phrase>(phrase: P, text: string, from?: number): SpokenPhrase<P> | undefined;
  /** Whether the text begins with a wording of the phrase. */
  begins(phrase: Phrase, text: string): boolean;
}

interface Compiled {
  readonly wordings: readonly ReadyWording[];
  readonly matcher: Matcher<ReadyWording>;
}

/** Each phrase is compiled when it is first asked for. */
export function phrasesOf(rules: readonly Rule[]): Phrases {
  const all = [...new Set(rules.flatMap((rule) => rule.frames.phrases))];
  const known = new Map<Phrase, Compiled>();
  const compiled = (phrase: Phrase): Compiled => {
    let found = known.get(phrase);
    if (found === undefined) {
      const wordings = all.filter((wording) => wording.phrase === phrase).map(readyWording);
      found = { wordings, matcher: new Matcher(wordings) };
      known.set(phrase, found);
    }
    return found;
  };
  return {
    phrase(phrase, text, from = 0) {
      const found = compiled(phrase).matcher.best(from === 0 ? text : text.slice(from), () => true);
      if (found === undefined) return undefined;
      // The catalog has made sure that a phrase captures what its name says.
      const captured = Object.fromEntries(Object.entries(found.captured).map(([name, value]) => [name, String(value)]));
      return { captured, start: found.start + from, end: found.end + from } as SpokenPhrase<typeof phrase>;
    },
    begins(phrase, text) {
      return compiled(phrase).wordings.some(({ template }) => locateTemplate(template, text, text)?.start === 0);
    },
  };
}
