import { asList, asNumber, asObject, asText, dig } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { withFields } from '../../base/json-edit.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { labelsOf } from '../../model/kube-object.ts';
import type { Agenda, Task } from '../time/agenda.ts';
import { FRONT_PROXY_CA } from '../x509/certificates.ts';
import type { Store } from '../store/store.ts';
import { timeOf } from '../time/api-times.ts';
import type { World } from '../outside/outside-world.ts';

const API_SERVICES = 'apiservices.apiregistration.k8s.io';

/**
 * The condition Available of every APIService: whether the server behind it answers, or what of the way to it is missing. A server
 * that runs answers even where nobody made a Service for it. Written by kube-apiserver itself.
 * Source: staging/src/k8s.io/kube-aggregator/pkg/controllers/status/{local,remote}.
 */
export function followApiServices(agenda: Agenda, store: Store, world: World): void {
  let due: Task | undefined;
  const look = (): void => {
    if (due?.pending === true || store.count(API_SERVICES) === 0) return;
    due = agenda.at(agenda.now + CHECK_MILLISECONDS, 'availability of APIServices', () => {
      for (const service of store.list(API_SERVICES)) judge(service, agenda, store, world);
    });
  };
  for (const resource of [API_SERVICES, 'services', 'endpointslices.discovery.k8s.io']) store.subscribe(resource, look);
  world.aggregated.onChange(look);
}

/** Changes are gathered, and asking takes a moment. */
const CHECK_MILLISECONDS = 1000;

interface Verdict {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

function judge(service: KubeObject, agenda: Agenda, store: Store, world: World): void {
  const { status, reason, message } = verdictOf(service, agenda, store, world);
  const conditions = asList(dig(service, 'status', 'conditions'));
  const known = conditions.find((condition) => dig(condition, 'type') === 'Available');
  if (dig(known, 'status') === status && dig(known, 'reason') === reason && dig(known, 'message') === message) return;
  const lastTransitionTime = dig(known, 'status') === status ? (dig(known, 'lastTransitionTime') ?? null) : timeOf(agenda.now);
  const others = conditions.filter((condition) => condition !== known);
  const next: JsonObject = { type: 'Available', status, lastTransitionTime, reason, message };
  store.update(API_SERVICES, withFields(service, { status: withFields(asObject(service['status']), { conditions: [...others, next] }) }));
}

function verdictOf(apiService: KubeObject, agenda: Agenda, store: Store, world: World): Verdict {
  const target = dig(apiService, 'spec', 'service');
  if (target === undefined) return { status: 'True', reason: 'Local', message: 'Local APIServices are always available' };
  const [group, version] = [asText(dig(apiService, 'spec', 'group')) ?? '', asText(dig(apiService, 'spec', 'version')) ?? ''];
  const untrusted = world.certificates.trouble('front-proxy-client', FRONT_PROXY_CA, agenda.now);
  if (world.aggregated.get(`${group}/${version}`) !== undefined && untrusted === undefined)
    return { status: 'True', reason: 'Passed', message: 'all checks passed' };
  return (
    missing(target, store) ?? {
      status: 'False',
      reason: 'FailedDiscoveryCheck',
      message: `failing or missing response from https://${addressOf(target, store)}/apis/${group}/${version}: ${untrusted === undefined ? `Get "https://${addressOf(target, store)}/apis/${group}/${version}": dial tcp ${addressOf(target, store)}: connect: connection refused` : 'bad status from https: 401'}`,
    }
  );
}

/** What of the way to a server is not there. */
function missing(target: Json, store: Store): Verdict | undefined {
  const [namespace, name] = [asText(dig(target, 'namespace')) ?? '', asText(dig(target, 'name')) ?? ''];
  const service = store.get('services', namespace, name);
  const no = (reason: string, message: string): Verdict => ({ status: 'False', reason, message });
  if (service === undefined) return no('ServiceNotFound', `service/${name} in "${namespace}" is not present`);
  const port = portOf(target, service);
  if (port === undefined)
    return no('ServicePortError', `service/${name} in "${namespace}" is not listening on port ${asNumber(dig(target, 'port')) ?? 443}`);
  const slices = store
    .list('endpointslices.discovery.k8s.io', namespace)
    .filter((slice) => labelsOf(slice)['kubernetes.io/service-name'] === name);
  if (slices.length === 0) return no('EndpointsNotFound', `cannot find endpointslices for service/${name} in "${namespace}"`);
  const portName = asText(dig(port, 'name')) ?? '';
  const listens = slices.some(
    (slice) =>
      asList(slice['ports']).some((one) => (asText(dig(one, 'name')) ?? '') === portName) &&
      asList(slice['endpoints']).some((endpoint) => dig(endpoint, 'conditions', 'ready') !== false),
  );
  return listens
    ? undefined
    : no('MissingEndpoints', `endpointslices for service/${name} in "${namespace}" have no addresses with port name "${portName}"`);
}

function portOf(target: Json, service: KubeObject): Json | undefined {
  return asList(dig(service, 'spec', 'ports')).find((port) => dig(port, 'port') === (asNumber(dig(target, 'port')) ?? 443));
}

function addressOf(target: Json, store: Store): string {
  const service = store.get('services', asText(dig(target, 'namespace')) ?? '', asText(dig(target, 'name')) ?? '');
  return `${asText(dig(service, 'spec', 'clusterIP')) ?? ''}:${asNumber(dig(target, 'port')) ?? 443}`;
}
