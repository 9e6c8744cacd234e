import type { JsonObject } from '../../../base/json.ts';
import { asObject, asText, dig } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import { without } from '../../../base/lists.ts';
import { onceEach } from '../../../base/once.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf, labelsOf } from '../../../model/kube-object.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import type { SyncResult } from '../../components/work-queue.ts';
import { retryUnlessGone } from '../../components/work-queue.ts';
import { isDeleted, splitKey } from '../ownership.ts';
import { isNamespaceTerminating } from '../pod-control.ts';
import { isFinished, isReady, nodeNameOf } from '../pod-state.ts';
import { hashed, hashedPortsOn, isHeadless, wantsEndpoints } from './ports.ts';
import type { Member } from './service-pods.ts';
import { gatherMilliseconds, madeOnce, ServicePods } from './service-pods.ts';
import { TriggerTimes, withTrigger } from './trigger-times.ts';

/** The older form of endpoints, one object for each Service. Source: pkg/controller/endpoint/endpoints_controller.go. */
export const ENDPOINTS_CONTROLLER: ComponentDefinition = { name: 'endpoint-controller', process: 'kube-controller-manager', start };

const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';
const HEADLESS = 'service.kubernetes.io/headless';
const MAX_ADDRESSES = 1000;
const MAX_RETRIES = 15;

function start(host: ComponentHost): void {
  const services = host.informer({ kind: 'Service' });
  const endpoints = host.informer({ kind: 'Endpoints' });
  const times = new TriggerTimes();
  const shown = new Map<string, Shown>();
  const queue = host.queue({ name: 'endpoint', maxRetries: MAX_RETRIES }, (key) =>
    sync({ host, services, endpoints, members, times, shown }, key),
  );
  const members: ServicePods<Made> = new ServicePods(services, host.informer({ kind: 'Pod' }), (key, size) =>
    queue.addAfter(key, gatherMilliseconds(size)),
  );
}

interface Controller {
  readonly host: ComponentHost;
  readonly services: Informer;
  readonly endpoints: Informer;
  readonly members: ServicePods<Made>;
  readonly times: TriggerTimes;
  readonly shown: Map<string, Shown>;
}

/** Annotations with the time of the change that is written, and whether addresses are left out; undefined when there are none. */
function annotationsFor(
  current: KubeObject | undefined,
  trigger: string | undefined,
  truncated: boolean,
): Readonly<Record<string, string>> | undefined {
  const before = current === undefined ? {} : annotationsOf(current);
  const annotations = withTrigger(withFields(before, { [OVER_CAPACITY]: undefined }), trigger);
  return truncated ? { ...annotations, [OVER_CAPACITY]: 'truncated' } : annotations;
}

function* sync(controller: Controller, key: string): Routine<SyncResult> {
  const { host, services, endpoints, members, times } = controller;
  const service = services.get(...splitKey(key));
  const current = endpoints.get(...splitKey(key));
  if (service === undefined) {
    times.forget(key);
    controller.shown.delete(key);
    return current === undefined ? undefined : yield* remove(host, current);
  }
  if (!wantsEndpoints(service) || isDeleted(service)) return;
  const changed = members.takeChanged(key);
  const trigger = times.take(key, service, changed);
  const { subsets, truncated } = subsetsNow(controller, key, service, changed);
  const labels = shownLabels(service);
  const same = current !== undefined && sameJson(current['subsets'] ?? [], subsets) && sameJson(labelsOf(current), labels);
  if (same) return;
  const shown = { annotations: annotationsFor(current, trigger, truncated), labels };
  if (current === undefined) return yield* create(host, service, shown, subsets);
  const answer = yield* host.client.update(
    withFields(current, { metadata: withFields(current.metadata, shown), subsets: subsets.length === 0 ? undefined : subsets }),
    { wellFormed: true },
  );
  if (answer.ok) return;
  host.events.event(current, {
    type: 'Warning',
    reason: 'FailedToUpdateEndpoint',
    message: `Failed to update endpoint ${key}: ${answer.message}`,
  });
  return { retry: answer.message };
}

/** One value, which is looked at once and not with each address. */
const shownLabels = onceEach((service: KubeObject): JsonObject => ({
  ...labelsOf(service),
  [MANAGED_BY]: 'endpoint-controller',
  ...(isHeadless(service) ? { [HEADLESS]: '' } : {}),
}));

function subsetsNow(
  { members, shown }: Controller,
  key: string,
  service: KubeObject,
  changed: Iterable<Member<Made>>,
): { readonly subsets: readonly JsonObject[]; readonly truncated: boolean } {
  const before = shown.get(key);
  if (before?.service === service && keptUp(before, changed)) return { subsets: [subsetOf(before)], truncated: false };
  const all = subsetsOf(service, members.of(key));
  if (all.only === undefined) shown.delete(key);
  else shown.set(key, all.only);
  return all;
}

function* remove(host: ComponentHost, endpoints: KubeObject): Routine<SyncResult> {
  if (labelsOf(endpoints)[MANAGED_BY] === undefined) return;
  const { metadata } = endpoints;
  const answer = yield* host.client.delete({ kind: 'Endpoints', namespace: metadata.namespace ?? '', name: metadata.name });
  return retryUnlessGone(answer);
}

function* create(host: ComponentHost, service: KubeObject, shown: JsonObject, subsets: readonly JsonObject[]): Routine<SyncResult> {
  const { name, namespace } = service.metadata;
  const metadata = withFields({ name, namespace: namespace ?? '' }, shown);
  const answer = yield* host.client.create({ apiVersion: 'v1', kind: 'Endpoints', metadata, ...(subsets.length === 0 ? {} : { subsets }) });
  if (answer.ok || isNamespaceTerminating(answer)) return;
  host.events.event(
    { apiVersion: 'v1', kind: 'Endpoints', metadata: { name, namespace: namespace ?? '' } },
    {
      type: 'Warning',
      reason: 'FailedToCreateEndpoint',
      message: `Failed to create endpoint for service ${namespace ?? ''}/${name}: ${answer.message}`,
    },
  );
  return { retry: answer.message };
}

/** What a pod is to a Service; undefined for one that has no endpoint. */
type Made =
  | { readonly hash: string; readonly ports: readonly JsonObject[]; readonly isReady: boolean; readonly address: Address }
  | undefined;
type Address = JsonObject & { readonly ip: string };

function makeAddress(pod: KubeObject, service: KubeObject): Made {
  const published = dig(service, 'spec', 'publishNotReadyAddresses') === true;
  if (isFinished(pod) || asText(dig(pod, 'status', 'podIP')) === undefined || (isDeleted(pod) && !published)) return undefined;
  const { ports, hash } = withoutEmptyNames(hashedPortsOn(pod, service).ports);
  if (ports.length === 0 && !isHeadless(service)) return undefined;
  // Field by field: what is spread first and added to has, once that is compiled, a hidden class of its own.
  return { ports, hash, isReady: published || isReady(pod), address: addressOf(pod, service) };
}

const withoutEmptyNames = onceEach((ports: readonly JsonObject[]) =>
  hashed(ports.map(({ name, ...port }) => (name === '' || name === undefined ? port : { name, ...port }))),
);

/** Addresses that have their ports in common. */
interface Group {
  readonly ports: readonly JsonObject[];
  ready: readonly Address[];
  unready: readonly Address[];
}

/** All addresses of a Service when they have their ports in common, in their order; kept up with its pods. */
interface Shown extends Group {
  readonly service: KubeObject;
  readonly hash: string;
  readonly made: Map<Member<Made>, Made>;
}

/** Addresses by the ports they have in common, sorted, at most a thousand. Source: pkg/api/v1/endpoints/util.go (RepackSubsets). */
function subsetsOf(
  service: KubeObject,
  members: Iterable<Member<Made>>,
): { readonly subsets: readonly JsonObject[]; readonly truncated: boolean; readonly only: Shown | undefined } {
  const groups = new Map<string, { readonly ports: readonly JsonObject[]; readonly ready: Address[]; readonly unready: Address[] }>();
  const all = new Map<Member<Made>, Made>();
  for (const member of members) {
    const made = madeOnce(member, service, undefined, makeAddress);
    if (made === undefined) continue;
    const group = groups.get(made.hash) ?? { ports: made.ports, ready: [], unready: [] };
    groups.set(made.hash, group);
    (made.isReady ? group.ready : group.unready).push(made.address);
    all.set(member, made);
  }
  for (const { ready, unready } of groups.values()) for (const list of [ready, unready]) list.sort((a, b) => (a.ip < b.ip ? -1 : 1));
  const subsets = [...groups.values()].map(subsetOf);
  if (all.size > MAX_ADDRESSES) return { subsets: subsets.map((subset) => truncate(subset)), truncated: true, only: undefined };
  const [first] = groups;
  const only = groups.size === 1 && first !== undefined ? { service, hash: first[0], ...first[1], made: all } : undefined;
  return { subsets, truncated: false, only };
}

function subsetOf({ ports, ready, unready }: Group): JsonObject {
  // Field by field, as addresses are made: putting together what is spread took as long as finding the place of a new address.
  const subset: { addresses?: typeof ready; notReadyAddresses?: typeof unready; ports?: typeof ports } = {};
  if (ready.length > 0) subset.addresses = ready;
  if (unready.length > 0) subset.notReadyAddresses = unready;
  if (ports.length > 0) subset.ports = ports;
  return subset;
}

/** Puts in and takes out what has changed, where all were sorted anew for each pod; whether that is all there is to do. */
function keptUp(shown: Shown, changed: Iterable<Member<Made>>): boolean {
  for (const member of changed) {
    const [before, now] = [shown.made.get(member), member.isGone ? undefined : madeOnce(member, shown.service, undefined, makeAddress)];
    if (before === now) continue;
    shown.made.delete(member);
    if (before !== undefined) {
      const list = before.isReady ? 'ready' : 'unready';
      shown[list] = without(shown[list], before.address);
    }
    if (now === undefined) continue;
    shown.made.set(member, now);
    if (now.hash !== shown.hash || !putIn(shown, now.isReady ? 'ready' : 'unready', now.address)) return false;
  }
  return shown.made.size > 0 && shown.made.size <= MAX_ADDRESSES;
}

/** False when there is one of the same address. */
function putIn(shown: Shown, list: 'ready' | 'unready', address: Address): boolean {
  const addresses = shown[list];
  let [low, high] = [0, addresses.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((addresses[middle]?.ip ?? '') < address.ip) low = middle + 1;
    else high = middle;
  }
  if (addresses[low]?.ip === address.ip) return false;
  shown[list] = addresses.toSpliced(low, 0, address);
  return true;
}

function truncate(subset: JsonObject): JsonObject {
  const addresses = Array.isArray(subset['addresses']) ? subset['addresses'].slice(0, MAX_ADDRESSES) : undefined;
  return withFields(asObject(subset), { addresses });
}

function addressOf(pod: KubeObject, service: KubeObject): Address {
  const hostname = asText(dig(pod, 'spec', 'hostname')) ?? '';
  return {
    ip: asText(dig(pod, 'status', 'podIP')) ?? '',
    ...(hostname !== '' && dig(pod, 'spec', 'subdomain') === service.metadata.name ? { hostname } : {}),
    ...(nodeNameOf(pod) === '' ? {} : { nodeName: nodeNameOf(pod) }),
    targetRef: { kind: 'Pod', namespace: pod.metadata.namespace ?? '', name: pod.metadata.name, uid: pod.metadata.uid ?? '' },
  };
}
