import type { Pattern, Rule } from './rule.ts';

/** All patterns of a rule, whatever they are for. */
export function patternsOf({ when, support }: Pick<Rule, 'when' | 'support'>): readonly Pattern[] {
  return [...when.all, ...when.any.flat(), ...when.none, ...when.optional, ...when.unless, ...support];
}
