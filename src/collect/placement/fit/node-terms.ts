import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { isLess } from '../../../base/number.ts';
import { nearest } from '../../../base/text.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf, shows } from '../../../model/kube-object.ts';

/** `unknown`: the node's source does not show what is asked about. */
export type Answer = 'yes' | 'no' | 'unknown';

/** Whether the node has all these labels. */
export function matchesNodeSelector(labels: Readonly<Record<string, string>>, node: KubeObject): Answer {
  return every(Object.entries(labels).map(([key, value]) => meets({ key, operator: 'In', values: [value] }, labelOf(node, key))));
}

/**
 * Whether one of the nodeSelectorTerms of a node affinity (of a pod, or of a volume) fits the node; an empty term fits nothing.
 * Source: staging/src/k8s.io/component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go.
 */
export function matchesNodeTerms(terms: Json | undefined, node: KubeObject): Answer {
  const answers = asList(terms).map((term) => {
    const [expressions, fields] = [asList(dig(term, 'matchExpressions')), asList(dig(term, 'matchFields'))];
    if (expressions.length === 0 && fields.length === 0) return 'no';
    return every([
      ...expressions.map((expression) => meets(requirementOf(expression), labelOf(node, asText(dig(expression, 'key')) ?? ''))),
      ...fields.map((field) =>
        meets(requirementOf(field), { known: true, value: dig(field, 'key') === 'metadata.name' ? node.metadata.name : undefined }),
      ),
    ]);
  });
  if (answers.includes('yes')) return 'yes';
  return answers.includes('unknown') ? 'unknown' : 'no';
}

/** As a person would write the terms: `zone in (a, b) and disk exists, or …`. */
export function formatNodeTerms(terms: Json | undefined): string {
  return asList(terms).map(formatNodeTerm).join(', or ');
}

function formatNodeTerm(term: Json): string {
  const requirements = [...asList(dig(term, 'matchExpressions')), ...asList(dig(term, 'matchFields'))];
  if (requirements.length === 0) return 'an empty term, which matches no node';
  return requirements.map((each) => formatRequirement(requirementOf(each))).join(' and ');
}

export function formatLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .toSorted()
    .join(',');
}

/** What the nodes have that comes nearest to what is wanted: the key with other values, or a key that is written almost so. */
export function nearestNodeLabel(
  wanted: Json | Readonly<Record<string, string>> | undefined,
  nodes: readonly KubeObject[],
): string | undefined {
  const have = new Map<string, Map<string, string>>();
  for (const node of nodes) {
    for (const [key, value] of Object.entries(labelsOf(node))) {
      const values = have.get(key) ?? new Map<string, string>();
      if (!values.has(value)) values.set(value, node.metadata.name);
      have.set(key, values);
    }
  }
  for (const { key, values } of wantedOf(wanted)) {
    const present = have.get(key);
    if (present !== undefined && !values.some((value) => present.has(value))) return describeValues(key, present, values);
  }
  for (const { key, values } of wantedOf(wanted)) {
    if (have.has(key)) continue;
    const near = nearest(key, have.keys())[0];
    if (near !== undefined) return describeValues(near, have.get(near) ?? new Map<string, string>(), values);
  }
  return undefined;
}

function describeValues(key: string, present: ReadonlyMap<string, string>, wanted: readonly string[]): string {
  const close = wanted.flatMap((value) => nearest(value, present.keys()))[0];
  const values = close === undefined ? [...present.keys()].slice(0, 3) : [close];
  return values.map((value) => `${key}=${value} (${present.get(value) ?? '?'})`).join(', ');
}

function wantedOf(
  wanted: Json | Readonly<Record<string, string>> | undefined,
): readonly { readonly key: string; readonly values: readonly string[] }[] {
  if (Array.isArray(wanted)) {
    return asList(wanted as Json)
      .flatMap((term) => asList(dig(term, 'matchExpressions')).map(requirementOf))
      .filter(({ operator }) => operator === 'In' || operator === 'Exists');
  }
  return Object.entries((wanted ?? {}) as Readonly<Record<string, string>>).map(([key, value]) => ({ key, values: [value] }));
}

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

function requirementOf(expression: Json): Requirement {
  return {
    key: asText(dig(expression, 'key')) ?? '',
    operator: asText(dig(expression, 'operator')) ?? '',
    values: asList(dig(expression, 'values')).map(String),
  };
}

function formatRequirement({ key, operator, values }: Requirement): string {
  switch (operator) {
    case 'Exists':
      return `${key} exists`;
    case 'DoesNotExist':
      return `${key} does not exist`;
    case 'Gt':
      return `${key} > ${values.join()}`;
    case 'Lt':
      return `${key} < ${values.join()}`;
    default:
      return `${key} ${operator === 'NotIn' ? 'not in' : 'in'} (${values.join(', ')})`;
  }
}

interface Seen {
  readonly known: boolean;
  readonly value: string | undefined;
}

function labelOf(node: KubeObject, key: string): Seen {
  const labels = labelsOf(node);
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  return { known: value !== undefined || shows(node, `metadata.labels.${key}`), value };
}

function meets({ operator, values }: Requirement, { known, value }: Seen): Answer {
  if (!known) return 'unknown';
  return holds(operator, values, value) ? 'yes' : 'no';
}

function holds(operator: string, values: readonly string[], value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return isLess(values[0], value);
    case 'Lt':
      return isLess(value, values[0]);
    default:
      return false;
  }
}

function every(answers: readonly Answer[]): Answer {
  if (answers.includes('no')) return 'no';
  return answers.includes('unknown') ? 'unknown' : 'yes';
}
