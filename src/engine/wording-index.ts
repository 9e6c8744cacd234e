import { Matcher } from '../base/wording/matcher.ts';
import type { Captured } from '../base/wording/read-template.ts';
import { onceEach } from '../base/once.ts';
import type { Rule, Wording } from '../model/rule.ts';
import type { ReadyWording, Words } from '../model/wording.ts';
import { framesAround, isSaidIn, maySay, readyWording } from '../model/wording.ts';

/** What a text says. */
export interface Heard {
  readonly rule: Rule;
  readonly wording: Wording;
  /** What the wording captured. */
  readonly captured: Captured;
  /** What the frames around it captured. */
  readonly around: Captured;
}

/** The wordings of all rules, ready to be held against texts. */
export interface Ear {
  hears(words: Words): Heard | undefined;
}

/**
 * The ear for these rules: compiling a thousand wordings takes some milliseconds and is done once for each list of rules, which is less
 * than it would take to read what was compiled at build.
 */
export const earFor = onceEach(makeEar);

interface Ready extends ReadyWording {
  readonly rule: Rule;
}

function makeEar(rules: readonly Rule[]): Ear {
  const ready = rules.flatMap((rule) =>
    rule.says.filter(({ text }) => text !== '').map((wording): Ready => ({ rule, ...readyWording(wording) })),
  );
  const matcher = new Matcher(ready);
  const byReason = new Map(
    rules.flatMap((rule) =>
      rule.says
        .filter(({ text }) => text === '')
        .flatMap((wording) => wording.reason.map((reason) => [reason, { rule, wording }] as const)),
    ),
  );
  return {
    hears(words) {
      const found = matcher.best(words.text, ({ wording, template }) => maySay(wording, template.literal, words));
      if (found !== undefined)
        return {
          rule: found.wording.rule,
          wording: found.wording.wording,
          captured: found.captured,
          around: framesAround(found.wording.rule, undefined, words),
        };
      const alone = words.reason === undefined ? undefined : byReason.get(words.reason);
      return alone === undefined || !isSaidIn(alone.wording, words.place)
        ? undefined
        : { ...alone, captured: {}, around: framesAround(alone.rule, undefined, words) };
    },
  };
}
