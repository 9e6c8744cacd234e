import type { Json } from '../../base/json.ts';
import { asList, asText, asTextMap, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { labelsOf } from '../../model/kube-object.ts';
import { expressionMatcher, matchesAnyExpression } from '../apiserver/selectors.ts';

/** Whether a pod may be on a node, as far as controllers ask. Source: component-helpers/scheduling/corev1/{helpers,nodeaffinity}. */
export function tolerates(toleration: Json, taint: Json): boolean {
  const key = asText(dig(toleration, 'key')) ?? '';
  const effect = asText(dig(toleration, 'effect')) ?? '';
  if (effect !== '' && effect !== dig(taint, 'effect')) return false;
  if (key !== '' && key !== dig(taint, 'key')) return false;
  if (dig(toleration, 'operator') === 'Exists') return true;
  return key !== '' && (asText(dig(toleration, 'value')) ?? '') === (asText(dig(taint, 'value')) ?? '');
}

/** The first taint of these effects that no toleration covers. */
export function untolerated(tolerations: readonly Json[], taints: readonly Json[], effects: readonly string[]): Json | undefined {
  return taints.find(
    (taint) => effects.includes(asText(dig(taint, 'effect')) ?? '') && !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

/** nodeSelector and required node affinity. */
export function matchesNode(spec: Json | undefined, node: KubeObject): boolean {
  const labels = labelsOf(node);
  if (!Object.entries(asTextMap(dig(spec, 'nodeSelector'))).every(([key, value]) => labels[key] === value)) return false;
  const required = dig(spec, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  if (required === undefined) return true;
  return asList(dig(required, 'nodeSelectorTerms')).some((term) => matchesTerm(term, node));
}

function matchesTerm(term: Json, node: KubeObject): boolean {
  const fields = asList(dig(term, 'matchFields'));
  const expressions = asList(dig(term, 'matchExpressions'));
  if (fields.length === 0 && expressions.length === 0) return false;
  const named = { 'metadata.name': node.metadata.name };
  return (
    fields.every((field) => expressionMatcher(field)(named)) &&
    (expressions.length === 0 || matchesAnyExpression([{ matchExpressions: expressions }], labelsOf(node)))
  );
}
