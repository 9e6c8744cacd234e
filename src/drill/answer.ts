import { nearest } from '../base/text.ts';
import type { Cause } from '../model/diagnosis.ts';
import type { Rule } from '../model/rule.ts';

/** What an answer of the trainee comes to. */
export type Answered =
  | { readonly verdict: 'right'; readonly fault: number; readonly rule: string }
  /** A consequence of a fault, or another name for what is seen. */
  | { readonly verdict: 'symptom'; readonly rule: string }
  | { readonly verdict: 'wrong'; readonly rule: string }
  | { readonly verdict: 'unclear'; readonly near: readonly string[] };

/** Judges a rule's id (or the end of one), or free words, against the causes that are there. `causes` has one for each fault. */
export function judgeAnswer(words: string, causes: readonly (Cause | undefined)[], rules: readonly Rule[]): Answered {
  const rule = ruleMeant(words.trim(), causes, rules);
  if (typeof rule !== 'string') return { verdict: 'unclear', near: rule };
  const fault = causes.findIndex((cause) => cause?.rule === rule);
  if (fault >= 0) return { verdict: 'right', fault, rule };
  const explained = causes.some((cause) => cause !== undefined && explains(cause, rule, rules));
  return { verdict: explained || rules.find(({ id }) => id === rule)?.kind === 'symptom' ? 'symptom' : 'wrong', rule };
}

function ruleMeant(words: string, causes: readonly (Cause | undefined)[], rules: readonly Rule[]): string | readonly string[] {
  const ids = rules.map(({ id }) => id);
  if (ids.includes(words)) return words;
  const ending = ids.filter((id) => id.endsWith(`/${words}`));
  const [only] = ending;
  if (only !== undefined && ending.length === 1) return only;
  if (/^[a-z-]+\/[a-z0-9-]+$/.test(words)) return nearest(words, ids);
  return ruleInWords(words, causes, rules);
}

function explains(cause: Cause, rule: string, rules: readonly Rule[]): boolean {
  const patterns = [...cause.explains, ...(rules.find(({ id }) => id === cause.rule)?.explains ?? [])];
  return patterns.some((pattern) => pattern === rule || (pattern.endsWith('/*') && rule.startsWith(pattern.slice(0, -1))));
}

/** The rule whose words are nearest to what was said; the names in this cluster's own causes count as words of theirs. */
function ruleInWords(words: string, causes: readonly (Cause | undefined)[], rules: readonly Rule[]): string | readonly string[] {
  const said = wordsIn(words);
  if (said.size === 0) return [];
  const spread = new Map<string, number>();
  const texts = rules.map((rule) => ({
    rule,
    words: wordsIn(`${rule.id} ${rule.title} ${rule.what} ${namesOf(causes, rule.id)}`),
    title: wordsIn(`${rule.id} ${rule.title}`),
  }));
  for (const { words: known } of texts) for (const word of known) spread.set(word, (spread.get(word) ?? 0) + 1);
  const scored = texts
    .map(({ rule, words: known, title }) => ({ id: rule.id, score: scoreOf(said, known, title, spread, rules.length) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const [best, second] = scored;
  if (best === undefined || best.score < MIN_SCORE) return [];
  const there = scored.find(({ id, score }) => score * ROUGHLY >= best.score && causes.some((cause) => cause?.rule === id));
  if (there !== undefined) return there.id;
  return second === undefined || best.score > second.score * CLEARLY ? best.id : scored.slice(0, 3).map(({ id }) => id);
}

/** Least sum of weights, in natural logarithms of how rare a word is, for words to mean a rule at all. */
const MIN_SCORE = 2;
/** So much better than the next must the best be. */
const CLEARLY = 1.05;
/** Somebody who means the cause in rough words means it: of rules so near to one another the one that is there counts. */
const ROUGHLY = 1.35;

function scoreOf(
  said: ReadonlySet<string>,
  known: ReadonlySet<string>,
  title: ReadonlySet<string>,
  spread: ReadonlyMap<string, number>,
  total: number,
): number {
  let score = 0;
  for (const word of said) {
    if (!known.has(word)) continue;
    const weight = Math.log(total / (spread.get(word) ?? 1));
    score += title.has(word) ? weight * 2 : weight;
  }
  return score / Math.sqrt(Math.max(4, title.size));
}

function namesOf(causes: readonly (Cause | undefined)[], rule: string): string {
  return causes
    .flatMap((cause) => (cause?.rule === rule ? [cause.object.kind, cause.object.name, ...Object.values(cause.params).map(String)] : []))
    .join(' ');
}

function wordsIn(text: string): ReadonlySet<string> {
  const words = text
    .slice(0, 2000)
    .toLowerCase()
    .replaceAll('out of memory', 'oom killed')
    .split(/[^a-z0-9]+/);
  return new Set(words.filter((word) => word.length > 1 && !FILLERS.has(word)).map((word) => SAME.get(word) ?? stem(word)));
}

/** Plurals and endings do not make another word. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(ies|es|s|ing|ed)$/, '') : word;
}

/** Other words for the same. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['missing', 'found'],
  ['absent', 'found'],
  ['gone', 'found'],
  ['exist', 'found'],
  ['exists', 'found'],
  ['cm', 'configmap'],
  ['typo', 'wrong'],
  ['misspelt', 'wrong'],
  ['misspelled', 'wrong'],
  ['incorrect', 'wrong'],
  ['mismatch', 'wrong'],
  ['ram', 'memory'],
  ['oom', 'memory'],
  ['sa', 'account'],
  ['svc', 'servic'],
  ['pvc', 'claim'],
  ['denied', 'refus'],
  ['denies', 'refus'],
  ['rejected', 'refus'],
  ['rejects', 'refus'],
  ['blocked', 'refus'],
  ['blocks', 'refus'],
  ['full', 'exceed'],
  ['ended', 'expir'],
  ['over', 'expir'],
  ['outdated', 'expir'],
  ['cert', 'certificate'],
  ['certs', 'certificate'],
  ['ca', 'authority'],
  ['login', 'credential'],
]);

const FILLERS = new Set([
  'the',
  'an',
  'is',
  'are',
  'of',
  'to',
  'in',
  'on',
  'it',
  'its',
  'and',
  'or',
  'that',
  'this',
  'which',
  'with',
  'for',
  'by',
  'be',
  'has',
  'have',
  'does',
  'not',
  'no',
  'cannot',
  'was',
  'as',
  'from',
  'at',
  'such',
  'there',
  'pod',
  'pods',
]);
