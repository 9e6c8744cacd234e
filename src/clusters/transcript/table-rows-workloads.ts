import { counted } from '../../base/counted.ts';
import { parseDuration } from '../../base/duration.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { formatInstant } from '../../base/instant.ts';
import { PRINTED_CONTAINERS, PRINTED_END, PRINTED_RESTARTS, PRINTED_UNSETTLED } from '../../model/record-kinds.ts';
import type { Draft } from './draft.ts';
import { given, integer, labelMap } from './draft.ts';
import { instantBefore, labelSelectorJson } from './printed-values.ts';
import type { RowReader } from './row-reader.ts';

/** Rows of pods and their controllers. Source: pkg/printers/internalversion/printers.go. */
export const WORKLOAD_ROWS: Readonly<Record<string, RowReader>> = {
  Pod(cell, draft, at) {
    const status = given(cell('STATUS'));
    const restarts = integer(cell('RESTARTS')?.split(' ')[0]);
    if (restarts !== undefined) draft.set('metadata.annotations', restartNotes(restarts, cell, status));
    if (status !== undefined) {
      podStatus(status, restarts, draft);
      draft.show('metadata.deletionTimestamp', status === 'Terminating' ? formatInstant(at) : undefined);
    }
    const conditions = [...scheduledCondition(status), ...readyCondition(status, cell('READY'), cell('READINESS GATES'))];
    if (conditions.length > 0) draft.set('status.conditions', conditions);
    showGiven(draft, 'status.podIP', cell('IP'));
    showGiven(draft, 'spec.nodeName', cell('NODE'));
    showGiven(draft, 'status.nominatedNodeName', cell('NOMINATED NODE'));
    if (cell('READINESS GATES') !== undefined && given(cell('READINESS GATES')) === undefined) draft.show('spec.readinessGates');
  },
  Deployment(cell, draft) {
    const [ready, desired] = fraction(cell('READY'));
    showNumber(draft, 'status.readyReplicas', ready);
    showNumber(draft, 'spec.replicas', desired ?? integer(cell('DESIRED')));
    showNumber(draft, 'status.replicas', integer(cell('CURRENT')));
    showNumber(draft, 'status.updatedReplicas', integer(cell('UP-TO-DATE')));
    showNumber(draft, 'status.availableReplicas', integer(cell('AVAILABLE')));
    template(cell, draft);
  },
  ReplicaSet: replicas,
  ReplicationController: replicas,
  StatefulSet(cell, draft) {
    const [ready, desired] = fraction(cell('READY'));
    showNumber(draft, 'status.readyReplicas', ready);
    showNumber(draft, 'spec.replicas', desired ?? integer(cell('DESIRED')));
    showNumber(draft, 'status.replicas', integer(cell('CURRENT')));
    template(cell, draft);
  },
  DaemonSet(cell, draft) {
    showNumber(draft, 'status.desiredNumberScheduled', integer(cell('DESIRED')));
    showNumber(draft, 'status.currentNumberScheduled', integer(cell('CURRENT')));
    showNumber(draft, 'status.numberReady', integer(cell('READY')));
    showNumber(draft, 'status.updatedNumberScheduled', integer(cell('UP-TO-DATE')));
    showNumber(draft, 'status.numberAvailable', integer(cell('AVAILABLE')));
    const selector = cell('NODE SELECTOR') ?? cell('NODE-SELECTOR');
    if (selector !== undefined) draft.show('spec.template.spec.nodeSelector', labelMap(given(selector)?.split(',') ?? []));
    template(cell, draft);
  },
  Job(cell, draft) {
    const [succeeded, completions] = fraction(cell('COMPLETIONS')?.split(' ')[0]);
    showNumber(draft, 'status.succeeded', succeeded);
    showNumber(draft, 'spec.completions', cell('COMPLETIONS')?.includes(' of ') === true ? undefined : completions);
    const condition = JOB_CONDITIONS[cell('STATUS') ?? ''];
    if (condition !== undefined) draft.set('status.conditions', [{ type: condition, status: 'True' }]);
    if (condition === 'Suspended') draft.set('spec.suspend', true);
    template(cell, draft);
  },
  CronJob(cell, draft, at) {
    showGiven(draft, 'spec.schedule', cell('SCHEDULE'));
    showGiven(draft, 'spec.timeZone', cell('TIMEZONE'));
    const suspend = cell('SUSPEND');
    if (suspend !== undefined) draft.show('spec.suspend', suspend === 'True');
    const active = integer(cell('ACTIVE'));
    if (active !== undefined)
      draft.show(
        'status.active',
        Array.from({ length: Math.min(active, 1000) }, () => ({})),
      );
    if (cell('LAST SCHEDULE') !== undefined) draft.time('status.lastScheduleTime', instantBefore(at, cell('LAST SCHEDULE')));
  },
};

const JOB_CONDITIONS: Readonly<Record<string, string>> = {
  Complete: 'Complete',
  Failed: 'Failed',
  Suspended: 'Suspended',
  FailureTarget: 'FailureTarget',
  SuccessCriteriaMet: 'SuccessCriteriaMet',
};

/** Words of the STATUS column that stand for status.reason of a pod that failed as a whole. */
const FAILED_REASONS =
  /^(?:Evicted|OutOf\w+|NodeAffinity|NodePorts|NodeLost|NodeShutdown|Shutdown|UnexpectedAdmissionError|DeadlineExceeded|Preempting|SysctlForbidden|AppArmor|Terminated|UnexpectedPodPhase|InvalidNodeInfo|PodOSSelectorNodeLabelDoesNotMatch|PodOSNotSupported)$/;
/** Words that a container has only before the pod ever ran. */
const PENDING_REASONS =
  /^(?:ContainerCreating|PodInitializing|Init:.*|ImagePullBackOff|ErrImagePull|ErrImageNeverPull|InvalidImageName|ImageInspectError|RegistryUnavailable|CreateContainerConfigError|SchedulingGated|Pending)$/;

/** Words that only the kubelet writes: the pod has a node. */
const OF_THE_KUBELET =
  /^(?:ContainerCreating|PodInitializing|Init:.*|ImagePullBackOff|ErrImagePull|ErrImageNeverPull|InvalidImageName|ImageInspectError|RegistryUnavailable|CreateContainer(?:Config)?Error|RunContainerError|CrashLoopBackOff|Error|OOMKilled|StartError|ContainerCannotRun|PostStartHookError)$/;

/** A container that ran for less after it was started again may well fail again. */
const LATELY_SECONDS = 600;

function restartNotes(restarts: number, cell: (title: string) => string | undefined, status = ''): JsonObject {
  const ago = /\((\S{1,40}) ago\)/.exec(cell('RESTARTS') ?? '')?.[1];
  const [, containers = 1] = fraction(cell('READY'));
  const isLate = restarts > 1 && ago !== undefined && (parseDuration(ago) ?? LATELY_SECONDS) < LATELY_SECONDS;
  return {
    [PRINTED_RESTARTS]: String(restarts),
    ...(containers > 1 ? { [PRINTED_CONTAINERS]: String(containers) } : {}),
    ...(ENDS.test(status) ? { [PRINTED_END]: status } : {}),
    ...(isLate ? { [PRINTED_UNSETTLED]: `${counted(restarts, 'restart')}, last ${ago} ago` } : {}),
  };
}

/** The reason of a run that is over. While it waits to be started again, a list prints CrashLoopBackOff. */
const ENDS = /^(?:Completed|OOMKilled|Error)$/;

function scheduledCondition(status = ''): readonly Json[] {
  if (status === 'SchedulingGated') return [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }];
  return OF_THE_KUBELET.test(status) ? [{ type: 'PodScheduled', status: 'True' }] : [];
}

/** A pod that has ended or is being deleted need not be ready. */
const SETTLED: ReadonlySet<string> = new Set(['Completed', 'Succeeded', 'Terminating']);

/** `1/2` tells that the pod is not ready; `2/2` that it is, where its status is Running and it waits for no readiness gate. */
function readyCondition(status = '', containers: string | undefined, gates: string | undefined): readonly Json[] {
  // A tree of objects shows the condition itself.
  if (containers === 'True' || containers === 'False') return [{ type: 'Ready', status: containers }];
  const [ready, total] = fraction(containers);
  if (ready === undefined || total === undefined || SETTLED.has(status)) return [];
  if (ready < total) return [{ type: 'Ready', status: 'False' }];
  if (status !== 'Running') return [];
  const [met = 0, all = 0] = fraction(gates);
  return met < all
    ? [
        { type: 'Ready', status: 'False' },
        { type: 'ContainersReady', status: 'True' },
      ]
    : [{ type: 'Ready', status: 'True' }];
}

/**
 * The STATUS column shows status.reason, the phase, or a container's reason: the phase where that follows, the word as reason where it is
 * none.
 */
function podStatus(status: string, restarts: number | undefined, draft: Draft): void {
  if (['Running', 'Pending', 'Succeeded', 'Failed', 'Unknown'].includes(status)) {
    draft.show('status.phase', status).show('status.reason');
    return;
  }
  if (status === 'Terminating') return;
  if (FAILED_REASONS.test(status)) draft.show('status.phase', 'Failed');
  else if (PENDING_REASONS.test(status)) draft.show('status.phase', 'Pending');
  else if (status === 'CrashLoopBackOff' || status === 'NotReady') draft.show('status.phase', 'Running');
  else if (status === 'Completed' && restarts === 0) {
    draft.show('status.phase', 'Succeeded');
    return;
  }
  draft.set('status.reason', status);
}

function replicas(cell: (title: string) => string | undefined, draft: Draft): void {
  showNumber(draft, 'spec.replicas', integer(cell('DESIRED')));
  showNumber(draft, 'status.replicas', integer(cell('CURRENT')));
  showNumber(draft, 'status.readyReplicas', integer(cell('READY')));
  template(cell, draft);
}

/** CONTAINERS, IMAGES and SELECTOR of wide tables. */
function template(cell: (title: string) => string | undefined, draft: Draft): void {
  const [names, images] = [given(cell('CONTAINERS'))?.split(','), given(cell('IMAGES'))?.split(',')];
  if (names !== undefined && images !== undefined && names.length === images.length) {
    const containers: Json[] = names.map((name, index) => ({ name, image: images[index] ?? '' }));
    draft
      .set('spec.template.spec.containers', containers)
      .covers('spec.template.spec.containers.name', 'spec.template.spec.containers.image');
  }
  const selector =
    draft.kind === 'ReplicationController' ? labelMap(given(cell('SELECTOR'))?.split(',') ?? []) : labelSelectorJson(cell('SELECTOR'));
  if (cell('SELECTOR') !== undefined && selector !== undefined) draft.show('spec.selector', selector);
}

function fraction(text: string | undefined): readonly [number | undefined, number | undefined] {
  const [left, right] = (text ?? '').split('/');
  return [integer(left), integer(right)];
}

/** A cell that is there shows the field, even when it says `<none>`. */
export function showGiven(draft: Draft, path: string, text: string | undefined): void {
  if (text !== undefined) draft.show(path, given(text));
}

export function showNumber(draft: Draft, path: string, value: number | undefined): void {
  if (value !== undefined) draft.show(path, value);
}
