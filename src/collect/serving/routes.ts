import { parse } from 'yaml';
import { parseAddress } from '../../base/address.ts';
import type { Json } from '../../base/json.ts';
import { asList, asNumber, asText, asTextMap, dig } from '../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef, inNamespace, objectKey, refOf } from '../../model/kube-object.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import { manifestsOf } from '../request/answers/manifests.ts';
import type { Scene } from '../survey/scene.ts';
import { classFacts } from './ingress-classes.ts';

interface Route {
  readonly gateway: ObjectRef;
  readonly id: string;
  readonly path: string;
  readonly service: string;
  readonly port?: number | string;
  readonly source: string;
  /** JSON pointer to its backend in the object that holds it; absent where that is text. */
  readonly pointer?: string;
}

/**
 * `route` facts: where gateways send which path, and whether that can be right. In a scope, and for an Ingress: one pod does not show its
 * gateways.
 */
export async function collectRoutes(scene: Scene, sink: FactSink): Promise<void> {
  const { target, namespace = target?.namespace } = scene.request;
  if (target !== undefined && target.kind !== 'Ingress') return;
  const scope = inNamespace(namespace);
  const services = await scene.survey.list('Service', scope);
  const seen = services.ok ? services.value : [];
  const complete = services.ok && services.partial === undefined;
  const routes =
    target === undefined && services.ok
      ? [...(await ingressRoutes(scene)), ...(await applicationRoutes(scene))]
      : await ingressRoutes(scene);
  for (const route of routes) {
    const here = seen.filter(({ metadata }) => metadata.namespace === route.gateway.namespace);
    const missing = complete ? undefined : await missingKind(route, here, scene);
    const wouldShow = complete ? here.length > 0 : missing !== undefined;
    const exception = missing === 'Endpoints' ? 'ExternalName' : undefined;
    routeFact(route, routes, here, { complete: wouldShow, exception }, sink);
  }
  await classFacts(scene, sink);
}

/** Where somebody looked for the Service behind an Ingress, or for its Endpoints, and there is none: for which of them. */
async function missingKind({ gateway, service: name }: Route, here: readonly KubeObject[], scene: Scene): Promise<string | undefined> {
  if (gateway.kind !== 'Ingress' || !scene.survey.stored || here.some(({ metadata }) => metadata.name === name)) return undefined;
  const place = inNamespace(gateway.namespace);
  for (const kind of ['Service', 'Endpoints']) {
    const read = await scene.survey.get({ kind, ...place, name });
    if (!read.ok && read.why === 'absent') return kind;
  }
  return undefined;
}

interface Looked {
  /** The Service would have been seen. */
  readonly complete: boolean;
  /** The type of Service that has no Endpoints, where only these were looked for. */
  readonly exception: string | undefined;
}

function routeFact(
  route: Route,
  routes: readonly Route[],
  services: readonly KubeObject[],
  { complete, exception }: Looked,
  sink: FactSink,
): void {
  const service = services.find(({ metadata }) => metadata.name === route.service);
  const ports = asList(dig(service, 'spec', 'ports')).flatMap((port) =>
    [asNumber(dig(port, 'port')), asText(dig(port, 'name'))].filter((value) => value !== undefined),
  );
  const numbers = asList(dig(service, 'spec', 'ports')).flatMap((port) => asNumber(dig(port, 'port')) ?? []);
  const meant = service === undefined ? undefined : meantBy(route, routes, services);
  const absent = complete ? 'name' : undefined;
  const wrong = service === undefined ? absent : wrongOf(route, ports, meant);
  if (wrong === undefined) return;
  const isNowhere = wrong === 'name' && route.gateway.kind === 'Ingress';
  sink.fact(
    'route',
    isNowhere ? route.gateway : { kind: 'Service', ...inNamespace(route.gateway.namespace), name: meant ?? route.service },
    {
      gateway: `${route.gateway.kind}/${route.gateway.name}`,
      route: route.id,
      path: route.path,
      service: route.service,
      port: route.port === undefined ? undefined : String(route.port),
      wrong,
      exception: wrong === 'name' ? exception : undefined,
      meant,
      offers: ports.length === 0 ? undefined : ports.join(', '),
      pointer: route.pointer,
      onlyPort: wrong === 'port' && numbers.length === 1 ? numbers[0] : undefined,
    },
    {
      source: route.source,
      quote: `route ${route.id}: ${route.path} -> ${route.service}${route.port === undefined ? '' : `:${String(route.port)}`}`,
    },
  );
}

/** What is wrong with a route to a Service that is there. */
function wrongOf({ port }: Route, ports: readonly (string | number)[], meant: string | undefined): 'port' | 'other' | undefined {
  if (port !== undefined && ports.length > 0 && !ports.includes(port)) return 'port';
  return meant === undefined ? undefined : 'other';
}

/**
 * The Service that a route speaks of, when it leads to another: its id and path name one to which no route leads, while the one it leads
 * to has a route of its own.
 */
function meantBy(route: Route, routes: readonly Route[], services: readonly KubeObject[]): string | undefined {
  const spoken = services
    .map(({ metadata }) => metadata.name)
    .filter((name) => name !== route.service && !routes.some((other) => other.service === name) && speaksOf(route, name));
  const own = routes.some(
    (other) =>
      other !== route && other.service === route.service && other.gateway.name === route.gateway.name && speaksOf(other, route.service),
  );
  return own && !speaksOf(route, route.service) && spoken.length > 0 ? spoken.toSorted((a, b) => a.length - b.length)[0] : undefined;
}

/** The words of the route's id all stand in the Service's name, and nothing else does but words that say what it is. */
function speaksOf({ id, path }: Route, service: string): boolean {
  const words = new Set(service.toLowerCase().split(/[^a-z0-9]+/));
  const idWords = id
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !KIND_WORDS.has(word));
  const rest = [...words].filter((word) => !idWords.includes(word) && !KIND_WORDS.has(word) && word.length > 2);
  if (idWords.length > 0 && idWords.every((word) => words.has(word)) && rest.length === 0) return true;
  const plain = [...words].filter((word) => !KIND_WORDS.has(word) && word.length > 2).join('');
  return (
    plain !== '' &&
    path
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .some((part) => withoutKindWords(part) === plain)
  );
}

function withoutKindWords(part: string): string {
  let left = part;
  for (const word of KIND_WORDS) left = left.replace(word, '');
  return left;
}

const KIND_WORDS: ReadonlySet<string> = new Set(['service', 'services', 'svc', 'route', 'api', 'app', 'server']);

async function ingressRoutes({ request: { target, namespace }, others, survey }: Scene): Promise<readonly Route[]> {
  if (target !== undefined) return others.flatMap(routesOfIngress);
  const scope = inNamespace(namespace);
  const [ingresses, httpRoutes] = [await survey.seen('Ingress', scope), await survey.seen('HTTPRoute', scope)];
  const fromIngress = ingresses.flatMap(routesOfIngress);
  const fromHttpRoute = httpRoutes.flatMap((httpRoute) =>
    asList(dig(httpRoute, 'spec', 'rules')).flatMap((rule) =>
      asList(dig(rule, 'backendRefs')).flatMap((backend) => {
        const service = asText(dig(backend, 'name'));
        const port = asNumber(dig(backend, 'port'));
        const path = asText(dig(asList(dig(rule, 'matches'))[0], 'path', 'value')) ?? '/';
        return service === undefined || dig(backend, 'namespace') !== undefined
          ? []
          : [
              {
                gateway: refOf(httpRoute),
                id: httpRoute.metadata.name,
                path,
                service,
                ...(port === undefined ? {} : { port }),
                source: `${objectKey(httpRoute)} spec.rules`,
              },
            ];
      }),
    ),
  );
  return [...fromIngress, ...fromHttpRoute];
}

function routesOfIngress(ingress: KubeObject): readonly Route[] {
  return asList(dig(ingress, 'spec', 'rules')).flatMap((rule, ruleIndex) =>
    asList(dig(rule, 'http', 'paths')).flatMap((path, pathIndex) => {
      const service = asText(dig(path, 'backend', 'service', 'name'));
      const port = asNumber(dig(path, 'backend', 'service', 'port', 'number')) ?? asText(dig(path, 'backend', 'service', 'port', 'name'));
      const host = asText(dig(rule, 'host')) ?? '*';
      return service === undefined
        ? []
        : [
            {
              gateway: refOf(ingress),
              id: host,
              path: asText(dig(path, 'path')) ?? '/',
              service,
              ...(port === undefined ? {} : { port }),
              source: `${objectKey(ingress)} spec.rules`,
              pointer: `/spec/rules/${String(ruleIndex)}/http/paths/${String(pathIndex)}/backend/service/port`,
            },
          ];
    }),
  );
}

/** Routes that an application gateway reads from a ConfigMap, as the manifest or the cluster has it. */
async function applicationRoutes(scene: Scene): Promise<readonly Route[]> {
  const scope = inNamespace(scene.request.namespace);
  const configMaps = await scene.survey.seen('ConfigMap', scope);
  const seen = new Map<string, Route>();
  const add = (routes: readonly Route[]): void => {
    for (const route of routes) seen.set(`${formatRef(route.gateway)} ${route.id} ${route.path} ${route.service}`, route);
  };
  for (const configMap of configMaps) add(routesIn(refOf(configMap), dig(configMap, 'data')));
  for (const { ref, object } of await manifestsOf(scene)) {
    if (ref.kind === 'ConfigMap' && (scope.namespace ?? ref.namespace) === (ref.namespace ?? scope.namespace))
      add(routesIn(ref, dig(object, 'data')));
  }
  return [...seen.values()];
}

/** Configuration files beyond this size are no route tables. */
const FILE_LIMIT = 256 * 1024;

function routesIn(configMap: ObjectRef, data: Json | undefined): readonly Route[] {
  return Object.entries(asTextMap(data)).flatMap(([key, text]) => {
    const source = `ConfigMap ${configMap.name} key ${key}`;
    if (text.length > FILE_LIMIT) return [];
    if (/\broutes:/.test(text) && /\buri:/.test(text)) return springRoutes(configMap, text, source);
    return text.includes('proxy_pass') ? nginxRoutes(configMap, text, source) : [];
  });
}

/**
 * Spring Cloud Gateway: `spring.cloud.gateway.routes[]` with id, uri and `Path=` predicates. A file that is no YAML has no routes to read.
 */
function springRoutes(configMap: ObjectRef, text: string, source: string): readonly Route[] {
  let document: Json;
  try {
    document = parse(text, { uniqueKeys: false, logLevel: 'silent' }) as Json;
  } catch {
    return [];
  }
  const gateway = dig(document, 'spring', 'cloud', 'gateway');
  return asList(dig(gateway, 'routes') ?? dig(gateway, 'server', 'webflux', 'routes')).flatMap((route) => {
    const address = parseAddress((asText(dig(route, 'uri')) ?? '').replace(/\$\{[^:}]{0,100}:([^}]{1,253})\}/g, '$1'));
    const predicate = asList(dig(route, 'predicates'))
      .map(String)
      .find((word) => word.startsWith('Path='));
    if (address === undefined || address.host.includes('.')) return [];
    return [
      {
        gateway: configMap,
        id: asText(dig(route, 'id')) ?? '',
        path: predicate?.slice('Path='.length) ?? '/',
        service: address.host,
        ...(address.port === undefined ? {} : { port: address.port }),
        source,
      },
    ];
  });
}

/** nginx: `location /path { … proxy_pass http://service:port; }`. */
function nginxRoutes(configMap: ObjectRef, text: string, source: string): readonly Route[] {
  const routes: Route[] = [];
  let path = '/';
  for (const line of text.split('\n')) {
    path = /^\s{0,40}location\s+(?:[=~^*]{1,2}\s+)?(\/[^\s{]{0,200})/.exec(line)?.[1] ?? path;
    const target = /^\s{0,80}proxy_pass\s+(https?:\/\/[^\s;]{1,300});/.exec(line)?.[1];
    const address = target === undefined ? undefined : parseAddress(target);
    if (address === undefined || address.host.includes('.') || address.host === 'localhost') continue;
    routes.push({
      gateway: configMap,
      id: path.split('/').findLast((part) => part !== '') ?? '/',
      path,
      service: address.host,
      ...(address.port === undefined ? {} : { port: address.port }),
      source,
    });
  }
  return routes;
}
