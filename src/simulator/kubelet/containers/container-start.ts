import { withoutTail } from '../../../base/text.ts';
import type { Instant } from '../../../base/instant.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asText, dig, isJsonObject } from '../../../base/json.ts';
import { parseInteger } from '../../../base/number.ts';
import type { Prng } from '../../../base/prng.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { sleep } from '../../components/component.ts';
import type { RepeatedEvent } from '../../components/recorder.ts';
import type { Routine } from '../../time/routine.ts';
import { TIMING } from '../../time/timing.ts';
import { environmentOf, expandReferences } from './environment.ts';
import { runHook } from '../probes/hooks.ts';
import { ContainerStreams } from '../../programs/container-streams.ts';
import type { Image } from '../../images/image-catalog.ts';
import type { Variables } from '../../programs/program.ts';
import type { ImageVolumes } from '../images/image-volumes.ts';
import { failuresOf } from '../images/image-volumes.ts';
import type { KubeletParts } from '../kubelet-parts.ts';
import { amountOf, fieldPathOf, goDuration, nameOf, podDescription } from '../pods/pod-fields.ts';
import { killContainer } from '../pods/pod-kill.ts';
import type { Container } from '../runtime/runtime-container.ts';
import type { ContainerSettings } from '../runtime/runtime-options.ts';
import {
  CRASH_BACK_OFF,
  CRASH_WAITING,
  CREATED,
  FAILED,
  NOT_BY_ROOT,
  NOT_NUMERIC,
  POST_START_FAILED,
  POST_START_KILLING,
  PRESENT,
  RUNS_AS_ROOT,
  STARTED,
} from '../kubelet-messages.ts';

export interface StartFailure {
  readonly reason: string;
  readonly message: string;
  /** When the wait of a crashed container is over. */
  readonly expires?: number;
  /** Whether a container was made, so that the next relist finds something new. */
  readonly made: boolean;
  /** What is started once the wait of its crashed container is over. */
  readonly waits?: StartRequest;
}

export interface StartRequest {
  readonly pod: KubeObject;
  readonly spec: JsonObject;
  readonly kind: Container['kind'];
  /** Containers that were stopped in the same sync: it goes by what it saw before, so their end is not yet one to wait after. */
  readonly killed?: ReadonlySet<Container>;
  /** Pulls the images that are volumes of the pod, once for all its containers. */
  readonly imageVolumes?: () => Routine<ImageVolumes>;
}

/**
 * Brings one container up: back-off, image, settings, create, start, hook. Source: pkg/kubelet/kuberuntime/kuberuntime_container.go
 * (startContainer).
 */
export function* startContainer(request: StartRequest, parts: KubeletParts): Routine<StartFailure | undefined> {
  const { pod, spec, kind } = request;
  const { host, runtime } = parts;
  const uid = pod.metadata.uid ?? '';
  const say = sayer(request, parts);
  const waiting = backOffOf(request, parts);
  if (waiting !== undefined) {
    say('Warning', 'BackOff', CRASH_BACK_OFF(nameOf(spec), podDescription(pod)));
    return waiting;
  }
  const unmounted = request.imageVolumes === undefined ? [] : failuresOf(spec, yield* request.imageVolumes());
  for (const { reason } of unmounted) say('Warning', 'Failed', FAILED(reason));
  const last = unmounted.at(-1);
  if (last !== undefined) return { reason: last.reason, message: last.message, made: false };
  const ensured = yield* parts.images.ensure(pod, spec, say);
  if (!ensured.ok) return failed(say, ensured.reason, ensured.message, FAILED(ensured.reason), false);
  const settings = yield* settingsOf(request, ensured.image, parts);
  if ('trouble' in settings) return failed(say, 'CreateContainerConfigError', settings.trouble, FAILED(settings.trouble), false);
  const previous = runtime.containersOf(uid).findLast((container) => container.name === nameOf(spec));
  const attempt = previous === undefined ? 0 : previous.attempt + 1;
  const pace = startPace(host.prng, uid, nameOf(spec), attempt);
  yield* sleep(host, pace.createMilliseconds, 'create container');
  const container = runtime.createContainer(settings, uid, kind, attempt);
  if (!('id' in container)) return failed(say, 'CreateContainerError', container.message, FAILED(container.message), false);
  say('Normal', 'Created', CREATED);
  yield* sleep(host, pace.startMilliseconds, 'start container');
  const trouble = runtime.startContainer(container);
  if (trouble !== undefined) return failed(say, 'RunContainerError', trouble, FAILED(trouble.replaceAll(container.id, nameOf(spec))), true);
  say('Normal', 'Started', STARTED);
  return yield* postStart(request, container, parts, say);
}

/** How long making and starting a container take: by chance, but the same whoever asks. */
export function startPace(
  prng: Prng,
  uid: string,
  name: string,
  attempt: number,
): { readonly createMilliseconds: number; readonly startMilliseconds: number } {
  const chance = prng.split(`${uid} ${name} ${attempt}`);
  const createMilliseconds = TIMING.createContainerMilliseconds * chance.between(0.75, 1.25);
  return { createMilliseconds, startMilliseconds: TIMING.startContainerMilliseconds * chance.between(0.75, 1.25) };
}

/** What containers whose waits all still run would be told at another attempt to start them; undefined when one is over. */
export function waitAgain(requests: readonly StartRequest[], parts: KubeletParts): readonly StartFailure[] | undefined {
  if (requests.some((request) => runningWait(request, parts) === undefined)) return undefined;
  return requests.flatMap((request) => {
    sayer(request, parts)('Warning', 'BackOff', CRASH_BACK_OFF(nameOf(request.spec), podDescription(request.pod)));
    return backOffOf(request, parts) ?? [];
  });
}

/** What is said of a container that crashes and is started again, of an image that is there. */
export function startEvents(
  { pod, spec, kind }: StartRequest,
  { host }: KubeletParts,
): Readonly<Record<'backOff' | 'pulled' | 'created' | 'started', RepeatedEvent>> {
  const fieldPath = fieldPathOf(kind, nameOf(spec));
  return {
    backOff: host.events.repeated(pod, {
      type: 'Warning',
      reason: 'BackOff',
      message: CRASH_BACK_OFF(nameOf(spec), podDescription(pod)),
      fieldPath,
    }),
    pulled: host.events.repeated(pod, { type: 'Normal', reason: 'Pulled', message: PRESENT(asText(spec['image']) ?? ''), fieldPath }),
    created: host.events.repeated(pod, { type: 'Normal', reason: 'Created', message: CREATED, fieldPath }),
    started: host.events.repeated(pod, { type: 'Normal', reason: 'Started', message: STARTED, fieldPath }),
  };
}

type Sayer = (type: 'Normal' | 'Warning', reason: string, message: string) => void;

function failed(say: Sayer, reason: string, message: string, event: string, made: boolean): StartFailure {
  say('Warning', 'Failed', event);
  return { reason, message, made };
}

function sayer({ pod, spec, kind }: StartRequest, { host }: KubeletParts): Sayer {
  const fieldPath = fieldPathOf(kind, nameOf(spec));
  return (type, reason, message) => host.events.event(pod, { type, reason, message, fieldPath });
}

/** What a container that crashed waits for; undefined when it may be started again, which counts as another failure of it. */
export function backOffOf(request: StartRequest, parts: KubeletParts): StartFailure | undefined {
  const { pod, spec } = request;
  const ended = lastEnd(request, parts);
  if (ended === undefined) return undefined;
  const wait = runningWait(request, parts);
  if (wait !== undefined)
    return {
      reason: 'CrashLoopBackOff',
      message: CRASH_WAITING(goDuration(wait), nameOf(spec), podDescription(pod)),
      expires: ended + wait,
      made: false,
      waits: request,
    };
  parts.restarts.next(backOffKey(request), ended, parts.host.now());
  return undefined;
}

/** Milliseconds of the back-off that has not passed yet. */
function runningWait(request: StartRequest, parts: KubeletParts): number | undefined {
  const ended = lastEnd(request, parts);
  return ended === undefined ? undefined : parts.restarts.waitSince(backOffKey(request), ended, parts.host.now());
}

/** Source: pkg/kubelet/kuberuntime/kuberuntime_manager.go (doBackOff), which is given the status from before the sync. */
function lastEnd({ pod, spec, killed }: StartRequest, { runtime }: KubeletParts): Instant | undefined {
  const exited = runtime
    .containersOf(pod.metadata.uid ?? '')
    .findLast((container) => container.name === nameOf(spec) && container.state === 'exited' && killed?.has(container) !== true);
  return exited === undefined ? undefined : (exited.finishedAt ?? 0);
}

export function backOffKey({ pod, spec }: StartRequest): string {
  return `${pod.metadata.uid ?? ''}_${nameOf(spec)}`;
}

function* settingsOf(
  { pod, spec }: StartRequest,
  image: Image,
  parts: KubeletParts,
): Routine<ContainerSettings | { readonly trouble: string }> {
  const user = userOf(spec, pod, image);
  if (typeof user === 'string') return { trouble: user };
  const hostname = hostnameOf(pod, parts.host.node);
  const podIp = parts.runtime.sandboxOf(pod.metadata.uid ?? '')?.netns.ip ?? '';
  const services = servicesFor(pod, parts);
  const environment = yield* environmentOf(
    {
      pod,
      container: spec,
      image,
      hostIp: parts.hostIp,
      podIp,
      hostname,
      services,
      allocatable: dig(parts.node(), 'status', 'allocatable'),
    },
    parts.objects,
  );
  if (!environment.ok) return environment;
  const { env } = environment;
  const missing = expressionTrouble(spec, env) ?? pathTrouble(spec, env);
  if (missing !== undefined) return { trouble: missing };
  const mounts = parts.volumes.mountsOf(pod, spec, (mount) => subPathOf(mount, env));
  const volume = volumeTrouble(spec, mounts, nameOf(spec)) ?? subPathTrouble(spec, pod, parts);
  if (volume !== undefined) return { trouble: volume };
  return {
    pod,
    spec,
    argv: argvOf(spec, image, env),
    env,
    image,
    user,
    hostname,
    workingDir: asText(spec['workingDir']) ?? image.workingDir,
    memoryLimit: amountOf(dig(spec, 'resources', 'limits', 'memory')),
    nodeMemory: dig(parts.node(), 'status', 'capacity', 'memory'),
    mounts,
    streams: new ContainerStreams(),
  };
}

function hostnameOf(pod: KubeObject, node: string): string {
  return dig(pod, 'spec', 'hostNetwork') === true ? node : (asText(dig(pod, 'spec', 'hostname')) ?? pod.metadata.name).slice(0, 63);
}

/** The Services that a container is told of in its environment: all of its namespace, and the API server. */
function servicesFor(pod: KubeObject, parts: KubeletParts): readonly KubeObject[] {
  const services = parts.services(pod.metadata.namespace ?? '');
  if (dig(pod, 'spec', 'enableServiceLinks') !== false) return services;
  return services.filter((service) => service.metadata.namespace === 'default' && service.metadata.name === 'kubernetes');
}

/** The command line of a container: the image's, as far as the container has none of its own. */
function argvOf(spec: JsonObject, image: Image, env: Variables): readonly string[] {
  const expand = (words: readonly string[]): readonly string[] => words.map((word) => expandReferences(word, env));
  const command = asList(spec['command']).map(String);
  const args = asList(spec['args']).map(String);
  const given = command.length > 0 ? [] : image.command;
  return (command.length > 0 ? expand(command) : image.entrypoint).concat(args.length > 0 ? expand(args) : given);
}

/** The number the container runs as, or why it may not. Source: pkg/kubelet/kuberuntime/security_context.go (verifyRunAsNonRoot). */
function userOf(spec: JsonObject, pod: KubeObject, image: Image): number | string {
  const field = (name: string): JsonObject[string] => dig(spec, 'securityContext', name) ?? dig(pod, 'spec', 'securityContext', name);
  const given = asNumber(field('runAsUser'));
  const numeric = /^\d+/.exec(image.user)?.[0];
  if (field('runAsNonRoot') === true) {
    if (given === 0) return RUNS_AS_ROOT(podDescription(pod), nameOf(spec));
    if (given === undefined && (image.user === '' || image.user === 'root' || parseInteger(numeric) === 0))
      return NOT_BY_ROOT(podDescription(pod), nameOf(spec));
    if (given === undefined && numeric === undefined) return NOT_NUMERIC(image.user, podDescription(pod), nameOf(spec));
  }
  return given ?? (numeric !== undefined ? (parseInteger(numeric) ?? 0) : image.user === '' || image.user === 'root' ? 0 : 999);
}

/** Variables in a subPathExpr must be there, and not be empty. Source: pkg/kubelet/container/helpers.go (ExpandContainerVolumeMounts). */
function expressionTrouble(spec: JsonObject, env: Variables): string | undefined {
  for (const mount of asList(spec['volumeMounts'])) {
    const expression = asText(dig(mount, 'subPathExpr'));
    if (expression === undefined) continue;
    const missing = new Set(
      [...expression.matchAll(/\$\$|\$\(([^()]{1,200})\)/g)].flatMap(([, name]) =>
        name === undefined || (env.get(name) ?? '') !== '' ? [] : [name],
      ),
    );
    if (missing.size > 0) return `missing value for ${[...missing].sort().join(', ')}`;
  }
  return undefined;
}

/** The part of the volume that a mount shows. */
function subPathOf(mount: Json, env: Variables): string {
  const expression = asText(dig(mount, 'subPathExpr')) ?? '';
  return expression === '' ? (asText(dig(mount, 'subPath')) ?? '') : expandReferences(expression, env);
}

/** A part of a volume that is none. Source: pkg/kubelet/kubelet_pods.go (makeMounts). */
function pathTrouble(spec: JsonObject, env: Variables): string | undefined {
  for (const mount of asList(spec['volumeMounts'])) {
    const subPath = subPathOf(mount, env);
    if (subPath.startsWith('/')) return `error SubPath \`${subPath}\` must not be an absolute path`;
    if (subPath.split('/').includes('..')) return `unable to provision SubPath \`${subPath}\`: must not contain '..'`;
  }
  return undefined;
}

/** A subPath must not lead through a file or out of its volume. Source: pkg/kubelet/kubelet_pods.go (makeMounts). */
function volumeTrouble(spec: JsonObject, mounts: ContainerSettings['mounts'], container: string): string | undefined {
  for (const mount of asList(spec['volumeMounts']).filter(isJsonObject)) {
    const [name, subPath] = [asText(mount['name']) ?? '', asText(mount['subPath']) ?? ''];
    const mounted = mounts.find((each) => each.path === (withoutTail(asText(mount['mountPath']) ?? '', '/') || '/'));
    if (mounted === undefined) return `cannot find volume "${name}" to mount into container "${container}"`;
    if (subPath.includes('/') && mounted.files().size === 0 && mounted.write === undefined)
      return `failed to prepare subPath for volumeMount "${name}" of container "${container}"`;
  }
  return undefined;
}

/**
 * A part of the way that is a file: whether the path is there cannot be told, so it is not made. Source: pkg/kubelet/kubelet_pods.go
 * (makeMounts).
 */
function subPathTrouble(spec: JsonObject, pod: KubeObject, { volumes }: KubeletParts): string | undefined {
  for (const mount of asList(spec['volumeMounts']).filter(isJsonObject)) {
    const [name, parents] = [asText(mount['name']) ?? '', (asText(mount['subPath']) ?? '').split('/').slice(0, -1)];
    if (parents.length === 0) continue;
    const files = volumes.filesOf(pod, name);
    if (parents.some((_, index) => files.get(parents.slice(0, index + 1).join('/'))?.type === 'file'))
      return `failed to prepare subPath for volumeMount "${name}" of container "${nameOf(spec)}"`;
  }
  return undefined;
}

function* postStart({ pod, spec }: StartRequest, container: Container, parts: KubeletParts, say: Sayer): Routine<StartFailure | undefined> {
  const hook = dig(spec, 'lifecycle', 'postStart');
  if (!isJsonObject(hook)) return undefined;
  const { host, runtime } = parts;
  const trouble = yield* runHook(hook, pod, { host, runtime, container }, undefined);
  if (trouble === undefined) return undefined;
  say('Warning', 'FailedPostStartHook', POST_START_FAILED);
  yield* killContainer(
    container,
    pod,
    (asNumber(dig(pod, 'spec', 'terminationGracePeriodSeconds')) ?? 30) * 1000,
    POST_START_KILLING,
    parts,
  );
  return { reason: 'PostStartHookError', message: trouble, made: true };
}
