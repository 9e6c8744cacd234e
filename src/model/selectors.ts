import { PodcheckError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { digAt } from '../base/json.ts';
import { remembered } from '../base/memoized.ts';
import type { KubeObject } from './kube-object.ts';
import { labelsOf, shows } from './kube-object.ts';

/** One clause of a label selector; all clauses must hold. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'not-exists';
  /** At least one for `in` and `notin`, none otherwise. */
  readonly values: readonly string[];
}

/** One clause of a field selector: `=` or `!=` on a field path. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** `unknown`: the object's source does not show what the selector asks about. */
export type Match = 'yes' | 'no' | 'unknown';

/**
 * Reads a label selector in kubectl's notation: `app=web,tier in (a, b),!legacy,env!=dev,canary`.
 * Throws a PodcheckError (usage) naming the clause it cannot read. Source: apimachinery/pkg/labels/selector.go.
 */
export function parseLabelSelector(text: string): readonly LabelRequirement[] {
  return clauses(text).map((clause) => labelRequirement(clause, text));
}

/**
 * The selector of these labels in kubectl's notation. Undefined when there are none, or when one is no label: what a source says an
 * object selects by need not be what the API server would take.
 */
export function selectorOfLabels(labels: Readonly<Record<string, string>>): string | undefined {
  const pairs = Object.entries(labels);
  if (pairs.length === 0 || !pairs.every(([key, value]) => isLabel(key, value))) return undefined;
  return pairs
    .map(([key, value]) => `${key}=${value}`)
    .toSorted()
    .join(',');
}

/**
 * Reads a field selector: `spec.nodeName=worker-1,status.phase!=Running`. Throws a PodcheckError (usage). Source:
 * apimachinery/pkg/fields/selector.go. A list asks what one selector means three times over.
 */
export const parseFieldSelector = remembered(readFieldSelector, { limit: 8, length: 500 });

function readFieldSelector(text: string): readonly FieldRequirement[] {
  return clauses(text).map((clause) => {
    const parts = /^([\w./-]+)(==|=|!=)(.*)$/s.exec(clause);
    if (parts === null) throw malformed('field', clause, text);
    const [, field = '', operator, value = ''] = parts;
    return { field, equal: operator !== '!=', value: value.replace(/\\([\\,=])/g, '$1') };
  });
}

/** A field selector for these values, whatever characters they have. Source: apimachinery/pkg/fields/selector.go (EscapeValue). */
export function selectorOfFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([field, value]) => `${field}=${value.replace(/[\\,=]/g, String.raw`\$&`)}`)
    .join(',');
}

/** Whether labels meet a selector. `in`, unlike `notin` and `!=`, needs the label to be there. */
export function matchesLabels(requirements: readonly LabelRequirement[], labels: Readonly<Record<string, string>>): boolean {
  return requirements.every((requirement) =>
    meets(requirement, Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined),
  );
}

/** Like `matchesLabels`, but undecided over labels that the object's source does not show. */
export function matchObjectLabels(requirements: readonly LabelRequirement[], object: KubeObject): Match {
  if (requirements.length === 0) return 'yes';
  const labels = labelsOf(object);
  return all(requirements, (requirement) => {
    const { key } = requirement;
    const known = Object.hasOwn(labels, key) || shows(object, `metadata.labels.${key}`);
    if (!known) return 'unknown';
    return meets(requirement, Object.hasOwn(labels, key) ? labels[key] : undefined) ? 'yes' : 'no';
  });
}

/** Whether an object meets a field selector; a missing field is empty text, as in the API server. */
export function matchObjectFields(requirements: readonly FieldRequirement[], object: KubeObject): Match {
  return all(requirements, ({ field, equal, value }) => {
    const actual = fieldText(object, field);
    if (actual === undefined) return 'unknown';
    return (actual === value) === equal ? 'yes' : 'no';
  });
}

/** Splits at commas, but for those within parentheses and escaped ones. */
function clauses(text: string): readonly string[] {
  const found: string[] = [];
  let [depth, start] = [0, 0];
  for (let index = 0; index <= text.length; index++) {
    const character = text.charAt(index);
    if (character === '\\' && index + 1 < text.length) index++;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (index === text.length || (character === ',' && depth === 0)) {
      found.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return found.length === 1 && found[0] === '' ? [] : found;
}

const KEY = /^(?:[a-zA-Z0-9](?:[-a-zA-Z0-9.]*[a-zA-Z0-9])?\/)?[a-zA-Z0-9](?:[-\w.]*[a-zA-Z0-9])?$/;

function labelRequirement(clause: string, selector: string): LabelRequirement {
  const set = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(clause);
  const equality = set === null ? /^([^\s=!]+)\s*(==|=|!=)\s*(\S*)$/.exec(clause) : null;
  const requirement: LabelRequirement =
    set !== null
      ? { key: set[1] ?? '', operator: set[2] === 'in' ? 'in' : 'notin', values: (set[3] ?? '').split(',').map((value) => value.trim()) }
      : equality !== null
        ? { key: equality[1] ?? '', operator: equality[2] === '!=' ? 'notin' : 'in', values: [equality[3] ?? ''] }
        : clause.startsWith('!')
          ? { key: clause.slice(1).trim(), operator: 'not-exists', values: [] }
          : { key: clause, operator: 'exists', values: [] };
  const valid = KEY.test(requirement.key) && requirement.values.every((value) => isLabel(requirement.key, value));
  if (!valid) throw malformed('label', clause, selector);
  return requirement;
}

function isLabel(key: string, value: string): boolean {
  return KEY.test(key) && (value === '' || KEY.test(value));
}

function malformed(what: string, clause: string, selector: string): PodcheckError {
  return new PodcheckError(
    'usage',
    `cannot read "${clause}" in the ${what} selector "${selector}"`,
    `Write it as kubectl takes it, for instance ${what === 'label' ? 'app=web,tier in (front,back)' : 'status.phase=Running'}.`,
  );
}

function meets({ operator, values }: LabelRequirement, actual: string | undefined): boolean {
  if (operator === 'exists') return actual !== undefined;
  if (operator === 'not-exists') return actual === undefined;
  const listed = actual !== undefined && values.includes(actual);
  return operator === 'in' ? listed : !listed;
}

function all<R>(requirements: readonly R[], matchOf: (requirement: R) => Match): Match {
  let all: Match = 'yes';
  for (const requirement of requirements) {
    const match = matchOf(requirement);
    if (match === 'no') return 'no';
    if (match === 'unknown') all = 'unknown';
  }
  return all;
}

/** What a field selector compares; undefined where the source does not show the field. `path`: the field's, for whoever asks often. */
export function fieldText(object: KubeObject, field: string, path: readonly string[] = field.split('.')): string | undefined {
  const value: Json | undefined = digAt(object, path);
  if (value === undefined || value === null) return shows(object, field) ? '' : undefined;
  return typeof value === 'object' ? undefined : String(value);
}
