import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { shows } from '../../../model/kube-object.ts';
import type { PodView } from './pod-view.ts';

export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
}

/** Taints of a node; undefined when its source does not show them. */
export function taintsOf(node: KubeObject): readonly Taint[] | undefined {
  const taints = dig(node, 'spec', 'taints');
  if (taints === undefined && !shows(node, 'spec.taints')) return undefined;
  return asList(taints).map((taint) => ({
    key: asText(dig(taint, 'key')) ?? '',
    value: asText(dig(taint, 'value')) ?? '',
    effect: asText(dig(taint, 'effect')) ?? '',
  }));
}

/** As `kubectl taint` takes it: `dedicated=gpu:NoSchedule`. */
export function formatTaint({ key, value, effect }: Taint): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`;
}

/**
 * Keys that the node lifecycle controller sets for a condition of the node. Source:
 * pkg/controller/nodelifecycle/node_lifecycle_controller.go.
 */
const CONDITION_KEYS: ReadonlySet<string> = new Set([
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/memory-pressure',
  'node.kubernetes.io/disk-pressure',
  'node.kubernetes.io/pid-pressure',
  'node.kubernetes.io/network-unavailable',
]);

export function isConditionTaint(key: string): boolean {
  return CONDITION_KEYS.has(key);
}

export const UNSCHEDULABLE_TAINT: Taint = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' };

const CONTROL_PLANE_KEYS: ReadonlySet<string> = new Set([
  'node-role.kubernetes.io/control-plane',
  'node-role.kubernetes.io/master',
  'node-role.kubernetes.io/etcd',
]);

export function isControlPlaneKey(key: string): boolean {
  return CONTROL_PLANE_KEYS.has(key);
}

/**
 * The first taint that keeps the pod from being scheduled there. Undefined when there is none; tolerations nobody has shown are taken
 * for the two that every pod gets. Source: pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go.
 */
export function untolerated(view: PodView, taints: readonly Taint[]): Taint | undefined {
  const tolerations = asList(view.field('tolerations').value);
  return taints.find(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') && !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

/** Source: staging/src/k8s.io/api/core/v1/toleration.go (ToleratesTaint). */
function tolerates(toleration: Json, taint: Taint): boolean {
  const [key, effect, operator] = [
    asText(dig(toleration, 'key')) ?? '',
    asText(dig(toleration, 'effect')) ?? '',
    asText(dig(toleration, 'operator')) ?? 'Equal',
  ];
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return key !== '' && (asText(dig(toleration, 'value')) ?? '') === taint.value;
}
