import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, dig } from '../../../base/json.ts';
import { sameJson, withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf, labelsOf, refOf } from '../../../model/kube-object.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import type { Routine } from '../../time/routine.ts';
import { keyOf, keyOfObject } from '../../store/store.ts';
import type { SyncResult } from '../../components/work-queue.ts';
import { controllerReference, splitKey } from '../ownership.ts';
import { LAST_APPLIED } from '../../apiserver/patches/last-applied.ts';

/**
 * Writes EndpointSlices for Endpoints that somebody made for a Service without a selector.
 * Source: pkg/controller/endpointslicemirroring/{endpointslicemirroring_controller,reconciler,utils}.go.
 */
export const ENDPOINT_SLICE_MIRRORING_CONTROLLER: ComponentDefinition = {
  name: 'endpointslicemirroring-controller',
  process: 'kube-controller-manager',
  eventSource: 'endpoint-slice-mirroring-controller',
  start,
};

const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const MANAGER = 'endpointslicemirroring-controller.k8s.io';
const SERVICE_NAME = 'kubernetes.io/service-name';
const SKIPPED_ANNOTATIONS: readonly string[] = ['endpoints.kubernetes.io/last-change-trigger-time', LAST_APPLIED];

interface Controller {
  readonly host: ComponentHost;
  readonly services: Informer;
  readonly endpoints: Informer;
  readonly slices: Informer;
}

function start(host: ComponentHost): void {
  const services = host.informer({ kind: 'Service' });
  const endpoints = host.informer({ kind: 'Endpoints' });
  const slices = host
    .informer({ kind: 'EndpointSlice' })
    .addIndex('mirrored', (slice) =>
      labelsOf(slice)[MANAGED_BY] === MANAGER ? [keyOf(slice.metadata.namespace, labelsOf(slice)[SERVICE_NAME] ?? '')] : [],
    );
  const queue = host.queue({ name: 'endpoint_slice_mirroring', workers: 5 }, (key) => sync({ host, services, endpoints, slices }, key));
  services.onChange(({ object }) => queue.add(keyOfObject(object)));
  endpoints.onChange(({ key }) => {
    // A Service that has a selector, and never was without, is not looked at for every pod.
    const service = services.get(...splitKey(key));
    if (service === undefined || !hasSelector(service) || slices.by('mirrored', key).length > 0) queue.add(key);
  });
  slices.onChange(({ object, type }) => {
    if (type === 'DELETED' && labelsOf(object)[MANAGED_BY] === MANAGER)
      queue.add(keyOf(object.metadata.namespace, labelsOf(object)[SERVICE_NAME] ?? ''));
  });
}

function* sync({ host, services, endpoints, slices }: Controller, key: string): Routine<SyncResult> {
  const [service, given] = [services.get(...splitKey(key)), endpoints.get(...splitKey(key))];
  const existing = slices.by('mirrored', key);
  const wanted =
    given === undefined || service === undefined || !isMirrored(given) || hasSelector(service)
      ? []
      : asList(given['subsets']).flatMap((subset) => slicesOf(subset, given));
  const open = [...existing];
  for (const slice of wanted) {
    const same = open.findIndex((one) => sameJson(one['ports'] ?? [], slice['ports'] ?? []) && one['addressType'] === slice['addressType']);
    const [known] = same < 0 ? [] : open.splice(same, 1);
    if (known !== undefined && sameJson(known['endpoints'], slice['endpoints'])) continue;
    const answer =
      known === undefined
        ? yield* host.client.create(slice)
        : yield* host.client.update(withFields(known, { endpoints: slice['endpoints'] }));
    if (!answer.ok) return { retry: answer.message };
  }
  for (const slice of open) {
    const answer = yield* host.client.delete(refOf(slice));
    if (!answer.ok && answer.code !== 404) return { retry: answer.message };
  }
}

/** Also those that a controller made, once the Service has no selector any more. Source: the same (shouldMirror). */
function isMirrored(endpoints: KubeObject): boolean {
  if (labelsOf(endpoints)['endpointslice.kubernetes.io/skip-mirror'] === 'true') return false;
  return annotationsOf(endpoints)['control-plane.alpha.kubernetes.io/leader'] === undefined;
}

function hasSelector(service: KubeObject): boolean {
  return Object.keys(asObject(dig(service, 'spec', 'selector'))).length > 0;
}

/** A slice for each family of addresses of a subset. */
function slicesOf(subset: Json, endpoints: KubeObject): readonly KubeObject[] {
  const all = [
    ...asList(dig(subset, 'addresses')).map((address) => ({ address, ready: true })),
    ...asList(dig(subset, 'notReadyAddresses')).map((address) => ({ address, ready: false })),
  ];
  const ports = asList(dig(subset, 'ports')).map((port): JsonObject => ({
    name: asText(dig(port, 'name')) ?? '',
    protocol: asText(dig(port, 'protocol')) ?? 'TCP',
    port: dig(port, 'port') ?? null,
    ...(dig(port, 'appProtocol') === undefined ? {} : { appProtocol: dig(port, 'appProtocol') }),
  }));
  return (['IPv4', 'IPv6'] as const).flatMap((addressType) => {
    const own = all.filter(({ address }) => (asText(dig(address, 'ip')) ?? '').includes(':') === (addressType === 'IPv6'));
    if (own.length === 0) return [];
    const { name, namespace = '' } = endpoints.metadata;
    const annotations = Object.fromEntries(Object.entries(annotationsOf(endpoints)).filter(([key]) => !SKIPPED_ANNOTATIONS.includes(key)));
    const labels = {
      ...Object.fromEntries(Object.entries(labelsOf(endpoints)).filter(([key]) => key !== MANAGED_BY && key !== SERVICE_NAME)),
      [MANAGED_BY]: MANAGER,
      [SERVICE_NAME]: name,
    };
    return [
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: {
          name: '',
          generateName: `${name}-`,
          namespace,
          labels,
          ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
          ownerReferences: [controllerReference(endpoints)],
        },
        addressType,
        endpoints: own.map(({ address, ready }) => endpointOf(address, ready)),
        ports,
      },
    ];
  });
}

function endpointOf(address: Json, ready: boolean): JsonObject {
  const { ip, hostname, nodeName, targetRef } = asObject(address);
  return {
    addresses: [asText(ip) ?? ''],
    conditions: { ready },
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(targetRef === undefined ? {} : { targetRef }),
  };
}
