import type { Json } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { bigintOf } from '../../../base/number.ts';
import type { Nano } from '../../../base/quantity.ts';
import { formatQuantity, parseQuantity } from '../../../base/quantity.ts';
import { amountsOf, requestsOf, totalOf } from '../../placement/fit/requests.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { groupOf, resourceOfKind } from '../../../model/resources.ts';

const ONE = 1_000_000_000n;
/** Amounts by the names that a quota's `hard` may use. */
export type Amounts = ReadonlyMap<string, Nano>;

/**
 * What one pod of this spec takes from a quota: the larger of all main containers (with sidecars) and any init container.
 * Source: pkg/quota/v1/evaluator/core/pods.go (podComputeUsageHelper), pkg/api/v1/resource/helpers.go (PodRequests).
 */
export function podAmounts(podSpec: Json | undefined): Amounts {
  const amounts = new Map<string, Nano>([
    ['pods', ONE],
    ['count/pods', ONE],
  ]);
  for (const side of ['requests', 'limits'] as const) {
    for (const [resource, amount] of podTotal(podSpec, side)) {
      amounts.set(`${side}.${resource}`, amount);
      if (side === 'requests') amounts.set(resource, amount);
    }
  }
  return amounts;
}

/**
 * What an object other than a pod takes from a quota.
 * Source: pkg/quota/v1/evaluator/core/{persistent_volume_claims,services}.go, apiserver/pkg/quota/v1/generic/evaluator.go
 * (ObjectCountQuotaResourceNameFor).
 */
export function objectAmounts(object: KubeObject): Amounts {
  const amounts = new Map<string, Nano>();
  const resource = resourceOfKind(object.kind);
  if (resource === undefined) return amounts;
  const group = groupOf(resource.apiVersion);
  amounts.set(`count/${resource.plural}${group === '' ? '' : `.${group}`}`, ONE);
  if (LEGACY_COUNTS.has(object.kind)) amounts.set(resource.plural, ONE);
  if (object.kind === 'PersistentVolumeClaim') claimAmounts(object, amounts);
  if (object.kind === 'Service') serviceAmounts(object, amounts);
  return amounts;
}

/** Kinds that are counted by their plural alone, as before object count quota. */
const LEGACY_COUNTS: ReadonlySet<string> = new Set([
  'ConfigMap',
  'Secret',
  'Service',
  'PersistentVolumeClaim',
  'ReplicationController',
  'ResourceQuota',
]);

function claimAmounts(claim: KubeObject, amounts: Map<string, Nano>): void {
  const storage = parseQuantity(dig(claim, 'spec', 'resources', 'requests', 'storage'));
  const storageClass = asText(dig(claim, 'spec', 'storageClassName'));
  if (storage !== undefined) amounts.set('requests.storage', storage);
  if (storageClass === undefined || storageClass === '') return;
  amounts.set(`${storageClass}.storageclass.storage.k8s.io/persistentvolumeclaims`, ONE);
  if (storage !== undefined) amounts.set(`${storageClass}.storageclass.storage.k8s.io/requests.storage`, storage);
}

function serviceAmounts(service: KubeObject, amounts: Map<string, Nano>): void {
  const type = asText(dig(service, 'spec', 'type'));
  if (type === 'LoadBalancer') amounts.set('services.loadbalancers', ONE);
  if (type === 'LoadBalancer' || type === 'NodePort')
    amounts.set('services.nodeports', ONE * bigintOf(asList(dig(service, 'spec', 'ports')).length));
}

/** `requests.cpu` → cpu, `count/deployments.apps` → deployments, `gold.storageclass.storage.k8s.io/requests.storage` → storage. */
export function shortResource(constraint: string): string {
  const last = constraint.slice(constraint.lastIndexOf('/') + 1);
  if (constraint.startsWith('count/')) return last.split('.')[0] ?? last;
  if (/^(?:requests|limits)\./.test(last)) return last.slice(last.indexOf('.') + 1);
  return last.startsWith('services.') ? 'services' : last;
}

/** An amount as a person would write it for this constraint. */
export function formatAmount(constraint: string, amount: Nano): string {
  return formatQuantity(amount, /(?:memory|storage)$/.test(constraint) ? 'bytes' : 'decimal');
}

function podTotal(podSpec: Json | undefined, side: 'requests' | 'limits'): Amounts {
  return totalOf(asList(dig(podSpec, 'containers')), asList(dig(podSpec, 'initContainers')), (container) => resourcesOf(container, side));
}

/** A container's requests or limits; a request that is left out is its limit, as the API server fills it in. */
export function resourcesOf(container: Json, side: 'requests' | 'limits'): Amounts {
  return side === 'requests' ? requestsOf(container) : amountsOf(dig(container, 'resources', 'limits'));
}
