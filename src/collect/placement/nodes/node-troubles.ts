import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { objectKey, refOf, shows } from '../../../model/kube-object.ts';
import { isLeaving } from '../../containers/container-health.ts';
import { evictionOf } from '../../events/evictions.ts';
import type { FactSink, FieldValues, WordOf } from '../../survey/fact-sink.ts';
import type { SeenEvent } from '../../events/events.ts';
import { heldUpAt } from '../../containers/held-up.ts';
import { podEvents } from '../../events/pod-events.ts';
import { conditionStatus, isReady } from '../../objects/pods.ts';
import type { Scene } from '../../survey/scene.ts';
import type { Vocabulary } from '../../survey/vocabulary.ts';
import { countsOf } from '../../objects/workloads.ts';
import { belonging, isOver, nodeOf } from '../fit/placement-view.ts';

/** A list of nodes shows that one is not ready, and not why. */
const UNSEEN_MESSAGE = 'its message was not seen';

/** `node-trouble` facts from the conditions of a node. */
export function conditionTroubles(node: KubeObject, { survey }: Scene, sink: FactSink): void {
  const source = `${objectKey(node)} status`;
  const { name } = node.metadata;
  for (const condition of asList(dig(node, 'status', 'conditions'))) {
    const [type, status, reason, message] = [
      asText(dig(condition, 'type')) ?? '',
      asText(dig(condition, 'status')),
      asText(dig(condition, 'reason')) ?? '',
      asText(dig(condition, 'message')) ?? '',
    ];
    const found =
      type === 'Ready' ? readyTrouble(status, message, survey.vocabulary) : { trouble: status === 'True' ? PRESSURES[type] : undefined };
    if (found.trouble === undefined) continue;
    const { trouble, detail } = found;
    sink.fact(
      'node-trouble',
      refOf(node),
      { node: name, trouble, via: 'condition', message: message === '' ? UNSEEN_MESSAGE : message, detail },
      { source, quote: [`${type}=${status ?? '?'}`, [reason, message].filter((part) => part !== '').join(': ')].join(' ').trim() },
    );
  }
}

type Trouble = WordOf<'node-trouble', 'trouble'>;

const PRESSURES: Readonly<Record<string, Trouble>> = {
  MemoryPressure: 'memory-pressure',
  DiskPressure: 'disk-pressure',
  PIDPressure: 'pid-pressure',
  NetworkUnavailable: 'network-unavailable',
};

/** Source: pkg/kubelet/nodestatus/setters.go (ReadyCondition) and pkg/controller/nodelifecycle/node_lifecycle_controller.go. */
function readyTrouble(status: string | undefined, message: string, vocabulary: Vocabulary): Named {
  if (status === 'Unknown') return { trouble: 'kubelet-silent' };
  if (status !== 'False') return {};
  return { trouble: 'not-ready', ...vocabulary.read('node-trouble', message, 'condition')?.fields };
}

/** A trouble, with the plugin, handler, image or address range that the words name. */
type Named = Pick<FieldValues<'node-trouble'>, 'trouble' | 'detail'>;

/** `node-trouble` and `node-use` facts from what happened to pods: sandboxes that could not be made, and evictions. */
export async function collectPodTroubles(scene: Scene, sink: FactSink): Promise<void> {
  const events = await podEvents(scene);
  const stuck = scene.suspects.filter(
    (pod) => nodeOf(pod) !== undefined && !isOver(pod) && (!hasBegun(pod) || heldUpAt(pod, events.of(pod)) === 'sandbox'),
  );
  for (const pod of stuck) {
    const all = events.of(pod);
    const failed = all
      .filter((candidate) => SANDBOX_REASONS.has(candidate.reason) && !isBehind(candidate, all))
      .map((event) => ({ event, ...sandboxTrouble(event, scene.survey.vocabulary) }));
    // A message that was cut off says less than the one before it.
    const found = failed.findLast(({ trouble }) => !GENERIC.has(trouble)) ?? failed.at(-1);
    if (found === undefined) continue;
    const { event, trouble, detail } = found;
    const { message, reason, at } = event;
    troubleFacts(
      pod,
      scene,
      {
        trouble,
        message,
        detail,
        via: 'sandbox',
        source: `event on ${objectKey(pod)}`,
        quote: `${reason}: ${message}`,
        at,
      },
      sink,
    );
  }
  for (const pod of scene.suspects) evictionFacts(pod, evictionOf(pod, events.of(pod)) ?? shutdownOf(pod), scene, sink);
  await notReadyFacts(scene, sink);
}

/**
 * Whether the kubelet went on later: it looks at the network of the node first, then mounts volumes, then makes the sandbox, and pulls
 * images only after that. Source: pkg/kubelet/kubelet.go (SyncPod).
 */
function isBehind({ reason, at }: SeenEvent, events: readonly SeenEvent[]): boolean {
  const steps = reason === 'NetworkNotReady' ? [...AFTER_SANDBOX, 'FailedMount', 'FailedCreatePodSandBox'] : AFTER_SANDBOX;
  return at !== undefined && events.some((other) => steps.includes(other.reason) && (other.at ?? at) > at + SAME_TRY_MS);
}

const AFTER_SANDBOX: readonly string[] = ['Pulling', 'Pulled', 'Created', 'Started'];
/** Ages are printed in minutes after a while. */
const SAME_TRY_MS = 120_000;

function sandboxTrouble({ message, reason }: SeenEvent, vocabulary: Vocabulary): Named & { readonly trouble: Trouble } {
  const { trouble = 'sandbox-other', detail } = vocabulary.read('node-trouble', message, 'event', reason)?.fields ?? {};
  return { trouble, detail };
}

/**
 * The node controller marks the pods of a node that is not ready: they are not ready though their containers are. It counts where the node
 * itself was not seen. Source: pkg/kubelet/status/generate.go (GeneratePodReadyCondition), pkg/controller/util/node/controller_utils.go
 * (MarkPodsNotReady).
 */
async function notReadyFacts(scene: Scene, sink: FactSink): Promise<void> {
  const marked = scene.suspects.filter(
    (pod) => nodeOf(pod) !== undefined && conditionStatus(pod, 'Ready') === 'False' && conditionStatus(pod, 'ContainersReady') === 'True',
  );
  const events = await podEvents(scene);
  for (const pod of marked) {
    const event = events.of(pod).findLast(({ reason }) => reason === 'NodeNotReady');
    const ungated = shows(pod, 'spec.readinessGates') && asList(dig(pod, 'spec', 'readinessGates')).length === 0;
    if (isLeaving(pod) || (event === undefined && !ungated)) continue;
    const node = await scene.survey.get({ kind: 'Node', name: nodeOf(pod) ?? '' });
    if (node.ok || (event === undefined && node.why === 'absent')) continue;
    // The kubelet calls a pod without gates ready when its containers are: somebody else has taken that back.
    const told =
      event === undefined
        ? {
            message: 'a pod there is not ready though its containers are',
            source: `${objectKey(pod)} conditions`,
            quote: 'ContainersReady: True, Ready: False, no readiness gates',
          }
        : {
            message: event.message,
            source: `event on ${objectKey(pod)}`,
            quote: `NodeNotReady: ${event.message}`,
            at: event.at,
          };
    troubleFacts(pod, scene, { trouble: 'not-ready', via: 'event', ...told }, sink);
  }
}

const SANDBOX_REASONS: ReadonlySet<string> = new Set([
  'FailedCreatePodSandBox',
  'NetworkNotReady',
  'FailedCreatePodContainer',
  'FailedPodSandBoxStatus',
]);

/** What a message says that names no more than that it failed. */
const GENERIC: ReadonlySet<string> = new Set(['sandbox-other', 'cni-failed']);

/** A pod with an address, or with a container that was ever created, has had its sandbox. */
function hasBegun(pod: KubeObject): boolean {
  if (isReady(pod) === true || conditionStatus(pod, 'PodReadyToStartContainers') === 'True') return true;
  const statuses = [...asList(dig(pod, 'status', 'initContainerStatuses')), ...asList(dig(pod, 'status', 'containerStatuses'))];
  return statuses.some(
    (status) =>
      dig(status, 'state', 'running') !== undefined ||
      dig(status, 'state', 'terminated') !== undefined ||
      dig(status, 'lastState', 'terminated') !== undefined,
  );
}

interface PodTrouble {
  readonly trouble: Trouble;
  readonly message: string;
  readonly detail?: string | undefined;
  readonly via: 'sandbox' | 'eviction' | 'event';
  readonly source: string;
  readonly quote: string;
  readonly at?: number | undefined;
}

function troubleFacts(
  pod: KubeObject,
  scene: Scene,
  { trouble, message, detail, via, source, quote, at }: PodTrouble,
  sink: FactSink,
): void {
  const node = nodeOf(pod);
  if (node === undefined) return;
  sink.fact(
    'node-trouble',
    { kind: 'Node', name: node },
    { node, trouble, via, message, detail, pod: pod.metadata.name },
    { source, quote, at },
  );
  sink.fact(
    'node-use',
    refOf(pod),
    { node, how: 'bound', ready: false, started: false },
    { source: belonging(pod, scene), quote: `node: ${node}, ${quote}`, at },
  );
}

/** What the kubelet says of a pod that it ended or rejected because its node shut down; a list shows only the reason. Source: pkg/kubelet/nodeshutdown. */
function shutdownOf(pod: KubeObject): Ended | undefined {
  const [reason = '', message = ''] = ['reason', 'message'].map((field) => asText(dig(pod, 'status', field)));
  const isShutdown = dig(pod, 'status', 'phase') === 'Failed' && SHUTDOWN.has(reason);
  return isShutdown ? { reason, message, trouble: 'shutting-down' } : undefined;
}

const SHUTDOWN: ReadonlySet<string> = new Set(['NodeShutdown', 'Shutdown', 'Terminated']);

/** How the kubelet ended a pod. */
interface Ended {
  readonly reason?: string;
  readonly message: string;
  readonly trouble?: Trouble;
}

/** Evicted pods stay as they are when all is well again: they count while nothing has replaced them. */
function evictionFacts(pod: KubeObject, eviction: Ended | undefined, scene: Scene, sink: FactSink): void {
  if (eviction === undefined) return;
  const owner = scene.workloadOf(refOf(pod));
  const workload = owner === undefined ? undefined : scene.workload(owner);
  if (owner !== undefined && workload !== undefined) {
    const { desired, ready } = countsOf(workload, scene);
    if (desired !== undefined && ready !== undefined && ready >= desired) return;
  }
  const { message, reason = 'Evicted' } = eviction;
  const trouble = eviction.trouble ?? scene.survey.vocabulary.read('node-trouble', message, 'status', reason)?.fields.trouble;
  if (trouble !== undefined)
    troubleFacts(
      pod,
      scene,
      { trouble, message, via: 'eviction', source: `${objectKey(pod)} status`, quote: `${reason}: ${message}` },
      sink,
    );
}
