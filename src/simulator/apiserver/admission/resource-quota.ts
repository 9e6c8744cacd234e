import { asObject } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import { textOf } from '../../../base/json-text.ts';
import type { Nano } from '../../../base/quantity.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { forbidden } from '../failures.ts';
import { inScope, missingForQuota, quantityText, usageOf } from '../quota-usage.ts';
import type { Failure } from '../request.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';

/**
 * Nothing is made that would go beyond a quota; what is made is counted at once. Only what a quota's status has is held, so a
 * quota the controller has not looked at yet holds nothing.
 * Source: staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go (CheckRequest).
 */
export const RESOURCE_QUOTA: AdmissionPlugin = { name: 'ResourceQuota', validate };

function validate(request: AdmissionRequest, { store }: AdmissionSurroundings): Failure | undefined {
  if (
    request.operation === 'DELETE' ||
    (request.subresource !== undefined && request.subresource !== 'resize') ||
    request.namespace === undefined ||
    store.count(QUOTAS, request.namespace) === 0
  )
    return undefined;
  const usage = usageOf(request.resource, request.object);
  const before = request.old === undefined ? undefined : usageOf(request.resource, request.old);
  const accepted: KubeObject[] = [];
  for (const quota of store.list(QUOTAS, request.namespace)) {
    const outcome = charge(quota, request, usage, before);
    if (outcome === undefined) continue;
    if ('why' in outcome) return forbidden({ group: request.resource.group, resource: request.resource.plural }, request.name, outcome.why);
    accepted.push(outcome.quota);
  }
  if (request.dryRun) return undefined;
  for (const quota of accepted) store.update(QUOTAS, quota);
  return undefined;
}

const QUOTAS = 'resourcequotas';

type Outcome = { readonly why: string } | { readonly quota: KubeObject } | undefined;

/** The quota with the object counted in; why it does not go in; undefined when it is none of its business. */
function charge(
  quota: KubeObject,
  request: AdmissionRequest,
  usage: ReadonlyMap<string, Nano>,
  before: ReadonlyMap<string, Nano> | undefined,
): Outcome {
  const status = asObject(quota['status']);
  const [hard, used] = [asObject(status['hard']), asObject(status['used'])];
  const held = Object.keys(hard).sort();
  if (!inScope(quota, request.resource.plural, request.object)) return undefined;
  if (request.resource.key === 'pods' && request.operation === 'CREATE') {
    const missing = missingForQuota(held, request.object);
    if (missing.length > 0) return { why: `failed quota: ${quota.metadata.name}: must specify ${missing.join('; ')}` };
  }
  const concerned = held.filter((name) => usage.has(name));
  if (concerned.length === 0) return undefined;
  const unknown = concerned.filter((name) => used[name] === undefined);
  if (unknown.length > 0) return { why: `status unknown for quota: ${quota.metadata.name}, resources: ${unknown.join(',')}` };
  const wanted = concerned
    .map((name) => ({
      name,
      delta: (usage.get(name) ?? 0n) - (before?.get(name) ?? 0n),
      had: parseQuantity(used[name]) ?? 0n,
      limit: parseQuantity(hard[name]) ?? 0n,
    }))
    .filter(({ delta }) => delta > 0n);
  if (wanted.length === 0) return undefined;
  const over = wanted.filter(({ had, delta, limit }) => had + delta > limit);
  if (over.length > 0) {
    const text = (amount: (entry: (typeof over)[number]) => string): string =>
      over.map((entry) => `${entry.name}=${amount(entry)}`).join(',');
    return {
      why: `exceeded quota: ${quota.metadata.name}, requested: ${text(({ delta, name }) => quantityText(delta, hard[name]))}, used: ${text(({ name }) => textOf(used[name]))}, limited: ${text(({ name }) => textOf(hard[name]))}`,
    };
  }
  const counted = Object.fromEntries(wanted.map(({ name, had, delta }) => [name, quantityText(had + delta, hard[name])]));
  return { quota: withFields(quota, { status: withFields(status, { used: withFields(used, counted) }) }) };
}
