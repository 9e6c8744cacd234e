import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asObject, asTextMap, dig, isJsonObject } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import { textOf } from '../../base/json-text.ts';
import type { KubeObject } from '../../model/kube-object.ts';

/**
 * The spec of a new pod with what `matchLabelKeys` and `mismatchLabelKeys` stand for in its selectors: the values of its own labels.
 * Source: pkg/registry/core/pod/strategy.go (mutatePodAffinity, mutateTopologySpreadConstraints).
 */
export function withLabelKeys({ metadata, spec }: KubeObject): JsonObject {
  const given = asObject(spec);
  const { affinity, topologySpreadConstraints } = given;
  if (affinity === undefined && topologySpreadConstraints === undefined) return given;
  const labels = asTextMap(metadata['labels']);
  return withFields(given, {
    affinity: isJsonObject(affinity) ? inAffinity(affinity, labels) : affinity,
    topologySpreadConstraints: each(topologySpreadConstraints, (constraint) => merged(constraint, labels)),
  });
}

type Labels = Readonly<Record<string, string>>;

function inAffinity(affinity: JsonObject, labels: Labels): JsonObject {
  const terms = (kind: 'podAffinity' | 'podAntiAffinity'): Json | undefined => {
    const own = affinity[kind];
    if (!isJsonObject(own)) return own;
    return withFields(own, {
      [REQUIRED]: each(own[REQUIRED], (term) => merged(term, labels)),
      [PREFERRED]: each(own[PREFERRED], (weighted) =>
        withFields(weighted, { podAffinityTerm: merged(asObject(weighted['podAffinityTerm']), labels) }),
      ),
    });
  };
  return withFields(affinity, { podAffinity: terms('podAffinity'), podAntiAffinity: terms('podAntiAffinity') });
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

function each(list: Json | undefined, change: (member: JsonObject) => JsonObject): Json | undefined {
  if (!Array.isArray(list) || !list.some(hasKeys)) return list;
  return (list as readonly Json[]).map((member) => change(asObject(member)));
}

function hasKeys(member: Json): boolean {
  const term = dig(member, 'podAffinityTerm') ?? member;
  return asList(dig(term, 'matchLabelKeys')).length + asList(dig(term, 'mismatchLabelKeys')).length > 0;
}

function merged(term: JsonObject, labels: Labels): JsonObject {
  const { labelSelector } = term;
  if (!isJsonObject(labelSelector)) return term;
  const requirements = (field: string, operator: string): readonly Json[] =>
    asList(term[field]).flatMap((key) => {
      const value = labels[textOf(key)];
      return value === undefined ? [] : [{ key, operator, values: [value] }];
    });
  const added = [...requirements('matchLabelKeys', 'In'), ...requirements('mismatchLabelKeys', 'NotIn')];
  if (added.length === 0) return term;
  const matchExpressions = [...asList(labelSelector['matchExpressions']), ...added];
  return withFields(term, { labelSelector: withFields(labelSelector, { matchExpressions }) });
}
