import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import { canonicalJson, sameJson, withFields } from '../../../base/json-edit.ts';
import { append } from '../../../base/lists.ts';
import { parseInteger } from '../../../base/number.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf, labelsOf, refOf } from '../../../model/kube-object.ts';
import type { Failure } from '../../apiserver/request.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { keyOf, keyOfObject } from '../../store/store.ts';
import type { SyncResult } from '../../components/work-queue.ts';
import { controllerReference, isDeleted, splitKey } from '../ownership.ts';
import { isFinished, isReady, nodeNameOf } from '../pod-state.ts';
import { isHeadless, portsOn, wantsEndpoints } from './ports.ts';
import { gatherMilliseconds, ServicePods } from './service-pods.ts';
import { TRIGGER_TIME, TriggerTimes } from './trigger-times.ts';

/**
 * Writes down which pods are behind each Service. Source: pkg/controller/endpointslice,
 * staging/src/k8s.io/endpointslice/{reconciler,utils}.go.
 */
export const ENDPOINT_SLICE_CONTROLLER: ComponentDefinition = {
  name: 'endpointslice-controller',
  process: 'kube-controller-manager',
  eventSource: 'endpoint-slice-controller',
  start,
};

const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const MANAGER = 'endpointslice-controller.k8s.io';
const SERVICE_NAME = 'kubernetes.io/service-name';
const HEADLESS = 'service.kubernetes.io/headless';
const MAX_ENDPOINTS = 100;
const RETRY_FROM_MILLISECONDS = 1000;
const MAX_RETRIES = 15;
/** How long after somebody else changed a slice it is looked at. */
const FOREIGN_CHANGE_MILLISECONDS = 1000;

interface Controller {
  readonly host: ComponentHost;
  readonly services: Informer;
  readonly nodes: Informer;
  readonly members: ServicePods;
  readonly slices: OwnSlices;
  readonly times: TriggerTimes;
}

function start(host: ComponentHost): void {
  const services = host.informer({ kind: 'Service' });
  const pods = host.informer({ kind: 'Pod' });
  const nodes = host.informer({ kind: 'Node' });
  const informer = host
    .informer({ kind: 'EndpointSlice' })
    .addIndex('service', (slice) =>
      labelsOf(slice)[MANAGED_BY] === MANAGER ? [keyOf(slice.metadata.namespace, labelsOf(slice)[SERVICE_NAME] ?? '')] : [],
    );
  const slices = new OwnSlices(informer);
  const queue = host.queue({ name: 'endpoint_slice', retryFrom: RETRY_FROM_MILLISECONDS, maxRetries: MAX_RETRIES }, (key) =>
    sync(controller, key),
  );
  const members = new ServicePods(services, pods, (key, size) => queue.addAfter(key, gatherMilliseconds(size)));
  const controller: Controller = { host, services, nodes, members, slices, times: new TriggerTimes() };
  informer.onChange(({ object, type }) => {
    const key = keyOf(object.metadata.namespace, labelsOf(object)[SERVICE_NAME] ?? '');
    if (labelsOf(object)[MANAGED_BY] === MANAGER && slices.seen(key, object, type === 'DELETED'))
      queue.addAfter(key, FOREIGN_CHANGE_MILLISECONDS);
  });
}

/** Slices as they will be in the cache when it has caught up with what was written. */
class OwnSlices {
  readonly #informer: Informer;
  readonly #ahead = new Map<string, Map<string, KubeObject | undefined>>();

  constructor(informer: Informer) {
    this.#informer = informer;
  }

  of(key: string): readonly KubeObject[] {
    const ahead = this.#ahead.get(key);
    const cached = this.#informer.by('service', key);
    if (ahead === undefined || ahead.size === 0) return cached;
    const names = new Set(cached.map(({ metadata }) => metadata.name));
    const current = cached.map((slice) => (ahead.has(slice.metadata.name) ? ahead.get(slice.metadata.name) : slice));
    const fresh = [...ahead].filter(([name]) => !names.has(name)).map(([, slice]) => slice);
    return [...current, ...fresh].filter((slice) => slice !== undefined);
  }

  wrote(key: string, name: string, slice: KubeObject | undefined): void {
    const ahead = this.#ahead.get(key) ?? new Map<string, KubeObject | undefined>();
    ahead.set(name, slice);
    this.#ahead.set(key, ahead);
  }

  /** Takes note of what the cache tells; whether somebody else did it. */
  seen(key: string, slice: KubeObject, gone: boolean): boolean {
    const ahead = this.#ahead.get(key);
    const { name } = slice.metadata;
    if (ahead === undefined || !ahead.has(name)) return gone || (asNumber(dig(slice, 'metadata', 'generation')) ?? 1) > 1;
    const mine = ahead.get(name);
    const caughtUp = mine === undefined ? gone : gone || versionOf(slice) >= versionOf(mine);
    if (caughtUp) ahead.delete(name);
    if (ahead.size === 0) this.#ahead.delete(key);
    return mine !== undefined && (gone || versionOf(slice) > versionOf(mine));
  }
}

function versionOf(slice: KubeObject): number {
  return parseInteger(asText(dig(slice, 'metadata', 'resourceVersion'))) ?? 0;
}

function* sync(controller: Controller, key: string): Routine<SyncResult> {
  const { host, services, members, slices, times } = controller;
  const service = services.get(...splitKey(key));
  if (service === undefined) {
    times.forget(key);
    return;
  }
  if (!wantsEndpoints(service) || isDeleted(service)) return;
  const trigger = times.take(key, service, members.of(service));
  const { groups, missingNode } = desiredOf(controller, service);
  const plan = planOf(slices.of(key), groups);
  const failure = yield* carryOut(controller, key, service, plan, trigger);
  const why = failure?.message ?? missingNode;
  if (why === undefined) return;
  host.events.event(service, {
    type: 'Warning',
    reason: 'FailedToUpdateEndpointSlices',
    message: `Error updating Endpoint Slices for Service ${key}: ${why}`,
  });
  return { retry: why };
}

/** The endpoints a Service should have, by the ports they have in common. */
interface Group {
  readonly ports: readonly JsonObject[];
  readonly endpoints: Map<string, JsonObject>;
}

function desiredOf(
  { members, nodes }: Controller,
  service: KubeObject,
): { readonly groups: Map<string, Group>; readonly missingNode: string | undefined } {
  const groups = new Map<string, Group>();
  const unready = dig(service, 'spec', 'publishNotReadyAddresses') === true;
  let missingNode: string | undefined;
  for (const pod of members.of(service)) {
    if (isFinished(pod) || asText(dig(pod, 'status', 'podIP')) === undefined) continue;
    const nodeName = nodeNameOf(pod);
    const node = nodes.get(undefined, nodeName);
    if (nodeName !== '' && node === undefined) {
      missingNode ??= `skipping Pod ${pod.metadata.name} for Service ${keyOfObject(service)}: Node ${nodeName} Not Found`;
      continue;
    }
    const ports = portsOn(pod, service);
    const hash = canonicalJson(ports);
    const group = groups.get(hash) ?? { ports, endpoints: new Map<string, JsonObject>() };
    group.endpoints.set(keyOfObject(pod), endpointOf(pod, service, node, unready));
    groups.set(hash, group);
  }
  return { groups, missingNode };
}

function endpointOf(pod: KubeObject, service: KubeObject, node: KubeObject | undefined, unready: boolean): JsonObject {
  const serving = isReady(pod);
  const terminating = isDeleted(pod);
  const hostname = asText(dig(pod, 'spec', 'hostname'));
  const named = hostname !== undefined && hostname !== '' && dig(pod, 'spec', 'subdomain') === service.metadata.name;
  const zone = node === undefined ? undefined : labelsOf(node)['topology.kubernetes.io/zone'];
  return {
    addresses: [asText(dig(pod, 'status', 'podIP')) ?? ''],
    conditions: { ready: unready || (serving && !terminating), serving, terminating },
    ...(named ? { hostname } : {}),
    targetRef: { kind: 'Pod', namespace: pod.metadata.namespace ?? '', name: pod.metadata.name, uid: pod.metadata.uid ?? '' },
    ...(nodeNameOf(pod) === '' ? {} : { nodeName: nodeNameOf(pod) }),
    ...(zone === undefined ? {} : { zone }),
  };
}

interface Content {
  readonly endpoints: readonly JsonObject[];
  readonly ports: readonly JsonObject[];
}

interface Plan {
  readonly update: readonly (Content & { readonly slice: KubeObject })[];
  readonly create: readonly Content[];
  readonly remove: readonly KubeObject[];
}

/** Source: reconciler.go (reconcileByPortMapping, finalize): slices keep what they have, and those left over are used again. */
function planOf(existing: readonly KubeObject[], groups: ReadonlyMap<string, Group>): Plan {
  const update: (Content & { readonly slice: KubeObject })[] = [];
  const create: Content[] = [];
  const remove = existing.filter((slice) => !groups.has(canonicalJson(asList(slice['ports']))));
  for (const [hash, group] of groups) {
    const mine = existing.filter((slice) => canonicalJson(asList(slice['ports'])) === hash);
    const planned = fill(mine, group);
    append(update, planned.update);
    append(create, planned.create);
    append(remove, planned.remove);
  }
  if (remove.length === existing.length && create.length === 0) {
    const [only] = remove;
    if (remove.length === 1 && only !== undefined && asList(only['endpoints']).length === 0 && asList(only['ports']).length === 0)
      remove.length = 0;
    else create.push({ endpoints: [], ports: [] });
  }
  const reused = Math.min(remove.length, create.length);
  const recycled = remove.slice(0, reused).map((slice, index) => ({ slice, ...(create[index] ?? { endpoints: [], ports: [] }) }));
  return { update: [...update, ...recycled], create: create.slice(reused), remove: remove.slice(reused) };
}

function fill(slices: readonly KubeObject[], { ports, endpoints }: Group): Plan {
  const open = new Map(endpoints);
  const kept = slices.map((slice) => {
    const before = asList(slice['endpoints']);
    const after = before.flatMap((endpoint) => {
      const pod = keyOf(asText(dig(endpoint, 'targetRef', 'namespace')), asText(dig(endpoint, 'targetRef', 'name')) ?? '');
      const wanted = open.get(pod);
      if (wanted === undefined || dig(wanted, 'targetRef', 'uid') !== dig(endpoint, 'targetRef', 'uid')) return [];
      open.delete(pod);
      return [sameJson(endpoint, wanted) ? endpoint : wanted];
    });
    return { slice, after, changed: after.length !== before.length || after.some((endpoint, index) => endpoint !== before[index]) };
  });
  const rest = [...open.values()];
  for (const entry of [...kept.filter(({ changed }) => changed), ...kept.filter(({ changed }) => !changed)]) {
    while (rest.length > 0 && entry.after.length < MAX_ENDPOINTS) {
      const next = rest.shift();
      if (next !== undefined) entry.after.push(next);
      entry.changed = true;
    }
  }
  const create: Content[] = [];
  for (let from = 0; from < rest.length; from += MAX_ENDPOINTS) create.push({ endpoints: rest.slice(from, from + MAX_ENDPOINTS), ports });
  return {
    update: kept
      .filter(({ changed, after }) => changed && after.length > 0)
      .map(({ slice, after }) => ({ slice, endpoints: after as readonly JsonObject[], ports })),
    create,
    remove: kept.filter(({ after }) => after.length === 0).map(({ slice }) => slice),
  };
}

function* carryOut(
  controller: Controller,
  key: string,
  service: KubeObject,
  plan: Plan,
  trigger: string | undefined,
): Routine<Failure | undefined> {
  const { host, slices } = controller;
  for (const content of plan.create) {
    const answer = yield* host.client.create(newSlice(service, content, trigger));
    if (!answer.ok) {
      const terminating = asList(dig(answer.status, 'details', 'causes')).some(
        (cause: Json) => dig(cause, 'reason') === 'NamespaceTerminating',
      );
      return terminating ? undefined : { ...answer, message: `failed to create EndpointSlice for Service ${key}: ${answer.message}` };
    }
    slices.wrote(key, answer.object.metadata.name, answer.object);
  }
  for (const { slice, endpoints, ports } of plan.update) {
    const { [TRIGGER_TIME]: _, ...others } = annotationsOf(slice);
    void _;
    const annotations = trigger === undefined ? others : { ...others, [TRIGGER_TIME]: trigger };
    const metadata = withFields(slice.metadata, {
      annotations: Object.keys(annotations).length === 0 ? undefined : annotations,
      labels: sliceLabels(service),
    });
    const answer = yield* host.client.update(withFields(slice, { metadata, endpoints: orNull(endpoints), ports: orNull(ports) }));
    if (!answer.ok)
      return { ...answer, message: `failed to update ${slice.metadata.name} EndpointSlice for Service ${key}: ${answer.message}` };
    slices.wrote(key, slice.metadata.name, answer.object);
  }
  for (const slice of plan.remove) {
    const answer = yield* host.client.delete(refOf(slice));
    if (!answer.ok && answer.code !== 404)
      return { ...answer, message: `failed to delete ${slice.metadata.name} EndpointSlice for Service ${key}: ${answer.message}` };
    slices.wrote(key, slice.metadata.name, undefined);
  }
  return undefined;
}

function newSlice(service: KubeObject, { endpoints, ports }: Content, trigger: string | undefined) {
  const { name, namespace } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${name}-`,
      namespace: namespace ?? '',
      labels: sliceLabels(service),
      ...(trigger === undefined ? {} : { annotations: { [TRIGGER_TIME]: trigger } }),
      ownerReferences: [controllerReference(service)],
    },
    addressType: 'IPv4',
    endpoints: orNull(endpoints),
    ports: orNull(ports),
  };
}

function sliceLabels(service: KubeObject): JsonObject {
  const own = Object.entries(labelsOf(service)).filter(([name]) => name !== MANAGED_BY && name !== SERVICE_NAME && name !== HEADLESS);
  return {
    ...Object.fromEntries(own),
    [MANAGED_BY]: MANAGER,
    [SERVICE_NAME]: service.metadata.name,
    ...(isHeadless(service) ? { [HEADLESS]: '' } : {}),
  };
}

/** An empty list is written as null, as Go writes a slice that has never had a member. */
function orNull(list: readonly JsonObject[]): Json {
  return list.length === 0 ? null : list;
}
