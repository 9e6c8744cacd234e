import type { Scalar } from '../../model/fact.ts';
import type { FactKind } from '../../model/fact-kinds.ts';
import type { Check, Predicate, Rule } from '../../model/rule.ts';
import { patternsOf } from '../../model/rule-patterns.ts';

/** Whether a pattern of a rule may fit a fact of this kind with these fields; an undefined one is known to be absent. */
export type Asks = (kind: FactKind, fields: Readonly<Record<string, Scalar | undefined>>) => boolean;

/** What the rules ask: of a pod that is well most facts fit none of them. */
export function asksOf(rules: readonly Rule[]): Asks {
  const patterns = rules.flatMap(patternsOf);
  return (kind, fields) =>
    patterns.some(
      ({ fact, where }) =>
        fact === kind && Object.entries(fields).every(([field, value]) => where[field] === undefined || mayBe(where[field], value)),
    );
}

function mayBe(predicate: Predicate, value: Scalar | undefined): boolean {
  switch (predicate.test) {
    case 'equals':
      return predicate.value === value;
    case 'variable':
      return value !== undefined;
    case 'checks':
      return predicate.checks.every((check) => (value === undefined ? FITS_NOTHING.has(check.check) : mayPass(check, value)));
  }
}

/** Checks that fit where there is no such field. */
const FITS_NOTHING: ReadonlySet<Check['check']> = new Set(['absent', 'maybe']);

function mayPass(check: Check, value: Scalar): boolean {
  if (check.check === 'absent') return false;
  return check.check !== 'oneOf' || check.values.some((one) => one === value || (typeof one === 'string' && one.startsWith('$')));
}
