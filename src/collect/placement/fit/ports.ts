import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { shows } from '../../../model/kube-object.ts';
import type { PodView } from './pod-view.ts';
import { viewOf } from './pod-view.ts';

/** A port of the node that a pod takes: `0.0.0.0:8080/TCP`. */
export interface HostPort {
  readonly ip: string;
  readonly port: number;
  readonly protocol: string;
  /** The main container whose port it is, and its number there; absent with hostNetwork, where it cannot be left out. */
  readonly from?: { readonly container: string; readonly port: number };
}

/** Ports of the node that a pod takes: hostPort, and with hostNetwork every container port. Undefined when no source shows them. */
export function hostPortsOf(view: PodView): readonly HostPort[] | undefined {
  const containers = view.field('containers');
  if (!containers.known) return undefined;
  const hostNetwork = view.field('hostNetwork').value === true;
  const all = [
    ...asList(containers.value),
    ...asList(view.field('initContainers').value).filter((container) => dig(container, 'restartPolicy') === 'Always'),
  ];
  return all.flatMap((container, index) =>
    asList(dig(container, 'ports')).flatMap((port) => {
      const inside = asNumber(dig(port, 'containerPort'));
      const number = asNumber(dig(port, 'hostPort')) ?? (hostNetwork ? inside : undefined);
      if (number === undefined || number === 0) return [];
      const name = index < asList(containers.value).length ? asText(dig(container, 'name')) : undefined;
      return [
        {
          ip: asText(dig(port, 'hostIP')) ?? '0.0.0.0',
          port: number,
          protocol: asText(dig(port, 'protocol')) ?? 'TCP',
          ...(hostNetwork || name === undefined || inside === undefined ? {} : { from: { container: name, port: inside } }),
        },
      ];
    }),
  );
}

/** The first of the wanted ports that a pod on the node holds, and the pod. Source: pkg/scheduler/framework/types.go (HostPortInfo). */
export function portConflict(
  wanted: readonly HostPort[],
  others: readonly KubeObject[],
): { readonly port: HostPort; readonly holder: KubeObject } | undefined {
  for (const holder of others) {
    if (!shows(holder, 'spec.containers.ports')) continue;
    const taken = hostPortsOf(viewOf(holder)) ?? [];
    const port = wanted.find((one) => taken.some((other) => collides(one, other)));
    if (port !== undefined) return { port, holder };
  }
  return undefined;
}

function collides(a: HostPort, b: HostPort): boolean {
  return a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || isAny(a.ip) || isAny(b.ip));
}

function isAny(ip: string): boolean {
  return ip === '0.0.0.0' || ip === '' || ip === '::';
}

export function formatHostPort({ ip, port, protocol }: HostPort): string {
  return `${isAny(ip) ? '' : `${ip}:`}${String(port)}/${protocol}`;
}
