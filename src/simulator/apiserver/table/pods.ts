import type { Json } from '../../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { age, NONE, since, text, textOr } from './cells.ts';
import type { Printer } from './columns.ts';
import { columns } from './columns.ts';

/** Source: pkg/printers/internalversion/printers.go (printPod). */
export const PODS: Printer = {
  columns: columns('Name, Ready, Status, Restarts, Age, IP+, Node+, Nominated Node+, Readiness Gates+'),
  row: (pod, now) => {
    const { ready, total, reason, restarts, lastRestart } = countContainers(pod);
    const when = restarts === 0 || lastRestart === '' ? '' : ` (${since(lastRestart, now)} ago)`;
    return [pod.metadata.name, `${ready}/${total}`, wordOf(pod, reason), `${restarts}${when}`, age(pod, now), ...wideCells(pod)];
  },
};

function wideCells(pod: KubeObject): readonly Json[] {
  const gates = asList(dig(pod, 'spec', 'readinessGates')).map((gate) => dig(gate, 'conditionType'));
  const met = gates.filter((gate) =>
    asList(dig(pod, 'status', 'conditions')).some((one) => dig(one, 'type') === gate && dig(one, 'status') === 'True'),
  );
  const address = textOr(NONE, pod, 'status', 'podIPs', 0, 'ip');
  return [
    address,
    textOr(NONE, pod, 'spec', 'nodeName'),
    textOr(NONE, pod, 'status', 'nominatedNodeName'),
    gates.length === 0 ? NONE : `${met.length}/${gates.length}`,
  ];
}

function wordOf(pod: KubeObject, reason: string): string {
  if (pod.metadata['deletionTimestamp'] === undefined) return reason;
  if (dig(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  const phase = dig(pod, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed' ? reason : 'Terminating';
}

interface Tally {
  ready: number;
  total: number;
  reason: string;
  restarts: number;
  /** When one of the counted containers ended last; empty when none did. */
  lastRestart: string;
}

function countContainers(pod: KubeObject): Readonly<Tally> {
  const sidecars = new Set(
    asList(dig(pod, 'spec', 'initContainers'))
      .filter((one) => dig(one, 'restartPolicy') === 'Always')
      .map((one) => dig(one, 'name')),
  );
  const gated = asList(dig(pod, 'status', 'conditions')).some(
    (one) => dig(one, 'type') === 'PodScheduled' && dig(one, 'reason') === 'SchedulingGated',
  );
  const reason = gated ? 'SchedulingGated' : textOr(text(pod, 'status', 'phase'), pod, 'status', 'reason');
  const tally: Tally = {
    ready: 0,
    total: asList(dig(pod, 'spec', 'containers')).length + sidecars.size,
    reason,
    restarts: 0,
    lastRestart: '',
  };
  const ofSidecars: Tally = { ...tally };
  const initializing = countInitContainers(pod, sidecars, tally, ofSidecars);
  const initialized = asList(dig(pod, 'status', 'conditions')).some(
    (one) => dig(one, 'type') === 'Initialized' && dig(one, 'status') === 'True',
  );
  if (initializing && !initialized) return tally;
  Object.assign(tally, { restarts: ofSidecars.restarts, lastRestart: ofSidecars.lastRestart });
  countMainContainers(pod, tally);
  return tally;
}

/** Whether the pod still waits for one of them; then `tally.reason` says what for. */
function countInitContainers(pod: KubeObject, sidecars: ReadonlySet<Json | undefined>, tally: Tally, ofSidecars: Tally): boolean {
  const statuses = asList(dig(pod, 'status', 'initContainerStatuses'));
  for (const [index, status] of statuses.entries()) {
    const isSidecar = sidecars.has(dig(status, 'name'));
    addRestarts(tally, status);
    if (isSidecar) addRestarts(ofSidecars, status);
    const terminated = dig(status, 'state', 'terminated');
    if (terminated !== undefined && dig(terminated, 'exitCode') === 0) continue;
    if (isSidecar && dig(status, 'started') === true) {
      if (dig(status, 'ready') === true) tally.ready++;
      continue;
    }
    const waiting = textOf(dig(status, 'state', 'waiting', 'reason'));
    if (terminated !== undefined) tally.reason = `Init:${endingOf(terminated)}`;
    else if (waiting !== '' && waiting !== 'PodInitializing') tally.reason = `Init:${waiting}`;
    else tally.reason = `Init:${index}/${asList(dig(pod, 'spec', 'initContainers')).length}`;
    return true;
  }
  return false;
}

function countMainContainers(pod: KubeObject, tally: Tally): void {
  let running = false;
  for (const status of asList(dig(pod, 'status', 'containerStatuses')).toReversed()) {
    addRestarts(tally, status);
    const waiting = textOf(dig(status, 'state', 'waiting', 'reason'));
    const terminated = dig(status, 'state', 'terminated');
    if (waiting !== '') tally.reason = waiting;
    else if (terminated !== undefined) tally.reason = endingOf(terminated);
    else if (dig(status, 'ready') === true && dig(status, 'state', 'running') !== undefined) {
      running = true;
      tally.ready++;
    }
  }
  if (tally.reason !== 'Completed' || !running) return;
  const ready = asList(dig(pod, 'status', 'conditions')).some((one) => dig(one, 'type') === 'Ready' && dig(one, 'status') === 'True');
  tally.reason = ready ? 'Running' : 'NotReady';
}

function addRestarts(tally: Tally, status: Json): void {
  tally.restarts += asNumber(dig(status, 'restartCount')) ?? 0;
  const finished = asText(dig(status, 'lastState', 'terminated', 'finishedAt')) ?? '';
  if (finished > tally.lastRestart) tally.lastRestart = finished;
}

function endingOf(terminated: Json): string {
  const reason = textOf(dig(terminated, 'reason'));
  if (reason !== '') return reason;
  const signal = asNumber(dig(terminated, 'signal')) ?? 0;
  return signal === 0 ? `ExitCode:${textOf(dig(terminated, 'exitCode'))}` : `Signal:${signal}`;
}
