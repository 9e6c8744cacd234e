import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asText, dig } from '../../../base/json.ts';
import type { Instant } from '../../../base/instant.ts';
import { parseInstant } from '../../../base/instant.ts';
import { deploymentOf } from '../../../base/template-hash.ts';
import { departedPods } from '../../../model/departed-pods.ts';
import { eventTime, latestTime } from '../../../model/event-fields.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { formatRef, shows } from '../../../model/kube-object.ts';
import { Draft } from '../draft.ts';
import type { Step } from './event-step.ts';
import { stepOf } from './event-step.ts';

/**
 * Pods as their events imply them: the state in which the kubelet or the scheduler records that event. They have no field but what the
 * last event of each kind implies; everything else is unknown. `isListed` tells whether all pods of a namespace were seen, so that a
 * pod that is not among them is gone.
 */
export function impliedPods(
  events: readonly KubeObject[],
  seen: ReadonlyMap<string, KubeObject>,
  isListed: (namespace: string | undefined) => boolean,
): readonly KubeObject[] {
  const byPod = new Map<string, KubeObject[]>();
  for (const event of events) {
    const involved = dig(event, 'involvedObject');
    if (dig(involved, 'kind') !== 'Pod') continue;
    const [namespace, name] = [asText(dig(involved, 'namespace')) ?? event.metadata.namespace, asText(dig(involved, 'name')) ?? ''];
    const key = formatRef({ kind: 'Pod', ...(namespace === undefined ? {} : { namespace }), name });
    const list = byPod.get(key);
    if (list === undefined) byPod.set(key, [event]);
    else list.push(event);
  }
  const [departed, latest] = [departedPods(events), latestTime(events)];
  return [...byPod].flatMap(([key, own]) => {
    const known = seen.get(key);
    // What the kubelet evicts it stops, too; the pod stays, as a failed one.
    const isGone = departed.has(key) && !own.some((event) => stepOf(event) === 'evicted');
    if (known === undefined && (isGone || own.every((event) => isOver(event, latest)))) return [];
    const namespace = asText(dig(own[0], 'involvedObject', 'namespace')) ?? own[0]?.metadata.namespace;
    if (
      known === undefined
        ? isListed(namespace) && !(key.includes('<') && [...seen.values()].some(isWaiting))
        : shows(known, 'status.containerStatuses.state.waiting.reason') || shows(known, 'spec.nodeName')
    )
      return [];
    return implied({ name: asText(dig(own[0], 'involvedObject', 'name')) ?? '', namespace, latest }, own, known) ?? [];
  });
}

/** Of several such pods in a list, what is told without a name is about one. */
function isWaiting({ status }: KubeObject): boolean {
  return (
    dig(status, 'phase') === 'Pending' || asList(dig(status, 'containerStatuses')).some((one) => dig(one, 'state', 'waiting') !== undefined)
  );
}

/** What an event says lasts for a while: of a trouble that is still there, the kubelet or the scheduler speaks again. */
function isOver(event: KubeObject, latest: Instant): boolean {
  const at = eventTime(event);
  return at !== undefined && latest - at > (stepOf(event) === 'crash' ? BACK_OFF_MILLISECONDS : LASTING_MILLISECONDS);
}

const LASTING_MILLISECONDS = 900_000;
/** The longest back-off, with the time that the next run may take. Source: pkg/kubelet/kubelet.go (MaxCrashLoopBackOff). */
const BACK_OFF_MILLISECONDS = 360_000;

/** Claims of which only events tell that they got no volume: they are Pending. */
export function impliedClaims(events: readonly KubeObject[], seen: ReadonlySet<string>): readonly KubeObject[] {
  return impliedBy(events, seen, 'PersistentVolumeClaim', (reason, _, draft) =>
    UNBOUND.has(reason) ? draft.show('status.phase', 'Pending') : reason === 'ClaimLost' ? draft.show('status.phase', 'Lost') : undefined,
  );
}

/** Autoscalers of which only events tell that they get no metrics. Source: pkg/controller/podautoscaler/horizontal.go. */
export function impliedAutoscalers(events: readonly KubeObject[], seen: ReadonlySet<string>): readonly KubeObject[] {
  return impliedBy(events, seen, 'HorizontalPodAutoscaler', (reason, message, draft) =>
    message !== '' && /^Failed(?:Get\w{0,60}Metrics?|Compute(?:Metrics)?Replicas)$/.test(reason)
      ? withCondition(draft, { type: 'ScalingActive', status: 'False', reason, message })
      : undefined,
  );
}

/** Jobs of which only events tell that they have failed or are suspended. Source: pkg/controller/job/job_controller.go. */
export function impliedJobs(events: readonly KubeObject[], seen: ReadonlySet<string>): readonly KubeObject[] {
  return impliedBy(events, seen, 'Job', (reason, message, draft) => {
    if (reason === 'Suspended' || reason === 'Resumed') return draft.show('spec.suspend', reason === 'Suspended');
    return FAILS_JOB.has(reason) ? withCondition(draft, { type: 'Failed', status: 'True', reason, message }) : undefined;
  });
}

/**
 * ReplicaSets of which only events tell that they cannot create pods, with the Deployment they belong to by their name where that was
 * seen. Source: pkg/controller/controller_utils.go (createPods).
 */
export function impliedReplicaSets(events: readonly KubeObject[], seen: ReadonlySet<string>): readonly KubeObject[] {
  return impliedBy(events, seen, 'ReplicaSet', (reason, _, draft) => (reason === 'FailedCreate' ? draft : undefined)).flatMap((object) => {
    const { namespace } = object.metadata;
    const name = deploymentOf(object.metadata.name) ?? '';
    const isSeen = seen.has(formatRef({ kind: 'Deployment', ...(namespace === undefined ? {} : { namespace }), name }));
    return isSeen
      ? [new Draft('ReplicaSet', object.metadata.name, namespace).set('metadata.ownerReferences', [ownerNamed(name)]).build()]
      : [];
  });
}

function ownerNamed(name: string): JsonObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', name, uid: '', controller: true };
}

function withCondition(draft: Draft, condition: JsonObject): Draft {
  return draft
    .set('status.conditions', [condition])
    .covers('status.conditions.type', 'status.conditions.status', 'status.conditions.reason');
}

/**
 * Objects of a kind that only events tell of; `tell` puts what the reason and message of one say into its object, or gives undefined where
 * they say nothing. The latest counts.
 */
function impliedBy(
  events: readonly KubeObject[],
  seen: ReadonlySet<string>,
  kind: string,
  tell: (reason: string, message: string, draft: Draft) => Draft | undefined,
): readonly KubeObject[] {
  const found = new Map<string, KubeObject>();
  for (const event of inOrder(events.filter((one) => dig(one, 'involvedObject', 'kind') === kind))) {
    const [namespace, name] = [
      asText(dig(event, 'involvedObject', 'namespace')) ?? event.metadata.namespace,
      asText(dig(event, 'involvedObject', 'name')) ?? '',
    ];
    const told = tell(asText(dig(event, 'reason')) ?? '', asText(dig(event, 'message')) ?? '', new Draft(kind, name, namespace));
    const key = formatRef({ kind, ...(namespace === undefined ? {} : { namespace }), name });
    if (told !== undefined && !seen.has(key)) found.set(key, told.build());
  }
  return [...found.values()];
}

const FAILS_JOB: ReadonlySet<string> = new Set(['BackoffLimitExceeded', 'DeadlineExceeded', 'PodFailurePolicy']);
const UNBOUND: ReadonlySet<string> = new Set([
  'ProvisioningFailed',
  'FailedBinding',
  'VolumeMismatch',
  'ExternalProvisioning',
  'WaitForPodScheduled',
]);

interface Named {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly latest: Instant;
}

/** A step, and the event that tells of it. */
interface PodStep {
  readonly step: Step;
  readonly event: KubeObject;
}

function implied({ name, namespace, latest }: Named, events: readonly KubeObject[], known: KubeObject | undefined): KubeObject | undefined {
  const draft = new Draft('Pod', name, namespace);
  const steps = inOrder(events).flatMap((event) => {
    const step = stepOf(event);
    return step === undefined || (step === 'crash' && isOver(event, latest)) ? [] : [{ step, event }];
  });
  if (steps.length === 0 && known !== undefined) return undefined;
  const last = lastStep(steps);
  showNode(steps, last?.step, draft);
  const claim = steps
    .map(({ step, event }) => (step === 'unscheduled' ? claimIn(event) : undefined))
    .findLast((found) => found !== undefined);
  if (claim !== undefined) draft.set('spec.volumes', [{ name: '<volume>', persistentVolumeClaim: { claimName: claim } }]);
  if (last !== undefined && known === undefined) phase(last.step, last.event, draft);
  if (last !== undefined && last.step !== 'evicted' && last.step !== 'rejected') containers(steps, draft);
  return draft.build();
}

/** Steps of a pod that only its node's kubelet tells of, and mostly without the node's name. */
const ON_A_NODE: ReadonlySet<Step | undefined> = new Set<Step>(['mounting', 'sandbox', 'evicted', 'rejected']);

function showNode(steps: readonly PodStep[], last: Step | undefined, draft: Draft): void {
  const node = steps.map(({ event }) => nodeIn(event)).findLast((found) => found !== undefined);
  if (node !== undefined) draft.show('spec.nodeName', node);
  else if (last === 'unscheduled') draft.show('spec.nodeName');
  else if (ON_A_NODE.has(last)) draft.show('spec.nodeName', '<node>');
}

/** The kubelet rejects a pod in the second in which it was assigned, and ages are rounded: Scheduled may seem to come later. */
function lastStep(steps: readonly PodStep[]): PodStep | undefined {
  // Of a pod that is over, a kubelet that was restarted may still say that its volumes cannot be mounted.
  const settled = steps.findLast(({ step }) => step !== 'mounting');
  if (settled?.step === 'evicted' || settled?.step === 'rejected') return settled;
  const [before, last] = [steps.at(-2), steps.at(-1)];
  const apart = (parseInstant(dig(last?.event, 'lastTimestamp')) ?? 0) - (parseInstant(dig(before?.event, 'lastTimestamp')) ?? 0);
  return last?.step === 'assigned' && before?.step === 'rejected' && apart <= ROUNDED_MS ? before : last;
}

const ROUNDED_MS = 2000;

/** Oldest first; events without a time stay where they stand. */
function inOrder(events: readonly KubeObject[]): readonly KubeObject[] {
  const timed = events.every((event) => dig(event, 'lastTimestamp') !== undefined);
  return timed
    ? events.toSorted((a, b) => (parseInstant(dig(a, 'lastTimestamp')) ?? 0) - (parseInstant(dig(b, 'lastTimestamp')) ?? 0))
    : events;
}

function nodeIn(event: KubeObject): string | undefined {
  const assigned = /^Successfully assigned \S{1,507} to ([\w.-]{1,253})/.exec(asText(dig(event, 'message')) ?? '')?.[1];
  return assigned ?? (dig(event, 'source', 'component') === 'kubelet' ? asText(dig(event, 'source', 'host')) : undefined);
}

function claimIn(event: KubeObject): string | undefined {
  return /persistentvolumeclaim "([^"]{1,253})" (?:not found|is being deleted)|PersistentVolumeClaim is not bound: "([^"]{1,253})"/
    .exec(asText(dig(event, 'message')) ?? '')
    ?.slice(1)
    .find((name) => name !== undefined);
}

function phase(step: Step, event: KubeObject, draft: Draft): void {
  if (step === 'evicted' || step === 'rejected') {
    draft
      .show('status.phase', 'Failed')
      .show('status.reason', asText(dig(event, 'reason')))
      .show('status.message', asText(dig(event, 'message')));
  } else if (step !== 'crash' && step !== 'started' && step !== 'pulled') draft.show('status.phase', 'Pending');
}

/** A container waits for what its last event says, unless that went well later. */
function containers(steps: readonly PodStep[], draft: Draft): void {
  const waiting = new Map<string, JsonObject>();
  for (const { step, event } of steps) {
    const name = containerOf(event);
    if (step === 'pulled' || step === 'started') {
      if (step === 'started') waiting.delete(name);
      else if (isPull(waiting.get(name))) waiting.delete(name);
      continue;
    }
    const reason =
      step === 'pull' ? pullReason(event) : step === 'start' ? 'CreateContainerError' : step === 'crash' ? 'CrashLoopBackOff' : undefined;
    if (reason === undefined || (step === 'crash' && isStart(waiting.get(name)))) continue;
    const image = imageIn(event) ?? asText(dig(waiting.get(name), 'image'));
    waiting.set(name, { name, ...(image === undefined ? {} : { image }), state: { waiting: { reason } } });
  }
  if (waiting.size === 0) return;
  const statuses: Json[] = [...waiting.values()].map((status) => ({ image: '<image>', ...status }));
  draft.set('status.containerStatuses', statuses).covers('status.containerStatuses.name', 'status.containerStatuses.state.waiting.reason');
}

function isPull(status: JsonObject | undefined): boolean {
  return /Image/.test(asText(dig(status, 'state', 'waiting', 'reason')) ?? '');
}

function isStart(status: JsonObject | undefined): boolean {
  return status !== undefined && dig(status, 'state', 'waiting', 'reason') === 'CreateContainerError';
}

/** Source: pkg/kubelet/images/types.go. */
function pullReason(event: KubeObject): string {
  const reason = dig(event, 'reason');
  if (reason === 'ErrImageNeverPull' || dig(event, 'message') === 'Error: ErrImageNeverPull') return 'ErrImageNeverPull';
  return reason === 'InspectFailed' ? 'InvalidImageName' : 'ImagePullBackOff';
}

function containerOf(event: KubeObject): string {
  return /\{([^{}]{1,253})\}$/.exec(asText(dig(event, 'involvedObject', 'fieldPath')) ?? '')?.[1] ?? '<container>';
}

function imageIn(event: KubeObject): string | undefined {
  const message = asText(dig(event, 'message')) ?? '';
  const [, host, repository, tag = ''] = MANIFEST_URL.exec(message) ?? [];
  const named = /(?:image|tag) "([^"]{1,1000})"|(?:manifest for|trying to pull repository) ([^\s"]{1,500}?)(?: not found|: |$)/i.exec(
    message,
  );
  return (
    named?.[1] ?? named?.[2] ?? (host === undefined ? undefined : `${host}/${repository ?? ''}${tag.startsWith('sha') ? '@' : ':'}${tag}`)
  );
}

/** Where a registry keeps the manifest of an image. Source: opencontainers/distribution-spec (Pulling manifests). */
const MANIFEST_URL = /https?:\/\/([^/\s"]{1,253})\/v2\/([^\s"]{1,500})\/manifests\/(sha256:[0-9a-f]{1,64}|[\w.-]{1,128})/;
