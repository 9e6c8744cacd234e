import type { Json } from '../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';

/** A row of `kubectl get pods`: `web-1 0/1 CrashLoopBackOff 3`. Source: pkg/printers/internalversion/printers.go (printPod). */
export function podRow(pod: KubeObject): string {
  const containers = asList(dig(pod, 'spec', 'containers'));
  const inits = asList(dig(pod, 'spec', 'initContainers'));
  const statuses = asList(dig(pod, 'status', 'containerStatuses'));
  const initStatuses = asList(dig(pod, 'status', 'initContainerStatuses'));
  const sidecars = new Set(inits.filter((container) => dig(container, 'restartPolicy') === 'Always').map((container) => asText(dig(container, 'name'))));
  const isSidecar = (status: Json): boolean => sidecars.has(asText(dig(status, 'name')));
  const init = initReason(initStatuses, inits.length, isSidecar);
  let ready = initStatuses.filter((status) => isSidecar(status) && isReady(status)).length;
  let restarts = init.waits ? sum(initStatuses) : sum(initStatuses.filter(isSidecar));
  let reason = init.waits ? (init.reason ?? '') : (asText(dig(pod, 'status', 'reason')) ?? asText(dig(pod, 'status', 'phase')) ?? '');
  if (!init.waits || isInitialized(pod)) {
    restarts = sum(initStatuses.filter(isSidecar)) + sum(statuses);
    ready += statuses.filter((status) => isReady(status) && dig(status, 'state', 'running') !== undefined).length;
    reason = containerReason(statuses, reason, pod);
  }
  if (pod.metadata['deletionTimestamp'] !== undefined) reason = dig(pod, 'status', 'reason') === 'NodeLost' ? 'Unknown' : hasEnded(pod) ? reason : 'Terminating';
  if (reason === 'Pending' && isGated(pod)) reason = 'SchedulingGated';
  return `${pod.metadata.name} ${ready}/${containers.length + sidecars.size} ${reason} ${restarts}`;
}

/** The rows of a printed table, in the form of `podRow`. */
export function rowsOf(table: string): readonly string[] {
  return table.split('\n').flatMap((line) => {
    const row = /^(\S+) +(\d+\/\d+) +(\S+) +(\d+)\b/.exec(line);
    return row === null ? [] : [row.slice(1).join(' ')];
  });
}

function initReason(statuses: readonly Json[], count: number, isSidecar: (status: Json) => boolean): { readonly waits: boolean; readonly reason?: string } {
  for (const [index, status] of statuses.entries()) {
    const terminated = dig(status, 'state', 'terminated');
    const waiting = asText(dig(status, 'state', 'waiting', 'reason'));
    if (terminated !== undefined && asNumber(dig(terminated, 'exitCode')) === 0) continue;
    if (isSidecar(status) && dig(status, 'started') === true) continue;
    if (terminated !== undefined) return { waits: true, reason: `Init:${endReason(terminated)}` };
    if (waiting !== undefined && waiting !== 'PodInitializing') return { waits: true, reason: `Init:${waiting}` };
    return { waits: true, reason: `Init:${index}/${count}` };
  }
  return { waits: false };
}

function containerReason(statuses: readonly Json[], before: string, pod: KubeObject): string {
  let reason = before;
  let running = false;
  for (const status of statuses.toReversed()) {
    const waiting = asText(dig(status, 'state', 'waiting', 'reason'));
    const terminated = dig(status, 'state', 'terminated');
    if (waiting !== undefined && waiting !== '') reason = waiting;
    else if (terminated !== undefined) reason = endReason(terminated);
    else if (isReady(status) && dig(status, 'state', 'running') !== undefined) running = true;
  }
  if (reason !== 'Completed' || !running) return reason;
  return asList(dig(pod, 'status', 'conditions')).some((condition) => dig(condition, 'type') === 'Ready' && dig(condition, 'status') === 'True') ? 'Running' : 'NotReady';
}

function endReason(terminated: Json): string {
  const reason = asText(dig(terminated, 'reason'));
  if (reason !== undefined && reason !== '') return reason;
  const signal = asNumber(dig(terminated, 'signal')) ?? 0;
  return signal !== 0 ? `Signal:${signal}` : `ExitCode:${asNumber(dig(terminated, 'exitCode')) ?? 0}`;
}

function isReady(status: Json): boolean {
  return dig(status, 'ready') === true;
}

function sum(statuses: readonly Json[]): number {
  return statuses.reduce<number>((total, status) => total + (asNumber(dig(status, 'restartCount')) ?? 0), 0);
}

function isInitialized(pod: KubeObject): boolean {
  return asList(dig(pod, 'status', 'conditions')).some((condition) => dig(condition, 'type') === 'Initialized' && dig(condition, 'status') === 'True');
}

function isGated(pod: KubeObject): boolean {
  return asList(dig(pod, 'status', 'conditions')).some((condition) => dig(condition, 'type') === 'PodScheduled' && dig(condition, 'reason') === 'SchedulingGated');
}

function hasEnded(pod: KubeObject): boolean {
  const phase = dig(pod, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}
