import { parseInstant } from '../../base/instant.ts';
import type { Instant } from '../../base/instant.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asNumber, asObject, asText, asTextMap, dig, isJsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { labelsOf } from '../../model/kube-object.ts';
import type { Amounts } from './amounts.ts';
import { addAmounts, amountsOf, noAmounts, raiseAmounts } from './amounts.ts';
import type { NodeMatcher } from './node-terms.ts';
import { nodeTermMatcher, nodeTermsMatcher, pinnedNodes } from './node-terms.ts';
import type { Toleration } from './tolerations.ts';
import { tolerationsOf } from './tolerations.ts';

/** A pod as the scheduler sees it: what its spec says, worked out once. */
export interface PodInfo {
  readonly pod: KubeObject;
  readonly key: string;
  readonly uid: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Empty until it is bound. */
  readonly nodeName: string;
  readonly spec: SpecInfo;
  readonly terminating: boolean;
}

/** What a spec asks for: the same value for all pods of a template. */
export interface SpecInfo {
  readonly priority: number;
  readonly mayPreempt: boolean;
  readonly schedulerName: string;
  readonly requests: Amounts;
  /** Requests for scoring: containers that ask for nothing count as 100m and 200Mi. */
  readonly assumed: { readonly cpu: number; readonly memory: number };
  readonly ports: readonly HostPort[];
  readonly tolerations: readonly Toleration[];
  /** nodeSelector and required node affinity; undefined when there is neither. */
  readonly nodeMatcher: NodeMatcher | undefined;
  readonly pinned: ReadonlySet<string> | undefined;
  readonly preferredNodes: readonly { readonly weight: number; readonly matches: NodeMatcher }[];
  readonly affinity: readonly PodTerm[];
  readonly antiAffinity: readonly PodTerm[];
  readonly preferredAffinity: readonly WeightedPodTerm[];
  readonly spread: readonly SpreadConstraint[];
  readonly claims: readonly ClaimUse[];
  /** Whether it has ResourceClaims, or will have. */
  readonly claimsDevices: boolean;
  readonly images: readonly string[];
  readonly containerCount: number;
  readonly gated: boolean;
}

export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

/** A term of inter-pod affinity as it is written; which namespaces it means depends on the pod and the namespaces there are. */
export interface PodTerm {
  readonly topologyKey: string;
  readonly selector: JsonObject | undefined;
  readonly namespaces: readonly string[];
  readonly namespaceSelector: JsonObject | undefined;
  readonly matchLabelKeys: readonly string[];
  readonly mismatchLabelKeys: readonly string[];
}

/** A preferred term; anti-affinity has a negative weight. */
export interface WeightedPodTerm {
  readonly weight: number;
  readonly term: PodTerm;
}

export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly hard: boolean;
  readonly selector: JsonObject | undefined;
  readonly matchLabelKeys: readonly string[];
  readonly honorAffinity: boolean;
  readonly honorTaints: boolean;
}

export interface ClaimUse {
  readonly claim: string;
  /** Made by the ephemeral volume controller, which may not have done so yet. */
  readonly ephemeral: boolean;
}

/** What is known of a pod; its spec is worked out once, however often its status changes: `before` is what was known of it. */
export function podInfo(pod: KubeObject, before?: PodInfo): PodInfo {
  const { name, namespace = '', uid = '' } = pod.metadata;
  const spec = asObject(pod['spec']);
  const asBefore =
    before !== undefined && before.uid === uid && asksForTheSame(spec, { spec: asObject(before.pod['spec']), info: before.spec });
  return {
    pod,
    key: before?.key ?? `${namespace}/${name}`,
    uid,
    namespace,
    labels: labelsOf(pod),
    nodeName: asText(spec['nodeName']) ?? '',
    spec: asBefore ? before.spec : specInfo(name, spec),
    terminating: pod.metadata['deletionTimestamp'] !== undefined,
  };
}

export function startOf({ pod }: PodInfo): Instant {
  return parseInstant(asText(dig(pod, 'status', 'startTime')) ?? '') ?? Number.MAX_SAFE_INTEGER;
}

export function nominatedNodeOf(pod: KubeObject): string {
  return asText(dig(pod, 'status', 'nominatedNodeName')) ?? '';
}

function specInfo(podName: string, spec: JsonObject): SpecInfo {
  const { securityContext } = spec;
  if (!isJsonObject(securityContext)) return workedOut(podName, spec);
  const known = byTemplate.get(securityContext);
  if (known !== undefined && asksForTheSame(spec, known)) return known.info;
  const info = workedOut(podName, spec);
  byTemplate.set(securityContext, { spec, info });
  return info;
}

interface Known {
  readonly spec: JsonObject;
  readonly info: SpecInfo;
}

/** By what the specs of a template share from the time it was stored: it is never left out, and nobody writes it anew. */
const byTemplate = new WeakMap<JsonObject, Known>();

/** Whether all that is looked at is the very same. Names of claims may depend on the pod's own. */
function asksForTheSame(spec: JsonObject, known: Known): boolean {
  if (spec === known.spec) return true;
  if (known.info.claims.length > 0 || LOOKED_AT.some((field) => spec[field] !== known.spec[field])) return false;
  if (spec['volumes'] !== known.spec['volumes'] && asList(spec['volumes']).some(isClaim)) return false;
  return (
    sameContainers(spec['containers'], known.spec['containers']) && sameContainers(spec['initContainers'], known.spec['initContainers'])
  );
}

/** All that `workedOut` reads but volumes and containers. */
const LOOKED_AT = [
  'priority',
  'preemptionPolicy',
  'schedulerName',
  'affinity',
  'nodeSelector',
  'tolerations',
  'topologySpreadConstraints',
  'resources',
  'overhead',
  'resourceClaims',
  'schedulingGates',
];

function sameContainers(own: Json | undefined, other: Json | undefined): boolean {
  if (own === other) return true;
  const [list, others] = [asList(own), asList(other)];
  return (
    list.length === others.length &&
    list.every((container, index) => CONTAINER_FIELDS.every((field) => dig(container, field) === dig(others[index], field)))
  );
}

const CONTAINER_FIELDS = ['resources', 'ports', 'image', 'restartPolicy'];

function isClaim(volume: Json): boolean {
  return dig(volume, 'persistentVolumeClaim') !== undefined || dig(volume, 'ephemeral') !== undefined;
}

function workedOut(podName: string, spec: JsonObject): SpecInfo {
  const containers = asList(spec['containers']);
  const inits = asList(spec['initContainers']);
  const required = dig(spec, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  return {
    priority: asNumber(spec['priority']) ?? 0,
    mayPreempt: spec['preemptionPolicy'] !== 'Never',
    schedulerName: asText(spec['schedulerName']) ?? 'default-scheduler',
    ...requestsOf(spec, containers, inits),
    ports: [...inits.filter(isSidecar), ...containers].flatMap(portsOf),
    tolerations: tolerationsOf(spec['tolerations']),
    nodeMatcher: nodeMatcherOf(spec['nodeSelector'], required),
    pinned: pinnedNodes(required),
    preferredNodes: asList(dig(spec, 'affinity', 'nodeAffinity', 'preferredDuringSchedulingIgnoredDuringExecution')).map((term) => ({
      weight: asNumber(dig(term, 'weight')) ?? 0,
      matches: nodeTermMatcher(dig(term, 'preference')),
    })),
    affinity: podTerms(dig(spec, 'affinity', 'podAffinity', 'requiredDuringSchedulingIgnoredDuringExecution')),
    antiAffinity: podTerms(dig(spec, 'affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution')),
    preferredAffinity: [
      ...weightedTerms(dig(spec, 'affinity', 'podAffinity', 'preferredDuringSchedulingIgnoredDuringExecution'), 1),
      ...weightedTerms(dig(spec, 'affinity', 'podAntiAffinity', 'preferredDuringSchedulingIgnoredDuringExecution'), -1),
    ],
    spread: asList(spec['topologySpreadConstraints']).map(spreadOf),
    claims: asList(spec['volumes']).flatMap((volume) => claimOf(podName, volume)),
    claimsDevices: asList(spec['resourceClaims']).length > 0,
    images: [...inits, ...containers].map((container) => asText(dig(container, 'image')) ?? ''),
    containerCount: inits.length + containers.length,
    gated: asList(spec['schedulingGates']).length > 0,
  };
}

/**
 * The larger of what all containers need together and what each init container needs beside the sidecars started before it.
 * Source: staging/src/k8s.io/component-helpers/resource/helpers.go (PodRequests).
 */
function requestsOf(spec: JsonObject, containers: readonly Json[], inits: readonly Json[]): Pick<SpecInfo, 'requests' | 'assumed'> {
  const requests = total(containers, inits, (container) => amountsOf(dig(container, 'resources', 'requests')));
  const assumed = total(containers, inits, assumedOf);
  const own = amountsOf(dig(spec, 'resources', 'requests'));
  for (const sum of [requests, assumed]) {
    if (own.cpu > 0) sum.cpu = own.cpu;
    if (own.memory > 0) sum.memory = own.memory;
    addAmounts(sum, amountsOf(spec['overhead']));
  }
  return { requests, assumed };
}

function total(containers: readonly Json[], inits: readonly Json[], of: (container: Json) => Amounts): Amounts {
  const sum = noAmounts();
  for (const container of containers) addAmounts(sum, of(container));
  const sidecars = noAmounts();
  const peak = noAmounts();
  for (const init of inits) {
    const need = of(init);
    if (isSidecar(init)) {
      addAmounts(sidecars, need);
      raiseAmounts(peak, sidecars);
    } else {
      addAmounts(need, sidecars);
      raiseAmounts(peak, need);
    }
  }
  addAmounts(sum, sidecars);
  raiseAmounts(sum, peak);
  return sum;
}

/** Source: pkg/scheduler/util/pod_resources.go (DefaultMilliCPURequest, DefaultMemoryRequest). */
function assumedOf(container: Json): Amounts {
  const amounts = amountsOf(dig(container, 'resources', 'requests'));
  if (dig(container, 'resources', 'requests', 'cpu') === undefined) amounts.cpu = 100;
  if (dig(container, 'resources', 'requests', 'memory') === undefined) amounts.memory = 200 * 1024 * 1024;
  return amounts;
}

function isSidecar(container: Json): boolean {
  return dig(container, 'restartPolicy') === 'Always';
}

function portsOf(container: Json): readonly HostPort[] {
  return asList(dig(container, 'ports')).flatMap((port) => {
    const hostPort = asNumber(dig(port, 'hostPort')) ?? 0;
    return hostPort <= 0
      ? []
      : [{ ip: asText(dig(port, 'hostIP')) ?? '0.0.0.0', protocol: asText(dig(port, 'protocol')) ?? 'TCP', port: hostPort }];
  });
}

function nodeMatcherOf(nodeSelector: Json | undefined, required: Json | undefined): NodeMatcher | undefined {
  const wanted = Object.entries(asTextMap(nodeSelector));
  if (wanted.length === 0 && required === undefined) return undefined;
  const terms = required === undefined ? undefined : nodeTermsMatcher(required);
  return (labels, name) => wanted.every(([key, value]) => labels[key] === value) && (terms === undefined || terms(labels, name));
}

function podTerms(list: Json | undefined): readonly PodTerm[] {
  return asList(list).map(podTerm);
}

function weightedTerms(list: Json | undefined, sign: 1 | -1): readonly WeightedPodTerm[] {
  return asList(list).map((item) => ({
    weight: sign * (asNumber(dig(item, 'weight')) ?? 0),
    term: podTerm(asObject(dig(item, 'podAffinityTerm'))),
  }));
}

function podTerm(term: Json): PodTerm {
  return {
    topologyKey: asText(dig(term, 'topologyKey')) ?? '',
    selector: objectAt(term, 'labelSelector'),
    namespaces: texts(dig(term, 'namespaces')),
    namespaceSelector: objectAt(term, 'namespaceSelector'),
    matchLabelKeys: texts(dig(term, 'matchLabelKeys')),
    mismatchLabelKeys: texts(dig(term, 'mismatchLabelKeys')),
  };
}

function spreadOf(constraint: Json): SpreadConstraint {
  return {
    topologyKey: asText(dig(constraint, 'topologyKey')) ?? '',
    maxSkew: asNumber(dig(constraint, 'maxSkew')) ?? 1,
    minDomains: asNumber(dig(constraint, 'minDomains')) ?? 1,
    hard: dig(constraint, 'whenUnsatisfiable') !== 'ScheduleAnyway',
    selector: objectAt(constraint, 'labelSelector'),
    matchLabelKeys: texts(dig(constraint, 'matchLabelKeys')),
    honorAffinity: dig(constraint, 'nodeAffinityPolicy') !== 'Ignore',
    honorTaints: dig(constraint, 'nodeTaintsPolicy') === 'Honor',
  };
}

function claimOf(podName: string, volume: Json): readonly ClaimUse[] {
  const claim = asText(dig(volume, 'persistentVolumeClaim', 'claimName'));
  if (claim !== undefined) return [{ claim, ephemeral: false }];
  return dig(volume, 'ephemeral') === undefined ? [] : [{ claim: `${podName}-${asText(dig(volume, 'name')) ?? ''}`, ephemeral: true }];
}

function objectAt(value: Json, field: string): JsonObject | undefined {
  const found = dig(value, field);
  return found === undefined || found === null ? undefined : asObject(found);
}

function texts(list: Json | undefined): readonly string[] {
  return asList(list).flatMap((item) => asText(item) ?? []);
}
