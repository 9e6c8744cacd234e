import type { Json } from '../../base/json.ts';
import { asList, asNumber, asScalarText, asText, dig } from '../../base/json.ts';
import { parseInteger } from '../../base/number.ts';
import { onceEach, onceFor } from '../../base/once.ts';
import { unseenIn } from '../../model/cluster-reader.ts';
import { ANY_FACT, ANYTHING } from '../../model/fact.ts';
import type { Target } from '../../model/diagnosis.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef, inNamespace, labelsOf, objectKey, refOf, sameObject, shows } from '../../model/kube-object.ts';
import { endpointsOf } from './endpoints.ts';
import type { ServiceEndpoints } from './endpoints.ts';
import { mayHidePods } from './hidden-pods.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import { withMembers } from '../survey/with-members.ts';
import { isReady } from '../objects/pods.ts';
import type { Scene } from '../survey/scene.ts';
import { isStarting } from '../containers/starting.ts';
import type { Backends } from './service-backends.ts';
import { backendsOf, countReady, formatPort, selectorOf, selects, templateLabels } from './service-backends.ts';
import { isToldPort } from './evident-ports.ts';
import { frontState, frontWords, pendingSeconds } from './load-balancers.ts';
import { unselectedState } from './unselected-service.ts';
import { templateOf } from '../objects/workloads.ts';
import { formatLabels } from '../placement/fit/node-terms.ts';

/** `service` and `service-port` facts for the Services of the scope, or for those that select the target or nearly do. */
export async function collectServices(scene: Scene, sink: FactSink): Promise<void> {
  for (const namespace of scene.request.target === undefined ? [scene.request.namespace] : scene.namespaces) {
    const list = await scene.survey.list('Service', inNamespace(namespace));
    const unseen = unseenIn(list);
    const about = { kind: 'Service', ...inNamespace(namespace), name: ANYTHING };
    if (unseen !== undefined) for (const kind of ['service', 'service-port'] as const) sink.gap(kind, about, unseen);
    if (!list.ok) continue;
    const reached = reachedPorts(list.value);
    for (const service of list.value) if (concerns(service, scene)) await serviceFacts(service, reached, scene, sink);
  }
}

/** In a scope every Service; for a target those that were asked for, select it, or miss it by one label. */
function concerns(service: KubeObject, scene: Scene): boolean {
  const { target } = scene.request;
  if (target === undefined || (target.kind === 'Service' && target.name === service.metadata.name)) return true;
  const selector = selectorOf(service);
  const labelSets = [...scene.pods.map(labelsOf), ...scene.workloads.map(templateLabels)];
  return labelSets.some((labels) => selects(selector, labels)) || intendedFor(service, scene) !== undefined;
}

async function serviceFacts(service: KubeObject, reached: ReadonlySet<string>, scene: Scene, sink: FactSink): Promise<void> {
  const ref = refOf(service);
  const asked = isAsked(ref, scene);
  const waits = await pendingSeconds(service, scene.survey);
  const backends = await backendsOf(service, scene);
  const endpoints = await endpointsOf(service, scene, sink);
  const selector = selectorOf(service);
  const selectorShown = shows(service, 'spec.selector');
  const hasSelector = Object.keys(selector).length > 0;
  const isBereft = hasSelector && backends.pods.length + backends.workloads.length === 0;
  const intended = isBereft ? intendedFor(service, scene) : undefined;
  const ready = countReady(backends, isServing);
  const seen = await selectedSeen(service, backends, endpoints, scene, sink);
  const type = asText(dig(service, 'spec', 'type')) ?? 'ClusterIP';
  sink.fact(
    'service',
    ref,
    {
      service: ref.name,
      type,
      ...(selectorShown ? { selector: formatLabels(selector), hasSelector } : {}),
      ...(seen.pods ? { matching: backends.pods.length, ready } : {}),
      templates: seen.templates ? backends.workloads.length : undefined,
      starting: ready === 0 && areStarting(backends.pods, scene) ? true : undefined,
      asked,
      pendingSeconds: waits,
      endpointsReady: endpoints?.ready,
      endpointsNotReady: endpoints?.notReady,
      ...intendedValues(intended),
    },
    {
      source: `${formatRef(ref)} spec.selector`,
      quote: `${frontWords(waits)}selector: ${hasSelector ? formatLabels(selector) : '<none>'}; pods it selects: ${String(backends.pods.length)}, ready: ${String(ready)}`,
    },
  );
  if (intended !== undefined) backendFact(intended.workload, service, sink);
  for (const pod of backends.judged) backendFact(pod, service, sink);
  for (const port of asList(dig(service, 'spec', 'ports'))) portFact(service, port, { backends, endpoints, reached }, sink);
  const isHidden = await mayHidePods(service, { ready, endpoints, backends }, scene);
  serviceTarget(
    service,
    { type, hasSelector, ready, endpoints, backends, missed: intended !== undefined, isHidden, asked, front: frontState(waits) },
    sink,
  );
}

function isAsked({ name }: ObjectRef, { request: { target } }: Scene): boolean {
  return target?.kind === 'Service' && target.name === name;
}

function isServing(pod: KubeObject): boolean {
  return isReady(pod) === true && dig(pod, 'metadata', 'deletionTimestamp') === undefined;
}

function areStarting(pods: readonly KubeObject[], scene: Scene): boolean {
  return pods.length > 0 && pods.every((pod) => isStarting(pod, scene.survey.now()));
}

/** The workload that the Service was to select, and what of the selector is wrong. */
function intendedValues(intended: ReturnType<typeof intendedFor>): Readonly<Record<string, string | undefined>> {
  if (intended === undefined) return {};
  const { workload, wrong, right, selector } = intended;
  return { intended: `${workload.kind}/${workload.metadata.name}`, wrongLabel: wrong, rightLabel: right, rightSelector: selector };
}

/** Whether all pods, and all templates, that the Service selects are among its backends: only then their number is known. */
async function selectedSeen(
  service: KubeObject,
  backends: Backends,
  endpoints: ServiceEndpoints | undefined,
  scene: Scene,
  sink: FactSink,
): Promise<{ readonly pods: boolean; readonly templates: boolean }> {
  const ref = refOf(service);
  // For another target only the pods of that one are in the scene.
  const isLookedAt = scene.request.target === undefined || sameObject(scene.request.target, ref);
  const hasEndpoints = endpoints !== undefined && endpoints.ready + endpoints.notReady > 0;
  const contradicted = isLookedAt && hasEndpoints && selectsNone(service, backends);
  if (contradicted)
    sink.gap(ANY_FACT, ref, {
      detail: `no pod was listed that Service ${ref.name} selects, but it has endpoints: one of the two was not read completely`,
    });
  const podsSeen = !contradicted && (await sawAllPods(service, scene));
  if (!shows(service, 'spec.selector')) return { pods: false, templates: false };
  const { labels, templates } = await labelsShown(scene)(service.metadata.namespace);
  const hasPods = isLookedAt || backends.pods.length > 0;
  return { pods: podsSeen && labels && hasPods, templates: (podsSeen && templates) || backends.workloads.length > 0 };
}

function selectsNone(service: KubeObject, { pods }: Backends): boolean {
  return pods.length === 0 && Object.keys(selectorOf(service)).length > 0;
}

/** What a Service may select: pods, and the templates that make them. */
const LABELLED = ['Pod', 'Deployment', 'StatefulSet', 'DaemonSet'] as const;

/**
 * Whether the source shows the labels of the pods, and of the templates, that the Service might select: a table does not. The scene of a
 * Service has no pod whose labels were not seen; a cluster that is asked shows them all.
 */
const labelsShown = onceEach((scene: Scene) => onceFor((namespace: string | undefined) => labelsShownIn(namespace, scene)));

async function labelsShownIn(
  namespace: string | undefined,
  { within, request, survey }: Scene,
): Promise<{ readonly labels: boolean; readonly templates: boolean }> {
  const { pods, workloads } = within(namespace);
  const scope = inNamespace(namespace);
  const lists = request.target === undefined || !survey.stored ? [] : await Promise.all(LABELLED.map((kind) => survey.list(kind, scope)));
  const near = lists.map((list) => (list.ok ? list.value : []).filter(({ metadata }) => metadata.namespace === namespace));
  const [otherPods = [], ...otherWorkloads] = near;
  return {
    labels: [...pods, ...otherPods].every((pod) => shows(pod, 'metadata.labels')),
    templates: [...workloads, ...otherWorkloads.flat()].every((workload) =>
      shows(workload, `${workload.kind === 'CronJob' ? 'spec.jobTemplate.' : ''}spec.template.metadata.labels`),
    ),
  };
}

/**
 * Whether the scene has all pods that the Service selects: what could not be listed for the target may have been listed for its namespace.
 */
async function sawAllPods(service: KubeObject, scene: Scene): Promise<boolean> {
  if (!scene.unlisted.has('Pod')) return true;
  const missed = await unseenPods(scene)(service.metadata.namespace);
  return missed !== undefined && missed.every((pod) => !selects(selectorOf(service), labelsOf(pod)));
}

/** Pods of a namespace that are not in the scene, once for all its Services; undefined where not all could be listed. */
const unseenPods = onceEach((scene: Scene) =>
  onceFor(async (namespace: string | undefined): Promise<readonly KubeObject[] | undefined> => {
    const list = await scene.survey.list('Pod', inNamespace(namespace));
    if (!list.ok || unseenIn(list) !== undefined) return undefined;
    // Mostly the very same objects: only for others it is worked out what they are called, which took long for all pods.
    const { pods } = scene.within(namespace);
    if (list.value.every((pod, position) => pod === pods[position])) return [];
    const same = new Set(pods);
    const others = list.value.filter((pod) => !same.has(pod));
    const seen = new Set(pods.map(objectKey));
    return others.filter((pod) => !seen.has(objectKey(pod)));
  }),
);

function backendFact(object: KubeObject, service: KubeObject, sink: FactSink): void {
  const ref = refOf(object);
  sink.fact(
    'backend',
    ref,
    { service: service.metadata.name, ready: object.kind === 'Pod' ? isReady(object) : undefined },
    { source: `${formatRef(ref)} labels`, quote: formatLabels(backendLabels(object)) },
  );
}

interface PortContext {
  readonly backends: Backends;
  readonly endpoints: ServiceEndpoints | undefined;
  /** `<container port>/<protocol>` that some Service of the namespace leads to, by selector. */
  readonly reached: ReadonlySet<string>;
}

function portFact(service: KubeObject, port: Json, { backends, endpoints, reached }: PortContext, sink: FactSink): void {
  const ref = refOf(service);
  const number = asNumber(dig(port, 'port'));
  const target = asScalarText(dig(port, 'targetPort') ?? number);
  const protocol = asText(dig(port, 'protocol')) ?? 'TCP';
  const portName = asText(dig(port, 'name'));
  const named = target !== undefined && !/^\d+$/.test(target);
  const targetNumber = named ? undefined : parseInteger(target);
  const sameNumber = backends.ports.filter((declared) => (named ? declared.name === target : declared.number === targetNumber));
  const told = targetNumber !== undefined && sameNumber.length === 0 && backends.judged.some((pod) => isToldPort(pod, targetNumber));
  const known = knowsPorts(backends, named);
  const selector = formatLabels(selectorOf(service));
  const unused = backends.ports.find(
    (declared) => !reached.has(`${selector} ${String(declared.number)}`) && !reached.has(`${selector} ${declared.name ?? ''}`),
  );
  sink.fact(
    'service-port',
    ref,
    {
      service: ref.name,
      port: number,
      portName,
      targetPort: target,
      named,
      protocol,
      appProtocol: asText(dig(port, 'appProtocol')),
      declared: known ? sameNumber.length > 0 || told : undefined,
      declaredProtocol: sameNumber.some((declared) => declared.protocol === protocol) ? undefined : sameNumber[0]?.protocol,
      ...declaredValues(backends.ports, number),
      unusedPort: unused?.number,
      container: [...sameNumber, unused, ...backends.ports].find((declared) => declared !== undefined)?.container,
      endpointHasPort: endpointsHavePort(endpoints, portName),
      ready: countReady(backends, (pod) => isReady(pod) === true),
    },
    {
      source: `${formatRef(ref)} spec.ports`,
      quote: `port: ${String(number ?? '?')}/${protocol}, targetPort: ${target ?? '?'}; containers declare: ${declaredWords(backends.ports)}`,
    },
  );
}

/** Whether a port that is missing from those of the containers is not there. */
function knowsPorts({ ports, namesShown }: Backends, named: boolean): boolean {
  return ports.length > 0 && (!named || namesShown);
}

function declaredWords(ports: Backends['ports']): string {
  return ports.length === 0 ? 'nothing that was seen' : ports.map(formatPort).join(', ');
}

/** The ports that the containers declare, and whether the Service's own number is one of them. */
function declaredValues(
  ports: Backends['ports'],
  number: number | undefined,
): { readonly declaredPorts?: string; readonly portItselfDeclared?: boolean } {
  if (ports.length === 0) return {};
  return {
    declaredPorts: ports.map(formatPort).join(', '),
    portItselfDeclared: ports.some((declared) => declared.number === number),
  };
}

function endpointsHavePort(endpoints: ServiceEndpoints | undefined, portName: string | undefined): boolean | undefined {
  if (endpoints === undefined || endpoints.ready + endpoints.notReady === 0) return undefined;
  return endpoints.ports.some((other) => other.name === (portName ?? '') || (portName === undefined && other.number !== undefined));
}

/** Container ports that the Services of a namespace lead to: `<selector> <number or name>`. */
function reachedPorts(services: readonly KubeObject[]): ReadonlySet<string> {
  const reached = new Set<string>();
  for (const service of services) {
    for (const port of asList(dig(service, 'spec', 'ports')))
      reached.add(`${formatLabels(selectorOf(service))} ${asScalarText(dig(port, 'targetPort') ?? dig(port, 'port')) ?? ''}`);
  }
  return reached;
}

interface Intended {
  readonly workload: KubeObject;
  readonly wrong: string;
  /** Undefined when it has no such label at all. */
  readonly right: string | undefined;
  /** The selector with the values that it has; undefined when it lacks a key. */
  readonly selector: string | undefined;
}

/**
 * The workload a Service that selects nothing was made for: one whose template differs from the selector in one label only, or
 * that has the Service's own name.
 */
function intendedFor(service: KubeObject, scene: Scene): Intended | undefined {
  const selector = Object.entries(selectorOf(service));
  const candidates = [...scene.workloads, ...scene.judged].filter(
    (object) => object.metadata.namespace === service.metadata.namespace && isWholeStory(object, scene),
  );
  let best: (Intended & { readonly score: number }) | undefined;
  for (const workload of candidates) {
    const labels = backendLabels(workload);
    const missed = selector.filter(([key, value]) => labels[key] !== value);
    const sameName = workload.metadata.name === service.metadata.name;
    if (missed.length === 0 || (!sameName && (missed.length > 1 || selector.length < 2))) continue;
    const [key, value] = missed[0] ?? ['', ''];
    const score = (sameName ? 10 : 0) - missed.length;
    const right = labels[key] === undefined ? undefined : `${key}=${labels[key]}`;
    if (best === undefined || score > best.score)
      best = {
        workload,
        wrong: `${key}=${value}`,
        right,
        selector: selectorFor(
          selector.map(([name]) => name),
          labels,
        ),
        score,
      };
  }
  return best;
}

function selectorFor(keys: readonly string[], labels: Readonly<Record<string, string>>): string | undefined {
  return keys.every((key) => labels[key] !== undefined)
    ? formatLabels(Object.fromEntries(keys.map((key) => [key, labels[key] ?? ''])))
    : undefined;
}

/** A top workload with a template, or a pod that belongs to none. */
function isWholeStory(object: KubeObject, scene: Scene): boolean {
  const top = scene.workloadOf(refOf(object));
  return object.kind === 'Pod'
    ? top === undefined
    : top?.name === object.metadata.name && top.kind === object.kind && templateOf(object) !== undefined;
}

function backendLabels(object: KubeObject): Readonly<Record<string, string>> {
  return object.kind === 'Pod' ? labelsOf(object) : templateLabels(object);
}

interface ServiceState {
  readonly type: string;
  readonly hasSelector: boolean;
  readonly ready: number;
  readonly endpoints: ServiceEndpoints | undefined;
  readonly backends: Backends;
  /** A workload was evidently meant to stand behind it. */
  readonly missed: boolean;
  /** Not all pods were listed, so that there may be ready ones. */
  readonly isHidden: boolean;
  /** Somebody asks about this Service. */
  readonly asked: boolean;
  /** How it is as far as what stands behind it goes. */
  readonly front: ReturnType<typeof frontState>;
}

/** A Service with a selector should have a ready pod behind it; one without, or for an outside name, is not judged by pods. */
function serviceTarget(
  service: KubeObject,
  { type, hasSelector, ready, endpoints, backends, missed, isHidden, asked, front }: ServiceState,
  sink: FactSink,
): void {
  const ref = refOf(service);
  const tell = (state: Pick<Target, 'state' | 'reason'>): void => {
    sink.target(withMembers({ ref, ...state }, () => [...backends.pods, ...backends.workloads].map(refOf)));
  };
  if (type !== 'ExternalName' && !shows(service, 'spec.selector')) tell(unselectedState(ref, front, asked, endpoints, sink));
  else if (type === 'ExternalName' || !hasSelector) tell(front);
  else if (isHidden) tell({ state: 'unknown', reason: 'its pods were not all read' });
  else if ((endpoints?.ready ?? ready) > 0) tell(front);
  else tell(bereftState(backends, missed));
}

function bereftState({ pods, workloads }: Backends, missed: boolean): Pick<Target, 'state' | 'reason'> {
  const empty = pods.length + workloads.length === 0;
  // Nothing was ever installed behind it: no trouble of any pod, and for whoever asks about it the rules have the answer.
  const idle = (empty && !missed) || (pods.length === 0 && workloads.some((workload) => dig(workload, 'spec', 'replicas') === 0));
  return { state: idle ? 'progressing' : 'unhealthy', reason: empty ? 'no pod was seen that it selects' : 'no ready endpoint' };
}
