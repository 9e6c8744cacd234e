import { Environment, Optional } from '@marcbachmann/cel-js';
import type { Json, JsonObject } from '../../base/json.ts';
import { bigintOf } from '../../base/number.ts';
import { remembered } from '../../base/memoized.ts';
import { registerAddresses } from './cel/addresses.ts';
import { CelAuthorizer, registerAuthorization } from './cel/authorization.ts';
import { registerCollections, SETS, withLinearPatterns, withOwnWords } from './cel/collections.ts';
import { countRounds, withinCost } from './cel/cost.ts';
import { FORMATS, PATCH_KEYS, registerFormats } from './cel/formats.ts';
import { plainLiterals } from './cel/literals.ts';
import { registerQuantities } from './cel/quantities.ts';

/** What an expression came to, or the words of what went wrong. */
export type CelOutcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

/** Values an expression can name: objects as JSON, and variables that are worked out when they are first read. */
export type CelVariables = Readonly<Record<string, Json | CelAuthorizer | OptionalValue | undefined>>;

/** A value that may not be there, which an expression can ask for. */
export class OptionalValue {
  readonly value: Json | undefined;

  constructor(value: Json | undefined) {
    this.value = value;
  }
}

/**
 * Works out a CEL expression as Kubernetes does. Integers are CEL ints; fields that are not there are errors, as in CEL.
 * Expressions are kept compiled. `variables` of a policy come as `variables.name`.
 */
export function evaluateCel(expression: string, variables: CelVariables): CelOutcome {
  try {
    const run = compile(expression);
    const values = celValue(variables);
    return { ok: true, value: withinCost(() => run(values)) };
  } catch (error) {
    return { ok: false, error: celError(error) };
  }
}

const EXPRESSION_LIMIT = 10_000;

/** Whether a value is one that may be missing. */
export function isOptional(value: unknown): value is { hasValue(): boolean; value(): unknown } {
  return value instanceof Optional;
}

const environment = registerAuthorization(
  registerFormats(
    registerCollections(
      registerAddresses(
        registerQuantities(
          new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true, homogeneousAggregateLiterals: false }),
        ),
      ),
    ),
  ),
);

const compile = remembered(
  (expression) => {
    if (expression.length > EXPRESSION_LIMIT) throw new Error('expression is too long');
    const parsed = environment.parse(withLinearPatterns(looseValues(plainLiterals(expression))));
    countRounds(parsed.ast);
    return (context: Record<string, unknown>): unknown => parsed(context);
  },
  { limit: 500, length: EXPRESSION_LIMIT },
);

/** What an optional value holds can be anything; said so, as operators else find too many ways to take it. */
function looseValues(expression: string): string {
  return expression.includes('.value()') ? expression.replaceAll(/\b[A-Za-z_][\w.?]{0,200}\.value\(\)/g, 'dyn($&)') : expression;
}

/** JSON numbers that are whole become ints, so that they can be counted with. */
function celValue(value: CelVariables): Record<string, unknown> {
  const copy: Record<string, unknown> = { sets: SETS, format: FORMATS, jsonpatch: PATCH_KEYS };
  for (const [name, member] of Object.entries(value))
    copy[name] =
      member instanceof CelAuthorizer
        ? member
        : member instanceof OptionalValue
          ? member.value === undefined
            ? Optional.none()
            : Optional.of(convert(member.value))
          : convert(member ?? null);
  return copy;
}

function convert(value: Json): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? bigintOf(value) : value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(convert);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [field, member] of Object.entries(value as JsonObject)) if (member !== undefined) copy[field] = convert(member);
  return copy;
}

function celError(error: unknown): string {
  const summary = withOwnWords(
    typeof error === 'object' && error !== null && 'summary' in error
      ? String(error.summary)
      : String(error instanceof Error ? error.message : error),
  );
  return summary.startsWith('No such key: index out of bounds')
    ? summary.replace('No such key: ', '')
    : summary.replace(/^No such/, 'no such').replace(/^Unknown/, 'undeclared');
}
