import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import { canonicalJson } from '../../../base/json-edit.ts';
import { onceEach } from '../../../base/once.ts';
import type { KubeObject } from '../../../model/kube-object.ts';

/**
 * The number a port of a Service means on a pod; undefined when it is a name that no container has with the same protocol.
 * Nobody is told of that: the port is just missing. Source: pkg/api/v1/pod/util.go (FindPort).
 */
export function findPort(pod: KubeObject, port: Json): number | undefined {
  const target = dig(port, 'targetPort') ?? dig(port, 'port');
  if (typeof target === 'number') return target;
  const protocol = asText(dig(port, 'protocol')) ?? 'TCP';
  const sidecars = asList(dig(pod, 'spec', 'initContainers')).filter((container) => dig(container, 'restartPolicy') === 'Always');
  for (const container of [...asList(dig(pod, 'spec', 'containers')), ...sidecars]) {
    for (const declared of asList(dig(container, 'ports'))) {
      const number = dig(declared, 'containerPort');
      if (dig(declared, 'name') === target && (asText(dig(declared, 'protocol')) ?? 'TCP') === protocol && typeof number === 'number')
        return number;
    }
  }
  return undefined;
}

/** The ports of a Service as they are on a pod, in the form of EndpointSlices. */
function portsOn(pod: KubeObject, service: KubeObject): readonly JsonObject[] {
  const ports: JsonObject[] = [];
  for (const port of asList(dig(service, 'spec', 'ports'))) {
    const number = findPort(pod, port);
    const appProtocol = asText(dig(port, 'appProtocol'));
    if (number !== undefined)
      ports.push({
        name: asText(dig(port, 'name')) ?? '',
        protocol: asText(dig(port, 'protocol')) ?? 'TCP',
        port: number,
        ...(appProtocol === undefined ? {} : { appProtocol }),
      });
  }
  return ports;
}

/** The same with their text; where they do not depend on the pod, once for the Service. */
export function hashedPortsOn(pod: KubeObject, service: KubeObject): HashedPorts {
  const fixed = asList(dig(service, 'spec', 'ports')).every((port) => typeof (dig(port, 'targetPort') ?? dig(port, 'port')) === 'number');
  return fixed ? fixedPorts(service) : hashed(portsOn(pod, service));
}

export interface HashedPorts {
  readonly ports: readonly JsonObject[];
  readonly hash: string;
}

const fixedPorts = onceEach((service: KubeObject) => hashed(portsOn(service, service)));

export function hashed(ports: readonly JsonObject[]): HashedPorts {
  return { ports, hash: canonicalJson(ports) };
}

/** Whether a Service has endpoints made for it. */
export function wantsEndpoints(service: KubeObject): boolean {
  const selector = dig(service, 'spec', 'selector');
  return (
    dig(service, 'spec', 'type') !== 'ExternalName' && typeof selector === 'object' && selector !== null && Object.keys(selector).length > 0
  );
}

export function isHeadless(service: KubeObject): boolean {
  return dig(service, 'spec', 'clusterIP') === 'None';
}
