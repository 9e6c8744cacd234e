import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { conditionOf } from '../conditions.ts';
import { NOT_READY, UNREACHABLE } from './node-messages.ts';

/** The taints a node has by its conditions. Source: node_lifecycle_controller.go (doNoScheduleTaintingPass). */
export function noScheduleKeys(node: KubeObject): readonly string[] {
  const keys: string[] = [];
  for (const [type, byStatus] of BY_CONDITION) {
    const key = byStatus[asText(conditionOf(node, type)?.['status']) ?? ''];
    if (key !== undefined) keys.push(key);
  }
  if (dig(node, 'spec', 'unschedulable') === true) keys.push('node.kubernetes.io/unschedulable');
  return keys;
}

/** The node's taints with those of an effect that the controller manages replaced by these; the same list when nothing changes. */
export function withManaged(
  taints: readonly Json[],
  effect: 'NoSchedule' | 'NoExecute',
  keys: readonly string[],
  now: string,
): readonly Json[] {
  const managed = effect === 'NoSchedule' ? MANAGED : EVICTING;
  const kept = taints.filter(
    (taint) =>
      dig(taint, 'effect') !== effect || !managed.has(asText(dig(taint, 'key')) ?? '') || keys.includes(asText(dig(taint, 'key')) ?? ''),
  );
  const added = keys
    .filter((key) => !kept.some((taint) => dig(taint, 'effect') === effect && dig(taint, 'key') === key))
    .map((key): JsonObject => ({ key, effect, timeAdded: now }));
  return kept.length === taints.length && added.length === 0 ? taints : [...kept, ...added];
}

export function taintsOf(node: KubeObject): readonly Json[] {
  return asList(dig(node, 'spec', 'taints'));
}

const BY_CONDITION: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['Ready', { False: NOT_READY, Unknown: UNREACHABLE }],
  ['MemoryPressure', { True: 'node.kubernetes.io/memory-pressure' }],
  ['DiskPressure', { True: 'node.kubernetes.io/disk-pressure' }],
  ['NetworkUnavailable', { True: 'node.kubernetes.io/network-unavailable' }],
  ['PIDPressure', { True: 'node.kubernetes.io/pid-pressure' }],
];

const MANAGED: ReadonlySet<string> = new Set([
  ...BY_CONDITION.flatMap(([, byStatus]) => Object.values(byStatus)),
  'node.kubernetes.io/unschedulable',
]);
const EVICTING: ReadonlySet<string> = new Set([NOT_READY, UNREACHABLE]);
