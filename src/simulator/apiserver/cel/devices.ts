import { Environment } from '@marcbachmann/cel-js';
import type { Json } from '../../../base/json.ts';
import { asBoolean, asList, asNumber, asObject, asText, dig } from '../../../base/json.ts';
import { bigintOf } from '../../../base/number.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import { repeated } from '../../../base/text.ts';
import { remembered } from '../../../base/memoized.ts';
import { registerAddresses } from './addresses.ts';
import { registerCollections, SETS, withLinearPatterns, withOwnWords } from './collections.ts';
import { formatIssues } from './compile/issues.ts';
import { parseExpression } from './compile/parser.ts';
import { FORMATS, registerFormats } from './formats.ts';
import { Quantity, registerQuantities } from './quantities.ts';
import { registerVersions, semverOf } from './semver.ts';

/**
 * Expressions that choose devices by `device.driver`, `device.attributes["domain"].id` and `device.capacity["domain"].id`.
 * Source: staging/src/k8s.io/dynamic-resource-allocation/cel/compile.go.
 */

/** What is wrong with an expression before any device is looked at, in the words of the API server; undefined when nothing is. */
export function deviceExpressionTrouble(expression: string): string | undefined {
  try {
    const { valid, type, error } = checks.parse(withLinearPatterns(withOptionalTests(expression))).check();
    if (!valid) return `compilation failed: ${compileError(expression, error)}`;
    return type === 'bool' || type === 'dyn' ? undefined : `must evaluate to bool or the unknown type, not ${type ?? ''}`;
  } catch (error) {
    return `compilation failed: ${compileError(expression, error)}`;
  }
}

/** Whether a device (`spec.devices[]` of a slice of that driver) is one the expression means, or the words of the error. */
export function deviceMatches(expression: string, driver: string, device: Json): boolean | { readonly error: string } {
  try {
    const value: unknown = compile(expression)({ device: deviceValue(driver, device), sets: SETS, format: FORMATS });
    return value === true;
  } catch (error) {
    return { error: runtimeError(error) };
  }
}

function withLibraries(environment: Environment): Environment {
  return registerVersions(registerFormats(registerCollections(registerAddresses(registerQuantities(environment)))));
}

const values = withLibraries(
  new Environment({ unlistedVariablesAreDyn: true, enableOptionalTypes: true, homogeneousAggregateLiterals: false }),
);
const checks = withLibraries(
  new Environment({ unlistedVariablesAreDyn: false, enableOptionalTypes: true, homogeneousAggregateLiterals: false }),
)
  .registerType('DRADevice', {
    fields: {
      driver: 'string',
      allowMultipleAllocations: 'bool',
      attributes: 'map<string, map<string, dyn>>',
      capacity: 'map<string, map<string, Quantity>>',
    },
  })
  .registerVariable('device', 'DRADevice')
  .registerVariable('sets', 'Sets')
  .registerVariable('format', 'Formats');

const compile = remembered(
  (expression) => {
    const parsed = values.parse(withLinearPatterns(withOptionalTests(expression)));
    return (context: Record<string, unknown>): unknown => parsed(context);
  },
  { limit: 200, length: 10_240 },
);

/** `has(a["b"].c)`: the library tests only plain fields, so what is indexed is asked for as an optional. */
function withOptionalTests(expression: string): string {
  let result = '';
  let at = 0;
  for (const { index } of expression.matchAll(/\bhas\s*\(/g)) {
    if (index < at) continue;
    const start = expression.indexOf('(', index) + 1;
    const end = closing(expression, start);
    const [, subject, field] = /^(.+\])\s*\.\s*([A-Za-z_]\w*)\s*$/s.exec(expression.slice(start, end)) ?? [];
    if (subject === undefined || field === undefined) continue;
    result += `${expression.slice(at, index)}(${subject}.?${field}.hasValue())`;
    at = end + 1;
  }
  return result + expression.slice(at);
}

/** Where the parenthesis closes that is open at this place. */
function closing(expression: string, start: number): number {
  let depth = 1;
  let quote = '';
  for (let at = start; at < expression.length; at++) {
    const sign = expression[at] ?? '';
    if (quote !== '') {
      if (sign === '\\') at++;
      else if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '(') depth++;
    else if (sign === ')' && --depth === 0) return at;
  }
  return expression.length;
}

function deviceValue(driver: string, device: Json): Record<string, unknown> {
  const attributes = byDomain(driver, dig(device, 'attributes'), attributeValue);
  const capacity = byDomain(driver, dig(device, 'capacity'), (amount) => new Quantity(parseQuantity(dig(amount, 'value')) ?? 0n));
  return { driver, attributes, capacity, allowMultipleAllocations: dig(device, 'allowMultipleAllocations') === true };
}

/** By domain and identifier; a name without a domain is in the driver's. A domain nobody uses is an empty map, not an error. */
function byDomain(driver: string, named: Json | undefined, valueOf: (value: Json) => unknown): Map<string, Map<string, unknown>> {
  const domains = new Map<string, Map<string, unknown>>();
  for (const [name, value] of Object.entries(asObject(named))) {
    const slash = name.indexOf('/');
    const domain = slash < 0 ? driver : name.slice(0, slash);
    const members = domains.get(domain) ?? new Map<string, unknown>();
    members.set(name.slice(slash + 1), valueOf(value ?? null));
    domains.set(domain, members);
  }
  const known = domains.get.bind(domains);
  domains.get = (domain) => known(domain) ?? new Map<string, unknown>();
  return domains;
}

function attributeValue(attribute: Json): unknown {
  const [number, flag, text, version] = [
    asNumber(dig(attribute, 'int')),
    asBoolean(dig(attribute, 'bool')),
    asText(dig(attribute, 'string')),
    asText(dig(attribute, 'version')),
  ];
  if (number !== undefined) return bigintOf(number);
  if (version !== undefined) return semverOf(version) ?? version;
  const list = ['ints', 'bools', 'strings', 'versions'].find((field) => dig(attribute, field) !== undefined);
  if (list !== undefined) return asList(dig(attribute, list)).map((one) => (typeof one === 'number' ? bigintOf(one) : one));
  return flag ?? text ?? '';
}

/** As cel-go prints it: the words, the line and a mark. */
function compileError(expression: string, error: unknown): string {
  const { issues } = parseExpression(expression);
  if (issues.length > 0) return formatIssues(expression, issues);
  const summary = summaryOf(error);
  const name = /^Unknown variable: (\S+)/.exec(summary)?.[1];
  const field = /^No such key: (\S+)/.exec(summary)?.[1];
  const words =
    name === undefined
      ? field === undefined
        ? summary
        : `undefined field '${field}'`
      : `undeclared reference to '${name}' (in container '')`;
  const start = startOf(error);
  const line = expression.split('\n', 1)[0] ?? '';
  return `ERROR: <input>:1:${start + 1}: ${words}\n | ${line}\n | ${repeated('.', Math.min(start, line.length))}^`;
}

function startOf(error: unknown): number {
  const range: unknown = typeof error === 'object' && error !== null && 'range' in error ? error.range : undefined;
  return typeof range === 'object' && range !== null && 'start' in range && typeof range.start === 'number' ? range.start : 0;
}

/** Source: staging/src/k8s.io/dynamic-resource-allocation/cel/errors.go (EnhanceRuntimeError). */
function runtimeError(error: unknown): string {
  const words = summaryOf(error)
    .replace(/^No such/, 'no such')
    .replace(/^Unknown/, 'undeclared');
  return words.startsWith('no such key:')
    ? `${words}. Consider using CEL optional chaining (?), has() macro, or orValue() for optional fields`
    : words;
}

function summaryOf(error: unknown): string {
  return withOwnWords(
    typeof error === 'object' && error !== null && 'summary' in error
      ? String(error.summary)
      : error instanceof Error
        ? error.message
        : String(error),
  );
}
