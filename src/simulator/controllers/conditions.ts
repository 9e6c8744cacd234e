import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';

/** The condition of a type in a list of them. */
export function findCondition(conditions: Json | undefined, type: string): JsonObject | undefined {
  // A loop: asked many times of each state of each pod, and a closure was made each time.
  for (const condition of asList(conditions)) if (isJsonObject(condition) && condition['type'] === type) return condition;
  return undefined;
}

export function conditionOf(object: KubeObject, type: string): JsonObject | undefined {
  return findCondition(dig(object, 'status', 'conditions'), type);
}

export function isTrue(object: KubeObject, type: string): boolean {
  return asText(conditionOf(object, type)?.['status']) === 'True';
}

export function withoutCondition(conditions: readonly Json[], type: string): readonly Json[] {
  return conditions.some((condition) => dig(condition, 'type') === type)
    ? conditions.filter((condition) => dig(condition, 'type') !== type)
    : conditions;
}

/**
 * The list with a condition set the way the workload controllers do it: nothing changes while status and reason are the same;
 * the time of transition is kept while the status is; and whatever changes goes to the end of the list.
 */
export function setCondition(conditions: readonly Json[], condition: JsonObject): readonly Json[] {
  const current = findCondition(conditions, asText(condition['type']) ?? '');
  if (current !== undefined && current['status'] === condition['status'] && current['reason'] === condition['reason']) return conditions;
  const kept =
    current !== undefined && current['status'] === condition['status']
      ? { ...condition, lastTransitionTime: current['lastTransitionTime'] ?? null }
      : condition;
  return [...withoutCondition(conditions, asText(condition['type']) ?? ''), kept];
}
