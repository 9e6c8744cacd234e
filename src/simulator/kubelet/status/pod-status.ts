import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig, isJsonObject } from '../../../base/json.ts';
import { remembered, sharing } from '../../../base/memoized.ts';
import { onceEach } from '../../../base/once.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { timeOf } from '../../time/api-times.ts';
import { containersOf, isHostNetwork, isSidecar, nameOf, restartPolicyOf, shouldRestart } from '../pods/pod-fields.ts';
import type { Container } from '../runtime/runtime-container.ts';
import { terminationMessage } from './termination-message.ts';
import { wholePodOf } from './whole-pod.ts';
import { GATE_MISSING, GATE_UNTRUE, INCOMPLETE, UNREADY } from '../kubelet-messages.ts';

export interface StatusInput {
  readonly pod: KubeObject;
  /** Containers of the pod as the last relist saw them, oldest first. */
  readonly containers: readonly Container[];
  readonly networkReady: boolean;
  readonly podIp: string | undefined;
  readonly hostIp: string;
  /** As metav1.Time. */
  readonly startTime: string;
  /** Why the last sync did not start a container. */
  readonly reasons: ReadonlyMap<string, { readonly reason: string; readonly message: string }>;
  readonly isStarted: (container: Container, spec: JsonObject) => boolean;
  readonly isReady: (container: Container, spec: JsonObject) => boolean;
  /** Its containers are being or have been stopped for good. */
  readonly ending: boolean;
  /** Conditions of a resize, with their times. */
  readonly resizing: readonly JsonObject[];
  /** Set by what ends a pod from outside its containers: eviction, deadline. */
  readonly failure: { readonly reason: string; readonly message: string } | undefined;
}

export interface PodStatus {
  readonly phase: string;
  readonly body: JsonObject;
  /** Without times; the one who writes them knows since when each holds. */
  readonly conditions: readonly JsonObject[];
  /** Those that are complete. */
  readonly resizing: readonly JsonObject[];
}

/**
 * The status of a pod as the kubelet would write it now. Source: pkg/kubelet/kubelet_pods.go (generateAPIPodStatus), status/generate.go.
 */
export function podStatusOf(input: StatusInput): PodStatus {
  const { pod } = input;
  const init = containersOf(pod, 'initContainers').map((spec) => statusOf(spec, input, true));
  const main = containersOf(pod, 'containers').map((spec) => statusOf(spec, input, false));
  const ephemeral = containersOf(pod, 'ephemeralContainers').map((spec) => statusOf(spec, input, false));
  const phase = input.failure === undefined ? phaseOf(input, init, main) : 'Failed';
  const ip = input.podIp ?? (isHostNetwork(pod) ? input.hostIp : undefined);
  // Field by field: written at every sync of every pod.
  const body: Record<string, Json | undefined> = { hostIP: input.hostIp, hostIPs: hostIpsOf(input.hostIp) };
  if (ip !== undefined) {
    body['podIP'] = ip;
    body['podIPs'] = [{ ip }];
  }
  body['startTime'] = input.startTime;
  if (input.failure !== undefined) {
    body['reason'] = input.failure.reason;
    body['message'] = input.failure.message;
  }
  if (init.length > 0) body['initContainerStatuses'] = init;
  body['containerStatuses'] = main.length < 2 ? main : [...main].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  if (ephemeral.length > 0) body['ephemeralContainerStatuses'] = ephemeral;
  const qosClass = dig(pod, 'status', 'qosClass');
  if (qosClass !== undefined) body['qosClass'] = qosClass;
  Object.assign(body, wholePodOf(pod));
  return { phase, body, conditions: conditionsOf(input, phase, init, main), resizing: input.resizing };
}

/** What is the same for many pods is one value. */
const hostIpsOf = remembered((ip): readonly Json[] => [{ ip }], { limit: 8192, length: 64 });

const NONE: JsonObject = {};
const NEVER_MADE = { attempt: 0, imageId: '' };

function hasSucceeded(container: Container | undefined): boolean {
  return container?.state === 'exited' && container.exitCode === 0;
}

function statusOf(spec: JsonObject, input: StatusInput, isInit: boolean): JsonObject {
  const name = nameOf(spec);
  const own = input.containers.filter((container) => container.name === name && container.state !== 'created');
  const latest = own.at(-1);
  const started = latest?.state === 'running' && input.isStarted(latest, spec);
  const ends = isInit && !isSidecar(spec);
  const ready = ends ? hasSucceeded(latest) : started && input.isReady(latest, spec);
  const { attempt, imageId } = latest ?? NEVER_MADE;
  const shown: Record<string, Json | undefined> = {
    name,
    ...statesOf(spec, input, own),
    ready,
    restartCount: attempt,
    image: asText(spec['image']) ?? '',
    imageID: imageId,
  };
  if (latest !== undefined) shown['containerID'] = `containerd://${latest.id}`;
  shown['started'] = ends ? latest?.state === 'running' : started;
  if (latest !== undefined) Object.assign(shown, resourcesOf(spec, latest));
  const mounts = mountsOf(spec);
  if (mounts.length > 0) shown['volumeMounts'] = mounts;
  if (latest !== undefined) shown['user'] = userOf(latest, groupOf(spec, input.pod));
  return shown;
}

function userOf({ user }: Container, group: number): JsonObject {
  return sharedUser({ linux: { uid: user, gid: group, supplementalGroups: [group] } });
}

const sharedUser = sharing(256);

/** What a container does now and did before: one that waits to be started again has its last run behind it. */
function statesOf(
  spec: JsonObject,
  { pod, reasons }: StatusInput,
  own: readonly Container[],
): { readonly state: Json; readonly lastState: Json } {
  const [latest, previous] = [own.at(-1), own.at(-2)];
  const cached = reasons.get(nameOf(spec));
  if (latest !== undefined && (latest.state !== 'exited' || cached === undefined || !shouldRestart(pod, spec, latest.exitCode)))
    return { state: stateOf(latest), lastState: previous === undefined ? NONE : stateOf(previous) };
  const notYet = containersOf(pod, 'initContainers').length > 0 ? 'PodInitializing' : 'ContainerCreating';
  const waiting = cached === undefined ? { reason: notYet } : { reason: cached.reason, message: cached.message };
  return { state: { waiting }, lastState: latest === undefined ? NONE : stateOf(latest) };
}

function stateOf(container: Container): JsonObject {
  if (container.state === 'running') return runningState(container);
  return container.state === 'exited' ? endedState(container) : terminatedState(container);
}

const runningState = onceEach((container: Container): JsonObject => ({ running: { startedAt: timeOf(container.startedAt ?? 0) } }));

/** What has ended is shown again and again; it is written out once. */
const endedState = onceEach(terminatedState);

function terminatedState(container: Container): JsonObject {
  const message = terminationMessage(container);
  return {
    terminated: {
      exitCode: container.exitCode ?? 0,
      reason: container.reason ?? 'Error',
      ...(message === undefined ? {} : { message }),
      startedAt: timeOf(container.startedAt ?? 0),
      finishedAt: timeOf(container.finishedAt ?? 0),
      containerID: `containerd://${container.id}`,
    },
  };
}

function resourcesOf(spec: JsonObject, container: Container): JsonObject {
  const { resources } = spec;
  const requests = dig(resources, 'requests');
  const isResized = container.state === 'running' && container.resources !== resources && isJsonObject(resources);
  return {
    ...(isJsonObject(requests) ? { allocatedResources: requests } : {}),
    resources: isResized ? actualOf(resources, container) : isJsonObject(resources) ? amountsOf(resources) : NONE,
  };
}

/** What was given, with the CPU and memory that the container has. Source: pkg/kubelet/kubelet_pods.go (convertContainerStatusResources). */
function actualOf(resources: JsonObject, container: Container): JsonObject {
  return Object.fromEntries(
    Object.entries(amountsOf(resources)).map(([kind, amounts]) => {
      const actual = (['cpu', 'memory'] as const).flatMap((name) => {
        const amount = dig(container.resources, kind, name);
        return amount === undefined ? [] : [[name, amount] as const];
      });
      return [kind, { ...asObject(amounts), ...Object.fromEntries(actual) }];
    }),
  );
}

const amountsOf = onceEach((resources: JsonObject): JsonObject =>
  Object.fromEntries(
    ['limits', 'requests'].flatMap((field) => (isJsonObject(resources[field]) ? [[field, resources[field]] as const] : [])),
  ),
);

/** The same for as long as the container has these mounts. */
function mountsOf(spec: JsonObject): readonly Json[] {
  const mounts = asList(spec['volumeMounts']);
  if (mounts.length === 0) return mounts;
  return shownMounts(mounts);
}

const shownMounts = onceEach((mounts: readonly Json[]): readonly Json[] =>
  mounts.map((mount): JsonObject => {
    const [name, mountPath, readOnly] = [dig(mount, 'name'), dig(mount, 'mountPath'), dig(mount, 'readOnly') === true];
    return readOnly ? { name, mountPath, readOnly, recursiveReadOnly: 'Disabled' } : { name, mountPath };
  }),
);

function groupOf(spec: JsonObject, pod: KubeObject): number {
  return asNumber(dig(spec, 'securityContext', 'runAsGroup')) ?? asNumber(dig(pod, 'spec', 'securityContext', 'runAsGroup')) ?? 0;
}

function phaseOf({ pod, ending }: StatusInput, init: readonly JsonObject[], main: readonly JsonObject[]): string {
  const initialization = initPhase(pod, init);
  const hasStarted = main.some(
    (status) =>
      dig(status, 'state', 'running') !== undefined ||
      dig(status, 'state', 'terminated') !== undefined ||
      dig(status, 'lastState', 'terminated') !== undefined,
  );
  if (initialization === 'failed') return 'Failed';
  if (initialization === 'pending' && !hasStarted) return 'Pending';
  let [waiting, running, stopped, succeeded] = [0, 0, 0, 0];
  for (const status of main) {
    if (dig(status, 'state', 'running') !== undefined) running++;
    else if (dig(status, 'state', 'terminated') !== undefined) {
      stopped++;
      if (dig(status, 'state', 'terminated', 'exitCode') === 0) succeeded++;
    } else if (dig(status, 'lastState', 'terminated') !== undefined) stopped++;
    else waiting++;
  }
  if (waiting > 0) return 'Pending';
  if (running > 0) return 'Running';
  if (stopped === 0) return 'Pending';
  const specs = containersOf(pod, 'containers');
  const goesOn = (status: JsonObject, index: number): boolean =>
    shouldRestart(
      pod,
      specs[index] ?? {},
      asNumber(dig(status, 'state', 'terminated', 'exitCode')) ?? asNumber(dig(status, 'lastState', 'terminated', 'exitCode')),
    );
  if (!ending && main.some(goesOn)) return 'Running';
  return stopped === succeeded ? 'Succeeded' : 'Failed';
}

function initPhase(pod: KubeObject, init: readonly JsonObject[]): 'done' | 'pending' | 'failed' {
  const specs = containersOf(pod, 'initContainers');
  for (const [index, status] of init.entries()) {
    const spec = specs[index] ?? {};
    const code = asNumber(dig(status, 'state', 'terminated', 'exitCode'));
    if (isSidecar(spec)) {
      if (dig(status, 'state', 'waiting') !== undefined && dig(status, 'lastState', 'terminated') === undefined) return 'pending';
      continue;
    }
    if (code === 0) continue;
    const failed = code ?? asNumber(dig(status, 'lastState', 'terminated', 'exitCode'));
    return failed !== undefined && failed !== 0 && restartPolicyOf(pod) === 'Never' ? 'failed' : 'pending';
  }
  return 'done';
}

function conditionsOf(input: StatusInput, phase: string, init: readonly JsonObject[], main: readonly JsonObject[]): readonly JsonObject[] {
  const initialized = initializedCondition(input, phase, init, main);
  const ready = containersReady(input, phase, init, main);
  return [
    { type: 'PodReadyToStartContainers', status: input.networkReady ? 'True' : 'False' },
    { type: 'Initialized', ...initialized },
    { type: 'Ready', ...withGates(input.pod, ready) },
    { type: 'ContainersReady', ...ready },
    { type: 'PodScheduled', status: 'True' },
  ];
}

interface Verdict extends JsonObject {
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

function initializedCondition({ pod }: StatusInput, phase: string, init: readonly JsonObject[], main: readonly JsonObject[]): Verdict {
  const specs = containersOf(pod, 'initContainers');
  const incomplete = init.filter((status, index) => {
    const sidecar = isSidecar(specs[index] ?? {});
    return sidecar ? status['started'] !== true : status['ready'] !== true;
  });
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  // Sidecars that start again do not take back what has been: a container of the pod's own has run.
  const hasBegun = main.some((status) => dig(status, 'state', 'waiting') === undefined);
  if (incomplete.length === 0 || hasBegun) return { status: 'True' };
  return { status: 'False', reason: 'ContainersNotInitialized', message: INCOMPLETE(incomplete.map((status) => nameOf(status))) };
}

function containersReady({ pod }: StatusInput, phase: string, init: readonly JsonObject[], main: readonly JsonObject[]): Verdict {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const specs = containersOf(pod, 'initContainers');
  const counted = [...init.filter((_, index) => isSidecar(specs[index] ?? {})), ...main];
  const unready = counted.filter((status) => status['ready'] !== true).map((status) => nameOf(status));
  return unready.length === 0 ? { status: 'True' } : { status: 'False', reason: 'ContainersNotReady', message: UNREADY(unready) };
}

function withGates(pod: KubeObject, ready: Verdict): Verdict {
  if (ready.status === 'False') return ready;
  const known = asList(dig(pod, 'status', 'conditions'));
  const troubles = asList(dig(pod, 'spec', 'readinessGates')).flatMap((entry) => {
    const gate = asText(dig(entry, 'conditionType')) ?? '';
    const condition: Json | undefined = known.find((each) => dig(each, 'type') === gate);
    if (condition === undefined) return [GATE_MISSING(gate)];
    const status = asText(dig(condition, 'status')) ?? '';
    return status === 'True' ? [] : [GATE_UNTRUE(gate, status)];
  });
  return troubles.length === 0 ? ready : { status: 'False', reason: 'ReadinessGatesNotReady', message: troubles.join(', ') };
}
