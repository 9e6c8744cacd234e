import type { Instant } from '../../../base/instant.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../../base/json.ts';
import { sameJson, withFields, withPath } from '../../../base/json-edit.ts';
import { largest, smallest } from '../../../base/lists.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import type { LabelMatcher } from '../../apiserver/selectors.ts';
import { parseLabelSelector } from '../../apiserver/selectors.ts';
import type { ComponentDefinition, ComponentHost } from '../../components/component.ts';
import type { Informer } from '../../components/informer.ts';
import { METRICS_API } from '../../metrics/metrics-server.ts';
import type { Routine } from '../../time/routine.ts';
import { keyOfObject } from '../../store/store.ts';
import { timeOf } from '../../time/api-times.ts';
import type { SyncResult, WorkQueue } from '../../components/work-queue.ts';
import { findCondition } from '../conditions.ts';
import { splitKey } from '../ownership.ts';
import { isReady, phaseOf } from '../pod-state.ts';
import { DELETABLE_KINDS } from '../served-kinds.ts';
import type { Proposal } from './metrics-client.ts';
import { proposalFor } from './metrics-client.ts';
import { initializedAt } from './replica-calculator.ts';
import type { Condition, Memory } from './scale-limits.ts';
import { boundsOf, limit } from './scale-limits.ts';
import { AUTOSCALER_WORDS } from './autoscaler-messages.ts';

/**
 * Gives workloads as many replicas as their metrics ask for. A real one looks every 15 s; this one at those of these moments
 * at which something may be different from the time before. Source: pkg/controller/podautoscaler/horizontal.go.
 */
export const HORIZONTAL_POD_AUTOSCALER: ComponentDefinition = {
  name: 'horizontal-pod-autoscaler',
  process: 'kube-controller-manager',
  start,
};

const PERIOD_MILLISECONDS = 15_000;

interface Controller {
  readonly host: ComponentHost;
  readonly autoscalers: Informer;
  readonly pods: Informer;
  readonly queue: WorkQueue;
  /** When each was first seen: it is looked at every 15 s from then on. */
  readonly begun: Map<string, Instant>;
  readonly memories: Map<string, Memory>;
  readonly selectors: Map<string, LabelMatcher>;
}

function start(host: ComponentHost): void {
  const inNamespace = (object: KubeObject): readonly string[] => [object.metadata.namespace ?? ''];
  const autoscalers = host.informer({ kind: 'HorizontalPodAutoscaler' }).addIndex('namespace', inNamespace);
  const pods = host.informer({ kind: 'Pod' }).addIndex('namespace', inNamespace);
  const queue = host.queue({ name: 'horizontalpodautoscaler', workers: 5 }, (key) => sync(controller, key));
  const controller: Controller = { host, autoscalers, pods, queue, begun: new Map(), memories: new Map(), selectors: new Map() };
  const lookAll = (): void => {
    for (const autoscaler of autoscalers.list()) look(controller, keyOfObject(autoscaler));
  };
  autoscalers.onChange(({ type, object, previous }) => {
    const key = keyOfObject(object);
    if (type === 'DELETED') for (const map of [controller.begun, controller.memories, controller.selectors]) map.delete(key);
    else if (previous === undefined || !sameJson(previous['spec'], object['spec'])) look(controller, key);
  });
  pods.onChange(({ object, previous }) => {
    if (
      previous !== undefined &&
      isReady(previous) === isReady(object) &&
      phaseOf(previous) === phaseOf(object) &&
      previous.metadata['deletionTimestamp'] === object.metadata['deletionTimestamp']
    )
      return;
    for (const autoscaler of autoscalers.by('namespace', object.metadata.namespace ?? '')) {
      const key = keyOfObject(autoscaler);
      if (controller.selectors.get(key)?.(labelsOf(object)) !== false) look(controller, key);
    }
  });
  host.informer({ kind: 'APIService' }).onChange(lookAll);
  host.onStop(host.world.aggregated.onChange(lookAll));
  host.onStop(
    host.world.datacenter.onUsage((namespace) => {
      for (const autoscaler of autoscalers.by('namespace', namespace)) look(controller, keyOfObject(autoscaler));
    }),
  );
}

/** At its next turn, or the first one from some moment on. */
function look(
  { host, queue, begun }: Controller,
  key: string,
  from: Instant = host.now(),
  options: { readonly background?: boolean } = {},
): void {
  const since = begun.get(key) ?? host.now();
  begun.set(key, since);
  const turn = since + Math.max(1, Math.ceil((from - since) / PERIOD_MILLISECONDS + 1e-9)) * PERIOD_MILLISECONDS;
  queue.addAfter(key, turn - host.now(), options);
}

function* sync(controller: Controller, key: string): Routine<SyncResult> {
  const { host, autoscalers, memories } = controller;
  const autoscaler = autoscalers.get(...splitKey(key));
  if (autoscaler === undefined) return;
  const draft: Draft = {
    autoscaler,
    conditions: asList(dig(autoscaler, 'status', 'conditions')),
    status: { observedGeneration: autoscaler.metadata['generation'] },
    now: host.now(),
  };
  const memory: Memory = memories.get(key) ?? { recommendations: [], scalings: [] };
  memories.set(key, memory);
  const outcome = yield* reconcile(controller, key, draft, memory);
  const failed = yield* write(host, draft);
  if (failed !== undefined) return { retry: failed };
  if (outcome.failed) look(controller, key, host.now(), { background: true });
  if (outcome.againAt !== undefined) look(controller, key, outcome.againAt);
}

/** The status as it grows. */
interface Draft {
  readonly autoscaler: KubeObject;
  readonly now: Instant;
  conditions: readonly Json[];
  status: JsonObject;
}

interface Outcome {
  readonly failed: boolean;
  readonly againAt: Instant | undefined;
}

const FAILED: Outcome = { failed: true, againAt: undefined };

function* reconcile(controller: Controller, key: string, draft: Draft, memory: Memory): Routine<Outcome> {
  const { host } = controller;
  const { autoscaler } = draft;
  const scale = yield* scaleOf(host, autoscaler);
  if (typeof scale === 'string') {
    host.events.event(autoscaler, { type: 'Warning', reason: 'FailedGetScale', message: scale });
    set(draft, { type: 'AbleToScale', status: 'False', reason: 'FailedGetScale', message: AUTOSCALER_WORDS.noScale(scale) });
    return FAILED;
  }
  set(draft, { type: 'AbleToScale', status: 'True', reason: 'SucceededGetScale', message: AUTOSCALER_WORDS.gotScale });
  const current = asNumber(dig(scale.object, 'spec', 'replicas')) ?? 0;
  draft.status = {
    ...draft.status,
    currentReplicas: asNumber(dig(scale.object, 'status', 'replicas')) ?? 0,
    desiredReplicas: asNumber(dig(autoscaler, 'status', 'desiredReplicas')) ?? 0,
  };
  if (memory.recommendations.length === 0) memory.recommendations = [{ at: draft.now, replicas: current }];
  const decision = yield* decide(controller, { key, draft, memory }, scale.object, current);
  if (decision === undefined) return FAILED;
  draft.status = { ...draft.status, desiredReplicas: decision.replicas };
  if (decision.replicas !== current && !(yield* rescale(host, { key, draft, memory }, scale, current, decision))) return FAILED;
  return { failed: false, againAt: decision.replicas === current ? decision.againAt : draft.now + PERIOD_MILLISECONDS };
}

/** An autoscaler at work: what it will say of itself, and what it remembers. */
interface Work {
  readonly key: string;
  readonly draft: Draft;
  readonly memory: Memory;
}

interface Decision {
  readonly replicas: number;
  readonly reason: string;
  readonly againAt: Instant | undefined;
}

function* decide(controller: Controller, { key, draft, memory }: Work, scale: KubeObject, current: number): Routine<Decision | undefined> {
  const { min, max } = boundsOf(draft.autoscaler);
  if (current === 0 && min !== 0) {
    set(draft, { type: 'ScalingActive', status: 'False', reason: 'ScalingDisabled', message: AUTOSCALER_WORDS.disabled });
    return { replicas: 0, reason: '', againAt: undefined };
  }
  if (current > max) return { replicas: max, reason: 'Current number of replicas above Spec.MaxReplicas', againAt: undefined };
  if (current < min) return { replicas: min, reason: 'Current number of replicas below Spec.MinReplicas', againAt: undefined };
  const computed = yield* compute(controller, key, draft, scale, current);
  if (computed === undefined) return undefined;
  const limited = limit(draft.autoscaler, memory, current, computed.replicas, draft.now);
  for (const condition of limited.conditions) set(draft, condition);
  const moments = [limited.againAt, computed.againAt].filter((at) => at !== undefined);
  const reason = computed.replicas > current ? `${computed.metric} above target` : 'All metrics below target';
  return { replicas: limited.replicas, reason, againAt: moments.length === 0 ? undefined : smallest(moments) };
}

/** The most any metric asks for. Source: horizontal.go (computeReplicasForMetrics). */
function* compute(
  controller: Controller,
  key: string,
  draft: Draft,
  scale: KubeObject,
  current: number,
): Routine<{ readonly replicas: number; readonly metric: string; readonly againAt: Instant | undefined } | undefined> {
  const { host, pods: all, selectors } = controller;
  const { autoscaler } = draft;
  const namespace = autoscaler.metadata.namespace ?? '';
  const selector = asText(dig(scale, 'status', 'selector')) ?? '';
  const matches = parseLabelSelector(selector);
  if (selector === '' || typeof matches !== 'function')
    return unselective(host, draft, {
      event: 'SelectorRequired',
      reason: 'InvalidSelector',
      error: 'selector is required',
      message: AUTOSCALER_WORDS.noSelector,
    });
  selectors.set(key, matches);
  const pods = all.by('namespace', namespace).filter((pod) => matches(labelsOf(pod)));
  const rivals = [...selectors]
    .filter(([other, fits]) => splitKey(other)[0] === namespace && pods.some((pod) => fits(labelsOf(pod))))
    .map(([other]) => other);
  if (rivals.length > 1)
    return unselective(host, draft, {
      event: 'AmbiguousSelector',
      reason: 'AmbiguousSelector',
      error: AUTOSCALER_WORDS.ambiguous(selector, rivals),
      message: AUTOSCALER_WORDS.ambiguous(selector, rivals),
    });
  const metrics = asList(dig(autoscaler, 'spec', 'metrics'));
  const proposals: Proposal[] = [];
  for (const metric of metrics) {
    const proposal = yield* proposalFor(metric, { host, namespace, selector, pods, current });
    if (!proposal.ok) host.events.event(autoscaler, { type: 'Warning', reason: proposal.reason, message: proposal.event });
    proposals.push(proposal);
  }
  const good = proposals.filter((proposal) => proposal.ok);
  const bad = proposals.find((proposal) => !proposal.ok);
  const most = largest(good.map(({ replicas }) => replicas));
  const best = good.find(({ replicas }) => replicas === most);
  draft.status = { ...draft.status, currentMetrics: good.length === 0 ? null : good.map(({ status }) => status) };
  if (bad !== undefined && (best === undefined || best.replicas < current)) {
    set(draft, { type: 'ScalingActive', status: 'False', reason: bad.reason, message: AUTOSCALER_WORDS.notComputed(bad.event) });
    host.events.event(autoscaler, {
      type: 'Warning',
      reason: 'FailedComputeMetricsReplicas',
      message: AUTOSCALER_WORDS.invalidMetrics(metrics.length - good.length, metrics.length, bad.error),
    });
    return undefined;
  }
  if (best === undefined) return undefined;
  set(draft, { type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound', message: AUTOSCALER_WORDS.computed(best.metric) });
  const moments = [host.world.aggregated.get(METRICS_API)?.changesAt(namespace), initializedAt(pods, draft.now)].filter(
    (at) => at !== undefined,
  );
  return { replicas: best.replicas, metric: best.metric, againAt: moments.length === 0 ? undefined : smallest(moments) };
}

interface SelectorTrouble {
  readonly event: string;
  readonly reason: string;
  readonly error: string;
  readonly message: string;
}

function unselective(host: ComponentHost, draft: Draft, { event, reason, error, message }: SelectorTrouble): undefined {
  host.events.event(draft.autoscaler, { type: 'Warning', reason: event, message: error });
  set(draft, { type: 'ScalingActive', status: 'False', reason, message });
  host.events.event(draft.autoscaler, { type: 'Warning', reason: 'FailedComputeMetricsReplicas', message: error });
  return undefined;
}

interface Scale {
  readonly object: KubeObject;
  readonly address: {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly namespace: string;
    readonly name: string;
  };
}

/** The scale of the target, or the words of what is wrong with it. */
function* scaleOf(host: ComponentHost, autoscaler: KubeObject): Routine<Scale | string> {
  const target = dig(autoscaler, 'spec', 'scaleTargetRef');
  const [kind, apiVersion] = [asText(dig(target, 'kind')) ?? '', asText(dig(target, 'apiVersion')) ?? ''];
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
  const served = DELETABLE_KINDS.find((one) => one.kind === kind && one.group === group);
  if (served === undefined) return `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`;
  const address = {
    group,
    version: served.version,
    resource: served.resource,
    namespace: autoscaler.metadata.namespace ?? '',
    name: asText(dig(target, 'name')) ?? '',
  };
  const answer = yield* host.client.send({ verb: 'get', ...address, subresource: 'scale' });
  return answer.ok ? { object: answer.object, address } : answer.message;
}

function* rescale(
  host: ComponentHost,
  { draft, memory }: Work,
  scale: Scale,
  current: number,
  { replicas, reason }: Decision,
): Routine<boolean> {
  const { autoscaler } = draft;
  const answer = yield* host.client.send({
    verb: 'update',
    ...scale.address,
    subresource: 'scale',
    body: withPath(scale.object, ['spec', 'replicas'], replicas),
  });
  if (!answer.ok) {
    host.events.event(autoscaler, {
      type: 'Warning',
      reason: 'FailedRescale',
      message: `${AUTOSCALER_WORDS.resized(replicas, reason)}; error: ${answer.message}`,
    });
    set(draft, { type: 'AbleToScale', status: 'False', reason: 'FailedUpdateScale', message: AUTOSCALER_WORDS.notScaled(answer.message) });
    draft.status = { ...draft.status, desiredReplicas: current };
    return false;
  }
  set(draft, { type: 'AbleToScale', status: 'True', reason: 'SucceededRescale', message: AUTOSCALER_WORDS.scaled(replicas) });
  host.events.event(autoscaler, { type: 'Normal', reason: 'SuccessfulRescale', message: AUTOSCALER_WORDS.resized(replicas, reason) });
  memory.scalings = [
    ...memory.scalings.filter(({ at }) => at > draft.now - LONGEST_PERIOD_MILLISECONDS),
    { at: draft.now, change: replicas - current },
  ];
  draft.status = { ...draft.status, lastScaleTime: timeOf(draft.now) };
  return true;
}

/** Policies look back half an hour at most. */
const LONGEST_PERIOD_MILLISECONDS = 1_800_000;

/** The time of a condition changes with its status only; the order is that in which they first came. */
function set(draft: Draft, condition: Condition): void {
  const known = findCondition(draft.conditions, condition.type);
  const lastTransitionTime =
    known !== undefined && known['status'] === condition.status ? (known['lastTransitionTime'] ?? null) : timeOf(draft.now);
  const next: JsonObject = {
    type: condition.type,
    status: condition.status,
    lastTransitionTime,
    reason: condition.reason,
    message: condition.message,
  };
  draft.conditions = known === undefined ? [...draft.conditions, next] : draft.conditions.map((one) => (one === known ? next : one));
}

function* write(host: ComponentHost, { autoscaler, status, conditions }: Draft): Routine<string | undefined> {
  const before = asObject(autoscaler['status']);
  const next = withFields({ desiredReplicas: 0, currentMetrics: null, ...before }, { ...status, conditions });
  if (sameJson(before, next)) return undefined;
  const answer = yield* host.client.updateStatus(withFields(autoscaler, { status: next }));
  return answer.ok || answer.code === 404 ? undefined : answer.message;
}
