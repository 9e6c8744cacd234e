import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';
import { parseInteger } from '../../base/number.ts';
import { own } from '../../base/own-property.ts';
import type { ProcessName } from '../components/component.ts';
import type { Process } from '../components/component-process.ts';
import type { World } from '../outside/outside-world.ts';

/** What `systemctl status` of a service on a node says: the fields of a NodeService record (model/record-kinds.ts). */
export interface ServiceStatus {
  readonly node: string;
  readonly service: string;
  readonly active: string;
  readonly sub?: string;
  readonly since?: string;
  readonly lines: readonly string[];
}

/** The services of a simulated machine: what runs as a process there, and its container runtime. */
export function serviceStatus(
  node: string,
  service: string,
  world: World,
  process: (name: ProcessName, node: string) => Process | undefined,
): ServiceStatus {
  const unit = own(UNITS, service);
  const known = unit === undefined || !world.machines.has(node) ? undefined : stateOf(unit, node, world, process);
  if (unit === undefined || known === undefined) return { node, service, active: 'not-found', lines: [] };
  const { running, since, refusal } = known;
  const at = since === undefined ? {} : { since: formatInstant(since) };
  // The manager starts it again every ten seconds, and it ends at once.
  if (refusal !== undefined) return { node, service, active: 'activating', sub: 'auto-restart', ...at, lines: [refusal] };
  return running
    ? { node, service, active: 'active', sub: 'running', ...at, lines: [] }
    : { node, service, active: 'inactive', sub: 'dead', ...at, lines: journal(node, service, unit, since) };
}

/** What the manager of the machine calls them. Source: the packages' own unit files. */
const UNITS: Readonly<Record<string, string>> = {
  kubelet: 'kubelet: The Kubernetes Node Agent',
  'kube-proxy': 'Kubernetes Kube-Proxy Server',
  containerd: 'containerd container runtime',
};

interface State {
  readonly running: boolean;
  readonly since: Instant | undefined;
  /** Why it ends as soon as it is started. */
  readonly refusal?: string | undefined;
}

function stateOf(
  service: string,
  node: string,
  world: World,
  process: (name: ProcessName, node: string) => Process | undefined,
): State | undefined {
  if (service === UNITS['containerd']) return { running: world.datacenter.runtime(node).faults.down !== true, since: undefined };
  const found = process(service === UNITS['kubelet'] ? 'kubelet' : 'kube-proxy', node);
  return found === undefined ? undefined : { running: found.state !== 'stopped', since: found.since, refusal: found.refusal };
}

/** The last lines of the journal of a service that was stopped. Source: systemd src/core/{unit,job}.c. */
function journal(node: string, service: string, description: string, since: Instant | undefined): readonly string[] {
  const [, month = '01', day = '01', time = '00:00:00'] =
    since === undefined ? [] : (/^\d{4}-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)/.exec(formatInstant(since)) ?? []);
  const begin = since === undefined ? '' : `${MONTHS[(parseInteger(month) ?? 0) - 1] ?? ''} ${day} ${time} ${node} systemd[1]: `;
  return [
    `${begin}Stopping ${service}.service - ${description}...`,
    `${begin}${service}.service: Deactivated successfully.`,
    `${begin}Stopped ${service}.service - ${description}.`,
  ];
}

const MONTHS: readonly string[] = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
