import type { Json } from '../../base/json.ts';
import { asList, asObject, asText, asTextMap, dig, digAt } from '../../base/json.ts';
import { isLess } from '../../base/number.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { labelsOf } from '../../model/kube-object.ts';

/** Whether labels (or an object) fit. */
export type LabelMatcher = (labels: Readonly<Record<string, string>>) => boolean;
export type ObjectMatcher = (object: KubeObject) => boolean;

/**
 * kubectl's notation of label selectors: `app=web,tier!=db,env in (a, b),!canary`. A text that is not one gives the message
 * of the error. Source: staging/src/k8s.io/apimachinery/pkg/labels/selector.go.
 */
export function parseLabelSelector(text: string): LabelMatcher | { readonly error: string } {
  const matchers: LabelMatcher[] = [];
  for (const clause of splitClauses(text)) {
    const matcher = parseClause(clause);
    if (matcher === undefined) return { error: `unable to parse requirement: found '${unexpectedIn(clause)}', expected: identifier` };
    matchers.push(matcher);
  }
  return (labels) => matchers.every((matches) => matches(labels));
}

/** A LabelSelector of the API (`matchLabels`, `matchExpressions`). Absent matches nothing, empty everything. */
export function labelSelectorMatcher(selector: Json | undefined): LabelMatcher {
  if (selector === undefined || selector === null) return () => false;
  const wanted = Object.entries(asTextMap(dig(selector, 'matchLabels')));
  const expressions = asList(dig(selector, 'matchExpressions')).map(expressionMatcher);
  return (labels) => wanted.every(([key, value]) => labels[key] === value) && expressions.every((matches) => matches(labels));
}

/** A plain map as Services and nodeSelectors have it. Empty or absent matches nothing. */
export function selectsLabels(selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>): boolean {
  const wanted = Object.entries(selector);
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
}

/**
 * One of `matchExpressions`: `In`, `NotIn`, `Exists`, `DoesNotExist`, and `Gt`, `Lt` of node affinity. A label is there when it is a
 * text: under `constructor` every object has a function.
 */
export function expressionMatcher(expression: Json): LabelMatcher {
  const key = asText(dig(expression, 'key')) ?? '';
  const values = asList(dig(expression, 'values')).map(String);
  switch (dig(expression, 'operator')) {
    case 'In':
      return (labels) => typeof labels[key] === 'string' && values.includes(labels[key]);
    case 'NotIn':
      return (labels) => typeof labels[key] !== 'string' || !values.includes(labels[key]);
    case 'Exists':
      return (labels) => typeof labels[key] === 'string';
    case 'DoesNotExist':
      return (labels) => typeof labels[key] !== 'string';
    case 'Gt':
      return (labels) => isLess(values[0], labels[key]);
    case 'Lt':
      return (labels) => isLess(labels[key], values[0]);
    default:
      return () => false;
  }
}

/** A field selector for a resource: the matcher, and the partition it asks for when there is one. */
export interface FieldSelector {
  readonly matches: ObjectMatcher;
  readonly name?: string;
  readonly nodeName?: string;
}

/**
 * `spec.nodeName=worker-1,status.phase!=Failed`. Fields that a resource cannot be selected by give the API server's message.
 * Source: pkg/apis/core/v1/conversion.go and the strategies' SelectableFields.
 */
export function parseFieldSelector(
  text: string,
  resource: { readonly key: string; readonly group?: string },
): FieldSelector | { readonly error: string } {
  const clauses: { readonly field: string; readonly path: readonly string[]; readonly equal: boolean; readonly value: string }[] = [];
  for (const part of text.split(',').filter((word) => word !== '')) {
    const found = /^([^!=]+)(==|=|!=)(.*)$/.exec(part);
    if (found === null) return { error: `invalid selector: '${text}'; can't understand '${part}'` };
    const [, field = '', operator, value = ''] = found;
    if (!SELECTABLE_EVERYWHERE.includes(field) && selectableOf(resource)?.includes(field) !== true)
      return { error: notSelectable(field, resource.key) };
    clauses.push({ field, path: pathOfField(field), equal: operator !== '!=', value });
  }
  const exact = (field: string): string | undefined => clauses.find((clause) => clause.field === field && clause.equal)?.value;
  const [name, nodeName] = [exact('metadata.name'), resource.key === 'pods' ? exact('spec.nodeName') : undefined];
  const matches: ObjectMatcher = (object) =>
    clauses.every(({ field, path, equal, value }) => (fieldText(object, field, path) === value) === equal);
  return { matches, ...(name === undefined ? {} : { name }), ...(nodeName === undefined || nodeName === '' ? {} : { nodeName }) };
}

/** Kinds with fields of their own say it in other words than all others. Source: apimachinery/pkg/runtime/conversion.go. */
function notSelectable(field: string, key: string): string {
  if (key === 'jobs.batch') return `field label ${JSON.stringify(field)} not supported for Job`;
  return SELECTABLE[key] === undefined
    ? `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
    : `field label not supported: ${field}`;
}

/** The matcher of both selectors of a request; everything when there are none. */
export function objectMatcher(labels: LabelMatcher | undefined, fields: FieldSelector | undefined): ObjectMatcher | undefined {
  if (labels === undefined) return fields?.matches;
  if (fields === undefined) return (object) => labels(labelsOf(object));
  return (object) => fields.matches(object) && labels(labelsOf(object));
}

const SELECTABLE_EVERYWHERE: readonly string[] = ['metadata.name', 'metadata.namespace'];

const SELECTABLE: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  nodes: ['spec.unschedulable'],
  secrets: ['type'],
  namespaces: ['status.phase', 'name'],
  services: ['spec.clusterIP', 'spec.type'],
  replicationcontrollers: ['status.replicas'],
  'jobs.batch': ['status.successful'],
  'certificatesigningrequests.certificates.k8s.io': ['spec.signerName'],
};

/** Source: pkg/apis/events/v1/conversion.go (AddFieldLabelConversionsForEvent). */
const SELECTABLE_OF_NEW_EVENTS: readonly string[] = [
  'reason',
  'regarding.kind',
  'regarding.namespace',
  'regarding.name',
  'regarding.uid',
  'regarding.apiVersion',
  'regarding.resourceVersion',
  'regarding.fieldPath',
  'reportingController',
  'type',
];

function selectableOf({ key, group }: { readonly key: string; readonly group?: string }): readonly string[] | undefined {
  return key === 'events' && group === 'events.k8s.io' ? SELECTABLE_OF_NEW_EVENTS : SELECTABLE[key];
}

/** Events are stored as those of the core group. */
function pathOfField(field: string): readonly string[] {
  if (field === 'reportingController') return ['reportingComponent'];
  return (field.startsWith('regarding.') ? `involvedObject.${field.slice('regarding.'.length)}` : field).split('.');
}

function fieldText(object: KubeObject, field: string, path: readonly string[]): string {
  if (field === 'source') return asText(dig(object, 'source', 'component')) ?? asText(dig(object, 'reportingComponent')) ?? '';
  const value = digAt(object, path);
  if (value === undefined || value === null) return field === 'spec.unschedulable' || field === 'spec.hostNetwork' ? 'false' : '';
  return typeof value === 'object' ? (asText(dig(asList(value)[0], 'ip')) ?? '') : String(value);
}

/** Commas separate clauses, but not inside the parentheses of `in (a,b)`. */
function splitClauses(text: string): readonly string[] {
  const clauses: string[] = [];
  let [depth, from] = [0, 0];
  for (let index = 0; index <= text.length; index++) {
    const character = text[index];
    if (character === '(') depth++;
    else if (character === ')') depth--;
    if (index < text.length && (character !== ',' || depth > 0)) continue;
    const clause = text.slice(from, index).trim();
    if (clause !== '') clauses.push(clause);
    from = index + 1;
  }
  return clauses;
}

/** What stands where a value should: the second of two operators, or the clause as a whole. */
function unexpectedIn(clause: string): string {
  return /^[^\s!=(),]+\s*(?:==|!=|=)\s*([!=]+)/.exec(clause)?.[1] ?? clause;
}

function parseClause(clause: string): LabelMatcher | undefined {
  const set = /^([^\s!=(),]+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(clause);
  if (set !== null) {
    const [, key = '', operator, list = ''] = set;
    const values = list.split(',').map((value) => value.trim());
    return expressionMatcher({ key, operator: operator === 'in' ? 'In' : 'NotIn', values });
  }
  const pair = /^([^\s!=(),]+)\s*(==|=|!=)\s*([^\s!=(),]*)$/.exec(clause);
  if (pair !== null) {
    const [, key = '', operator, value = ''] = pair;
    return operator === '!=' ? (labels) => labels[key] !== value : (labels) => labels[key] === value;
  }
  const bare = /^(!?)\s*([^\s!=(),]+)$/.exec(clause);
  if (bare === null) return undefined;
  const [, not, key = ''] = bare;
  return not === '!' ? (labels) => typeof labels[key] !== 'string' : (labels) => typeof labels[key] === 'string';
}

export function matchesAnyExpression(terms: Json | undefined, labels: Readonly<Record<string, string>>): boolean {
  return asList(terms).some((term) =>
    asList(asObject(term)['matchExpressions']).every((expression) => expressionMatcher(expression)(labels)),
  );
}
