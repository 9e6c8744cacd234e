import { PodcheckError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { asList, isJsonObject } from '../../base/json.ts';

/** What counts as right for a text of which more than one answer may be given. */
export interface Accepted {
  /** Any of these rules is right; none: no cause may be named. */
  readonly rules: readonly string[];
  /** Not wrong, but there is a better answer. */
  readonly lessExact: readonly string[];
  /** That nothing can be decided is right as well. */
  readonly inconclusiveOk: boolean;
  /** Nothing is wrong, so that no cause may be named. */
  readonly healthy: boolean;
}

/** How an answer fits what is accepted; `unreadable`: the text was not understood at all. */
export type AnswerVerdict = 'right' | 'less-exact' | 'inconclusive' | 'wrong' | 'unreadable';

/**
 * Reads an expected.json of the form `{rules, less_exact?, inconclusive_ok?, healthy?}`; other fields describe the case. Undefined for
 * the form with a root cause. Throws a PodcheckError (bad-input) for a field of the wrong type.
 */
export function acceptedIn(file: string, source: string): Accepted | undefined {
  let value: Json;
  try {
    value = JSON.parse(source) as Json;
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || value['rootCause'] !== undefined || (value['rules'] === undefined && value['healthy'] === undefined))
    return undefined;
  return {
    rules: textsIn(value['rules'], `${file}: rules`),
    lessExact: textsIn(value['less_exact'], `${file}: less_exact`),
    inconclusiveOk: value['inconclusive_ok'] === true,
    healthy: value['healthy'] === true,
  };
}

function textsIn(value: Json | undefined, where: string): readonly string[] {
  const items = asList(value ?? []);
  const texts = items.filter((item) => typeof item === 'string');
  if ((value !== undefined && !Array.isArray(value)) || texts.length < items.length)
    throw new PodcheckError(
      'bad-input',
      `${where}: expected a list of rule IDs`,
      'An expected.json is {"rules", "less_exact"?, "inconclusive_ok"?, "healthy"?}.',
    );
  return texts;
}

/** Judges the rule of the cause named first: undefined when none was, null when the text could not be read. */
export function verdictOf(rule: string | undefined | null, { rules, lessExact, inconclusiveOk, healthy }: Accepted): AnswerVerdict {
  if (rule === null) return 'unreadable';
  if (rule === undefined) return healthy || rules.length === 0 || inconclusiveOk ? 'right' : 'inconclusive';
  if (rules.includes(rule)) return 'right';
  return lessExact.includes(rule) ? 'less-exact' : 'wrong';
}
