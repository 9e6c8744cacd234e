import type { Json } from '../../base/json.ts';
import { asList, asNumber, asText, dig, isJsonObject } from '../../base/json.ts';
import { parseInteger } from '../../base/number.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { labelsOf } from '../../model/kube-object.ts';
import { labelSelectorMatcher } from '../apiserver/selectors.ts';
import type { ClusterView } from './cluster-view.ts';

/** One end of a connection: a pod by its labels, or only an address. */
export interface Peer {
  readonly ip: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly pod?: KubeObject;
}

export interface Flow {
  readonly from: Peer;
  readonly to: Peer;
  readonly port: number;
  readonly protocol: string;
}

/**
 * The policy that keeps a connection from being made, and which way; undefined when it is let through. A pod that no policy
 * selects is open; one that is selected takes (or makes) only what some policy lists.
 */
export function denyingPolicy(
  view: ClusterView,
  flow: Flow,
): { readonly policy: KubeObject; readonly direction: 'ingress' | 'egress' } | undefined {
  const egress = deniedBy(view, flow, 'egress');
  if (egress !== undefined) return { policy: egress, direction: 'egress' };
  const ingress = deniedBy(view, flow, 'ingress');
  return ingress === undefined ? undefined : { policy: ingress, direction: 'ingress' };
}

function deniedBy(view: ClusterView, flow: Flow, direction: 'ingress' | 'egress'): KubeObject | undefined {
  const subject = direction === 'ingress' ? flow.to : flow.from;
  const other = direction === 'ingress' ? flow.from : flow.to;
  if (subject.namespace === undefined || subject.labels === undefined) return undefined;
  const { labels, namespace } = subject;
  const policies = view
    .policies(namespace)
    .filter((policy) => applies(policy, direction) && labelSelectorMatcher(dig(policy, 'spec', 'podSelector') ?? {})(labels));
  const allowed = policies.some((policy) =>
    asList(dig(policy, 'spec', direction)).some((rule) => lets(view, rule, { direction, namespace, other }, flow)),
  );
  return allowed ? undefined : policies[0];
}

/** Whose rules are read, and who is at the other end. */
interface Side {
  readonly direction: 'ingress' | 'egress';
  readonly namespace: string;
  readonly other: Peer;
}

function applies(policy: KubeObject, direction: 'ingress' | 'egress'): boolean {
  const types = asList(dig(policy, 'spec', 'policyTypes'));
  if (types.length > 0) return types.includes(direction === 'ingress' ? 'Ingress' : 'Egress');
  return direction === 'ingress' || dig(policy, 'spec', 'egress') !== undefined;
}

function lets(view: ClusterView, rule: Json, { direction, namespace, other }: Side, flow: Flow): boolean {
  const ports = asList(dig(rule, 'ports'));
  const peers = asList(dig(rule, direction === 'ingress' ? 'from' : 'to'));
  if (ports.length > 0 && !ports.some((port) => fitsPort(port, flow))) return false;
  return peers.length === 0 || peers.some((peer) => fitsPeer(view, peer, namespace, other));
}

function fitsPort(port: Json, flow: Flow): boolean {
  if ((asText(dig(port, 'protocol')) ?? 'TCP') !== flow.protocol) return false;
  const wanted = dig(port, 'port');
  if (wanted === undefined || wanted === null) return true;
  const end = asNumber(dig(port, 'endPort'));
  if (typeof wanted === 'number') return end === undefined ? wanted === flow.port : flow.port >= wanted && flow.port <= end;
  const containers = asList(dig(flow.to.pod, 'spec', 'containers'));
  return containers.some((container) =>
    asList(dig(container, 'ports')).some((named) => dig(named, 'name') === wanted && dig(named, 'containerPort') === flow.port),
  );
}

function fitsPeer(view: ClusterView, peer: Json, namespace: string, other: Peer): boolean {
  const block = dig(peer, 'ipBlock');
  if (isJsonObject(block)) {
    if (!inNetwork(other.ip, asText(block['cidr']) ?? '')) return false;
    return !asList(block['except']).some((part) => inNetwork(other.ip, asText(part) ?? ''));
  }
  if (other.namespace === undefined || other.labels === undefined) return false;
  const namespaces = dig(peer, 'namespaceSelector');
  if (namespaces === undefined ? other.namespace !== namespace : !labelSelectorMatcher(namespaces)(view.namespaceLabels(other.namespace)))
    return false;
  const pods = dig(peer, 'podSelector');
  return pods === undefined || labelSelectorMatcher(pods)(other.labels);
}

/** Whether an IPv4 address lies in a network written as `10.0.0.0/8`. */
export function inNetwork(ip: string, cidr: string): boolean {
  const [base = '', bits = '32'] = cidr.split('/');
  const [address, network] = [numberOf(ip), numberOf(base)];
  if (address === undefined || network === undefined) return false;
  const size = 2 ** (32 - (parseInteger(bits) ?? 32));
  return Math.floor(address / size) === Math.floor(network / size);
}

function numberOf(ip: string): number | undefined {
  const parts = ip.split('.').map((part) => parseInteger(part) ?? -1);
  if (parts.length !== 4 || parts.some((part) => part < 0 || part > 255)) return undefined;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}

/** The peer a pod is. */
export function peerOfPod(pod: KubeObject, ip: string): Peer {
  return { ip, namespace: pod.metadata.namespace ?? 'default', labels: labelsOf(pod), pod };
}
