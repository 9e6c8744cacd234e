import { asList, asNumber, asText, dig } from '../../base/json.ts';
import { parseInstant } from '../../base/instant.ts';
import { smallest } from '../../base/lists.ts';
import { parseInteger } from '../../base/number.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, formatRef, refOf, shows } from '../../model/kube-object.ts';
import { PRINTED_RESTARTS } from '../../model/record-kinds.ts';
import type { Vocabulary } from '../survey/vocabulary.ts';
import type { ContainerHealth } from '../containers/container-health.ts';
import { healthOf, isLeaving } from '../containers/container-health.ts';
import type { SeenEvent } from '../events/events.ts';
import { eventProof } from '../events/events.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import { podLogs } from '../logs/pod-logs.ts';
import type { PodEvents } from '../events/pod-events.ts';
import { isRecent, latestOf, podEvents } from '../events/pod-events.ts';
import type { Known, PortEvidence } from './port-evidence.ts';
import { portEvidence, servicesOf } from './port-evidence.ts';
import type { ProbeFailure } from './probe-failures.ts';
import { classifyProbe, readProbe, probeOfMessage } from './probe-failures.ts';
import { judgePort } from './probe-judgement.ts';
import { graceOf, killIn, probeKills, SLACK_SECONDS, toldKills } from './probe-kills.ts';
import type { ProbeSpec } from './probe-specs.ts';
import { HANDLER_FIELDS, probesOf, windowFor, windowOf } from './probe-specs.ts';
import type { Scene } from '../survey/scene.ts';
import { isCovered, LISTEN_SECONDS } from '../containers/starting.ts';

/** `probe` facts for probes that fail, with what the rest of the evidence says of how they are set. */
export async function collectProbes(scene: Scene, sink: FactSink): Promise<void> {
  const [logs, events, services] = [await podLogs(scene), await podEvents(scene), await servicesOf(scene)];
  const now = scene.survey.now();
  for (const pod of scene.suspects) {
    if (isLeaving(pod)) continue;
    for (const health of healthOf(pod, now)) {
      const states = probesOf(health.container).map((spec) => ({
        spec,
        trouble: troubleOf(pod, health, spec, { events, vocabulary: scene.survey.vocabulary }, now),
      }));
      const passing = states.filter(({ trouble, spec }) => trouble === undefined && passes(health, spec)).map(({ spec }) => spec);
      for (const { spec, trouble } of states) {
        if (trouble !== undefined && !(spec.probe === 'readiness' && isCovered(pod, health, scene)))
          probeFact(pod, health, { spec, trouble }, { logs, services, passing }, sink);
      }
    }
  }
  for (const pod of events.blind) unseenFacts(pod, events.of(pod), scene, sink);
  for (const pod of events.bareReady) for (const probe of KILLING) killFact(pod, probe, killsSeen(events.of(pod), scene), sink);
}

/** What shows that a probe fails. */
interface Trouble {
  readonly event: SeenEvent | undefined;
  readonly failure: ProbeFailure | undefined;
  readonly kills: number;
}

/** Whether a probe without trouble has had the time to prove that it passes. */
function passes(health: ContainerHealth, spec: ProbeSpec): boolean {
  if (health.state !== 'running') return false;
  if (spec.probe === 'readiness') return health.ready === true;
  return (health.runSeconds ?? 0) > windowOf(spec);
}

function troubleOf(
  pod: KubeObject,
  health: ContainerHealth,
  spec: ProbeSpec,
  { events, vocabulary }: { readonly events: PodEvents; readonly vocabulary: Vocabulary },
  now: number,
): Trouble | undefined {
  const failures = events
    .of(pod)
    .filter((event) => event.reason === 'Unhealthy' && probeOfMessage(event.message) === spec.probe && isFrom(event, pod, health, spec));
  const event = failures.at(-1);
  const failure = failureTold(failures, spec, vocabulary);
  const count = failures.reduce((sum, one) => sum + one.count, 0);
  const seen = { event, failure };
  if (spec.probe === 'readiness') return isUnready(health, spec, count, event) ? { ...seen, kills: 0 } : undefined;
  const kills = probeKills(pod, health, { events, vocabulary, now });
  if (kills?.probe === spec.probe && isRecent(kills.at, now)) {
    // A container that was told to end after it had begun is being ended now.
    const ending = health.startedAt !== undefined && (kills.at ?? 0) > health.startedAt;
    if (kills.count > 1 || ending || health.condition !== 'well') return { ...seen, kills: kills.count };
  }
  return failsNow(health, spec, event, count, now) ? { ...seen, kills: 0 } : undefined;
}

/** What the latest failure was, or one before it that says more. */
function failureTold(failures: readonly SeenEvent[], { handler }: ProbeSpec, vocabulary: Vocabulary): ProbeFailure | undefined {
  const told = ({ message }: SeenEvent): ProbeFailure => classifyProbe(message, handler, vocabulary);
  const last = failures.at(-1);
  const found = last === undefined ? undefined : told(last);
  if (found?.failure !== 'other' || handler === 'exec') return found;
  return failures.map(told).findLast((one) => one.failure !== 'other') ?? found;
}

/** An event that does not name its container is from whichever has such a probe; of several, from the one whose port it names. */
function isFrom(event: SeenEvent, pod: KubeObject, { container }: ContainerHealth, spec: ProbeSpec): boolean {
  if (event.container !== undefined) return event.container === container.name;
  const field = `${spec.probe}Probe`;
  const others = asList(dig(pod, 'spec', 'containers')).filter(
    (other) => dig(other, field) !== undefined && dig(other, 'name') !== container.name,
  );
  if (others.length === 0) return true;
  return spec.port === undefined || event.message.includes(`:${String(spec.port)}`) || !/:\d{2,5}/.test(event.message);
}

/** A container that runs and is not ready, and has had its chance. */
function isUnready(
  { state, ready, runSeconds, container }: ContainerHealth,
  spec: ProbeSpec,
  count: number,
  event: SeenEvent | undefined,
): boolean {
  if (state !== 'running' || ready !== false || container.role === 'init') return false;
  if (dig(container.status, 'started') === false && dig(container.spec, 'startupProbe') !== undefined) return false;
  // It is asked only since the startup probe has passed, and nothing tells when that was.
  const window = windowOf(spec) + windowFor(container, 'startup');
  // Where nothing tells of a failure, it may have to succeed several times.
  const proof = spec.periodSeconds * (spec.successThreshold - 1) + spec.timeoutSeconds;
  if (event === undefined) return runSeconds !== undefined && runSeconds > window + proof;
  return count >= spec.failureThreshold || runSeconds === undefined || runSeconds > window;
}

/** Whether a program that has run for some seconds does not listen yet. */
function isListeningLate({ state, runSeconds }: ContainerHealth, { failure }: Trouble): boolean {
  const late = failure !== undefined && ['refused', 'no-answer', 'closed'].includes(failure.failure);
  return late && state === 'running' && runSeconds !== undefined && runSeconds < LISTEN_SECONDS;
}

/** Still failing at this moment: not a stumble while it started. */
function failsNow(
  { state, ready, startedAt, runSeconds, restarts, container }: ContainerHealth,
  spec: ProbeSpec,
  event: SeenEvent | undefined,
  count: number,
  now: number,
): boolean {
  if (event === undefined || state !== 'running' || count < 2) return false;
  if (restarts === 0 && isStumble(spec, { ready, runSeconds }, count)) return false;
  const sinceStart = event.at !== undefined && (startedAt === undefined || event.at >= startedAt);
  if (spec.probe === 'startup' && dig(container.status, 'started') === false) return sinceStart || event.at === undefined;
  return sinceStart && now - (event.at ?? 0) <= (3 * spec.periodSeconds + spec.timeoutSeconds + SLACK_SECONDS) * 1000;
}

/** Whether a container that was never restarted needs no more than time. */
function isStumble(spec: ProbeSpec, { ready, runSeconds }: Pick<ContainerHealth, 'ready' | 'runSeconds'>, count: number): boolean {
  // Fewer failures than it takes to be killed, of a container that is ready: it was slow for a moment.
  if (spec.probe === 'liveness') return ready === true && count < spec.failureThreshold;
  // A startup probe is there to fail for a while.
  return spec.probe === 'startup' && runSeconds !== undefined && runSeconds <= windowOf(spec);
}

/** Whether the container never lived longer than the probe's first chance, with the time it takes to end it. */
function endedInFirstWindow(pod: KubeObject, { ended }: ContainerHealth, spec: ProbeSpec, kills: number): boolean | undefined {
  if (kills === 0 || ended?.seconds === undefined) return undefined;
  return ended.seconds <= windowOf(spec) + spec.timeoutSeconds * spec.failureThreshold + graceOf(pod) + SLACK_SECONDS;
}

/** The scheme that the port speaks, where an httpGet probe uses the other one. */
function schemeOf({ handler, scheme }: ProbeSpec, speaks: string | undefined): 'HTTP' | 'HTTPS' | undefined {
  if (handler !== 'http') return undefined;
  if (speaks === 'https' && scheme === 'HTTP') return 'HTTPS';
  return speaks === 'http' && scheme === 'HTTPS' ? 'HTTP' : undefined;
}

function probeFact(
  pod: KubeObject,
  health: ContainerHealth,
  { spec, trouble }: { spec: ProbeSpec; trouble: Trouble },
  known: Known,
  sink: FactSink,
): void {
  const { container } = health;
  const evidence: readonly PortEvidence[] = portEvidence(pod, container, spec, known);
  const ref = refOf(pod);
  const ports = asList(dig(container.spec, 'ports'));
  const names = ports.flatMap((port) => asText(dig(port, 'name')) ?? []);
  const namesShown = names.length > 0 || shows(pod, 'spec.containers.ports.name');
  const ownWords = trouble.event?.message;
  const judged = judgePort(spec, trouble.failure, evidence);
  sink.fact(
    'probe',
    ref,
    {
      container: container.name,
      probe: spec.probe,
      handler: spec.handler,
      field: HANDLER_FIELDS[spec.handler],
      port: spec.port,
      portName: spec.portName,
      portNameExists: existenceOf(spec, namesShown),
      portNames: names.length === 0 ? undefined : names.join(', '),
      onlyPortName: names.length === 1 ? names[0] : undefined,
      onlyPort: names.length === 0 && ports.length === 1 ? asNumber(dig(ports[0], 'containerPort')) : undefined,
      path: spec.path,
      host: spec.host,
      scheme: spec.scheme,
      command: spec.command,
      failure: trouble.failure?.failure,
      status: trouble.failure?.status,
      message: ownWords,
      kills: trouble.kills,
      starting: isListeningLate(health, trouble) ? true : undefined,
      ...judged,
      rightScheme: schemeOf(spec, judged.speaks),
      grpcPort: judged.speaks === 'grpc' && spec.handler !== 'grpc' ? spec.port : undefined,
      firstWindow: endedInFirstWindow(pod, health, spec, trouble.kills),
      windowSeconds: windowOf(spec),
      initialDelaySeconds: spec.initialDelaySeconds,
      periodSeconds: spec.periodSeconds,
      timeoutSeconds: spec.timeoutSeconds,
      failureThreshold: spec.failureThreshold,
      started: health.ready === true || dig(container.status, 'started') === true,
      hasStartupProbe: dig(container.spec, 'startupProbe') !== undefined,
    },
    trouble.event === undefined
      ? { source: `${formatRef(ref)} container ${container.name}`, quote: quoteOf(spec, health) }
      : eventProof(trouble.event, ref),
  );
}

/** Whether the port that a probe names is there; undefined for a probe without a name, and where names were not shown. */
function existenceOf({ portName, port }: ProbeSpec, namesShown: boolean): boolean | undefined {
  if (portName === undefined) return undefined;
  return port !== undefined || (namesShown ? false : undefined);
}

function quoteOf({ probe, handler, port }: ProbeSpec, { state, ready, restarts }: ContainerHealth): string {
  return `${probe} probe: ${handler}${port === undefined ? '' : ` port ${String(port)}`}; state: ${state ?? 'unknown'}, ready: ${String(ready ?? 'unknown')}, restarts: ${String(restarts)}`;
}

/** Probes of a pod of which only events were seen. */
function unseenFacts(pod: KubeObject, events: readonly SeenEvent[], scene: Scene, sink: FactSink): void {
  const { survey } = scene;
  const { vocabulary } = survey;
  const ref = refOf(pod);
  const seen = killsSeen(events, scene);
  for (const probe of ['startup', 'readiness', 'liveness'] as const) {
    const failures = events.filter((one) => one.reason === 'Unhealthy' && probeOfMessage(one.message) === probe);
    const event = failures.at(-1);
    const asked = askedIn(event?.message ?? '', vocabulary);
    // A name that is not there is not there later either.
    if (event === undefined || (asked.portName === undefined && isFirst(failures, events, pod)) || !holds(event, probe, seen)) {
      killFact(pod, probe, seen, sink);
      continue;
    }
    const found = classifyProbe(event.message, asked.handler, vocabulary);
    const kills = probe === 'readiness' || event.container === undefined ? undefined : toldKills(event.container, events, vocabulary);
    sink.fact(
      'probe',
      ref,
      {
        container: event.container ?? containerNamed(events),
        probe,
        ...asked,
        ...judgePort(asked, found, []),
        ...found,
        message: event.message,
        kills: kills?.probe === probe ? kills.count : 0,
      },
      eventProof(event, ref),
    );
  }
}

/**
 * Whether a failure still tells of the present. The kubelet limits how many events of one pod it sends: where the container still restarts,
 * an old failure for which it is ended is a present one, and that it was not ready says nothing.
 */
function holds(event: SeenEvent, probe: ProbeSpec['probe'], { events, latest, vocabulary }: KillsSeen): boolean {
  const loop = restartOf(event.container, events, vocabulary);
  if (probe === 'readiness') return isRecent(event.at, latest) && !isWithin(event, loop);
  return isRecent(event.at, latest) || loop !== undefined;
}

/** The last event that tells of a container which ends and is started again. */
function restartOf(container: string | undefined, events: readonly SeenEvent[], vocabulary: Vocabulary): SeenEvent | undefined {
  return events.findLast(
    ({ reason, message, container: own }) =>
      reason === 'BackOff' &&
      vocabulary.read('exit', message, 'event', reason)?.fields.again === true &&
      (own === undefined || container === undefined || own === container),
  );
}

/** Whether a container was not ready because it ends again and again. */
function isWithin({ at }: SeenEvent, loop: SeenEvent | undefined): boolean {
  return loop !== undefined && (at === undefined || loop.at === undefined || at - loop.at < LONGEST_BACK_OFF_SECONDS * 1000);
}

/** Source: pkg/kubelet/kubelet.go (MaxCrashLoopBackOff). */
const LONGEST_BACK_OFF_SECONDS = 300;

/**
 * Whether these may be the first failures of a container that starts. Where it is not told how often a probe failed, a pod that has been
 * there for a while and is not ready had its chance. A message without a time is all that somebody pasted: because it is the trouble.
 */
function isFirst(failures: readonly SeenEvent[], events: readonly SeenEvent[], pod: KubeObject): boolean {
  const last = failures.at(-1)?.at;
  if (last === undefined || failures.reduce((sum, { count }) => sum + count, 0) >= FEW) return false;
  // A container that ends again and again is not ready for that alone.
  if (failures.every(({ counted }) => counted) || events.some(({ reason }) => reason === 'BackOff')) return true;
  const begun = [parseInstant(dig(pod, 'metadata', 'creationTimestamp')), ...events.map(({ at }) => at)].filter((at) => at !== undefined);
  return last - smallest(begun) < CHANCE_SECONDS * 1000;
}

const FEW = 3;
const CHANCE_SECONDS = 60;

/** The only container that the pod's events name. */
function containerNamed(events: readonly SeenEvent[]): string {
  const [only, ...more] = new Set(events.flatMap(({ container }) => container ?? []));
  return only === undefined || more.length > 0 ? '<container>' : only;
}

/** Probes for which the kubelet ends a container. */
const KILLING = ['startup', 'liveness'] as const;

interface KillsSeen {
  readonly events: readonly SeenEvent[];
  readonly latest: number;
  readonly vocabulary: Vocabulary;
}

function killsSeen(events: readonly SeenEvent[], { survey }: Scene): KillsSeen {
  return { events, latest: latestOf(events, survey.now()), vocabulary: survey.vocabulary };
}

/** A probe of which only is told that the kubelet ended a container for it, again and again. */
function killFact(pod: KubeObject, probe: ProbeSpec['probe'], { events, latest, vocabulary }: KillsSeen, sink: FactSink): void {
  const event = events.findLast((one) => killIn(one, vocabulary)?.probe === probe);
  const kill = event === undefined ? undefined : killIn(event, vocabulary);
  if (event === undefined || kill === undefined || !isRecent(event.at, latest)) return;
  const kills = toldKills(kill.container, events, vocabulary);
  // Lists of events print no counts; a list of pods prints how often it was restarted.
  const isRepeated = (kills?.count ?? 0) > 1 || restartsPrinted(pod) > 1 || events.some(({ reason }) => reason === 'BackOff');
  if (kills?.probe !== probe || !isRepeated) return;
  const ref = refOf(pod);
  sink.fact('probe', ref, { container: kill.container, probe, kills: kills.count }, eventProof(event, ref));
}

function restartsPrinted(pod: KubeObject): number {
  return parseInteger(annotationsOf(pod)[PRINTED_RESTARTS]) ?? 0;
}

/** What a probe asks, as its failure tells: `Get "https://10.0.1.7:8080/healthz": …`, `strconv.Atoi: parsing "http": …`. */
function askedIn(message: string, vocabulary: Vocabulary): Pick<ProbeSpec, 'handler' | 'scheme' | 'port' | 'path' | 'portName'> {
  const read = readProbe(message, vocabulary);
  const [url, scheme, port, path] = /Get "(https?):\/\/[^\s"/]{1,300}?(?::(\d{1,5}))?(\/[^\s"]{0,500})?"/.exec(message) ?? [];
  return {
    handler: read.handler ?? (url === undefined ? 'tcp' : 'http'),
    scheme: scheme === undefined ? undefined : scheme === 'https' ? 'HTTPS' : 'HTTP',
    port: parseInteger(port),
    path,
    portName: read.portName,
  };
}
