import type { Instant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { labelsOf } from '../../model/kube-object.ts';
import { notFound, unknownPath } from '../apiserver/failures.ts';
import { listOf } from '../apiserver/lists.ts';
import type { Answer, UnsignedRequest } from '../apiserver/request.ts';
import { parseLabelSelector } from '../apiserver/selectors.ts';
import type { DiscoveryResource } from '../apiserver/wire/discovery-resource.ts';
import type { ComponentDefinition, ComponentHost } from '../components/component.ts';
import type { Container } from '../kubelet/runtime/runtime-container.ts';
import { timeOf } from '../time/api-times.ts';
import type { World } from '../outside/outside-world.ts';

/**
 * Answers `metrics.k8s.io`: every 60 s it asks each kubelet, whose own figures are up to 10 s old. What it would have read is
 * worked out when somebody asks. It is installed when the APIService v1beta1.metrics.k8s.io exists.
 * Source: kubernetes-sigs/metrics-server (pkg/scraper, pkg/storage/{pod,types}.go).
 */
export const METRICS_SERVER: ComponentDefinition = { name: 'metrics-server', process: 'metrics-server', start };

export const METRICS_API = 'metrics.k8s.io/v1beta1';

/** What installs it. */
export const METRICS_SERVICE: JsonObject = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1beta1.metrics.k8s.io' },
  spec: {
    group: 'metrics.k8s.io',
    version: 'v1beta1',
    service: { name: 'metrics-server', namespace: 'kube-system' },
    groupPriorityMinimum: 100,
    versionPriority: 100,
    insecureSkipTLSVerify: true,
  },
};

const RESOLUTION_MILLISECONDS = 60_000;
const HOUSEKEEPING_MILLISECONDS = 10_000;
/** A container that has run for less has no rate yet. */
const FRESH_MILLISECONDS = 10_000;
const LEAST_MEMORY_BYTES = 1_048_576;

function start(host: ComponentHost): void {
  const api = {
    resources: RESOURCES,
    answer: (request: UnsignedRequest): Answer => answer(host, scrapeAt(host, begun), request),
    changesAt: (namespace: string): Instant | undefined => nextChange(host, scrapeAt(host, begun), namespace),
  };
  const begun = host.now();
  host.world.aggregated.put(METRICS_API, api);
  host.onStop(() => host.world.aggregated.remove(METRICS_API, api));
}

const RESOURCES: readonly DiscoveryResource[] = [describe('nodes', 'NodeMetrics', false), describe('pods', 'PodMetrics', true)];

function describe(plural: string, kind: string, namespaced: boolean): DiscoveryResource {
  return {
    plural,
    singular: '',
    namespaced,
    kind: { group: 'metrics.k8s.io', version: 'v1beta1', kind },
    verbs: ['get', 'list'],
    shortNames: [],
    categories: [],
    subresources: [],
  };
}

/** The last scrape: what it saw is of `to`, the one before of `from`, when there was one. */
interface Scrape {
  readonly from: Instant | undefined;
  readonly to: Instant;
  readonly next: Instant;
}

function scrapeAt(host: ComponentHost, begun: Instant): Scrape {
  const count = Math.floor((host.now() - begun) / RESOLUTION_MILLISECONDS);
  const at = (index: number): Instant => begun + index * RESOLUTION_MILLISECONDS;
  return { from: count === 0 ? undefined : sampled(at(count - 1)), to: sampled(at(count)), next: at(count + 1) };
}

function sampled(at: Instant): Instant {
  return Math.floor(at / HOUSEKEEPING_MILLISECONDS) * HOUSEKEEPING_MILLISECONDS;
}

function answer(host: ComponentHost, scrape: Scrape, request: UnsignedRequest): Answer {
  const { resource, verb, name, namespace, labelSelector } = request;
  if ((resource !== 'pods' && resource !== 'nodes') || (verb !== 'get' && verb !== 'list')) return unknownPath();
  const selector = labelSelector === undefined ? undefined : parseLabelSelector(labelSelector);
  const isWanted = (object: KubeObject): boolean =>
    verb === 'list' ? typeof selector !== 'function' || selector(labelsOf(object)) : object.metadata.name === name;
  const items =
    resource === 'pods'
      ? host.world.datacenter
          .podsIn(namespace)
          .filter(isWanted)
          .flatMap((pod) => metricsOf(pod, scrape, host) ?? [])
      : host.world.datacenter
          .nodes()
          .filter(isWanted)
          .flatMap((node) => nodeMetricsOf(node, scrape, host) ?? []);
  if (verb === 'list')
    return {
      ok: true,
      code: 200,
      object: listOf(METRICS_API, resource === 'pods' ? 'PodMetrics' : 'NodeMetrics', items, {}),
      warnings: [],
    };
  const [only] = items;
  return only === undefined
    ? notFound({ group: 'metrics.k8s.io', resource }, resource === 'pods' ? `${namespace ?? ''}/${name ?? ''}` : (name ?? ''))
    : { ok: true, code: 200, object: only, warnings: [] };
}

/** What all containers of a machine use, and the system beside them; nothing while its kubelet does not answer. */
function nodeMetricsOf(node: KubeObject, scrape: Scrape, host: ComponentHost): KubeObject | undefined {
  const { name } = node.metadata;
  const { world } = host;
  if (scrape.from === undefined || !world.datacenter.has(name) || !world.kubelets.has(name)) return undefined;
  const { from, to } = scrape;
  const runtime = world.datacenter.runtime(name);
  let [cores, memory] = [SYSTEM_CORES, SYSTEM_MEMORY_BYTES];
  for (const container of runtime.podUids().flatMap((uid) => runtime.containersOf(uid))) {
    cores += (container.process?.usage.coreSeconds(from, Math.min(to, container.finishedAt ?? to)) ?? 0) / ((to - from) / 1000);
    if (ranAt(container, to)) memory += container.process?.usage.memoryAt(to) ?? 0;
  }
  const usage = { cpu: `${Math.round(cores * 1e9)}n`, memory: `${Math.round(memory / 1024)}Ki` };
  return {
    apiVersion: METRICS_API,
    kind: 'NodeMetrics',
    metadata: { name, labels: labelsOf(node), creationTimestamp: timeOf(host.now()) },
    timestamp: timeOf(to),
    window: `${(to - from) / 1000}s`,
    usage,
  };
}

/** A kubelet, a runtime and an operating system that are left alone. */
const SYSTEM_CORES = 0.08;
const SYSTEM_MEMORY_BYTES = 419_430_400;

/** A pod's figures are there when those of all its containers are. */
function metricsOf(pod: KubeObject, scrape: Scrape, host: ComponentHost): KubeObject | undefined {
  const running = containersOf(pod, host.world).filter((container) => ranAt(container, scrape.to));
  const containers: JsonObject[] = [];
  for (const name of asList(dig(pod, 'spec', 'containers')).map((spec) => asText(dig(spec, 'name')) ?? '')) {
    const container = running.findLast((one) => one.name === name);
    const usage = container === undefined ? undefined : usageOf(container, scrape);
    if (usage === undefined) return undefined;
    containers.push({ name, usage });
  }
  const { name, namespace } = pod.metadata;
  const window = `${Math.max(0, scrape.to - (scrape.from ?? scrape.to)) / 1000}s`;
  return {
    apiVersion: METRICS_API,
    kind: 'PodMetrics',
    metadata: { name, namespace: namespace ?? '', labels: labelsOf(pod), creationTimestamp: timeOf(host.now()) },
    timestamp: timeOf(scrape.to),
    window,
    containers,
  };
}

function usageOf({ startedAt, process }: Container, { from, to }: Scrape): JsonObject | undefined {
  if (startedAt === undefined || process === undefined) return undefined;
  const isNew = from === undefined ? to - startedAt < RESOLUTION_MILLISECONDS : startedAt > from;
  if (isNew ? to - startedAt < FRESH_MILLISECONDS : from === undefined) return undefined;
  const begin = isNew ? startedAt : (from ?? startedAt);
  const cores = process.usage.coreSeconds(begin, to) / ((to - begin) / 1000);
  return { cpu: `${Math.round(cores * 1e9)}n`, memory: `${Math.round(Math.max(LEAST_MEMORY_BYTES, process.usage.memoryAt(to)) / 1024)}Ki` };
}

function ranAt({ startedAt, finishedAt }: Container, at: Instant): boolean {
  return startedAt !== undefined && startedAt <= at && (finishedAt === undefined || finishedAt > at);
}

/** Nothing of a machine is known while its kubelet does not answer. */
function containersOf(pod: KubeObject, { datacenter, kubelets }: World): readonly Container[] {
  const node = asText(dig(pod, 'spec', 'nodeName')) ?? '';
  return datacenter.has(node) && kubelets.has(node) ? datacenter.runtime(node).containersOf(pod.metadata.uid ?? '') : [];
}

/** Something that happened since the window began is in no or not in all of the figures yet. */
function nextChange(host: ComponentHost, scrape: Scrape, namespace: string): Instant | undefined {
  const since = scrape.from ?? Number.NEGATIVE_INFINITY;
  for (const pod of host.world.datacenter.podsIn(namespace)) {
    for (const { startedAt, finishedAt, process } of containersOf(pod, host.world)) {
      if (Math.max(startedAt ?? 0, finishedAt ?? 0, process?.usage.lastChange ?? 0) > since) return scrape.next;
    }
  }
  return undefined;
}
