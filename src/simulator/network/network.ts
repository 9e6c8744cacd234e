import type { Prng } from '../../base/prng.ts';
import { fnv32a } from '../../base/digest.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Store } from '../store/store.ts';
import type { ServicePort, ServiceTable } from './cluster-view.ts';
import { ClusterView, usableEndpoints } from './cluster-view.ts';
import type { Resolution } from './dns.ts';
import { recordsOf, resolveName } from './dns.ts';
import { denyingPolicy, inNetwork, peerOfPod } from './network-policy.ts';
import type { Peer } from './network-policy.ts';
import type { NetworkNamespace, Socket } from './sockets.ts';

export interface NetworkOptions {
  readonly store: Store;
  readonly prng: Prng;
  readonly clusterDomain: string;
  readonly serviceNetwork: string;
}

/** Whether a connection came about: with whom, or what the client gets instead. */
export type Attempt =
  | {
      readonly ok: true;
      readonly ip: string;
      readonly port: number;
      readonly socket: Socket;
      readonly netns: NetworkNamespace;
      readonly via: readonly string[];
    }
  | {
      readonly ok: false;
      readonly trouble: Trouble;
      readonly ip: string | undefined;
      readonly why: string;
      /** `shop/deny-all`: the NetworkPolicy that does not let it through. */
      readonly policy?: string;
    };

/** `dns timeout`: the name server does not answer. */
export type Trouble = 'connection refused' | 'i/o timeout' | 'no route to host' | 'no such host' | 'dns timeout';

/** Where a connection comes from. */
export interface Origin {
  /** The machine; undefined for a client outside of the cluster. */
  readonly node: string | undefined;
  readonly netns: NetworkNamespace | undefined;
  /** The pod, unless it is in its machine's network. */
  readonly pod: KubeObject | undefined;
  /** The pod in its machine's network: its DNS settings apply, NetworkPolicies do not. */
  readonly hostPod?: KubeObject;
}

/**
 * Who reaches whom: Services by the rules of the client's machine, policies, and whoever listens at the end. Nothing is written
 * here but by runtimes (network namespaces), kube-proxies (that they run) and scenarios (hosts outside, a name server that is down).
 */
export class Network {
  readonly view: ClusterView;
  readonly #options: NetworkOptions;
  readonly #byIp = new Map<string, NetworkNamespace>();
  readonly #proxies = new Map<string, Proxy>();
  readonly #outside = new Map<string, string>();
  readonly #shares = new Map<string, readonly string[]>();
  /** Whether the cluster DNS answers at all. */
  dnsAnswers = true;

  constructor(options: NetworkOptions) {
    this.#options = options;
    this.view = new ClusterView(options.store);
  }

  /** Gives an address to a pod or a machine. */
  join(netns: NetworkNamespace): void {
    this.#byIp.set(netns.ip, netns);
  }

  leave(netns: NetworkNamespace): void {
    if (this.#byIp.get(netns.ip) === netns) this.#byIp.delete(netns.ip);
  }

  at(ip: string): NetworkNamespace | undefined {
    return this.#byIp.get(ip);
  }

  /** The pod that has an address; undefined for machines and what is outside. */
  podAt(ip: string): KubeObject | undefined {
    const pod = this.#byIp.get(ip)?.pod;
    return pod === undefined ? undefined : this.view.pod(pod.namespace, pod.name);
  }

  /** A host outside of the cluster, by name or address, with what it listens on. */
  addOutside(name: string, netns: NetworkNamespace, shares?: readonly string[]): void {
    this.#outside.set(name, netns.ip);
    if (shares === undefined) this.#shares.delete(netns.ip);
    else this.#shares.set(netns.ip, shares);
    this.join(netns);
  }

  /** Whether the host at an address shares a path by NFS; one of which nothing is said shares all. */
  exports(ip: string, path: string): boolean {
    return this.#shares.get(ip)?.some((share) => path === share || path.startsWith(`${share}/`)) ?? true;
  }

  /** A kube-proxy has come up on a machine: its rules follow the API from now on. */
  proxyStarted(node: string): void {
    this.#proxies.set(node, { kept: undefined });
  }

  /** It has stopped: the rules stay as they are. */
  proxyStopped(node: string): void {
    this.#proxies.set(node, { kept: this.view.services() });
  }

  /** The Services a machine's rules know; undefined when no kube-proxy has ever written any. */
  rulesOf(node: string): ServiceTable | undefined {
    const proxy = this.#proxies.get(node);
    return proxy === undefined ? undefined : (proxy.kept ?? this.view.services());
  }

  /** The address of the cluster's name server; of one that is no Service, where kubeadm puts it. */
  get dnsServer(): string {
    return asText(dig(this.view.service('kube-system', 'kube-dns'), 'spec', 'clusterIP')) ?? '10.96.0.10';
  }

  resolve(origin: Origin, name: string): Resolution {
    if (isAddress(name)) return { ok: true, ips: [name] };
    if (name === 'localhost') return { ok: true, ips: ['127.0.0.1'] };
    const pod = origin.pod ?? origin.hostPod;
    if (pod !== undefined && dig(pod, 'spec', 'dnsPolicy') === 'None') return this.#resolveByOwn(origin, pod, name);
    if (usesNodeServers(pod)) return this.#resolveByNode(name);
    if (pod !== undefined && !this.#reachesDns(origin)) return { ok: false, trouble: 'timeout' };
    return resolveName(this.view, this.#outside, this.#options.clusterDomain, pod?.metadata.namespace, name);
  }

  /** The records of a name, addresses or others; undefined when the name server does not answer. */
  lookUp(origin: Origin, name: string, type: string): readonly string[] | undefined {
    const resolved = this.resolve(origin, type === 'A' ? name : 'kubernetes.default.svc');
    if (!resolved.ok && resolved.trouble === 'timeout') return undefined;
    if (type === 'A') return resolved.ok ? resolved.ips : [];
    return recordsOf(this.view, this.#options.clusterDomain, name, type);
  }

  /** The name servers of a machine know what is outside, and no Service. */
  #resolveByNode(name: string): Resolution {
    const ip = this.#outside.get(name);
    return ip === undefined ? { ok: false, trouble: 'no such host' } : { ok: true, ips: [ip] };
  }

  /** A pod with name servers and search domains of its own: others than the cluster's know what is outside, if there is such a server. */
  #resolveByOwn(origin: Origin, pod: KubeObject, name: string): Resolution {
    const servers = asList(dig(pod, 'spec', 'dnsConfig', 'nameservers')).map((server) => asText(server) ?? '');
    const { clusterDomain } = this.#options;
    if (!servers.includes(asText(dig(this.view.service('kube-system', 'kube-dns'), 'spec', 'clusterIP')) ?? 'none')) {
      const ip = this.#outside.get(name);
      if (ip !== undefined) return { ok: true, ips: [ip] };
      return { ok: false, trouble: servers.some((server) => this.#byIp.has(server)) ? 'no such host' : 'timeout' };
    }
    if (!this.#reachesDns(origin)) return { ok: false, trouble: 'timeout' };
    const namespace = pod.metadata.namespace ?? '';
    const searches = asList(dig(pod, 'spec', 'dnsConfig', 'searches')).includes(`${namespace}.svc.${clusterDomain}`);
    return resolveName(this.view, this.#outside, clusterDomain, searches ? namespace : undefined, name);
  }

  /** What a client gets that connects to a host and port from there. */
  reach(origin: Origin, host: string, port: number, protocol = 'TCP'): Attempt {
    const resolved = this.resolve(origin, host);
    if (!resolved.ok)
      return {
        ok: false,
        trouble: resolved.trouble === 'timeout' ? 'dns timeout' : 'no such host',
        ip: undefined,
        why: `${host} is not resolved`,
      };
    const ip = resolved.ips[this.#options.prng.below(resolved.ips.length)] ?? '';
    return this.#connect(origin, ip, port, protocol);
  }

  #connect(origin: Origin, ip: string, port: number, protocol: string): Attempt {
    if (inNetwork(ip, '127.0.0.0/8')) return listener(origin.netns, ip, port, []);
    const table = origin.node === undefined ? undefined : this.rulesOf(origin.node);
    const service = table?.byAddress.get(`${ip}:${port}`) ?? this.#nodePort(ip, port);
    if (service !== undefined && service.protocol === protocol) return this.#balance(origin, service, ip);
    if (table?.clusterIps.has(ip) === true || inNetwork(ip, this.#options.serviceNetwork))
      return lost(ip, `nothing answers for the Service address ${ip}:${port} on ${origin.node ?? 'a client outside'}`);
    return this.#direct(origin, ip, port, protocol, []);
  }

  #nodePort(ip: string, port: number): ServicePort | undefined {
    const machine = this.#byIp.get(ip);
    return machine === undefined || this.podAt(ip) !== undefined ? undefined : this.rulesOf(machine.node)?.byNodePort.get(port);
  }

  #balance(origin: Origin, service: ServicePort, ip: string): Attempt {
    const name = `${service.service.metadata.namespace}/${service.service.metadata.name}`;
    let usable = usableEndpoints(service);
    if (dig(service.service, 'spec', 'internalTrafficPolicy') === 'Local')
      usable = usable.filter((endpoint) => endpoint.node === origin.node);
    // The same client keeps its endpoint. Source: pkg/proxy/iptables/proxier.go (writeServiceToEndpointRules).
    const sticky = dig(service.service, 'spec', 'sessionAffinity') === 'ClientIP';
    const chosen =
      usable[sticky ? placeOf(`${name} ${origin.netns?.ip ?? ''}`, usable.length) : this.#options.prng.below(Math.max(1, usable.length))];
    if (chosen === undefined)
      return { ok: false, trouble: 'connection refused', ip, why: `Service ${name} has no ready endpoints for port ${service.port}` };
    return this.#direct(origin, chosen.ip, chosen.port, service.protocol, [`Service ${name}`]);
  }

  #direct(origin: Origin, ip: string, port: number, protocol: string, via: readonly string[]): Attempt {
    const pod = this.podAt(ip);
    const to: Peer = pod === undefined ? { ip } : peerOfPod(pod, ip);
    const sameMachine = origin.pod === undefined && origin.node !== undefined && asText(dig(pod, 'spec', 'nodeName')) === origin.node;
    const denied = sameMachine ? undefined : denyingPolicy(this.view, { from: this.#peerOf(origin), to, port, protocol });
    if (denied !== undefined) {
      const policy = `${denied.policy.metadata.namespace}/${denied.policy.metadata.name}`;
      return { ...lost(ip, `NetworkPolicy ${policy} does not let ${denied.direction} through`), policy };
    }
    const netns = this.#byIp.get(ip);
    if (netns === undefined) return { ok: false, trouble: 'no route to host', ip, why: `nobody has the address ${ip}` };
    return listener(netns, ip, port, via);
  }

  #peerOf(origin: Origin): Peer {
    const ip = origin.netns?.ip ?? '';
    return origin.pod === undefined ? { ip } : peerOfPod(origin.pod, ip);
  }

  /** The name server is a Service like others when there is one; a policy may keep pods from it. */
  #reachesDns(origin: Origin): boolean {
    if (!this.dnsAnswers) return false;
    const service = this.view.service('kube-system', 'kube-dns');
    const endpoints = this.view.services().byAddress.get(`${asText(dig(service, 'spec', 'clusterIP')) ?? ''}:53`);
    if (service !== undefined && endpoints !== undefined && usableEndpoints(endpoints).length === 0) return false;
    const server: Peer = { ip: '', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } };
    return denyingPolicy(this.view, { from: this.#peerOf(origin), to: server, port: 53, protocol: 'UDP' }) === undefined;
  }
}

interface Proxy {
  readonly kept: ServiceTable | undefined;
}

/** A place in a list of that length: the same for the same text. */
function placeOf(text: string, length: number): number {
  return length === 0 ? 0 : fnv32a(text) % length;
}

function listener(netns: NetworkNamespace | undefined, ip: string, port: number, via: readonly string[]): Attempt {
  const socket = netns?.at(ip, port);
  if (netns === undefined || socket === undefined)
    return { ok: false, trouble: 'connection refused', ip, why: `nothing listens on ${ip}:${port}` };
  return { ok: true, ip, port, socket, netns, via };
}

function lost(ip: string, why: string): Attempt & { readonly ok: false } {
  return { ok: false, trouble: 'i/o timeout', ip, why };
}

/** Whether the kubelet gives the pod the name servers of its machine. Source: pkg/kubelet/network/dns/dns.go (getPodDNSType). */
function usesNodeServers(pod: KubeObject | undefined): boolean {
  const policy = dig(pod, 'spec', 'dnsPolicy');
  return policy === 'Default' || (policy === 'ClusterFirst' && dig(pod, 'spec', 'hostNetwork') === true);
}

export function isAddress(host: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(host) || host.includes(':');
}
