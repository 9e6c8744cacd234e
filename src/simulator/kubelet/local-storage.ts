import type { Json } from '../../base/json.ts';
import { asScalarText, dig } from '../../base/json.ts';
import { formatQuantity } from '../../base/quantity.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { amountOf, containersOf, nameOf } from './pod-fields.ts';
import type { NodeRuntime } from './runtime.ts';

/**
 * Why a pod has written more to its machine than it may; undefined when it has not. Only what programs said they write is counted.
 * Source: pkg/kubelet/eviction/eviction_manager.go (localStorageEviction: the pod's limit before its containers').
 */
export function localStorageTrouble(pod: KubeObject, uid: string, runtime: NodeRuntime): string | undefined {
  if (!runtime.writes(uid)) return undefined;
  const limits = containersOf(pod, 'containers').map((container): [string, Json | undefined] => [nameOf(container), dig(container, 'resources', 'limits', 'ephemeral-storage')]);
  const used = (name: string): number => runtime.containersOf(uid).reduce((sum, container) => sum + (container.name === name ? (container.process?.disk ?? 0) : 0), 0);
  const total = limits.reduce((sum, [name]) => sum + used(name), 0);
  const allowed = limits.every(([, limit]) => limit !== undefined) ? limits.reduce((sum, [, limit]) => sum + (amountOf(limit) ?? 0), 0) : undefined;
  if (limits.length > 1 && allowed !== undefined && total > allowed) return `Pod ephemeral local storage usage exceeds the total limit of containers ${formatQuantity(BigInt(allowed) * 1_000_000_000n, 'bytes')}. `;
  for (const [name, limit] of limits) if (limit !== undefined && used(name) > (amountOf(limit) ?? 0)) return `Container ${name} exceeded its local ephemeral storage limit "${asScalarText(limit) ?? ''}". `;
  return undefined;
}
