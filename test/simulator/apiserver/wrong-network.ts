import type { WrongObject } from './wrong-object-parts.ts';
import { bare, service, backend, ingress, path, policy } from './wrong-object-parts.ts';

export const WRONG_NETWORK: readonly WrongObject[] = [
  ['a Service without ports', service({ ports: [] }), 'spec.ports: Required value'],
  [
    'two nameless ports',
    service({ ports: [{ port: 80 }, { port: 81 }] }),
    '[spec.ports[0].name: Required value, spec.ports[1].name: Required value]',
  ],
  [
    'a Service of a type there is not',
    service({ type: 'Internal' }),
    'spec.type: Unsupported value: "Internal": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
  ],
  [
    'a node port inside the cluster',
    service({ ports: [{ port: 80, nodePort: 30_080 }] }),
    "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
  ],
  [
    'a node port out of range',
    service({ type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }),
    'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  ],
  [
    'a headless way in',
    service({ type: 'LoadBalancer', clusterIP: 'None' }),
    `spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for LoadBalancer services`,
  ],
  [
    'an address that is none',
    service({ clusterIP: '10.0.0' }),
    'spec.clusterIPs[0]: Invalid value: "10.0.0": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  [
    'a name that is an address nobody has',
    service({ type: 'ExternalName', externalName: 'Shop_Example' }),
    `spec.externalName: Invalid value: "Shop_Example": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
  [
    'affinity there is not',
    service({ sessionAffinity: 'Cookie' }),
    'spec.sessionAffinity: Unsupported value: "Cookie": supported values: "ClientIP", "None"',
  ],
  [
    'affinity for no time',
    service({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } }),
    'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400',
  ],
  [
    'an address of its own host',
    service({ externalIPs: ['127.0.0.1'] }),
    'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ],
  [
    'ranges of no balancer',
    service({ loadBalancerSourceRanges: ['10.0.0.0/8'] }),
    "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
  ],
  [
    'a class of no balancer',
    service({ loadBalancerClass: 'shop' }),
    "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
  ],
  [
    'a port to a name no port has',
    service({ ports: [{ port: 80, targetPort: 'HTTP' }] }),
    '[spec.ports[0].targetPort: Invalid value: "HTTP": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-), spec.ports[0].targetPort: Invalid value: "HTTP": must contain at least one letter (a-z)]',
  ],
  ['an ingress of nothing', ingress({}), 'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
  [
    'an ingress for an address',
    ingress({ rules: [{ host: '10.0.0.1', http: { paths: [] } }] }),
    '[spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address, spec.rules[0].http.paths: Required value]',
  ],
  [
    'an ingress for any host',
    ingress({ rules: [{ host: '*' }] }),
    `spec.rules[0].host: Invalid value: "*": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
  [
    'a path without a type',
    path({ pathType: undefined }),
    'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
  ],
  [
    'a path of a type there is not',
    path({ pathType: 'Regex' }),
    'spec.rules[0].http.paths[0].pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"',
  ],
  ['a path with two slashes', path({ path: '/a//b' }), `spec.rules[0].http.paths[0].path: Invalid value: "/a//b": must not contain '//'`],
  [
    'a backend that is none',
    path({ backend: {} }),
    'spec.rules[0].http.paths[0].backend: Invalid value: "": resource or service backend is required',
  ],
  [
    'a backend of two ports',
    path({ backend: backend('web', { number: 80, name: 'http' }) }),
    'spec.rules[0].http.paths[0].backend: Invalid value: "": cannot set both port name & port number',
  ],
  [
    'certificates in a secret of no name',
    ingress({ defaultBackend: backend('web', { number: 80 }), tls: [{ hosts: ['Shop'], secretName: 'Shop' }] }),
    `[spec.tls[0].hosts[0]: Invalid value: "Shop": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), spec.tls[0].secretName: Invalid value: "Shop": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')]`,
  ],
  [
    'a class that is run by nobody',
    bare('networking.k8s.io/v1', 'IngressClass', { spec: { controller: 'nginx' } }),
    'spec.controller: Invalid value: "nginx": must be a domain-prefixed path (such as "acme.io/foo")',
  ],
  [
    'a policy for a direction there is not',
    policy({ policyTypes: ['Inside'] }),
    'spec.policyTypes[0]: Unsupported value: "Inside": supported values: "Ingress", "Egress"',
  ],
  ['a peer that is none', policy({ ingress: [{ from: [{}] }] }), 'spec.ingress[0].from[0]: Required value: must specify a peer'],
  [
    'a peer that is two',
    policy({ ingress: [{ from: [{ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }] }] }),
    'spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer',
  ],
  [
    'ports up to one below',
    policy({ egress: [{ ports: [{ port: 80, endPort: 70 }] }] }),
    'spec.egress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`',
  ],
  [
    'ports from a name',
    policy({ egress: [{ ports: [{ port: 'http', endPort: 90 }] }] }),
    'spec.egress[0].ports[0].endPort: Invalid value: 90: may not be specified when `port` is non-numeric',
  ],
  [
    'an exception outside the rule',
    policy({ egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }] }] }),
    'spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
  ],
  [
    'a port of no name',
    policy({ ingress: [{ ports: [{ port: '' }] }] }),
    '[spec.ingress[0].ports[0].port: Invalid value: "": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-), spec.ingress[0].ports[0].port: Invalid value: "": must contain at least one letter (a-z)]',
  ],
];
