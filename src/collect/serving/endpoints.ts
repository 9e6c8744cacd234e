import type { Json } from '../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../base/json.ts';
import { grouped } from '../../base/lists.ts';
import { onceEach } from '../../base/once.ts';
import { unseenIn } from '../../model/cluster-reader.ts';
import { ANYTHING } from '../../model/fact.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, inNamespace, labelsOf, refOf } from '../../model/kube-object.ts';
import { selectorOfLabels } from '../../model/selectors.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { Scene } from '../survey/scene.ts';

/** Addresses behind a Service as EndpointSlices have them, or Endpoints where those were all there was to read. */
export interface ServiceEndpoints {
  readonly ready: number;
  readonly notReady: number;
  readonly ports: readonly { readonly name: string; readonly number: number | undefined; readonly protocol: string }[];
}

/** What stands behind the Service, with an `endpoints` fact for it; undefined with a gap when it could not be read. */
export async function endpointsOf(service: KubeObject, scene: Scene, sink: FactSink): Promise<ServiceEndpoints | undefined> {
  const ref = refOf(service);
  const found = await readEndpoints(service, scene, sink);
  if (found === undefined) return undefined;
  const ports = found.ports
    .map(({ name, number, protocol }) => `${name === '' ? '' : `${name} `}${String(number ?? '?')}/${protocol}`)
    .join(', ');
  sink.fact(
    'endpoints',
    ref,
    { service: ref.name, ready: found.ready, notReady: found.notReady, ports, hasPorts: found.ports.length > 0 },
    {
      source: `endpoints of ${formatRef(ref)}`,
      quote: `ready: ${String(found.ready)}, not ready: ${String(found.notReady)}, ports: ${ports === '' ? '<none>' : ports}`,
    },
  );
  return found;
}

async function readEndpoints(service: KubeObject, scene: Scene, sink: FactSink): Promise<ServiceEndpoints | undefined> {
  const { namespace, name } = service.metadata;
  const scope = inNamespace(namespace);
  const targeted = scene.request.target !== undefined;
  const labelSelector = selectorOfLabels({ 'kubernetes.io/service-name': name });
  const slices = await scene.survey.list(
    'EndpointSlice',
    targeted ? { ...scope, ...(labelSelector === undefined ? {} : { labelSelector }) } : inNamespace(scene.request.namespace),
  );
  if (slices.ok && unseenIn(slices) === undefined) {
    return fromSlices(slicesByService(slices.value).get(serviceKey(namespace, name)) ?? []);
  }
  const legacy = await scene.survey.get({ kind: 'Endpoints', ...scope, name });
  if (legacy.ok) return fromLegacy(legacy.value);
  // What has no Endpoints may have slices all the same: those of the API server's own Service, or made by hand.
  sink.gap('endpoints', { kind: 'Service', ...scope, name: targeted ? name : ANYTHING }, unseenIn(slices) ?? legacy);
  return undefined;
}

/** To go through all slices for each Service takes the square of a large cluster's size. */
const slicesByService = onceEach((slices: readonly KubeObject[]) =>
  grouped(slices, (slice) => serviceKey(slice.metadata.namespace, labelsOf(slice)['kubernetes.io/service-name'])),
);

function serviceKey(namespace: string | undefined, name: string | undefined): string {
  return `${namespace ?? ''}/${name ?? ''}`;
}

/** An endpoint without a `ready` condition counts as ready. Source: staging/src/k8s.io/api/discovery/v1/types.go. */
function fromSlices(slices: readonly KubeObject[]): ServiceEndpoints {
  let [ready, notReady] = [0, 0];
  for (const endpoint of slices.flatMap((slice) => asList(dig(slice, 'endpoints')))) {
    if (dig(endpoint, 'conditions', 'ready') === false) notReady++;
    else ready++;
  }
  return { ready, notReady, ports: unique(slices.flatMap((slice) => asList(dig(slice, 'ports')).map(toPort))) };
}

function fromLegacy(endpoints: KubeObject): ServiceEndpoints {
  let [ready, notReady] = [0, 0];
  const subsets = asList(dig(endpoints, 'subsets'));
  for (const subset of subsets) {
    ready += asList(dig(subset, 'addresses')).length;
    notReady += asList(dig(subset, 'notReadyAddresses')).length;
  }
  return { ready, notReady, ports: unique(subsets.flatMap((subset) => asList(dig(subset, 'ports')).map(toPort))) };
}

function toPort(port: Json): ServiceEndpoints['ports'][number] {
  return { name: asText(dig(port, 'name')) ?? '', number: asNumber(dig(port, 'port')), protocol: asText(dig(port, 'protocol')) ?? 'TCP' };
}

function unique(ports: ServiceEndpoints['ports']): ServiceEndpoints['ports'] {
  return [...new Map(ports.map((port) => [`${port.name} ${String(port.number)} ${port.protocol}`, port])).values()];
}
