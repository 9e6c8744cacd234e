import type { Json } from '../../../base/json.ts';
import { asList, asText, asTextMap, dig } from '../../../base/json.ts';
import type { LabelRequirement } from '../../../model/selectors.ts';

const OPERATORS = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: 'not-exists' } as const;

/** The clauses of a LabelSelector object; undefined for no selector at all, which selects nothing. */
export function requirementsOf(selector: Json | undefined): readonly LabelRequirement[] | undefined {
  if (selector === undefined || selector === null) return undefined;
  const labels = Object.entries(asTextMap(dig(selector, 'matchLabels'))).map(([key, value]) => ({
    key,
    operator: 'in' as const,
    values: [value],
  }));
  const expressions = asList(dig(selector, 'matchExpressions')).flatMap((expression) => {
    const operator = OPERATORS[(asText(dig(expression, 'operator')) ?? '') as keyof typeof OPERATORS];
    const key = asText(dig(expression, 'key'));
    return key === undefined ? [] : [{ key, operator, values: asList(dig(expression, 'values')).map(String) }];
  });
  return [...labels, ...expressions];
}

/** In kubectl's notation: `app=web,tier in (front,back)`. */
export function formatRequirements(requirements: readonly LabelRequirement[]): string {
  return requirements
    .map(({ key, operator, values }) => {
      if (operator === 'exists') return key;
      if (operator === 'not-exists') return `!${key}`;
      if (operator === 'in' && values.length === 1) return `${key}=${values[0] ?? ''}`;
      return `${key} ${operator} (${values.join(',')})`;
    })
    .join(',');
}
