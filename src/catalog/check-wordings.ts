import type { Matchable } from '../base/wording/matcher.ts';
import { Matcher } from '../base/wording/matcher.ts';
import type { Template } from '../base/wording/template.ts';
import { PLACES } from '../model/place.ts';
import type { FactKind } from '../model/fact-kinds.ts';
import type { Rule, Wording } from '../model/rule.ts';
import { isSaidIn, maySay, readyWording, templateOf, wordingsOf } from '../model/wording.ts';
import type { RuleFile } from './rule-files.ts';
import { openYaml } from './yaml-cursor.ts';
import type { Problem } from './yaml-problem.ts';

/** Finds wordings that can never win, in rules that are each valid by themselves. */
export function checkWordings(rules: readonly Rule[], files: readonly RuleFile[], others: readonly Rule[], problems: Problem[]): void {
  const all = [...rules, ...others.filter(({ id }) => !rules.some((rule) => rule.id === id))];
  const kinds = new Set(all.flatMap((rule) => wordingsOf(rule).map(({ fact }) => fact)));
  for (const { rule, index, by, fact } of [...kinds].flatMap((kind) => beatenWordings(rules, all, kind))) {
    const { file = '', source = '' } = files.find(({ id }) => id === rule.id) ?? {};
    const items = openYaml(file, source, problems).entries().get('says')?.items() ?? [];
    const item = items.filter((one) => one.entries().has('fact') === (fact !== undefined))[index];
    const why = by === rule ? 'the rule has it twice' : `${by.id} says the same in the same places`;
    item?.problem(`this wording can never win: ${why}`);
  }
}

interface Entry {
  readonly rule: Rule;
  readonly wording: Wording;
  /** Its place among the rule's wordings. */
  readonly index: number;
}

interface Beaten extends Pick<Entry, 'rule' | 'index'> {
  readonly fact: FactKind | undefined;
  readonly by: Rule;
}

/**
 * Wordings of these rules about one kind of fact that lose against another one even on the very text they describe, wherever it is said.
 */
function beatenWordings(rules: readonly Rule[], all: readonly Rule[], fact: FactKind | undefined): readonly Beaten[] {
  const entries = all.flatMap((rule) =>
    (fact === undefined ? rule.says : rule.tells)
      .map((wording, index): Entry => ({ rule, wording, index }))
      .filter(({ wording }) => wording.fact === fact),
  );
  const worded = entries.filter(({ wording }) => wording.text !== '').map((entry) => ({ ...entry, ...readyWording(entry.wording) }));
  const matcher = new Matcher(worded);
  return entries
    .filter(({ rule }) => rules.includes(rule))
    .flatMap(({ rule, wording, index }) => {
      const by = wording.text === '' ? sameReason(entries, wording) : winnerOver(matcher, wording);
      return by === undefined ? [] : [{ rule, index, by, fact }];
    });
}

/** The rule that wins wherever the wording may be said; undefined if the wording wins somewhere itself. */
function winnerOver(matcher: Matcher<Entry & Matchable>, wording: Wording): Rule | undefined {
  const text = sampleOf(templateOf(wording));
  let by: Rule | undefined;
  for (const place of wording.in.length === 0 ? PLACES : wording.in) {
    for (const reason of wording.reason.length === 0 ? [undefined] : wording.reason) {
      const best = matcher.best(text, (entry) => maySay(entry.wording, entry.template.literal, { place, reason }))?.wording;
      if (best === undefined || best.wording === wording) return undefined;
      by = best.rule;
    }
  }
  return by;
}

/** A text the template describes. */
function sampleOf({ pieces, captures }: Template): string {
  const values = {
    text: 'sample',
    line: 'sample',
    word: 'sample',
    name: 'sample',
    constant: 'SAMPLE_NAME',
    number: '7',
    path: '/sample',
  } as const;
  return pieces.map((piece, index) => piece + (captures[index] === undefined ? '' : values[captures[index].form])).join('');
}

/** A reason alone says one thing in each place: the first rule that has it. */
function sameReason(entries: readonly Entry[], wording: Wording): Rule | undefined {
  const first = entries.find(
    (other) =>
      other.wording.text === '' &&
      other.wording.reason.some((reason) => wording.reason.includes(reason)) &&
      PLACES.some((place) => isSaidIn(other.wording, place) && isSaidIn(wording, place)),
  );
  return first === undefined || first.wording === wording ? undefined : first.rule;
}
