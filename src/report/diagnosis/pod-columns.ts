import type { Json } from '../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';

/** READY, STATUS and RESTARTS of a pod as `kubectl get pods` prints them. Source: pkg/printers/internalversion/printers.go (printPod). */
export interface PodWord {
  readonly ready: string;
  readonly status: string;
  readonly restarts: number;
}

export function podWord(pod: KubeObject): PodWord {
  const [initial, main] = [statuses(pod, 'initContainerStatuses'), statuses(pod, 'containerStatuses')];
  const inits = asList(dig(pod, 'spec', 'initContainers'));
  const sidecars = new Set(
    inits.filter((container) => dig(container, 'restartPolicy') === 'Always').map((container) => asText(dig(container, 'name'))),
  );
  const counted = [...initial.filter((status) => sidecars.has(asText(dig(status, 'name')))), ...main];
  const total = asList(dig(pod, 'spec', 'containers')).length + sidecars.size;
  const waiting = initWord(initial, sidecars, inits.length);
  const initialized = asList(dig(pod, 'status', 'conditions')).some(
    (condition) => dig(condition, 'type') === 'Initialized' && dig(condition, 'status') === 'True',
  );
  const status = waiting !== undefined && !initialized ? waiting : mainWord(pod, main);
  return {
    ready: `${counted.filter((container) => dig(container, 'ready') === true && dig(container, 'state', 'running') !== undefined).length}/${total}`,
    status: deletedWord(pod) ?? status,
    restarts: restartsOf(waiting !== undefined && !initialized ? initial : counted),
  };
}

function initWord(initial: readonly Json[], sidecars: ReadonlySet<string | undefined>, count: number): string | undefined {
  for (const [index, status] of initial.entries()) {
    const terminated = dig(status, 'state', 'terminated');
    if (terminated !== undefined && asNumber(dig(terminated, 'exitCode')) === 0) continue;
    if (sidecars.has(asText(dig(status, 'name'))) && dig(status, 'started') === true) continue;
    if (terminated !== undefined) return `Init:${endWord(terminated)}`;
    const reason = asText(dig(status, 'state', 'waiting', 'reason')) ?? '';
    return reason !== '' && reason !== 'PodInitializing' ? `Init:${reason}` : `Init:${index}/${count}`;
  }
  return undefined;
}

function mainWord(pod: KubeObject, main: readonly Json[]): string {
  let word = asText(dig(pod, 'status', 'reason')) ?? asText(dig(pod, 'status', 'phase')) ?? 'Unknown';
  const scheduled = asList(dig(pod, 'status', 'conditions')).find((condition) => dig(condition, 'type') === 'PodScheduled');
  if (dig(scheduled, 'reason') === 'SchedulingGated') word = 'SchedulingGated';
  let running = false;
  for (const status of [...main].reverse()) {
    const waiting = asText(dig(status, 'state', 'waiting', 'reason')) ?? '';
    const terminated = dig(status, 'state', 'terminated');
    if (waiting !== '') word = waiting;
    else if (terminated !== undefined) word = endWord(terminated);
    else if (dig(status, 'ready') === true && dig(status, 'state', 'running') !== undefined) running = true;
  }
  if (word !== 'Completed' || !running) return word;
  const ready = asList(dig(pod, 'status', 'conditions')).some(
    (condition) => dig(condition, 'type') === 'Ready' && dig(condition, 'status') === 'True',
  );
  return ready ? 'Running' : 'NotReady';
}

function endWord(terminated: Json): string {
  const reason = asText(dig(terminated, 'reason')) ?? '';
  if (reason !== '') return reason;
  const signal = asNumber(dig(terminated, 'signal')) ?? 0;
  return signal !== 0 ? `Signal:${signal}` : `ExitCode:${asNumber(dig(terminated, 'exitCode')) ?? 0}`;
}

function deletedWord(pod: KubeObject): string | undefined {
  if (dig(pod, 'metadata', 'deletionTimestamp') === undefined) return undefined;
  if (dig(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  const phase = asText(dig(pod, 'status', 'phase')) ?? '';
  return phase === 'Succeeded' || phase === 'Failed' ? undefined : 'Terminating';
}

function restartsOf(list: readonly Json[]): number {
  let restarts = 0;
  for (const status of list) restarts += asNumber(dig(status, 'restartCount')) ?? 0;
  return restarts;
}

function statuses(pod: KubeObject, list: string): readonly Json[] {
  return asList(dig(pod, 'status', list));
}
