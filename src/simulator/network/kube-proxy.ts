import { digestOf } from '../../base/digest.ts';
import { dig } from '../../base/json.ts';
import type { ComponentDefinition, ComponentHost } from '../components/component.ts';
import type { ServicePort, ServiceTable } from './cluster-view.ts';
import { usableEndpoints } from './cluster-view.ts';

/**
 * kube-proxy of a machine. It does not copy every Service to every machine: the network reads its rules from the API as long as it
 * runs, and keeps the old ones when it has stopped (network.ts).
 */
export const KUBE_PROXY: ComponentDefinition = { name: 'kube-proxy', process: 'kube-proxy', start };

function start(host: ComponentHost): void {
  const { network } = host.world.datacenter;
  network.proxyStarted(host.node);
  host.onStop(() => network.proxyStopped(host.node));
}

/**
 * The nat rules kube-proxy writes, as `iptables-save` shows them: KUBE-SERVICES → KUBE-SVC-… → KUBE-SEP-…, and the REJECT of the
 * filter table for Services without endpoints. Source: pkg/proxy/iptables/proxier.go.
 */
export function iptablesOf(table: ServiceTable): readonly string[] {
  const [services, chains, rejects]: [string[], string[], string[]] = [[], [], []];
  for (const [address, port] of table.byAddress) {
    const [ip = ''] = address.split(':');
    const name = portName(port);
    const usable = usableEndpoints(port);
    const match = `-d ${ip}/32 -p ${port.protocol.toLowerCase()} -m comment --comment "${name} cluster IP" -m ${port.protocol.toLowerCase()} --dport ${port.port}`;
    if (usable.length === 0) {
      rejects.push(`-A KUBE-SERVICES ${match.replace('cluster IP', 'has no endpoints')} -j REJECT --reject-with icmp-port-unreachable`);
      continue;
    }
    const chain = `KUBE-SVC-${hashed(name + port.protocol.toLowerCase())}`;
    services.push(`-A KUBE-SERVICES ${match} -j ${chain}`);
    for (const [index, endpoint] of usable.entries()) {
      const target = `KUBE-SEP-${hashed(`${name}${port.protocol.toLowerCase()}${endpoint.ip}:${endpoint.port}`)}`;
      const left = usable.length - index;
      const chance = left === 1 ? '' : ` -m statistic --mode random --probability ${(1 / left).toFixed(10)}`;
      chains.push(`-A ${chain} -m comment --comment "${name} -> ${endpoint.ip}:${endpoint.port}"${chance} -j ${target}`);
      chains.push(
        `-A ${target} -p ${port.protocol.toLowerCase()} -m comment --comment "${name}" -m ${port.protocol.toLowerCase()} -j DNAT --to-destination ${endpoint.ip}:${endpoint.port}`,
      );
    }
  }
  return ['*filter', ...rejects, 'COMMIT', '*nat', ...services, ...chains, 'COMMIT'];
}

function portName(port: ServicePort): string {
  const { namespace, name } = port.service.metadata;
  return `${namespace}/${name}${dig(port.service, 'spec', 'ports', 0, 'name') === undefined && port.name === '' ? '' : `:${port.name}`}`;
}

/** 16 letters and digits as kube-proxy names its chains (there of a SHA-256, here of the project's own digest). */
function hashed(text: string): string {
  return digestOf(text).slice(0, 16).toUpperCase();
}
