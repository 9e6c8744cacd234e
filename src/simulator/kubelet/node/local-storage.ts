import type { Json } from '../../../base/json.ts';
import { asList, asScalarText, asText, dig } from '../../../base/json.ts';
import { bigintOf } from '../../../base/number.ts';
import { formatQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { bytesIn } from '../../programs/file-tree.ts';
import { amountOf, containersOf, nameOf } from '../pods/pod-fields.ts';
import type { NodeRuntime } from '../runtime/runtime.ts';

/**
 * Why a pod has written more to its machine than it may; undefined when it has not. Only what programs are known to write is counted.
 * Source: pkg/kubelet/eviction/eviction_manager.go (localStorageEviction: its volumes, then the pod as a whole, then each container).
 */
export function localStorageTrouble(pod: KubeObject, uid: string, runtime: NodeRuntime): string | undefined {
  if (!runtime.writes(uid)) return undefined;
  let total = 0;
  for (const volume of asList(dig(pod, 'spec', 'volumes'))) {
    if (dig(volume, 'emptyDir') === undefined) continue;
    const name = asText(dig(volume, 'name')) ?? '';
    const bytes = bytesInVolume(name, uid, runtime);
    const limit = dig(volume, 'emptyDir', 'sizeLimit');
    if (exceeds(bytes, limit)) return `Usage of EmptyDir volume "${name}" exceeds the limit "${asScalarText(limit) ?? ''}". `;
    if (dig(volume, 'emptyDir', 'medium') !== 'Memory') total += bytes;
  }
  const limits = containersOf(pod, 'containers').map((container): [string, Json | undefined] => [
    nameOf(container),
    dig(container, 'resources', 'limits', 'ephemeral-storage'),
  ]);
  const used = (name: string): number =>
    runtime.containersOf(uid).reduce((sum, container) => sum + (container.name === name ? (container.process?.disk ?? 0) : 0), 0);
  for (const [name] of limits) total += used(name);
  const given = limits.filter(([, limit]) => limit !== undefined);
  const allowed = given.reduce((sum, [, limit]) => sum + (amountOf(limit) ?? 0), 0);
  if (given.length > 0 && total > allowed)
    return `Pod ephemeral local storage usage exceeds the total limit of containers ${formatQuantity(bigintOf(allowed) * 1_000_000_000n, 'bytes')}. `;
  for (const [name, limit] of given)
    if (exceeds(used(name), limit)) return `Container ${name} exceeded its local ephemeral storage limit "${asScalarText(limit) ?? ''}". `;
  return undefined;
}

function exceeds(bytes: number, limit: Json | undefined): boolean {
  return limit !== undefined && bytes > (amountOf(limit) ?? 0);
}

/** All containers see the same files in it. */
function bytesInVolume(name: string, uid: string, runtime: NodeRuntime): number {
  let most = 0;
  for (const { settings, mounts } of runtime.containersOf(uid)) {
    for (const mount of asList(settings.spec['volumeMounts'])) {
      if (dig(mount, 'name') !== name || dig(mount, 'subPath') !== undefined) continue;
      const found = mounts.find(({ path }) => path === dig(mount, 'mountPath'));
      if (found !== undefined) most = Math.max(most, bytesIn(found.files()));
    }
  }
  return most;
}
