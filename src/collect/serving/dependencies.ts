import { asList, asNumber, dig } from '../../base/json.ts';
import { parseQuantity } from '../../base/quantity.ts';
import { nearest } from '../../base/text.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef, objectKey, refOf, shows } from '../../model/kube-object.ts';
import type { ConfiguredAddress } from './configured-addresses.ts';
import { commandedAddresses } from './commanded-addresses.ts';
import { configuredAddresses } from './configured-addresses.ts';
import type { FactSink, WordOf } from '../survey/fact-sink.ts';
import type { Scene } from '../survey/scene.ts';
import { appliedAs } from '../request/answers/manifests.ts';
import { templateOf } from '../objects/workloads.ts';
import { commandWord, namespaceFlag } from '../../model/placeholders.ts';

/** `dependency` facts: which Services each workload's configuration names, and whether they are there with that port. */
export async function collectDependencies(scene: Scene, sink: FactSink): Promise<void> {
  for (const owner of callers(scene)) {
    for (const spec of await podSpecs(owner, scene)) {
      for (const address of await configuredAddresses(spec, refOf(owner), scene)) await dependencyFact(refOf(owner), address, scene, sink);
      for (const { words, isInit, ...address } of commandedAddresses(spec)) {
        const service = await calledService(address.host, owner.metadata.namespace, scene);
        if (service === undefined && isInit && asList(dig(spec, 'hostAliases')).length === 0)
          await missingFact(refOf(owner), { ...address, words }, scene, sink);
        if (service !== undefined)
          calledFact(
            refOf(owner),
            { ...address, service, called: isInit, ...(isInit ? { variable: `command of container ${address.container}` } : {}) },
            { source: `${objectKey(owner)} command of container ${address.container}`, quote: words },
            sink,
          );
      }
    }
  }
}

/** What has a configuration of its own: top workloads, and pods without one. */
function callers(scene: Scene): readonly KubeObject[] {
  const tops = scene.workloads.filter(
    (workload) =>
      scene.workloadOf(refOf(workload))?.name === workload.metadata.name && scene.workloadOf(refOf(workload))?.kind === workload.kind,
  );
  return [...tops, ...scene.judged.filter((pod) => scene.workloadOf(refOf(pod)) === undefined)];
}

/**
 * The pod spec as far as anything shows it: a running pod, the template, and, where the template is not seen whole, the manifest as it was
 * applied last.
 */
async function podSpecs(owner: KubeObject, scene: Scene): Promise<readonly ReturnType<typeof dig>[]> {
  if (owner.kind === 'Pod') return [dig(owner, 'spec')];
  const template = dig(templateOf(owner), 'spec');
  if (shows(owner, 'spec.template.spec.containers') && asList(dig(template, 'containers')).length > 0) return [template];
  const applied = await appliedAs(refOf(owner), scene);
  return [template, ...applied.slice(-1).map((object) => dig(object, 'spec', 'template', 'spec'))];
}

async function dependencyFact(caller: ObjectRef, address: ConfiguredAddress, scene: Scene, sink: FactSink): Promise<void> {
  const named = serviceNamed(address.host, caller.namespace);
  if (named === undefined) return;
  const services = await servicesOf(named.namespace, scene);
  const service = services?.find(({ metadata }) => metadata.name === named.name);
  const offered = offeredBy(service);
  const { host, port, scheme, variable, portVariable } = address;
  const others = service === undefined ? services?.map(({ metadata }) => metadata.name) : undefined;
  const similar = others === undefined ? undefined : nearest(named.name, others)[0];
  const full = others === undefined ? undefined : await fullQuota(named.namespace, scene);
  if (full !== undefined) sink.gap('dependency', caller, mayBeRejected(named, full));
  sink.fact(
    'dependency',
    caller,
    {
      on: service === undefined ? undefined : objectKey(service),
      service: named.name,
      host,
      port: port?.toString(),
      variable,
      portVariable,
      scheme,
      server: serverAt(address, offered),
      exists: services === undefined ? undefined : service !== undefined,
      wrong: others !== undefined && full === undefined ? 'name' : wrongPort(port, offered),
      offers: offered.length === 0 ? undefined : offered.join(', '),
      similar,
      ...correctionOf(address, named.name, { similar, offered }),
    },
    {
      source: address.source,
      quote: quoteOf(address),
    },
  );
}

/** An init container waits for a Service that is not there. */
async function missingFact(
  caller: ObjectRef,
  { host, port, container, words }: { host: string; port?: number; container: string; words: string },
  scene: Scene,
  sink: FactSink,
): Promise<void> {
  const named = serviceNamed(host, caller.namespace);
  if (named === undefined || (await serviceExists(named, scene)) !== false) return;
  sink.fact(
    'dependency',
    caller,
    { service: named.name, host, port: port?.toString(), container, called: true, exists: false },
    { source: `${formatRef(caller)} command of container ${container}`, quote: words },
  );
}

export interface Call {
  readonly service: KubeObject;
  readonly host: string;
  readonly port?: number | undefined;
  readonly container: string;
  /** It was seen to call, or is there for nothing else. */
  readonly called: boolean;
  /** What has the address, where a port that the Service does not have is wrong for certain. */
  readonly variable?: string;
}

/** A `dependency` fact about a Service that exists, of which a command or a log tells. */
export function calledFact(
  caller: ObjectRef,
  { service, host, port, container, called, variable }: Call,
  said: { readonly source: string; readonly quote: string },
  sink: FactSink,
): void {
  const offered = offeredBy(service);
  const wrong = variable === undefined ? undefined : wrongPort(port, offered);
  sink.fact(
    'dependency',
    caller,
    {
      on: objectKey(service),
      service: service.metadata.name,
      host,
      port: port?.toString(),
      container,
      called: called ? true : undefined,
      exists: true,
      ...(wrong === undefined ? {} : { wrong, variable, offers: offered.join(', ') }),
    },
    said,
  );
}

/** The Service that a host means, if it is there: by its name, or by its address within the namespace of the caller. */
export async function calledService(host: string, namespace: string | undefined, scene: Scene): Promise<KubeObject | undefined> {
  const named = serviceNamed(host, namespace);
  if (named !== undefined) return (await servicesOf(named.namespace, scene))?.find(({ metadata }) => metadata.name === named.name);
  if (namespace === undefined || !/^[\d.]+$/.test(host)) return undefined;
  return (await servicesOf(namespace, scene))?.find((service) => dig(service, 'spec', 'clusterIP') === host);
}

function offeredBy(service: KubeObject | undefined): readonly number[] {
  return service === undefined || takesAnyPort(service) ? [] : portsOf(service);
}

function mayBeRejected(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  quota: string,
): { readonly detail: string; readonly needs: string } {
  return {
    detail: `Service ${name} does not exist, but ${quota} allows no more Services: it may have been rejected`,
    needs: `kubectl${namespaceFlag(namespace)} apply --dry-run=server -f <file of Service ${commandWord(name)}>`,
  };
}

function serverAt({ scheme = '', variable, host, port }: ConfiguredAddress, offered: readonly number[]): ReturnType<typeof serverOf> {
  return serverOf(`${scheme} ${variable} ${host} ${port?.toString() ?? ''} ${offered.join(' ')}`);
}

function wrongPort(port: number | undefined, offered: readonly number[]): 'port' | undefined {
  return port !== undefined && offered.length > 0 && !offered.includes(port) ? 'port' : undefined;
}

/** `CART_URL=http://cart:8080`, or `CART_HOST=cart, CART_PORT=8080`. */
function quoteOf({ variable, scheme, host, port, portVariable }: ConfiguredAddress): string {
  const begin = `${variable}=${scheme === undefined ? '' : `${scheme}://`}${host}`;
  if (portVariable !== undefined) return `${begin}, ${portVariable}=${String(port)}`;
  return port === undefined ? begin : `${begin}:${String(port)}`;
}

interface Right {
  readonly similar: string | undefined;
  /** The ports of the Service. */
  readonly offered: readonly number[];
}

/** The variable as the env of a container should have it: with the host of the Service that is meant, or with its only port. */
function correctionOf(
  address: ConfiguredAddress,
  service: string,
  right: Right,
): { readonly container?: string | undefined; readonly correction?: string } {
  const { literal, literalPort, host, port } = address;
  if (right.similar !== undefined && literal !== undefined)
    return {
      container: literal.container,
      correction: `${literal.name}=${literal.value.replace(host, () => host.replace(service, () => right.similar ?? ''))}`,
    };
  const [only, ...others] = right.offered;
  if (only === undefined || others.length > 0 || only === port) return {};
  if (literalPort !== undefined) return { container: literalPort.container, correction: `${literalPort.name}=${String(only)}` };
  if (literal === undefined || address.portVariable !== undefined) return {};
  return {
    container: literal.container,
    correction: `${literal.name}=${literal.value.replace(`:${String(port)}`, () => `:${String(only)}`)}`,
  };
}

/** The Service a host means inside of the cluster: `db`, `db.shop`, `db.shop.svc`, `db.shop.svc.cluster.local`; undefined for any other. */
export function serviceNamed(
  host: string,
  namespace: string | undefined,
): { readonly name: string; readonly namespace: string } | undefined {
  if (/^[\d.]+$/.test(host) || host === 'localhost') return undefined;
  const [name = '', where, svc, ...rest] = host.replace(/\.$/, '').split('.');
  if (!/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) return undefined;
  if (where === undefined) return namespace === undefined ? undefined : { name, namespace };
  // Another namespace may as well be a domain.
  if (svc === undefined) return where === namespace ? { name, namespace: where } : undefined;
  return svc === 'svc' && (rest.length === 0 || rest[0] === 'cluster' || rest.length === 2) ? { name, namespace: where } : undefined;
}

async function servicesOf(namespace: string, scene: Scene): Promise<readonly KubeObject[] | undefined> {
  const whole =
    scene.request.target === undefined && scene.request.namespace === undefined ? await scene.survey.list('Service', {}) : undefined;
  const list = whole ?? (await scene.survey.list('Service', { namespace }));
  if (!list.ok) return undefined;
  const here = list.value.filter(({ metadata }) => metadata.namespace === namespace);
  return list.partial === undefined || here.length > 0 ? here : undefined;
}

/** Whether a Service is there; undefined where the Services of its namespace were not seen. */
export async function serviceExists(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  scene: Scene,
): Promise<boolean | undefined> {
  return (await servicesOf(namespace, scene))?.some(({ metadata }) => metadata.name === name);
}

/** A ResourceQuota that counts as many Services as it allows. */
async function fullQuota(namespace: string, scene: Scene): Promise<string | undefined> {
  for (const quota of await scene.survey.seen('ResourceQuota', { namespace })) {
    for (const counted of ['services', 'count/services']) {
      const [hard, used] = [parseQuantity(dig(quota, 'status', 'hard', counted)), parseQuantity(dig(quota, 'status', 'used', counted))];
      if (hard !== undefined && used !== undefined && used >= hard) return `ResourceQuota ${quota.metadata.name}`;
    }
  }
  return undefined;
}

function portsOf(service: KubeObject): readonly number[] {
  return asList(dig(service, 'spec', 'ports')).flatMap((port) => asNumber(dig(port, 'port')) ?? []);
}

/** A headless Service's name leads to the pods themselves, an ExternalName elsewhere: their ports are not the Service's matter. */
function takesAnyPort(service: KubeObject): boolean {
  return dig(service, 'spec', 'clusterIP') === 'None' || dig(service, 'spec', 'type') === 'ExternalName';
}

/** The family of server behind an address, by its scheme, its names or the port it is known by. */
function serverOf(words: string): WordOf<'dependency', 'server'> | undefined {
  if (/mysql|mariadb|\b3306\b/i.test(words)) return 'mysql';
  if (/postgres|\bpg|\b5432\b/i.test(words)) return 'postgres';
  if (/redis|valkey|\b6379\b/i.test(words)) return 'redis';
  if (/mongo|\b27017\b/i.test(words)) return 'mongodb';
  return /rabbit|amqp|\b5672\b/i.test(words) ? 'rabbitmq' : undefined;
}
