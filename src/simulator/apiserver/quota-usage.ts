import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../base/json.ts';
import { textOf } from '../../base/json-text.ts';
import { bigintOf } from '../../base/number.ts';
import { own } from '../../base/own-property.ts';
import type { Nano } from '../../base/quantity.ts';
import { parseQuantity } from '../../base/quantity.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf } from '../../model/kube-object.ts';
import { canonicalQuantity } from './schema/quantities.ts';

/**
 * What an object counts against a ResourceQuota, by the names quotas use: for the admission plugin, which adds it up before the
 * object is stored, and for the quota controller, which adds it up afterwards.
 * Source: pkg/quota/v1/evaluator/core/{pods,services,persistent_volume_claims,resource_claims}.go,
 * staging/src/k8s.io/apiserver/pkg/quota/v1/generic.
 */
export function usageOf(resource: { readonly group: string; readonly plural: string }, object: KubeObject): ReadonlyMap<string, Nano> {
  const usage = new Map<string, Nano>([[countName(resource), ONE]]);
  if (resource.group === 'resource.k8s.io' && resource.plural === 'resourceclaims') return deviceUsage(object, usage);
  if (resource.group !== '') return usage;
  switch (resource.plural) {
    case 'pods':
      return podUsage(object);
    case 'services':
      return serviceUsage(object, usage);
    case 'persistentvolumeclaims':
      return claimUsage(object, usage);
    default:
      if (COUNTED.includes(resource.plural)) usage.set(resource.plural, ONE);
      return usage;
  }
}

/** Whether a quota with these scopes counts this pod; quotas without scopes count everything. */
export function inScope(quota: KubeObject, resource: string, object: KubeObject): boolean {
  const scopes = asList(dig(quota, 'spec', 'scopes')).map(String);
  const selectors = asList(dig(quota, 'spec', 'scopeSelector', 'matchExpressions'));
  if (scopes.length + selectors.length === 0) return true;
  if (resource !== 'pods') return false;
  return (
    scopes.every((scope) => matchesScope(scope, 'Exists', [], object)) &&
    selectors.every((one) =>
      matchesScope(textOf(dig(one, 'scopeName')), textOf(dig(one, 'operator')), asList(dig(one, 'values')).map(textOf), object),
    )
  );
}

/**
 * Containers that lack what a quota counts, by resource: `limits.cpu for: app`. Only cpu and memory must be given.
 * Source: pods.go (Constraints).
 */
export function missingForQuota(hard: readonly string[], pod: KubeObject): readonly string[] {
  const whole = asObject(dig(pod, 'spec', 'resources'));
  if (['requests', 'limits'].some((kind) => Object.keys(asObject(whole[kind])).length > 0)) return [];
  const containers = [...asList(dig(pod, 'spec', 'containers')), ...asList(dig(pod, 'spec', 'initContainers'))];
  const missing: string[] = [];
  for (const name of [...hard].sort()) {
    const [kind, resource] = own(MUST_BE_GIVEN, name) ?? [];
    if (kind === undefined || resource === undefined) continue;
    const lacking = containers
      .filter((container) => dig(container, 'resources', kind, resource) === undefined)
      .map((container) => textOf(dig(container, 'name')));
    if (lacking.length > 0) missing.push(`${name} for: ${[...new Set(lacking)].sort().join(',')}`);
  }
  return missing;
}

/** An amount as a quantity in the family (binary or decimal) of another. */
export function quantityText(amount: Nano, like: Json | undefined): string {
  const binary = typeof like === 'string' && like.endsWith('i');
  if (binary && amount !== 0n && amount % ONE === 0n) return binaryText(amount / ONE);
  return canonicalQuantity(`${amount.toString()}n`) ?? '0';
}

/** What a pod asks for in all: its containers and sidecars, or the step of its init containers that needs most, and its overhead. */
export function podRequests(pod: KubeObject, kind: 'requests' | 'limits'): ReadonlyMap<string, Nano> {
  const sum = amountsOfContainers(asObject(pod['spec']), kind);
  for (const [name, value] of Object.entries(asObject(dig(pod, 'spec', 'resources', kind))))
    if (isOfPods(name)) sum.set(name, parseQuantity(value) ?? 0n);
  for (const [name, value] of Object.entries(asObject(dig(pod, 'spec', 'overhead')))) {
    if (kind === 'requests' || sum.has(name)) sum.set(name, (sum.get(name) ?? 0n) + (parseQuantity(value) ?? 0n));
  }
  return sum;
}

/** What can be asked for by a pod as a whole. Source: component-helpers/resource/helpers.go (IsSupportedPodLevelResource). */
export function isOfPods(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

/** Source: staging/src/k8s.io/component-helpers/resource/helpers.go (AggregateContainerRequests, AggregateContainerLimits). */
export function amountsOfContainers(spec: JsonObject, kind: 'requests' | 'limits'): Map<string, Nano> {
  const sum = new Map<string, Nano>();
  const most = new Map<string, Nano>();
  const sidecars = new Map<string, Nano>();
  for (const container of asList(spec['containers'])) addTo(sum, amountsOf(container, kind));
  for (const container of asList(spec['initContainers'])) {
    const own = amountsOf(container, kind);
    if (dig(container, 'restartPolicy') === 'Always') {
      addTo(sum, own);
      addTo(sidecars, own);
      raiseTo(most, sidecars);
    } else {
      const step = new Map(sidecars);
      addTo(step, own);
      raiseTo(most, step);
    }
  }
  raiseTo(sum, most);
  return sum;
}

const ONE = 1_000_000_000n;
const COUNTED: readonly string[] = ['configmaps', 'secrets', 'replicationcontrollers', 'resourcequotas'];

function countName({ group, plural }: { readonly group: string; readonly plural: string }): string {
  return group === '' ? `count/${plural}` : `count/${plural}.${group}`;
}

const MUST_BE_GIVEN: Readonly<Record<string, readonly [kind: string, resource: string]>> = {
  cpu: ['requests', 'cpu'],
  memory: ['requests', 'memory'],
  'requests.cpu': ['requests', 'cpu'],
  'requests.memory': ['requests', 'memory'],
  'limits.cpu': ['limits', 'cpu'],
  'limits.memory': ['limits', 'memory'],
};

function podUsage(pod: KubeObject): ReadonlyMap<string, Nano> {
  const usage = new Map<string, Nano>([['count/pods', ONE]]);
  const phase = asText(dig(pod, 'status', 'phase'));
  if (phase === 'Succeeded' || phase === 'Failed') return usage;
  usage.set('pods', ONE);
  for (const [name, amount] of podRequests(pod, 'requests')) {
    usage.set(`requests.${name}`, amount);
    if (['cpu', 'memory', 'ephemeral-storage'].includes(name) || name.startsWith('hugepages-')) usage.set(name, amount);
  }
  for (const [name, amount] of podRequests(pod, 'limits'))
    if (['cpu', 'memory', 'ephemeral-storage'].includes(name)) usage.set(`limits.${name}`, amount);
  return usage;
}

function serviceUsage(service: KubeObject, usage: Map<string, Nano>): ReadonlyMap<string, Nano> {
  const type = dig(service, 'spec', 'type');
  const ports = bigintOf(asList(dig(service, 'spec', 'ports')).length) * ONE;
  usage.set('services', ONE);
  usage.set('services.nodeports', type === 'NodePort' || type === 'LoadBalancer' ? ports : 0n);
  usage.set('services.loadbalancers', type === 'LoadBalancer' ? ONE : 0n);
  return usage;
}

function claimUsage(claim: KubeObject, usage: Map<string, Nano>): ReadonlyMap<string, Nano> {
  const storage = parseQuantity(dig(claim, 'spec', 'resources', 'requests', 'storage')) ?? 0n;
  const className = asText(dig(claim, 'spec', 'storageClassName')) ?? annotationsOf(claim)['volume.beta.kubernetes.io/storage-class'] ?? '';
  usage.set('persistentvolumeclaims', ONE);
  usage.set('requests.storage', storage);
  if (className === '') return usage;
  usage.set(`${className}.storageclass.storage.k8s.io/persistentvolumeclaims`, ONE);
  usage.set(`${className}.storageclass.storage.k8s.io/requests.storage`, storage);
  return usage;
}

/** All devices of a class count as many as fit into one claim; of alternatives the one that asks for most of its class. */
function deviceUsage(claim: KubeObject, usage: Map<string, Nano>): ReadonlyMap<string, Nano> {
  for (const request of asList(dig(claim, 'spec', 'devices', 'requests'))) {
    const most = new Map<string, Nano>();
    const exactly = dig(request, 'exactly');
    for (const one of exactly === undefined ? asList(dig(request, 'firstAvailable')) : [exactly]) {
      const name = `${asText(dig(one, 'deviceClassName')) ?? ''}.deviceclass.resource.k8s.io/devices`;
      const amount = bigintOf(dig(one, 'allocationMode') === 'All' ? MOST_DEVICES : (asNumber(dig(one, 'count')) ?? 1)) * ONE;
      if (amount > (most.get(name) ?? 0n)) most.set(name, amount);
    }
    for (const [name, amount] of most) usage.set(name, (usage.get(name) ?? 0n) + amount);
  }
  return usage;
}

/** Source: staging/src/k8s.io/api/resource/v1/types.go (AllocationResultsMaxSize). */
const MOST_DEVICES = 32;

function matchesScope(scope: string, operator: string, values: readonly string[], pod: KubeObject): boolean {
  switch (scope) {
    case 'Terminating':
      return asNumber(dig(pod, 'spec', 'activeDeadlineSeconds')) !== undefined;
    case 'NotTerminating':
      return asNumber(dig(pod, 'spec', 'activeDeadlineSeconds')) === undefined;
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass': {
      const name = asText(dig(pod, 'spec', 'priorityClassName')) ?? '';
      if (operator === 'In') return values.includes(name);
      if (operator === 'NotIn') return !values.includes(name);
      return (name !== '') === (operator === 'Exists');
    }
    case 'CrossNamespacePodAffinity':
      return ['podAffinity', 'podAntiAffinity'].some((kind) =>
        JSON.stringify(dig(pod, 'spec', 'affinity', kind) ?? '').includes('"namespaces'),
      );
    default:
      return false;
  }
}

function isBestEffort(pod: KubeObject): boolean {
  return podRequests(pod, 'requests').size === 0 && podRequests(pod, 'limits').size === 0;
}

function amountsOf(container: Json, kind: 'requests' | 'limits'): JsonObject {
  return asObject(dig(container, 'resources', kind));
}

function addTo(sum: Map<string, Nano>, amounts: JsonObject): void {
  for (const [name, value] of Object.entries(amounts)) sum.set(name, (sum.get(name) ?? 0n) + (parseQuantity(value) ?? 0n));
}

function raiseTo(sum: Map<string, Nano>, other: ReadonlyMap<string, Nano>): void {
  for (const [name, amount] of other) if (amount > (sum.get(name) ?? -1n)) sum.set(name, amount);
}

function binaryText(bytes: bigint): string {
  const units = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
  let [rest, index] = [bytes, 0];
  while (rest % 1024n === 0n && index < units.length - 1) [rest, index] = [rest / 1024n, index + 1];
  return `${rest}${units[index] ?? ''}`;
}
