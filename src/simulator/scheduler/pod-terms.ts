import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asObject, asTextMap } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { labelsOf } from '../../model/kube-object.ts';
import { labelSelectorMatcher } from '../apiserver/selectors.ts';
import type { PodInfo, PodTerm } from './pod-info.ts';

export interface TermScope {
  readonly namespaces: readonly string[];
  readonly namespaceSelector: JsonObject | undefined;
}

/** The namespaces a term means: those it names and selects, or the pod's own when it says nothing. */
export function scopeOf(term: PodTerm, owner: PodInfo): TermScope {
  const { namespaces, namespaceSelector } = term;
  return { namespaces: namespaces.length === 0 && namespaceSelector === undefined ? [owner.namespace] : namespaces, namespaceSelector };
}

/** The namespaces of a term by name; undefined for all. */
export function namespacesOf(term: PodTerm, owner: PodInfo, known: () => Iterable<KubeObject>): readonly string[] | undefined {
  const { namespaces, namespaceSelector } = scopeOf(term, owner);
  if (namespaceSelector === undefined) return namespaces;
  if (asList(namespaceSelector['matchExpressions']).length === 0 && Object.keys(asTextMap(namespaceSelector['matchLabels'])).length === 0)
    return undefined;
  const matches = labelSelectorMatcher(namespaceSelector);
  const selected = new Set(namespaces);
  for (const namespace of known()) if (matches(labelsOf(namespace))) selected.add(namespace.metadata.name);
  return [...selected].toSorted();
}

/** The term's selector with what `matchLabelKeys` and `mismatchLabelKeys` take from the pod's own labels. */
export function selectorFor(
  term: Pick<PodTerm, 'selector' | 'matchLabelKeys'> & { readonly mismatchLabelKeys?: readonly string[] },
  pod: PodInfo,
): JsonObject | undefined {
  const { selector, matchLabelKeys, mismatchLabelKeys = [] } = term;
  const added: Json[] = [
    ...matchLabelKeys.flatMap((key) => requirement(key, 'In', pod.labels[key])),
    ...mismatchLabelKeys.flatMap((key) => requirement(key, 'NotIn', pod.labels[key])),
  ];
  if (selector === undefined || added.length === 0) return selector;
  return { ...asObject(selector), matchExpressions: [...asList(selector['matchExpressions']), ...added] };
}

function requirement(key: string, operator: 'In' | 'NotIn', value: string | undefined): readonly Json[] {
  return value === undefined ? [] : [{ key, operator, values: [value] }];
}
