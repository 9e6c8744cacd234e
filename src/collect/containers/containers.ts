import { parseInstant } from '../../base/instant.ts';
import type { Json } from '../../base/json.ts';
import { onceEach } from '../../base/once.ts';
import { numberOf } from '../../base/number.ts';
import { parseQuantity } from '../../base/quantity.ts';
import { asBoolean, asList, asNumber, asScalarText, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, refOf, shows } from '../../model/kube-object.ts';
import type { FactSink, WordOf } from '../survey/fact-sink.ts';
import type { Scene } from '../survey/scene.ts';

/** One container of a pod: its spec and what the kubelet says of it. */
export interface PodContainer {
  readonly name: string;
  readonly role: 'main' | 'init' | 'sidecar' | 'ephemeral';
  readonly spec: Json;
  /** Undefined while the kubelet has written none. */
  readonly status: Json | undefined;
}

const LISTS = [
  ['initContainers', 'initContainerStatuses', 'init'],
  ['containers', 'containerStatuses', 'main'],
  ['ephemeralContainers', 'ephemeralContainerStatuses', 'ephemeral'],
] as const;

/** All containers of a pod in the order they start; one that only the status shows has an empty spec. A dozen collectors ask. */
export const containersOf = onceEach((pod: KubeObject): readonly PodContainer[] =>
  LISTS.flatMap(([specList, statusList, role]) => {
    const statuses = asList(dig(pod, 'status', statusList));
    const specs = asList(dig(pod, 'spec', specList));
    const unspecified = statuses.filter((status) => !specs.some((spec) => dig(spec, 'name') === dig(status, 'name')));
    return [...specs, ...unspecified.map((status) => ({ name: dig(status, 'name'), image: dig(status, 'image') }))].flatMap((spec) => {
      const name = asText(dig(spec, 'name'));
      if (name === undefined) return [];
      const sidecar = role === 'init' && dig(spec, 'restartPolicy') === 'Always';
      return [{ name, role: sidecar ? ('sidecar' as const) : role, spec, status: statuses.find((status) => dig(status, 'name') === name) }];
    });
  }),
);

/** A `container` fact for every container of every pod in the scene. */
export function collectContainers(scene: Scene, sink: FactSink): void {
  for (const pod of scene.judged) for (const container of containersOf(pod)) containerFact(pod, container, scene, sink);
}

function containerFact(pod: KubeObject, { name, role, spec, status }: PodContainer, scene: Scene, sink: FactSink): void {
  const ref = refOf(pod);
  const state = stateOf(dig(status, 'state'));
  const last = dig(status, 'lastState', 'terminated');
  const started = parseInstant(dig(state.detail, 'startedAt'));
  const memoryLimit = asScalarText(dig(spec, 'resources', 'limits', 'memory'));
  sink.fact(
    'container',
    ref,
    {
      container: name,
      role,
      image: asText(dig(spec, 'image')),
      state: state.name,
      reason: asText(dig(state.detail, 'reason')),
      message: asText(dig(state.detail, 'message')),
      exitCode: asNumber(dig(state.detail, 'exitCode')),
      signal: asNumber(dig(state.detail, 'signal')),
      lastReason: asText(dig(last, 'reason')),
      lastMessage: asText(dig(last, 'message')),
      lastExitCode: asNumber(dig(last, 'exitCode')),
      restarts: asNumber(dig(status, 'restartCount')),
      ready: asBoolean(dig(status, 'ready')),
      started: asBoolean(dig(status, 'started')),
      runSeconds: state.name === 'running' && started !== undefined ? Math.round((scene.survey.now() - started) / 1000) : undefined,
      lastRunSeconds: runSeconds(state.name === 'terminated' ? state.detail : last),
      pullPolicy: asText(dig(spec, 'imagePullPolicy')),
      command: commandOf(pod, spec),
      memoryLimit,
      podMemoryLimit: asScalarText(dig(pod, 'spec', 'resources', 'limits', 'memory')),
      memoryLimitMiB: inMiB(memoryLimit),
      delaySeconds: asNumber(dig(spec, 'readinessProbe', 'initialDelaySeconds')),
      drops: mayBeRoot(pod, spec) ? droppedBy(spec) : undefined,
    },
    {
      source: `${formatRef(ref)} container ${name}`,
      quote: describeState(state.name, state.detail, status),
      at: parseInstant(dig(state.detail, 'finishedAt')) ?? started,
    },
  );
}

/** Another user has no capabilities in any case. */
function mayBeRoot(pod: KubeObject, spec: Json | undefined): boolean {
  const [own, shared] = [dig(spec, 'securityContext'), dig(pod, 'spec', 'securityContext')];
  const set = (field: string): Json | undefined => dig(own, field) ?? dig(shared, field);
  return (asNumber(set('runAsUser')) ?? 0) === 0 && set('runAsNonRoot') !== true;
}

function droppedBy(spec: Json | undefined): string | undefined {
  const dropped = asList(dig(spec, 'securityContext', 'capabilities', 'drop'));
  return dropped.length === 0 ? undefined : dropped.map(String).join(', ');
}

function inMiB(limit: string | undefined): number | undefined {
  const nanobytes = limit === undefined ? undefined : parseQuantity(limit);
  return nanobytes === undefined ? undefined : numberOf(nanobytes / 1_000_000_000n) / 1_048_576;
}

function stateOf(state: Json | undefined): { readonly name: WordOf<'container', 'state'> | undefined; readonly detail: Json | undefined } {
  for (const name of ['waiting', 'running', 'terminated'] as const) {
    const detail = dig(state, name);
    if (detail !== undefined) return { name, detail };
  }
  return { name: undefined, detail: undefined };
}

/** Start failures carry startedAt 1970-01-01 (the container never ran): no duration then. */
function runSeconds(terminated: Json | undefined): number | undefined {
  const [started, finished] = [parseInstant(dig(terminated, 'startedAt')), parseInstant(dig(terminated, 'finishedAt'))];
  return started === undefined || finished === undefined || started <= 0 ? undefined : Math.round((finished - started) / 1000);
}

function commandOf(pod: KubeObject, spec: Json): string | undefined {
  const words = [...asList(dig(spec, 'command')), ...asList(dig(spec, 'args'))].map(String);
  if (words.length > 0) return words.join(' ');
  return shows(pod, 'spec.containers.command') ? '' : undefined;
}

function describeState(name: string | undefined, detail: Json | undefined, status: Json | undefined): string {
  const parts = [`state: ${name ?? 'none yet'}`];
  const [reason, message, exitCode] = [asText(dig(detail, 'reason')), asText(dig(detail, 'message')), asNumber(dig(detail, 'exitCode'))];
  if (reason !== undefined) parts.push(`reason: ${reason}`);
  if (exitCode !== undefined) parts.push(`exit code: ${String(exitCode)}`);
  if (message !== undefined) parts.push(`message: ${message}`);
  const last = dig(status, 'lastState', 'terminated');
  if (last !== undefined)
    parts.push(`last state: ${asText(dig(last, 'reason')) ?? 'terminated'}, exit code ${String(asNumber(dig(last, 'exitCode')) ?? '?')}`);
  const restarts = asNumber(dig(status, 'restartCount')) ?? 0;
  if (restarts > 0) parts.push(`restarts: ${String(restarts)}`);
  return parts.join(', ');
}
