import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import { parseInteger } from '../../../base/number.ts';
import { onceEach } from '../../../base/once.ts';
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
import { hashedPortsOn, isHeadless, wantsEndpoints } from './ports.ts';
import type { Member } from './service-pods.ts';
import { gatherMilliseconds, madeOnce, ServicePods } from './service-pods.ts';
import type { Content, Made, Plan } from './slice-plan.ts';
import { planChanges, planOf } from './slice-plan.ts';
import { TriggerTimes, withTrigger } from './trigger-times.ts';

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
const RETRY_FROM_MILLISECONDS = 1000;
const MAX_RETRIES = 15;
/** How long after somebody else changed a slice it is looked at. */
const FOREIGN_CHANGE_MILLISECONDS = 1000;

interface Controller {
  readonly host: ComponentHost;
  readonly services: Informer;
  readonly nodes: Informer;
  readonly members: ServicePods<Made>;
  readonly slices: OwnSlices;
  readonly times: TriggerTimes;
  readonly written: Map<string, Written>;
  /** Counts nodes that came, went or changed their zone. */
  zones: number;
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
  const members = new ServicePods<Made>(services, pods, (key, size) => queue.addAfter(key, gatherMilliseconds(size)));
  const controller: Controller = { host, services, nodes, members, slices, times: new TriggerTimes(), written: new Map(), zones: 0 };
  nodes.onChange(({ type, object, previous }) => {
    if (type !== 'MODIFIED' || previous === undefined || zoneOf(previous) !== zoneOf(object)) controller.zones++;
  });
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
    const [only, ...others] = cached;
    // Most Services have one slice, which was written a moment ago.
    if (only !== undefined && others.length === 0 && ahead.size === 1 && ahead.has(only.metadata.name)) {
      const written = ahead.get(only.metadata.name);
      return written === undefined ? [] : [written];
    }
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
  const { host, services, members, slices, times, written } = controller;
  const before = written.get(key);
  written.delete(key);
  const service = services.get(...splitKey(key));
  if (service === undefined) {
    times.forget(key);
    return;
  }
  if (!wantsEndpoints(service) || isDeleted(service)) return;
  const changed = members.takeChanged(key);
  const trigger = times.take(key, service, changed);
  const [existing, { zones }] = [slices.of(key), controller];
  let missingNode: string | undefined;
  const make = (member: Member<Made>): Made | undefined => {
    const made = madeOf(controller, service, member);
    if (typeof made === 'string') missingNode ??= made;
    return typeof made === 'string' ? undefined : made;
  };
  const goesOn = before?.service === service && before.zones === zones && sameObjects(before.slices, existing);
  const plan = (goesOn ? planChanges(existing, before.placed, changed, make) : undefined) ?? planOf(existing, members.of(key), make);
  const done = yield* carryOut(controller, key, service, { existing, plan, trigger });
  const why = done.failure ?? missingNode;
  if (why === undefined) {
    if (plan.placed !== undefined) written.set(key, { service, zones, slices: done.slices, placed: plan.placed });
    return;
  }
  host.events.event(service, {
    type: 'Warning',
    reason: 'FailedToUpdateEndpointSlices',
    message: `Error updating Endpoint Slices for Service ${key}: ${why}`,
  });
  return { retry: why };
}

/** What was written of a Service, to go on from. */
interface Written {
  readonly service: KubeObject;
  readonly zones: number;
  readonly slices: readonly KubeObject[];
  readonly placed: NonNullable<Plan['placed']>;
}

function sameObjects(a: readonly KubeObject[], b: readonly KubeObject[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}

/** A pod's endpoint; undefined when it has none, a text when its node is not known. */
function madeOf({ nodes }: Controller, service: KubeObject, member: Member<Made>): Made | string | undefined {
  const { pod, isGone } = member;
  if (isGone || isFinished(pod) || asText(dig(pod, 'status', 'podIP')) === undefined) return undefined;
  const nodeName = nodeNameOf(pod);
  const node = nodes.get(undefined, nodeName);
  if (nodeName !== '' && node === undefined)
    return `skipping Pod ${pod.metadata.name} for Service ${keyOfObject(service)}: Node ${nodeName} Not Found`;
  return madeOnce(member, service, node, makeEndpoint);
}

function makeEndpoint(pod: KubeObject, service: KubeObject, node: KubeObject | undefined): Made {
  const { ports, hash } = hashedPortsOn(pod, service);
  return { ports, hash, pod: keyOfObject(pod), endpoint: endpointOf(pod, service, node) };
}

function endpointOf(pod: KubeObject, service: KubeObject, node: KubeObject | undefined): JsonObject {
  const unready = dig(service, 'spec', 'publishNotReadyAddresses') === true;
  const serving = isReady(pod);
  const terminating = isDeleted(pod);
  const hostname = asText(dig(pod, 'spec', 'hostname'));
  const named = hostname !== undefined && hostname !== '' && dig(pod, 'spec', 'subdomain') === service.metadata.name;
  const zone = node === undefined ? undefined : zoneOf(node);
  return {
    addresses: [asText(dig(pod, 'status', 'podIP')) ?? ''],
    conditions: { ready: unready || (serving && !terminating), serving, terminating },
    ...(named ? { hostname } : {}),
    targetRef: { kind: 'Pod', namespace: pod.metadata.namespace ?? '', name: pod.metadata.name, uid: pod.metadata.uid ?? '' },
    ...(nodeNameOf(pod) === '' ? {} : { nodeName: nodeNameOf(pod) }),
    ...(zone === undefined ? {} : { zone }),
  };
}

function zoneOf(node: KubeObject): string | undefined {
  return labelsOf(node)['topology.kubernetes.io/zone'];
}

function* carryOut(
  controller: Controller,
  key: string,
  service: KubeObject,
  { existing, plan, trigger }: { readonly existing: readonly KubeObject[]; readonly plan: Plan; readonly trigger: string | undefined },
): Routine<Done> {
  const { host, slices } = controller;
  const after = [...existing];
  for (const content of plan.create) {
    const answer = yield* host.client.create(newSlice(service, content, trigger));
    if (!answer.ok) {
      const terminating = asList(dig(answer.status, 'details', 'causes')).some(
        (cause: Json) => dig(cause, 'reason') === 'NamespaceTerminating',
      );
      return terminating ? { slices: [] } : failed(answer, `failed to create EndpointSlice for Service ${key}`);
    }
    slices.wrote(key, answer.object.metadata.name, answer.object);
    after.push(answer.object);
  }
  for (const { slice, endpoints, ports } of plan.update) {
    const metadata = withFields(slice.metadata, { annotations: withTrigger(annotationsOf(slice), trigger), labels: sliceLabels(service) });
    const answer = yield* host.client.update(withFields(slice, { metadata, endpoints: orNull(endpoints), ports: orNull(ports) }), {
      wellFormed: true,
    });
    if (!answer.ok) return failed(answer, `failed to update ${slice.metadata.name} EndpointSlice for Service ${key}`);
    slices.wrote(key, slice.metadata.name, answer.object);
    after[after.indexOf(slice)] = answer.object;
  }
  for (const slice of plan.remove) {
    const answer = yield* host.client.delete(refOf(slice));
    if (!answer.ok && answer.code !== 404)
      return failed(answer, `failed to delete ${slice.metadata.name} EndpointSlice for Service ${key}`);
    slices.wrote(key, slice.metadata.name, undefined);
    after.splice(after.indexOf(slice), 1);
  }
  return { slices: after };
}

interface Done {
  readonly failure?: string;
  /** As they are now, unless somebody else changes them. */
  readonly slices: readonly KubeObject[];
}

function failed({ message }: Failure, what: string): Done {
  return { failure: `${what}: ${message}`, slices: [] };
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
      ...(trigger === undefined ? {} : { annotations: withTrigger({}, trigger) }),
      ownerReferences: [controllerReference(service)],
    },
    addressType: 'IPv4',
    endpoints: orNull(endpoints),
    ports: orNull(ports),
  };
}

const sliceLabels = onceEach((service: KubeObject): JsonObject => {
  const own = Object.entries(labelsOf(service)).filter(([name]) => name !== MANAGED_BY && name !== SERVICE_NAME && name !== HEADLESS);
  return {
    ...Object.fromEntries(own),
    [MANAGED_BY]: MANAGER,
    [SERVICE_NAME]: service.metadata.name,
    ...(isHeadless(service) ? { [HEADLESS]: '' } : {}),
  };
});

/** An empty list is written as null, as Go writes a slice that has never had a member. */
function orNull(list: readonly JsonObject[]): Json {
  return list.length === 0 ? null : list;
}
