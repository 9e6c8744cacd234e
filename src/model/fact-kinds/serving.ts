import type { FactKindSpec } from './spec.ts';
import { flag, number, text, word } from './spec.ts';

/** Facts about endpoints, traffic, dependencies and what applications log. */
export const SERVING_FACTS = {
  service: {
    says: 'A Service, the pods that its selector matches, and its endpoints.',
    whole: true,
    fields: {
      service: text('its name'),
      type: text('spec.type', ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']),
      selector: text('its labels, `key=value` joined by commas'),
      hasSelector: flag('it selects by labels'),
      matching: number('pods its selector fits'),
      templates: number('workloads seen whose pods it would fit'),
      ready: number('of these pods, the ready ones'),
      starting: flag('none of them is ready, and all have only begun to start'),
      asked: flag('it is the target of the diagnosis'),
      endpointsReady: number('ready addresses in its EndpointSlices'),
      endpointsNotReady: number('addresses in its EndpointSlices that are not ready'),
      intended: text('`Kind/name` of the workload it was evidently made for, when it selects nothing'),
      wrongLabel: text('the label of the selector that this workload does not have'),
      rightLabel: text('the label it has instead'),
    },
  },
  backend: {
    says: 'A pod a Service selects, or the workload a Service was evidently made for.',
    fields: { service: text('name of the Service'), ready: flag('the pod is ready') },
  },
  endpoints: {
    says: 'The addresses behind a Service.',
    fields: {
      service: text('name of the Service'),
      ready: number('ready addresses'),
      notReady: number('addresses that are not ready'),
      ports: text('ports of the addresses'),
      hasPorts: flag('the addresses have at least one port'),
    },
  },
  'service-port': {
    says: 'A port of a Service, compared with what the containers behind it declare.',
    whole: true,
    fields: {
      service: text('name of the Service'),
      port: number('port clients use'),
      portName: text('its name'),
      targetPort: text('targetPort as written, or the port itself'),
      named: flag('targetPort is a name'),
      protocol: text('its protocol', ['TCP', 'UDP', 'SCTP']),
      appProtocol: text('appProtocol'),
      declared: flag('a container behind it declares the target port, or is told in another way to serve it'),
      declaredProtocol: text('the protocol a container declares the target port with, when it is another one'),
      declaredPorts: text('all ports the containers behind it declare'),
      portItselfDeclared: flag("a container behind it declares the Service's own port number"),
      unusedPort: number('a declared container port that no Service with this selector leads to'),
      container: text('the container it should lead to'),
      endpointHasPort: flag('the addresses behind the Service have this port'),
      ready: number('ready pods behind it'),
    },
  },
  dependency: {
    says: 'A workload calls a Service by an address in its configuration.',
    fields: {
      on: text('`Service/namespace/name`, if the Service exists'),
      service: text('name of the Service the host means'),
      host: text('the host as written'),
      port: text('the port as written'),
      variable: text('the variable or key that holds the address'),
      portVariable: text('the one that holds the port, when it is another'),
      scheme: text('scheme of the address, if it is a URL'),
      server: word('what answers there, where scheme, names or port tell', ['mysql', 'postgres', 'redis', 'mongodb', 'rabbitmq']),
      exists: flag('the Service exists; absent when that could not be told'),
      wrong: word('name: the Service does not exist; port: the Service does not have this port; absent when neither', ['name', 'port']),
      offers: text('the ports it has'),
      similar: text('the nearest name of a Service that exists'),
    },
  },
  dns: {
    says: 'A pod, or the pods of a workload, with name servers of their own, or those of the node.',
    fields: {
      policy: text('dnsPolicy: None (name servers of their own); Default, or ClusterFirst with hostNetwork (those of the node)', ['ClusterFirst', 'Default', 'None']),
      hostNetwork: flag('spec.hostNetwork'),
      nameservers: text('dnsConfig.nameservers, joined by commas'),
      clusterDns: flag('the DNS of the cluster is among them; absent when its address is not known'),
    },
  },
  route: {
    says: 'A route of a gateway: an Ingress, an HTTPRoute, or one that an application gateway reads from a ConfigMap.',
    fields: {
      gateway: text('`Kind/name` of the object that holds the route'),
      route: text('its id or host'),
      path: text('the path it matches'),
      service: text('name of the Service it leads to'),
      port: text('the port it leads to, if it names one'),
      wrong: word('name: the Service does not exist; port: the Service does not have this port; other: another Service', ['name', 'port', 'other']),
      meant: text('the Service it was evidently meant for'),
      offers: text('the ports the Service has'),
    },
  },
  proxy: {
    says: 'The addresses of Services are not forwarded: on a node, or for a Service whose pods answer.',
    fields: {
      state: word('what is wrong', ['stopped', 'not-forwarding']),
      detail: text('what shows it'),
    },
  },
  try: {
    says: 'The answer to a manual request from inside a pod, about the pod or Service with the address.',
    fields: {
      host: text('the host tried'),
      port: text('the port tried'),
      outcome: word('how the request ended', ['answered', 'refused', 'timeout', 'name-not-resolved', 'dns-timeout', 'credentials', 'read-only', 'connections-exhausted', 'failed']),
      service: text('name of the Service, if it is one'),
    },
  },
  'network-policy': {
    says: 'A pod behind a Service is closed to all traffic by NetworkPolicies.',
    fields: {
      policy: text('name of the policy'),
      policies: text('all that select the pod, joined by commas'),
      service: text('name of the Service'),
    },
  },
  'call-failure': {
    says: 'What the log of a pod says of another program that it calls.',
    fields: {
      container: text('the container'),
      class: word('how the call failed', ['name-not-resolved', 'dns-timeout', 'refused', 'timeout', 'credentials', 'read-only', 'connections-exhausted']),
      host: text('the host it calls, as the line has it'),
      port: text('the port it calls'),
      service: text('name of the Service the host means'),
      server: word('what it calls, where the words tell', ['mysql', 'postgres', 'redis', 'mongodb', 'rabbitmq']),
      lines: number('lines that say so'),
      linesSince: number('lines written since the last of them'),
      previous: flag('it is from the run before the present one'),
      ready: flag('the pod is ready now'),
    },
  },
} as const satisfies Record<string, FactKindSpec>;
