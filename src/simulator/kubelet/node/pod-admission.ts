import { onceEach } from '../../../base/once.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, asTextMap, dig } from '../../../base/json.ts';
import { bigintOf, parseInteger } from '../../../base/number.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import { matchesAnyExpression, selectsLabels } from '../../apiserver/selectors.ts';
import { containersOf, isHostNetwork, isSidecar, secondsOf } from '../pods/pod-fields.ts';
import { HAS_CONDITION, NO_APP_ARMOR } from '../kubelet-messages.ts';

export interface Rejection {
  readonly reason: string;
  readonly message: string;
}

export interface AdmissionView {
  readonly node: KubeObject | undefined;
  /** Pods that were admitted and have not ended. */
  readonly active: readonly KubeObject[];
  /** `MemoryPressure`, `DiskPressure`, `PIDPressure` as they hold on the node. */
  readonly pressures: readonly string[];
  /** Devices whose plugin has not registered. */
  readonly unregistered: readonly string[];
  /** How many CPUs a NUMA node has, where a container must have all of its CPUs from one. */
  readonly numaCpus: number | undefined;
  /** Whether the kernel can enforce AppArmor profiles. */
  readonly hasAppArmor: boolean;
}

/**
 * Why the kubelet does not take a pod that was bound to its node. Source: pkg/kubelet/lifecycle/predicate.go, eviction_manager.go,
 * sysctl/allowlist.go.
 */
export function rejectionOf(pod: KubeObject, view: AdmissionView): Rejection | undefined {
  return (
    byPressure(pod, view.pressures) ??
    bySysctl(pod) ??
    byTopology(pod, view) ??
    byDevices(pod, view) ??
    byPredicates(pod, view) ??
    byAppArmor(pod, view)
  );
}

function byPressure(pod: KubeObject, pressures: readonly string[]): Rejection | undefined {
  if (pressures.length === 0 || isCritical(pod)) return undefined;
  if (
    pressures.length === 1 &&
    pressures[0] === 'MemoryPressure' &&
    (dig(pod, 'status', 'qosClass') !== 'BestEffort' || toleratesMemoryPressure(pod))
  )
    return undefined;
  return { reason: 'Evicted', message: HAS_CONDITION(pressures) };
}

function toleratesMemoryPressure(pod: KubeObject): boolean {
  const taint = { key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule', value: '' };
  return asList(dig(pod, 'spec', 'tolerations')).some((toleration) => tolerates(toleration, taint));
}

export function isCritical(pod: KubeObject): boolean {
  return (
    secondsOf(dig(pod, 'spec', 'priority'), 0) >= 2_000_000_000 ||
    dig(pod, 'metadata', 'annotations', 'kubernetes.io/config.source') === 'file'
  );
}

function bySysctl(pod: KubeObject): Rejection | undefined {
  for (const sysctl of asList(dig(pod, 'spec', 'securityContext', 'sysctls'))) {
    const name = (asText(dig(sysctl, 'name')) ?? '').replaceAll('/', '.');
    if (!SAFE_SYSCTLS.has(name)) return { reason: 'SysctlForbidden', message: `forbidden sysctl: "${name}" not allowlisted` };
  }
  return undefined;
}

const SAFE_SYSCTLS: ReadonlySet<string> = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
]);

/**
 * Only whole CPUs of Guaranteed pods are given out one by one; what other pods hold of them is not counted.
 * Source: pkg/kubelet/cm/topologymanager/scope_container.go, pkg/kubelet/cm/cpumanager/policy_static.go (guaranteedCPUs).
 */
function byTopology(pod: KubeObject, { numaCpus }: AdmissionView): Rejection | undefined {
  if (numaCpus === undefined || dig(pod, 'status', 'qosClass') !== 'Guaranteed') return undefined;
  const most = bigintOf(numaCpus) * CPU;
  const cpus = asList(dig(pod, 'spec', 'containers')).map(
    (container) => parseQuantity(dig(container, 'resources', 'requests', 'cpu')) ?? 0n,
  );
  return cpus.some((requested) => requested % CPU === 0n && requested > most)
    ? { reason: 'TopologyAffinityError', message: 'Resources cannot be allocated with Topology locality' }
    : undefined;
}

/** One CPU in the unit of `parseQuantity`. */
const CPU = 1_000_000_000n;

/** Source: pkg/kubelet/cm/devicemanager/manager.go (devicesToAllocate), pkg/kubelet/cm/admission/errors.go. */
function byDevices(pod: KubeObject, { unregistered }: AdmissionView): Rejection | undefined {
  const device = unregistered.find((name) => (requestsOf(pod).get(name) ?? 0n) > 0n);
  return device === undefined
    ? undefined
    : {
        reason: 'UnexpectedAdmissionError',
        message: `Allocate failed due to cannot allocate unregistered device ${device}, which is unexpected`,
      };
}

function byPredicates(pod: KubeObject, { node, active }: AdmissionView): Rejection | undefined {
  if (node === undefined) return { reason: 'InvalidNodeInfo', message: 'Kubelet cannot get node info.' };
  return bySystem(pod, node) ?? byResources(pod, node, active) ?? byAffinity(pod, node) ?? byPorts(pod, active) ?? byTaints(pod, node);
}

/** The label is that of the pod, not its nodeSelector. Source: pkg/kubelet/lifecycle/predicate.go (rejectPodAdmissionBasedOnOSSelector, …OSField). */
function bySystem(pod: KubeObject, node: KubeObject): Rejection | undefined {
  const system = labelsOf(node)[SYSTEM] ?? 'linux';
  if ((labelsOf(pod)[SYSTEM] ?? system) !== system)
    return {
      reason: 'PodOSSelectorNodeLabelDoesNotMatch',
      message: "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    };
  return (asText(dig(pod, 'spec', 'os', 'name')) ?? system) === system
    ? undefined
    : { reason: 'PodOSNotSupported', message: "Failed to admit pod as the OS field doesn't match node OS" };
}

const SYSTEM = 'kubernetes.io/os';

function byResources(pod: KubeObject, node: KubeObject, active: readonly KubeObject[]): Rejection | undefined {
  const allocatable = dig(node, 'status', 'allocatable');
  const pods = parseInteger(asText(dig(allocatable, 'pods'))) ?? 110;
  if (active.length + 1 > pods) return short('pods', 1n, bigintOf(active.length), bigintOf(pods));
  const byClaim = dig(pod, 'status', 'extendedResourceClaimStatus') !== undefined;
  for (const [resource, requested] of requestsOf(pod)) {
    const own = dig(allocatable, resource);
    // What the node does not list cannot be had from it, but is the device manager's to refuse.
    const capacity = own === undefined ? undefined : parseQuantity(own);
    if (requested === 0n || (capacity === undefined && (byClaim || !resource.includes('/')))) continue;
    const used = active.reduce((sum, other) => sum + (requestsOf(other).get(resource) ?? 0n), 0n);
    if (used + requested <= (capacity ?? 0n)) continue;
    const unit = resource === 'cpu' ? 1_000_000n : 1_000_000_000n;
    return short(resource, requested / unit, used / unit, (capacity ?? 0n) / unit);
  }
  return undefined;
}

function short(resource: string, requested: bigint, used: bigint, capacity: bigint): Rejection {
  return {
    reason: `OutOf${resource}`,
    message: `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
  };
}

/** What a pod asks for: its containers and sidecars together, or the greatest of its init containers, and the overhead. */
export function requestsOf(pod: KubeObject): ReadonlyMap<string, bigint> {
  return asksForAnything(pod) ? sumOfRequests(pod) : NO_REQUESTS;
}

const sumOfRequests = onceEach((pod: KubeObject): ReadonlyMap<string, bigint> => {
  const sum = new Map<string, bigint>();
  const add = (into: Map<string, bigint>, requests: Json | undefined): void => {
    for (const [name, amount] of Object.entries(asTextMap(requests)))
      into.set(name, (into.get(name) ?? 0n) + (parseQuantity(amount) ?? 0n));
  };
  for (const container of containersOf(pod, 'containers')) add(sum, dig(container, 'resources', 'requests'));
  const sidecars = new Map<string, bigint>();
  const greatest = new Map<string, bigint>();
  for (const container of containersOf(pod, 'initContainers')) {
    if (isSidecar(container)) add(sidecars, dig(container, 'resources', 'requests'));
    const here = new Map(sidecars);
    if (!isSidecar(container)) add(here, dig(container, 'resources', 'requests'));
    for (const [name, amount] of here) if (amount > (greatest.get(name) ?? 0n)) greatest.set(name, amount);
  }
  for (const [name, amount] of sidecars) sum.set(name, (sum.get(name) ?? 0n) + amount);
  for (const [name, amount] of greatest) if (amount > (sum.get(name) ?? 0n)) sum.set(name, amount);
  add(sum, dig(pod, 'spec', 'overhead'));
  return sum;
});

const NO_REQUESTS: ReadonlyMap<string, bigint> = new Map();

function asksForAnything(pod: KubeObject): boolean {
  const asks = (container: JsonObject): boolean => dig(container, 'resources', 'requests') !== undefined;
  return (
    dig(pod, 'spec', 'overhead') !== undefined ||
    containersOf(pod, 'containers').some(asks) ||
    containersOf(pod, 'initContainers').some(asks)
  );
}

function byAffinity(pod: KubeObject, node: KubeObject): Rejection | undefined {
  const labels = { ...labelsOf(node) };
  const selector = asTextMap(dig(pod, 'spec', 'nodeSelector'));
  const selected = Object.keys(selector).length === 0 || selectsLabels(selector, labels);
  const terms = dig(pod, 'spec', 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  const fits =
    terms === undefined ||
    asList(terms).some(
      (term) =>
        (dig(term, 'matchExpressions') === undefined
          ? true
          : matchesAnyExpression([{ matchExpressions: dig(term, 'matchExpressions') ?? [] }], labels)) && fieldsFit(term, node),
    );
  return selected && fits
    ? undefined
    : { reason: 'NodeAffinity', message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector" };
}

function fieldsFit(term: Json, node: KubeObject): boolean {
  return asList(dig(term, 'matchFields')).every(
    (field) => asList(dig(field, 'values')).includes(node.metadata.name) === (dig(field, 'operator') === 'In'),
  );
}

function byPorts(pod: KubeObject, active: readonly KubeObject[]): Rejection | undefined {
  const wanted = hostPortsOf(pod);
  if (wanted.length === 0) return undefined;
  const taken = active.flatMap(hostPortsOf);
  const clash = wanted.some((port) =>
    taken.some(
      (other) =>
        other.port === port.port &&
        other.protocol === port.protocol &&
        (other.ip === port.ip || other.ip === '0.0.0.0' || port.ip === '0.0.0.0'),
    ),
  );
  return clash
    ? { reason: 'NodePorts', message: "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports" }
    : undefined;
}

function hostPortsOf(pod: KubeObject): readonly { readonly port: number; readonly protocol: string; readonly ip: string }[] {
  return containersOf(pod, 'containers').flatMap((container) =>
    asList(container['ports']).flatMap((entry) => {
      const port = asNumber(dig(entry, 'hostPort')) ?? (isHostNetwork(pod) ? asNumber(dig(entry, 'containerPort')) : undefined);
      return port === undefined || port === 0
        ? []
        : [{ port, protocol: asText(dig(entry, 'protocol')) ?? 'TCP', ip: asText(dig(entry, 'hostIP')) ?? '0.0.0.0' }];
    }),
  );
}

/**
 * What runs already is not looked at again. Source: pkg/kubelet/lifecycle/handlers.go (appArmorAdmitHandler),
 * pkg/security/apparmor/{helpers,validate}.go.
 */
function byAppArmor(pod: KubeObject, { hasAppArmor }: AdmissionView): Rejection | undefined {
  if (hasAppArmor || dig(pod, 'status', 'phase') !== 'Pending') return undefined;
  const all: readonly Json[] = [
    dig(pod, 'spec') ?? {},
    ...['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => asList(dig(pod, 'spec', field))),
  ];
  const types = all.map((one) => dig(one, 'securityContext', 'appArmorProfile', 'type'));
  return types.some((type) => type !== undefined && type !== 'Unconfined') ? { reason: 'AppArmor', message: NO_APP_ARMOR } : undefined;
}

function byTaints(pod: KubeObject, node: KubeObject): Rejection | undefined {
  for (const taint of asList(dig(node, 'spec', 'taints'))) {
    if (dig(taint, 'effect') !== 'NoExecute') continue;
    const known = { key: asText(dig(taint, 'key')) ?? '', value: asText(dig(taint, 'value')) ?? '', effect: 'NoExecute' };
    if (!asList(dig(pod, 'spec', 'tolerations')).some((toleration) => tolerates(toleration, known))) {
      return { reason: 'TaintToleration', message: "Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate" };
    }
  }
  return undefined;
}

function tolerates(toleration: Json, taint: { readonly key: string; readonly value: string; readonly effect: string }): boolean {
  const [effect, key] = [asText(dig(toleration, 'effect')) ?? '', asText(dig(toleration, 'key')) ?? ''];
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  return dig(toleration, 'operator') === 'Exists' || (key !== '' && (asText(dig(toleration, 'value')) ?? '') === taint.value);
}
