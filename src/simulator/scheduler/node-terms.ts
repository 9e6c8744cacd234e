import type { Json } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { LabelMatcher } from '../apiserver/selectors.ts';
import { expressionMatcher } from '../apiserver/selectors.ts';

/** Whether a node of this name with these labels fits. */
export type NodeMatcher = (labels: Readonly<Record<string, string>>, name: string) => boolean;

/**
 * A NodeSelector's terms (one of them must fit). A term without expressions and fields fits nothing.
 * Source: staging/src/k8s.io/component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go.
 */
export function nodeTermsMatcher(terms: Json | undefined): NodeMatcher {
  const matchers = asList(terms).map(nodeTermMatcher);
  return (labels, name) => matchers.some((matches) => matches(labels, name));
}

export function nodeTermMatcher(term: Json | undefined): NodeMatcher {
  const expressions: readonly LabelMatcher[] = asList(dig(term, 'matchExpressions')).map(expressionMatcher);
  const fields: readonly LabelMatcher[] = asList(dig(term, 'matchFields')).map(expressionMatcher);
  if (expressions.length === 0 && fields.length === 0) return () => false;
  return (labels, name) => expressions.every((matches) => matches(labels)) && fields.every((matches) => matches({ 'metadata.name': name }));
}

/** The node names that required terms pin a pod to; undefined when some term leaves the name open. */
export function pinnedNodes(terms: Json | undefined): ReadonlySet<string> | undefined {
  const list = asList(terms);
  if (list.length === 0) return undefined;
  const names = new Set<string>();
  for (const term of list) {
    let own: ReadonlySet<string> | undefined;
    for (const field of asList(dig(term, 'matchFields'))) {
      if (asText(dig(field, 'key')) !== 'metadata.name' || dig(field, 'operator') !== 'In') continue;
      const values = asList(dig(field, 'values')).map(String);
      const before: ReadonlySet<string> | undefined = own;
      own = new Set(before === undefined ? values : values.filter((value) => before.has(value)));
    }
    if (own === undefined) return undefined;
    for (const name of own) names.add(name);
  }
  return names;
}
