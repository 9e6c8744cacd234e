import type { FactKindSpec } from './spec.ts';
import { flag, number, text } from './spec.ts';

/** Facts about endpoints, traffic, dependencies and what applications log. */
export const SERVING_FACTS = {
  service: {
    says: 'A Service, what its selector fits, and what stands behind it.',
    fields: {
      service: text('its name'),
      type: text('ClusterIP, NodePort, LoadBalancer or ExternalName'),
      selector: text('its labels, `key=value` joined by commas'),
      hasSelector: flag('it selects by labels'),
      matching: number('pods its selector fits'),
      templates: number('workloads seen whose pods it would fit'),
      ready: number('of these pods, the ready ones'),
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
    fields: {
      service: text('name of the Service'),
      port: number('port clients use'),
      portName: text('its name'),
      targetPort: text('targetPort as written, or the port itself'),
      named: flag('targetPort is a name'),
      protocol: text('TCP, UDP or SCTP'),
      appProtocol: text('appProtocol'),
      declared: flag('a container behind it declares the target port'),
      declaredProtocol: text('the protocol a container declares the target port with, when it is another one'),
      declaredPorts: text('all ports the containers behind it declare'),
      portItselfDeclared: flag("a container behind it declares the Service's own port number"),
      unusedPort: number('a declared container port that no Service with this selector leads to'),
      container: text('the container it should lead to'),
      endpointHasPort: flag('the addresses behind the Service have this port'),
      ready: number('ready pods behind it'),
    },
  },
  listens: {
    says: 'A container behind a Service is known to listen on a port: a probe there passes, or its log says so.',
    fields: { service: text('name of the Service'), port: text('the port'), container: text('the container'), loopback: flag('on the loopback address only') },
  },
  dependency: {
    says: 'A workload calls another by an address in its configuration or its log.',
    fields: {
      on: text('`Kind/namespace/name` of the Service or workload that answers there, if it resolves'),
      host: text('the host as written'),
      port: text('the port as written'),
      variable: text('the variable, key or argument that holds the address'),
      exists: flag('a Service of that name exists'),
    },
  },
} as const satisfies Record<string, FactKindSpec>;
