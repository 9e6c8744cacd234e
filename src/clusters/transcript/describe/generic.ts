import type { Json } from '../../../base/json.ts';
import type { Line } from '../clean-lines.ts';
import type { Draft } from '../draft.ts';
import { integer } from '../draft.ts';
import type { Sections } from './sections.ts';
import { indentOf, sectionsOf } from './sections.ts';

/**
 * Kinds without a layout of their own are printed field by field: `Failure Policy:  Fail` is failurePolicy. Lists of objects stand
 * one after the other and only begin again where a key comes back, so their members are told apart by that.
 * Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go (printUnstructuredContent, smartLabelFor).
 */
export function describeGenerically(fields: Sections, draft: Draft): void {
  for (const { key, value, body } of fields.all) {
    if (['Name', 'Namespace', 'Labels', 'Annotations', 'API Version', 'Kind', 'Metadata', 'Events'].includes(key)) continue;
    draft.show(fieldOf(key), valueOf(value, body));
  }
  const version = fields.value('API Version');
  if (version !== undefined && version !== '') draft.apiVersion(version);
}

/** `Ca Bundle` → caBundle, `API Groups` → apiGroups, `URL` → url. */
function fieldOf(label: string): string {
  const [first = '', ...rest] = label.split(' ');
  const head = /^[A-Z]+s?$/.test(first) ? first.toLowerCase() : first.charAt(0).toLowerCase() + first.slice(1);
  return head + rest.join('');
}

/** Fields that hold a list of objects where their label could stand for one. */
const OBJECT_LISTS = new Set([
  'webhooks',
  'rules',
  'matchExpressions',
  'conditions',
  'endpoints',
  'ports',
  'parentRefs',
  'backendRefs',
  'listeners',
  'matches',
  'filters',
  'validations',
  'parents',
  'addresses',
  'hostnames',
  'resourceRules',
  'matchConditions',
  'versions',
]);
const MAX_DEPTH = 24;

/** A list's empty member is a blank line: the core group in a webhook's rule. */
function valueOf(value: string, body: readonly Line[], field = '', depth = 0): Json {
  const lines = body.filter(({ text }) => text.trim() !== '');
  if (lines.length === 0 && body.length > 0 && value === '') return body.map(() => '');
  if (lines.length === 0 || depth > MAX_DEPTH) return scalarOf(value);
  if (areFields(lines)) return objectOrList(body, field, depth);
  return value === '' ? body.map(({ text }) => scalarOf(text.trim())) : [value, ...lines.map(({ text }) => text.trim())].join('\n');
}

/** Whether labels begin the lines; other lines are the members of a list, or a text with line breaks. */
function areFields(lines: readonly Line[]): boolean {
  const indent = indentOf(lines[0]?.text ?? '');
  return lines.some(({ text }) => indentOf(text) === indent && /^[A-Z][\w ]*:(?:\s|$)/.test(text.trim()));
}

function objectOrList(body: readonly Line[], field: string, depth: number): Json {
  const members: Record<string, Json>[] = [{}];
  for (const section of sectionsOf(body)) {
    const name = fieldOf(section.key);
    if (Object.hasOwn(members.at(-1) ?? {}, name)) members.push({});
    const member = members.at(-1);
    if (member !== undefined && name !== '__proto__') member[name] = valueOf(section.value, section.body, name, depth + 1);
  }
  return members.length > 1 || OBJECT_LISTS.has(field) ? members : (members[0] ?? {});
}

function scalarOf(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === '<nil>') return null;
  return integer(text) ?? text;
}
