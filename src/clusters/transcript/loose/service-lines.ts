import type { Line } from '../clean-lines.ts';
import type { Reading } from '../reading.ts';
import type { Unframed } from './log-frame.ts';
import { unframed } from './log-frame.ts';

/** Lines of the services of nodes. A service has ended when one of its lines says so. */
export type Services = Map<string, { readonly node: string; readonly service: string; ended: boolean; readonly lines: string[] }>;

/** Lines that are kept of one service. */
const SERVICE_LINES = 200;

/** Programs by the process that klog's header names; the source file in the header often shows which program it is. */
export function programsIn(lines: readonly Line[]): ReadonlyMap<string, string> {
  const programs = new Map<string, string>();
  for (const { text } of lines) {
    const { pid, program } = unframed(text);
    if (pid !== undefined && pid !== '1' && program !== undefined) programs.set(pid, program);
  }
  return programs;
}

/**
 * Keeps a line of the kubelet or of another service of a node, and tells whether it is one. It says something about the node, whichever pod
 * it is about.
 */
export function addServiceLine(
  { text }: Line,
  { host, program: own, pid, isLog }: Unframed,
  programs: ReadonlyMap<string, string>,
  services: Services,
): boolean {
  const program = (own === 'systemd' ? UNIT.exec(text)?.[1] : own) ?? programs.get(pid ?? '');
  const isOfService = isLog && program !== undefined && SERVICES.has(program);
  const node = host ?? '<node>';
  const over = isOfService && UNSTARTED.test(text) ? undefined : foundOver(text);
  if (over !== undefined) services.set(`${node} ${over}`, { node, service: over, ended: true, lines: [text.trim()] });
  if (!isOfService) return over !== undefined;
  const key = `${node} ${program}`;
  const known = services.get(key) ?? { node, service: program, ended: false, lines: [] };
  services.set(key, known);
  known.ended ||= ENDS.test(text);
  known.lines.push(text.trim());
  if (known.lines.length > 2 * SERVICE_LINES) known.lines.splice(0, SERVICE_LINES);
  return true;
}

const SERVICES: ReadonlySet<string> = new Set([
  'kubelet',
  'containerd',
  'crio',
  'dockerd',
  'docker',
  'kube-proxy',
  'k3s',
  'etcd',
  'kube-scheduler',
  'rke2',
  'kube-apiserver',
]);

/** What `microk8s inspect` says of a service that has ended. Source: canonical/microk8s scripts/inspect.sh. */
const INSPECTED = /\bService snap\.microk8s\.daemon-(kubelite|kubelet|containerd|proxy) is not running/;
/** The service that another program found to have ended. */
export function foundOver(text: string): string | undefined {
  if (K3S_ENDS.test(text)) return 'k3s';
  const job = unstarted(text);
  if (job !== undefined) return job;
  const inspected = INSPECTED.exec(text)?.[1] ?? (UNHEARD.test(text) || UNSTARTED.test(text) ? 'kubelet' : undefined);
  return inspected === undefined ? undefined : (SNAPS[inspected] ?? inspected);
}

/** Nobody listens where the kubelet tells kubeadm of its health. Source: cmd/kubeadm/app/phases/kubelet, pkg/kubelet/server (healthz). */
const UNHEARD = /\b(?:localhost|127\.0\.0\.1|\[::1\]):10248\/healthz.{0,300}connection refused/;
/** The last words of a kubelet, in a log of which only they were kept, or of a program that has the kubelet in it. Source: cmd/kubelet/app/server.go. */
const UNSTARTED = /\bfailed to run Kubelet: |(?:^|`)failed to create kubelet: |^kubelet: Exit with error: /i;
/** How k3s and rke2 end. Source: k3s-io/k3s pkg/cli, pkg/daemons, pkg/agent. */
const K3S_ENDS =
  /\blevel=fatal msg="(?:starting kubernetes: |preparing server: |Failed to start networking: |flannel exited: |failed to (?:get CA certs|find \w{2,12} cgroup|validate token|normalize (?:server )?token|start controllers))/;
/** The services by the names they have elsewhere; kubelite is the kubelet and all other components of Kubernetes in one process. */
const SNAPS: Readonly<Record<string, string>> = { kubelite: 'kubelet', proxy: 'kube-proxy' };

/** What systemctl says of a service that it could not start. */
const JOB = /\bJob for (?:snap\.microk8s\.daemon-)?([a-z][a-z0-9-]{1,40}?)(?:-agent|-server)?\.service failed\b/;

/** The service that systemctl says it could not start. */
export function unstarted(text: string): string | undefined {
  const job = JOB.exec(text)?.[1];
  if (job === undefined) return undefined;
  return SERVICES.has(job) ? job : Object.hasOwn(SNAPS, job) ? SNAPS[job] : undefined;
}

/** The service that systemd tells of. */
const UNIT = /\b([a-z][\w-]{1,40})\.service: /;

/** What systemd and the program itself log when the program ends. */
const ENDS =
  /\blevel=fatal\b|main process exited|Main process exited|Failed with result|failed to run Kubelet|"command failed"|Failed to start ContainerManager/;

/** The services as their lines show them. */
export function seeServices(services: Services, { gathering }: Reading): void {
  const asked = new Set(gathering.services.map(({ service }) => service));
  for (const { node, service, ended, lines } of services.values()) {
    // Systemd was asked for its state as well, perhaps after another attempt to start it.
    if (asked.has(service) && lines.every((line) => unstarted(line) !== undefined)) continue;
    const state = ended ? { active: 'failed' } : { active: 'active', sub: 'running' };
    gathering.services.push({ node, service, spec: { ...state, seen: 'journal' }, lines: lines.slice(-SERVICE_LINES) });
  }
}
