import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig } from '../../../base/json.ts';
import { withDefaults, withFields } from '../../../base/json-edit.ts';
import { textOf } from '../../../base/json-text.ts';
import { append } from '../../../base/lists.ts';
import { numberOf } from '../../../base/number.ts';
import type { Nano } from '../../../base/quantity.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import { mapContainers } from '../defaulting/pod-spec.ts';
import { forbidden } from '../failures.ts';
import { quantityText } from '../quota-usage.ts';
import type { Failure } from '../request.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';

/**
 * LimitRanges: first their defaults are filled in, later their bounds are held against the pod.
 * Source: plugin/pkg/admission/limitranger/admission.go.
 */
export const LIMIT_RANGER: AdmissionPlugin = { name: 'LimitRanger', kinds: new Set(['pods', 'persistentvolumeclaims']), admit, validate };

function admit(request: AdmissionRequest, { store }: AdmissionSurroundings): Failure | undefined {
  if (request.resource.key !== 'pods' || !isLimited(request)) return undefined;
  const notes: string[] = [];
  for (const range of store.list('limitranges', request.namespace)) request.object = withLimits(request.object, range, notes);
  if (notes.length === 0) return undefined;
  const annotations = { ...annotationsOf(request.object), 'kubernetes.io/limit-ranger': `LimitRanger plugin set: ${notes.join('; ')}` };
  request.object = withFields(request.object, { metadata: withFields(request.object.metadata, { annotations }) });
  return undefined;
}

/** Of a pod that is there only its resources may change. Source: the same (SupportsAttributes). */
function isLimited({ operation, resource, subresource, old }: AdmissionRequest): boolean {
  if (operation === 'DELETE' || old?.metadata['deletionTimestamp'] !== undefined) return false;
  return resource.key === 'pods' && operation === 'UPDATE' ? subresource === 'resize' : subresource === undefined;
}

function withLimits(pod: KubeObject, range: KubeObject, notes: string[]): KubeObject {
  let [limits, requests]: [JsonObject, JsonObject] = [{}, {}];
  for (const limit of asList(dig(range, 'spec', 'limits'))) {
    if (dig(limit, 'type') !== 'Container') continue;
    limits = withDefaults(limits, asObject(dig(limit, 'default')));
    requests = withDefaults(requests, asObject(dig(limit, 'defaultRequest')));
  }
  const ofInit: string[] = [];
  const spec = mapContainers(asObject(pod['spec']), (container, kind) => {
    const resources = asObject(container['resources']);
    const [who, told] = kind === 'initContainers' ? ['init container', ofInit] : ['container', notes];
    const filledRequests = fill(asObject(resources['requests']), requests, `request for ${who} ${textOf(container['name'])}`, told);
    const filledLimits = fill(asObject(resources['limits']), limits, `limit for ${who} ${textOf(container['name'])}`, told);
    return withFields(container, {
      resources: withFields(resources, { requests: orNothing(filledRequests), limits: orNothing(filledLimits) }),
    });
  });
  append(notes, ofInit);
  return withFields(pod, { spec });
}

function fill(given: JsonObject, defaults: JsonObject, what: string, notes: string[]): JsonObject {
  const missing = Object.keys(defaults)
    .filter((name) => given[name] === undefined)
    .sort();
  if (missing.length === 0) return given;
  notes.push(`${missing.join(', ')} ${what}`);
  return withDefaults(given, Object.fromEntries(missing.map((name) => [name, defaults[name]])));
}

function orNothing(resources: JsonObject): JsonObject | undefined {
  return Object.keys(resources).length === 0 ? undefined : resources;
}

function validate(request: AdmissionRequest, { store }: AdmissionSurroundings): Failure | undefined {
  if (!isLimited(request)) return undefined;
  const of = { group: '', resource: request.resource.plural };
  for (const range of store.list('limitranges', request.namespace)) {
    const wrong = [
      ...new Set(request.resource.key === 'pods' ? podViolations(request.object, range) : claimViolations(request.object, range)),
    ];
    if (wrong.length > 0) return forbidden(of, request.name, wrong.length === 1 ? (wrong[0] ?? '') : `[${wrong.join(', ')}]`);
  }
  return undefined;
}

function podViolations(pod: KubeObject, range: KubeObject): readonly string[] {
  const wrong: string[] = [];
  const spec = asObject(pod['spec']);
  for (const limit of asList(dig(range, 'spec', 'limits'))) {
    if (dig(limit, 'type') === 'Container') {
      for (const container of [...asList(spec['containers']), ...asList(spec['initContainers'])])
        append(wrong, violations(limit, 'Container', amountsOf(container)));
    }
    if (dig(limit, 'type') === 'Pod') append(wrong, violations(limit, 'Pod', podAmounts(spec)));
  }
  return wrong;
}

function claimViolations(claim: KubeObject, range: KubeObject): readonly string[] {
  const requests = asObject(dig(claim, 'spec', 'resources', 'requests'));
  return asList(dig(range, 'spec', 'limits')).flatMap((limit) =>
    dig(limit, 'type') === 'PersistentVolumeClaim'
      ? [
          ...Object.entries(asObject(dig(limit, 'min'))).flatMap(([name, min]) =>
            minimum(name, min, 'PersistentVolumeClaim', { requests, limits: {} }),
          ),
          ...Object.entries(asObject(dig(limit, 'max'))).flatMap(([name, max]) => claimMaximum(name, max, requests)),
        ]
      : [],
  );
}

interface Amounts {
  readonly requests: JsonObject;
  readonly limits: JsonObject;
}

function amountsOf(container: Json): Amounts {
  return { requests: asObject(dig(container, 'resources', 'requests')), limits: asObject(dig(container, 'resources', 'limits')) };
}

/** Sums of the containers, or of the largest init container where that is more. */
function podAmounts(spec: JsonObject): Amounts {
  const total = (field: 'requests' | 'limits'): JsonObject => {
    const sum = new Map<string, Nano>();
    for (const container of asList(spec['containers']))
      for (const [name, value] of Object.entries(amountsOf(container)[field]))
        sum.set(name, (sum.get(name) ?? 0n) + (parseQuantity(value) ?? 0n));
    for (const container of asList(spec['initContainers'])) {
      for (const [name, value] of Object.entries(amountsOf(container)[field])) {
        const amount = parseQuantity(value) ?? 0n;
        if (amount > (sum.get(name) ?? -1n)) sum.set(name, amount);
      }
    }
    return Object.fromEntries([...sum].map(([name, amount]) => [name, quantityText(amount, name === 'cpu' ? '' : 'Ki')]));
  };
  return { requests: total('requests'), limits: total('limits') };
}

function violations(limit: Json, type: string, amounts: Amounts): readonly string[] {
  return [
    ...Object.entries(asObject(dig(limit, 'min'))).flatMap(([name, min]) => minimum(name, min, type, amounts)),
    ...Object.entries(asObject(dig(limit, 'max'))).flatMap(([name, max]) => maximum(name, max, type, amounts)),
    ...Object.entries(asObject(dig(limit, 'maxLimitRequestRatio'))).flatMap(([name, ratio]) => ratioOf(name, ratio, type, amounts)),
  ];
}

function minimum(name: string, min: Json | undefined, type: string, amounts: Amounts): readonly string[] {
  const [bound, request, limit] = [parseQuantity(min) ?? 0n, parseQuantity(amounts.requests[name]), parseQuantity(amounts.limits[name])];
  const words = `minimum ${name} usage per ${type} is ${asText(min) ?? ''}`;
  if (request === undefined) return [`${words}.  No request is specified`];
  if (request < bound) return [`${words}, but request is ${textOf(amounts.requests[name])}`];
  return limit !== undefined && limit < bound ? [`${words}, but limit is ${textOf(amounts.limits[name])}`] : [];
}

function maximum(name: string, max: Json | undefined, type: string, amounts: Amounts): readonly string[] {
  const [bound, request, limit] = [parseQuantity(max) ?? 0n, parseQuantity(amounts.requests[name]), parseQuantity(amounts.limits[name])];
  const words = `maximum ${name} usage per ${type} is ${asText(max) ?? ''}`;
  if (limit === undefined) return [`${words}.  No limit is specified`];
  if (limit > bound) return [`${words}, but limit is ${textOf(amounts.limits[name])}`];
  return request !== undefined && request > bound ? [`${words}, but request is ${textOf(amounts.requests[name])}`] : [];
}

function claimMaximum(name: string, max: Json | undefined, requests: JsonObject): readonly string[] {
  const [bound, request] = [parseQuantity(max) ?? 0n, parseQuantity(requests[name])];
  const words = `maximum ${name} usage per PersistentVolumeClaim is ${asText(max) ?? ''}`;
  if (request === undefined) return [`${words}.  No request is specified`];
  return request > bound ? [`${words}, but request is ${textOf(requests[name])}`] : [];
}

function ratioOf(name: string, ratio: Json | undefined, type: string, amounts: Amounts): readonly string[] {
  const [request, limit] = [parseQuantity(amounts.requests[name]) ?? 0n, parseQuantity(amounts.limits[name]) ?? 0n];
  const words = `${name} max limit to request ratio per ${type} is ${asText(ratio) ?? ''}`;
  if (request === 0n) return [`${words}, but no request is specified or request is 0`];
  if (limit === 0n) return [`${words}, but no limit is specified or limit is 0`];
  const observed = numberOf(limit) / numberOf(request);
  return observed > numberOf(parseQuantity(ratio) ?? 0n) / 1e9 ? [`${words}, but provided ratio is ${observed.toFixed(6)}`] : [];
}
