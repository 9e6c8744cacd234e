import type { JsonObject } from '../../../base/json.ts';
import { asNumber, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { sleep } from '../../components/component.ts';
import type { Routine } from '../../time/routine.ts';
import { TIMING } from '../../time/timing.ts';
import type { StartFailure } from '../containers/container-start.ts';
import { startContainer } from '../containers/container-start.ts';
import type { ImageVolumes } from '../images/image-volumes.ts';
import { imageVolumesOf, pullImageVolumes } from '../images/image-volumes.ts';
import type { KubeletParts } from '../kubelet-parts.ts';
import { killContainer } from './pod-kill.ts';
import { containersOf, isHostNetwork, isSidecar, nameOf, restartPolicyOf, shouldRestart } from './pod-fields.ts';
import { resizeContainers } from './container-resize.ts';
import { prepareDevices } from '../devices/prepare-devices.ts';
import type { Container } from '../runtime/runtime-container.ts';
import type { SyncedPod, SyncEnd } from './sync-end.ts';
import { because } from './sync-end.ts';
import {
  DEFINITION_CHANGED,
  INIT_PROBE_KILLING,
  PREPARE_DEVICES_FAILED,
  PROBE_KILLING,
  SANDBOX_CHANGED,
  POD_CGROUP_FAILED,
  SANDBOX_FAILED,
  STOPPING,
} from '../kubelet-messages.ts';

/**
 * Brings what runs in line with the pod: sandbox, init containers, containers. Source: pkg/kubelet/kuberuntime/kuberuntime_manager.go
 * (SyncPod).
 */
export function* syncContainers(worker: SyncedPod, parts: KubeletParts, sandboxReady: () => void): Routine<SyncEnd> {
  const state: Progress = { worker, parts, failures: [], killed: new Set(), started: false, made: false };
  const sandbox = yield* ensureSandbox(state, sandboxReady);
  if (sandbox !== 'ready')
    return { failures: [], failed: sandbox === 'failed', waits: sandbox === 'waits', started: state.started, made: state.made };
  yield* killWhatMust(state);
  const resized = yield* resizeContainers(worker, parts, state.killed);
  for (const spec of containersOf(worker.pod, 'ephemeralContainers')) {
    if (latestOf(state, spec) === undefined) yield* start(state, spec, 'ephemeral');
  }
  const initialized = hasRunMain(state) || (yield* runInit(state));
  if (initialized && worker.syncing) {
    if (hasRunMain(state)) yield* keepSidecars(state);
    for (const spec of containersOf(worker.pod, 'containers')) {
      if (needsStart(state, spec) && worker.syncing) yield* start(state, spec, 'main');
    }
  }
  return { failures: state.failures, failed: resized === 'failed', started: state.started, made: state.made, resized: resized === 'done' };
}

interface Progress {
  readonly worker: SyncedPod;
  readonly parts: KubeletParts;
  readonly failures: StartFailure[];
  readonly killed: Set<Container>;
  started: boolean;
  made: boolean;
  images?: ImageVolumes;
}

function* ensureSandbox(state: Progress, sandboxReady: () => void): Routine<'ready' | 'failed' | 'waits'> {
  const { worker, parts } = state;
  const { host, runtime } = parts;
  const { pod, uid } = worker;
  const known = runtime.sandboxOf(uid);
  if (known?.ready === true) return 'ready';
  if (known !== undefined) {
    host.events.event(pod, { type: 'Normal', reason: 'SandboxChanged', message: SANDBOX_CHANGED });
    runtime.stopSandbox(uid);
  }
  if (runtime.faults.cgroupError !== undefined) {
    const message = POD_CGROUP_FAILED(`pod${uid}`, runtime.faults.cgroupError);
    host.events.event(pod, { type: 'Warning', reason: 'FailedCreatePodContainer', message });
    return 'failed';
  }
  const unprepared = yield* prepareDevices(host, pod);
  if (unprepared !== undefined) {
    host.events.event(pod, { type: 'Warning', reason: 'FailedPrepareDynamicResources', message: PREPARE_DEVICES_FAILED(unprepared) });
    return 'waits';
  }
  const handler = yield* handlerOf(pod, parts);
  if (handler.trouble === undefined)
    yield* sleep(
      host,
      runtime.faults.down === true ? 5 : TIMING.createSandboxMilliseconds * host.prng.between(0.9, 1.15),
      'create sandbox',
    );
  const made =
    handler.trouble === undefined ? runtime.runSandbox(pod, uid, isHostNetwork(pod), handler.name) : { message: handler.trouble };
  if (!('id' in made)) {
    host.events.event(pod, { type: 'Warning', reason: 'FailedCreatePodSandBox', message: SANDBOX_FAILED(made.message) });
    return 'failed';
  }
  state.made = true;
  sandboxReady();
  return 'ready';
}

function* handlerOf(pod: KubeObject, { host }: KubeletParts): Routine<{ readonly name: string; readonly trouble?: string }> {
  const name = asText(dig(pod, 'spec', 'runtimeClassName'));
  if (name === undefined || name === '') return { name: '' };
  const answer = yield* host.client.get({ kind: 'RuntimeClass', name });
  if (!answer.ok)
    return {
      name: '',
      trouble: `failed to lookup RuntimeClass ${name}: ${answer.message.replace('runtimeclasses.node', 'runtimeclass.node')}`,
    };
  return { name: asText(answer.object['handler']) ?? '' };
}

/** Containers whose probes have given them up, or whose image was changed in place. */
function* killWhatMust(state: Progress): Routine {
  const { worker, parts } = state;
  for (const container of parts.runtime.containersOf(worker.uid)) {
    if (container.state !== 'running') continue;
    const failed = (['startup', 'liveness'] as const).find((kind) => parts.prober.hasFailed(container, kind));
    const spec = specOf(worker.pod, container);
    const changed = spec !== undefined && asText(spec['image']) !== container.image;
    if (failed === undefined && !changed) continue;
    state.killed.add(container);
    const message =
      failed === undefined
        ? DEFINITION_CHANGED(container.name)
        : container.kind === 'init'
          ? INIT_PROBE_KILLING(container.name, failed)
          : isLastOf(state, container)
            ? STOPPING(container.name)
            : PROBE_KILLING(container.name, failed, restartPolicyOf(worker.pod) !== 'Never');
    const own = failed === undefined ? undefined : asNumber(dig(spec, `${failed}Probe`, 'terminationGracePeriodSeconds'));
    yield* killContainer(
      container,
      worker.pod,
      (own ?? asNumber(dig(worker.pod, 'spec', 'terminationGracePeriodSeconds')) ?? 30) * 1000,
      message,
      parts,
    );
  }
}

/** A pod that starts nothing again ends with its last container: it is the pod that is stopped then. */
function isLastOf({ worker, parts }: Progress, container: Container): boolean {
  return (
    restartPolicyOf(worker.pod) === 'Never' &&
    parts.runtime.containersOf(worker.uid).every((other) => other === container || other.kind !== 'main' || other.state !== 'running')
  );
}

/** Runs init containers in their order; true when all have done their part. */
function* runInit(state: Progress): Routine<boolean> {
  const { worker, parts } = state;
  for (const spec of containersOf(worker.pod, 'initContainers')) {
    const latest = latestOf(state, spec);
    if (isSidecar(spec)) {
      if (latest?.state !== 'running') {
        yield* start(state, spec, 'init');
        return false;
      }
      if (!parts.prober.verdict(latest, 'startup')) return false;
      continue;
    }
    if (latest?.state === 'exited' && latest.exitCode === 0) continue;
    if (latest?.state === 'running') return false;
    if (
      latest === undefined ||
      shouldRestart(
        worker.pod,
        { ...spec, restartPolicy: asText(spec['restartPolicy']) ?? (restartPolicyOf(worker.pod) === 'Never' ? 'Never' : 'OnFailure') },
        latest.exitCode,
      )
    )
      yield* start(state, spec, 'init');
    return false;
  }
  return true;
}

function* keepSidecars(state: Progress): Routine {
  for (const spec of containersOf(state.worker.pod, 'initContainers')) {
    if (isSidecar(spec) && latestOf(state, spec)?.state !== 'running') yield* start(state, spec, 'init');
  }
}

function needsStart(state: Progress, spec: JsonObject): boolean {
  const latest = latestOf(state, spec);
  if (latest === undefined) return true;
  return latest.state === 'exited' && shouldRestart(state.worker.pod, spec, latest.exitCode);
}

function hasRunMain({ worker, parts }: Progress): boolean {
  return parts.runtime.containersOf(worker.uid).some((container) => container.kind === 'main' && isOfSandbox(container, worker, parts));
}

function latestOf({ worker, parts }: Progress, spec: JsonObject): Container | undefined {
  const latest = parts.runtime.containersOf(worker.uid).findLast((container) => container.name === nameOf(spec));
  return latest !== undefined && isOfSandbox(latest, worker, parts) ? latest : undefined;
}

/** After a new sandbox was made everything runs again. */
function isOfSandbox(container: Container, worker: SyncedPod, { runtime }: KubeletParts): boolean {
  return container.sandboxId === runtime.sandboxOf(worker.uid)?.id;
}

function specOf(pod: KubeObject, container: Container): JsonObject | undefined {
  return containersOf(
    pod,
    container.kind === 'init' ? 'initContainers' : container.kind === 'main' ? 'containers' : 'ephemeralContainers',
  ).find((spec) => nameOf(spec) === container.name);
}

function* start(state: Progress, spec: JsonObject, kind: Container['kind']): Routine {
  const { worker, parts } = state;
  const failure = yield* startContainer(
    {
      pod: worker.pod,
      spec,
      kind,
      ...(state.killed.size > 0 ? { killed: state.killed } : {}),
      ...(imageVolumesOf(worker.pod).length > 0 ? { imageVolumes: () => imagesOf(state) } : {}),
    },
    parts,
  );
  if (failure === undefined) {
    because(worker, nameOf(spec), undefined);
    state.started = true;
    forgetOld(parts, worker.uid, nameOf(spec));
    return;
  }
  because(worker, nameOf(spec), failure);
  state.failures.push(failure);
  if (failure.made) forgetOld(parts, worker.uid, nameOf(spec));
}

function* imagesOf(state: Progress): Routine<ImageVolumes> {
  state.images ??= yield* pullImageVolumes(state.worker.pod, state.parts);
  return state.images;
}

/** The container garbage collector keeps one dead instance beside the current one. */
function forgetOld(parts: KubeletParts, uid: string, name: string): void {
  const own = parts.runtime.containersOf(uid).filter((container) => container.name === name);
  const kept = new Set(own.slice(-2));
  parts.runtime.removeContainers(uid, (container) => container.name !== name || kept.has(container));
}
