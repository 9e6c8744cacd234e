import { formatDuration } from '../base/duration.ts';
import { parseDecimal } from '../base/number.ts';
import { own } from '../base/own-property.ts';
import { formatQuantity, parseQuantity } from '../base/quantity.ts';
import type { Scalar } from './fact.ts';

/*
 * Forms of a value in a template, behind a bar:
 *
 *   {{ count | pods }}          1 pod, 2 pods      the number with its noun; the noun stands in the plural
 *   {{ count | is/are }}        is, are            the word alone: the first for 1, the second for any other number
 *   {{ seconds | duration }}    45s, 3m20s, 2h     as kubectl's AGE column writes it
 *   {{ amount | of resource }}  40 CPUs, 500m CPU, 8Gi of memory    a quantity of what the variable `resource` names
 *   {{ limit | doubled }}         128Mi              twice the memory 64Mi (of 64m: 64Mi); <amount> where it is none
 *   {{ free | whole }}            1536Mi             1.5Gi in the next smaller unit: a request is a whole number of bytes
 *   {{ count | plus one }}        3                  the next number after 2
 *   {{ path | folder }}           /var               the directory of /var/web.pid
 *   {{ file | or <file> }}      deploy/web.yaml    the value, or these words when the variable has none
 */
const NAMED: Readonly<Record<string, (value: string) => string>> = {
  duration: (value) => {
    const seconds = parseDecimal(value);
    return seconds === undefined ? value : formatDuration(seconds);
  },
  doubled,
  whole,
  'plus one': plusOne,
  folder: (value) => value.replace(/\/[^/]*$/, '') || '/',
};
const PLURAL = /^[a-z][a-z -]*s$/;
const PAIR = /^([A-Za-z][A-Za-z ]*)\/([A-Za-z][A-Za-z ]*)$/;
const OF = /^of ([A-Za-z]\w*)$/;
const OR = /^or (.+)$/;

/** The value as the form writes it; `?` for a value that is not known. A text that is no number takes the plural. */
export function formWords(form: string | undefined, value: Scalar | undefined, values: Readonly<Record<string, Scalar>>): string {
  const rule = form?.trim() ?? '';
  const fallback = OR.exec(rule)?.[1];
  if (value === undefined) return fallback ?? '?';
  if (rule === '' || fallback !== undefined) return String(value);
  const named = own(NAMED, rule);
  if (named !== undefined) return named(String(value));
  const pair = PAIR.exec(rule);
  if (pair !== null) return (isOne(value) ? pair[1] : pair[2]) ?? '';
  const resource = OF.exec(rule)?.[1];
  return resource === undefined ? counted(value, rule) : amountOf(value, String(values[resource] ?? '?'));
}

/** A sentence about a form that there is not. */
export function formProblem(form: string | undefined): string | undefined {
  const rule = form?.trim();
  if (rule === undefined || own(NAMED, rule) !== undefined || [PAIR, OF, OR, PLURAL].some((known) => known.test(rule))) return undefined;
  return `unknown form: "| ${rule}"; known: a noun in the plural (pods), one/many (is/are), duration, doubled, whole, plus one, folder, of <variable>, or <words>`;
}

export function isFallback(form: string | undefined): boolean {
  return form !== undefined && OR.test(form.trim());
}

/** The variable that names what the amount is of. */
export function secondVariable(form: string | undefined): string | undefined {
  return form === undefined ? undefined : OF.exec(form.trim())?.[1];
}

/** Thousandths of a byte are a slip for mebibytes: twice as many would still be none. */
function doubled(value: string): string {
  if (value.endsWith('m')) return `${value.slice(0, -1)}Mi`;
  const amount = parseQuantity(value);
  return amount === undefined ? '<amount>' : formatQuantity(amount * 2n, value.endsWith('i') ? 'bytes' : 'decimal');
}

/** Rounded down; what is no part of gibibytes or tebibytes stays as it is. */
function whole(value: string): string {
  const [, amount = '', unit] = /^(\d{1,9}\.\d{1,9})([GT])i$/.exec(value) ?? [];
  return unit === undefined ? value : `${String(Math.floor((parseDecimal(amount) ?? 0) * 1024))}${unit === 'G' ? 'Mi' : 'Gi'}`;
}

function plusOne(value: string): string {
  const number = parseDecimal(value);
  return number === undefined ? '<number>' : String(number + 1);
}

function isOne(value: Scalar): boolean {
  return String(value) === '1';
}

function counted(count: Scalar, plural: string): string {
  return `${String(count)} ${isOne(count) ? singular(plural) : plural}`;
}

function singular(plural: string): string {
  if (plural.endsWith('ies')) return `${plural.slice(0, -3)}y`;
  return /(ss|x|ch|sh)es$/.test(plural) ? plural.slice(0, -2) : plural.slice(0, -1);
}

/** Resources that Kubernetes counts in pieces are written as words of their own: `3 pods`, `1 nvidia.com/gpu`. */
function amountOf(amount: Scalar, resource: string): string {
  if (resource === 'cpu') return `${String(amount)} ${isOne(amount) || /[a-z]$/.test(String(amount)) ? 'CPU' : 'CPUs'}`;
  if (resource.includes('/')) return `${String(amount)} ${resource}`;
  return PLURAL.test(resource) ? counted(amount, resource) : `${String(amount)} of ${resource}`;
}
