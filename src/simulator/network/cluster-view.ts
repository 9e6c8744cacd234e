import type { Json } from '../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../base/json.ts';
import { onceFor } from '../../base/once.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { labelsOf } from '../../model/kube-object.ts';
import type { Store } from '../store/store.ts';

/** What the data plane knows of Services and their endpoints: of one moment, since a stopped proxy keeps what it last knew. */
export interface ServiceTable {
  readonly services: readonly KubeObject[];
  /** `<cluster IP>:<port>`, for every cluster IP and port. */
  readonly byAddress: ReadonlyMap<string, ServicePort>;
  readonly byNodePort: ReadonlyMap<number, ServicePort>;
  readonly clusterIps: ReadonlySet<string>;
}

export interface ServicePort {
  readonly service: KubeObject;
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  readonly endpoints: readonly Endpoint[];
}

export interface Endpoint {
  readonly ip: string;
  readonly port: number;
  readonly node: string | undefined;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
}

/** Reads what the network is made of, and remembers it until something of it changes. */
export class ClusterView {
  readonly #store: Store;
  #services: ServiceTable | undefined;
  #linked = onceFor((namespace: string) => this.#linksIn(namespace));

  constructor(store: Store) {
    this.#store = store;
    const forget = (): void => {
      this.#services = undefined;
    };
    store.subscribe('services', () => {
      forget();
      this.#linked = onceFor((namespace: string) => this.#linksIn(namespace));
    });
    store.subscribe('endpointslices.discovery.k8s.io', forget);
  }

  services(): ServiceTable {
    this.#services ??= tableOf(this.#store.list('services'), this.#store.list('endpointslices.discovery.k8s.io'));
    return this.#services;
  }

  service(namespace: string, name: string): KubeObject | undefined {
    return this.#store.get('services', namespace, name);
  }

  /** The Services that containers of a namespace are told of: its own, and the API server's; the same list until a Service changes. */
  linkedIn(namespace: string): readonly KubeObject[] {
    return this.#linked(namespace);
  }

  #linksIn(namespace: string): readonly KubeObject[] {
    const [own, master] = [this.#store.list('services', namespace), this.service('default', 'kubernetes')];
    return master === undefined || own.includes(master) ? own : [master, ...own];
  }

  /** Addresses of a headless Service: of all its ready endpoints, or of the one with that hostname. */
  headless(service: KubeObject, hostname: string | undefined): readonly string[] {
    const ips = new Set<string>();
    const unready = dig(service, 'spec', 'publishNotReadyAddresses') === true;
    for (const slice of this.#store.list('endpointslices.discovery.k8s.io', service.metadata.namespace)) {
      if (labelsOf(slice)['kubernetes.io/service-name'] !== service.metadata.name) continue;
      for (const endpoint of asList(dig(slice, 'endpoints'))) {
        if (!unready && dig(endpoint, 'conditions', 'ready') === false) continue;
        if (hostname !== undefined && dig(endpoint, 'hostname') !== hostname) continue;
        for (const ip of asList(dig(endpoint, 'addresses'))) ips.add(asText(ip) ?? '');
      }
    }
    return [...ips];
  }

  policies(namespace: string): readonly KubeObject[] {
    return this.#store.list('networkpolicies.networking.k8s.io', namespace);
  }

  namespaceLabels(namespace: string): Readonly<Record<string, string>> {
    const found = this.#store.get('namespaces', undefined, namespace);
    return found === undefined ? {} : labelsOf(found);
  }

  pod(namespace: string, name: string): KubeObject | undefined {
    return this.#store.get('pods', namespace, name);
  }
}

function tableOf(services: readonly KubeObject[], slices: readonly KubeObject[]): ServiceTable {
  const slicesOf = new Map<string, KubeObject[]>();
  for (const slice of slices) {
    const name = labelsOf(slice)['kubernetes.io/service-name'];
    if (name === undefined) continue;
    const key = `${slice.metadata.namespace}/${name}`;
    const known = slicesOf.get(key);
    if (known === undefined) slicesOf.set(key, [slice]);
    else known.push(slice);
  }
  const byAddress = new Map<string, ServicePort>();
  const byNodePort = new Map<number, ServicePort>();
  const clusterIps = new Set<string>();
  for (const service of services) {
    const ips = asList(dig(service, 'spec', 'clusterIPs'))
      .map(asText)
      .filter((ip) => ip !== undefined && ip !== 'None' && ip !== '');
    for (const port of asList(dig(service, 'spec', 'ports'))) {
      const entry = portOf(service, port, slicesOf.get(`${service.metadata.namespace}/${service.metadata.name}`) ?? []);
      for (const ip of ips) byAddress.set(`${ip}:${entry.port}`, entry);
      const nodePort = asNumber(dig(port, 'nodePort'));
      if (nodePort !== undefined) byNodePort.set(nodePort, entry);
    }
    for (const ip of ips) clusterIps.add(ip ?? '');
  }
  return { services, byAddress, byNodePort, clusterIps };
}

function portOf(service: KubeObject, port: Json, slices: readonly KubeObject[]): ServicePort {
  const name = asText(dig(port, 'name')) ?? '';
  const endpoints = slices.flatMap((slice) => {
    const match = asList(dig(slice, 'ports')).find((candidate) => (asText(dig(candidate, 'name')) ?? '') === name);
    const number = asNumber(dig(match, 'port'));
    if (number === undefined) return [];
    return asList(dig(slice, 'endpoints')).flatMap((endpoint) =>
      asList(dig(endpoint, 'addresses')).map((ip): Endpoint => ({
        ip: asText(ip) ?? '',
        port: number,
        node: asText(dig(endpoint, 'nodeName')),
        ready: dig(endpoint, 'conditions', 'ready') !== false,
        serving: dig(endpoint, 'conditions', 'serving') !== false,
        terminating: dig(endpoint, 'conditions', 'terminating') === true,
      })),
    );
  });
  return { service, name, port: asNumber(dig(port, 'port')) ?? 0, protocol: asText(dig(port, 'protocol')) ?? 'TCP', endpoints };
}

/** The endpoints kube-proxy sends to: the ready ones, else those that are being ended but still serve. */
export function usableEndpoints(port: ServicePort): readonly Endpoint[] {
  const ready = port.endpoints.filter((endpoint) => endpoint.ready);
  return ready.length > 0 ? ready : port.endpoints.filter((endpoint) => endpoint.serving && endpoint.terminating);
}
