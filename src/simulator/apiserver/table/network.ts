import type { Json } from '../../../base/json.ts';
import { asList, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { age, labels, listed, NONE, selector, text, textOr, UNKNOWN, UNSET } from './cells.ts';
import type { Printer } from './columns.ts';
import { columns } from './columns.ts';

/** Source: pkg/printers/internalversion/printers.go. */
export const NETWORK: Readonly<Record<string, Printer>> = {
  services: {
    columns: columns('Name, Type, Cluster-IP, External-IP, Port(s), Age, Selector+'),
    row: (it, now) => [
      it.metadata.name,
      text(it, 'spec', 'type'),
      clusterAddress(it),
      externalAddress(it),
      portWords(dig(it, 'spec', 'ports')),
      age(it, now),
      labels(dig(it, 'spec', 'selector')),
    ],
  },
  endpoints: {
    columns: columns('Name, Endpoints, Age'),
    row: (it, now) => [it.metadata.name, endpointWords(it), age(it, now)],
  },
  'endpointslices.discovery.k8s.io': {
    columns: columns('Name, AddressType, Ports, Endpoints, Age'),
    row: (it, now) => [
      it.metadata.name,
      text(it, 'addressType'),
      slicePorts(it),
      listed(
        asList(it['endpoints']).flatMap((one) => asList(dig(one, 'addresses')).map(String)),
        3,
        ',',
        UNSET,
      ),
      age(it, now),
    ],
  },
  'ingresses.networking.k8s.io': {
    columns: columns('Name, Class, Hosts, Address, Ports, Age'),
    row: (it, now) => [
      it.metadata.name,
      textOr(NONE, it, 'spec', 'ingressClassName'),
      hostWords(it),
      balancerWords(it),
      asList(dig(it, 'spec', 'tls')).length > 0 ? '80, 443' : '80',
      age(it, now),
    ],
  },
  'ingressclasses.networking.k8s.io': {
    columns: columns('Name, Controller, Parameters, Age'),
    row: (it, now) => [it.metadata.name, text(it, 'spec', 'controller'), parameterWords(it), age(it, now)],
  },
  'networkpolicies.networking.k8s.io': {
    columns: columns('Name, Pod-Selector, Age'),
    row: (it, now) => [it.metadata.name, selector(dig(it, 'spec', 'podSelector')), age(it, now)],
  },
  'ipaddresses.networking.k8s.io': {
    columns: columns('Name, ParentRef'),
    row: (it) => [it.metadata.name, parentWords(dig(it, 'spec', 'parentRef'))],
  },
  'servicecidrs.networking.k8s.io': {
    columns: columns('Name, CIDRs, Age'),
    row: (it, now) => [
      it.metadata.name,
      asList(dig(it, 'spec', 'cidrs'))
        .map(String)
        .join(','),
      age(it, now),
    ],
  },
};

function clusterAddress(service: KubeObject): string {
  return textOr(textOr(NONE, service, 'spec', 'clusterIP'), service, 'spec', 'clusterIPs', 0);
}

function externalAddress(service: KubeObject): string {
  const own = asList(dig(service, 'spec', 'externalIPs')).map(String);
  switch (dig(service, 'spec', 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return own.length === 0 ? NONE : own.join(',');
    case 'LoadBalancer': {
      const all = [balancerWords(service), ...own].filter((words) => words !== '');
      return all.length === 0 ? '<pending>' : all.join(',');
    }
    case 'ExternalName':
      return text(service, 'spec', 'externalName');
    default:
      return UNKNOWN;
  }
}

function balancerWords(object: KubeObject): string {
  const ingress = asList(dig(object, 'status', 'loadBalancer', 'ingress'));
  return ingress
    .map((one) => textOf(dig(one, 'ip') ?? dig(one, 'hostname')))
    .filter((words) => words !== '')
    .join(',');
}

/** `80/TCP,443:30443/TCP`. */
function portWords(ports: Json | undefined): string {
  const words = asList(ports).map((port) => {
    const nodePort = textOf(dig(port, 'nodePort'));
    return `${textOf(dig(port, 'port'))}${nodePort === '' || nodePort === '0' ? '' : `:${nodePort}`}/${textOf(dig(port, 'protocol'))}`;
  });
  return words.length === 0 ? NONE : words.join(',');
}

function endpointWords(endpoints: KubeObject): string {
  const all = asList(endpoints['subsets']).flatMap((subset) => {
    const addresses = asList(dig(subset, 'addresses')).map((one) => textOf(dig(one, 'ip')));
    const ports = asList(dig(subset, 'ports')).map((port) => textOf(dig(port, 'port')));
    return ports.length === 0 ? addresses : ports.flatMap((port) => addresses.map((address) => `${address}:${port}`));
  });
  return listed(all, 3, ',', NONE);
}

function slicePorts(slice: KubeObject): string {
  return listed(
    asList(slice['ports']).map((port) => textOf(dig(port, 'port') ?? '*')),
    3,
    ',',
    UNSET,
  );
}

function hostWords(ingress: KubeObject): string {
  return listed(
    asList(dig(ingress, 'spec', 'rules'))
      .map((rule) => textOf(dig(rule, 'host')))
      .filter((host) => host !== ''),
    3,
    ',',
    '*',
  );
}

function parameterWords(ingressClass: KubeObject): string {
  const parameters = dig(ingressClass, 'spec', 'parameters');
  if (parameters === undefined) return NONE;
  const group = textOf(dig(parameters, 'apiGroup'));
  return `${textOf(dig(parameters, 'kind'))}${group === '' ? '' : `.${group}`}/${textOf(dig(parameters, 'name'))}`;
}

function parentWords(parent: Json | undefined): string {
  if (parent === undefined) return NONE;
  return ['group', 'resource', 'namespace', 'name']
    .map((field) => textOf(dig(parent, field)))
    .filter((word, index) => word !== '' || index === 1 || index === 3)
    .join('/');
}
