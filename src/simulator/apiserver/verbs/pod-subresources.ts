import type { JsonObject } from '../../../base/json.ts';
import { asList, asNumber, asObject, asText, dig } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import { textOf } from '../../../base/json-text.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import { timeOf } from '../../time/api-times.ts';
import { withTopology } from '../admission/pod-topology-labels.ts';
import { CLUSTER_CA } from '../../x509/certificates.ts';
import { badRequest, conflict, failure, internalError, notFound, plainError, tooManyRequests } from '../failures.ts';
import type { Answer, DeleteOptions, Failure, LogRequest } from '../request.ts';
import { labelSelectorMatcher } from '../selectors.ts';
import type { Call } from '../server-state.ts';
import { checkPreconditions, removeObject } from './delete.ts';

const PODS = { group: '', resource: 'pods' };

/**
 * The scheduler's word: the pod is to run on this node. Holds once.
 * Source: pkg/registry/core/pod/storage/storage.go (BindingREST).
 */
export function bind(call: Call): Answer {
  const { state, request } = call;
  const body = request.body ?? {};
  const name = request.name ?? asText(dig(body, 'metadata', 'name')) ?? '';
  const node = asText(dig(body, 'target', 'name')) ?? '';
  if (node === '') return plainError('target.name: Required value');
  const pod = state.store.get('pods', request.namespace, name);
  if (pod === undefined) return notFound(PODS, name);
  const refused = bindingConflict(body, pod);
  if (refused !== undefined) return refused;
  const now = timeOf(state.now());
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  const others = asList(dig(pod, 'status', 'conditions')).filter((condition) => dig(condition, 'type') !== 'PodScheduled');
  const assigned = withFields(pod, {
    spec: withFields(asObject(pod['spec']), { nodeName: node }),
    status: withFields(asObject(pod['status']), { conditions: [...others, scheduled], nominatedNodeName: undefined }),
  });
  if (request.dryRun !== true) state.store.update('pods', withTopology(assigned, state.store, node));
  return {
    ok: true,
    code: 201,
    object: { kind: 'Status', apiVersion: 'v1', metadata: {} as KubeObject['metadata'], status: 'Success', code: 201 },
    warnings: call.warnings,
  };
}

function bindingConflict(body: JsonObject, pod: KubeObject): Failure | undefined {
  const { name } = pod.metadata;
  const binding = { group: '', resource: 'pods/binding' };
  if (pod.metadata['deletionTimestamp'] !== undefined)
    return conflict(binding, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  const bound = asText(dig(pod, 'spec', 'nodeName')) ?? '';
  if (bound !== '') return conflict(binding, name, `pod ${name} is already assigned to node ${JSON.stringify(bound)}`);
  if (asList(dig(pod, 'spec', 'schedulingGates')).length > 0)
    return conflict(binding, name, `pod ${name} has non-empty .spec.schedulingGates`);
  const uid = asText(dig(body, 'metadata', 'uid'));
  if (uid !== undefined && uid !== '' && uid !== pod.metadata.uid)
    return conflict(binding, name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata.uid ?? ''}`);
  return undefined;
}

/**
 * A deletion that asks the pod's disruption budget first.
 * Source: pkg/registry/core/pod/storage/eviction.go.
 */
export function evict(asked: Call): Answer {
  // A dry run may be asked for in the body, too (propagateDryRun).
  const isDry = asList(dig(asked.request.body, 'deleteOptions', 'dryRun')).includes('All');
  const call = isDry ? { ...asked, request: { ...asked.request, dryRun: true } } : asked;
  const { state, request } = call;
  const name = request.name ?? '';
  const pod = state.store.get('pods', request.namespace, name);
  if (pod === undefined) return notFound(PODS, name);
  const options = { ...request.delete, ...evictionOptions(request.body) };
  const phase = asText(dig(pod, 'status', 'phase'));
  const free = pod.metadata['deletionTimestamp'] !== undefined || phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending';
  if (!free) {
    const budgets = state.store
      .list(BUDGETS, request.namespace)
      .filter((budget) => labelSelectorMatcher(dig(budget, 'spec', 'selector'))(labelsOf(pod)));
    if (budgets.length > 1)
      return failure(
        500,
        'InternalError',
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      );
    const [budget] = budgets;
    const refused = budget === undefined || ignoresBudget(budget, pod) ? undefined : spend(call, budget, pod);
    if (refused !== undefined) return refused;
  }
  const deleting = { ...call, resource: podsOf(call) };
  // It is not marked where it may not be deleted.
  const unmet = checkPreconditions(deleting, pod, options);
  if (unmet !== undefined) return unmet;
  const marked = request.dryRun === true ? pod : state.store.update('pods', withDisruption(pod, timeOf(state.now())));
  const answer = removeObject(deleting, marked, options);
  if (!answer.ok) return answer;
  return {
    ok: true,
    code: 201,
    object: { kind: 'Status', apiVersion: 'v1', metadata: {} as KubeObject['metadata'], status: 'Success', code: 201 },
    warnings: call.warnings,
  };
}

const BUDGETS = 'poddisruptionbudgets.policy';

function podsOf(call: Call): Call['resource'] {
  return call.state.resources.at('', 'v1', 'pods') ?? call.resource;
}

function evictionOptions(body: JsonObject | undefined): Pick<DeleteOptions, 'gracePeriodSeconds' | 'preconditions'> {
  const seconds = asNumber(dig(body, 'deleteOptions', 'gracePeriodSeconds'));
  const uid = asText(dig(body, 'deleteOptions', 'preconditions', 'uid'));
  return { ...(seconds === undefined ? {} : { gracePeriodSeconds: seconds }), ...(uid === undefined ? {} : { preconditions: { uid } }) };
}

/** A pod that is not ready may go when the budget is not met anyway (IfHealthyBudget) or always (AlwaysAllow). */
function ignoresBudget(budget: KubeObject, pod: KubeObject): boolean {
  const ready = asList(dig(pod, 'status', 'conditions')).some(
    (condition) => dig(condition, 'type') === 'Ready' && dig(condition, 'status') === 'True',
  );
  if (ready) return false;
  if (dig(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  return (
    (asNumber(dig(budget, 'status', 'currentHealthy')) ?? 0) >= (asNumber(dig(budget, 'status', 'desiredHealthy')) ?? 0) &&
    (asNumber(dig(budget, 'status', 'desiredHealthy')) ?? 0) > 0
  );
}

function spend(call: Call, budget: KubeObject, pod: KubeObject): Answer | undefined {
  const { state, request } = call;
  const status = asObject(budget['status']);
  const { name } = budget.metadata;
  if ((asNumber(status['observedGeneration']) ?? 0) < (asNumber(budget.metadata['generation']) ?? 0)) {
    return tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", {
      causes: [{ reason: 'DisruptionBudget', message: `The disruption budget ${name} is still being processed by the server.` }],
      retryAfterSeconds: 10,
    });
  }
  const allowed = asNumber(status['disruptionsAllowed']) ?? 0;
  if (allowed <= 0) {
    const message = `The disruption budget ${name} needs ${asNumber(status['desiredHealthy']) ?? 0} healthy pods and has ${asNumber(status['currentHealthy']) ?? 0} currently`;
    return tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", {
      causes: [{ reason: 'DisruptionBudget', message }],
    });
  }
  if (request.dryRun === true) return undefined;
  const disruptedPods = { ...asObject(status['disruptedPods']), [pod.metadata.name]: timeOf(state.now()) };
  state.store.update(BUDGETS, withFields(budget, { status: withFields(status, { disruptionsAllowed: allowed - 1, disruptedPods }) }));
  return undefined;
}

function withDisruption(pod: KubeObject, now: string): KubeObject {
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: now,
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  const conditions = asList(dig(pod, 'status', 'conditions'));
  const known = conditions.find((one) => dig(one, 'type') === 'DisruptionTarget');
  if (known === undefined)
    return withFields(pod, { status: withFields(asObject(pod['status']), { conditions: [...conditions, condition] }) });
  const since = dig(known, 'status') === 'True' ? (dig(known, 'lastTransitionTime') ?? now) : now;
  const renewed = conditions.map((one) => (one === known ? { ...condition, lastTransitionTime: since } : one));
  return withFields(pod, { status: withFields(asObject(pod['status']), { conditions: renewed }) });
}

/** Lines of a container, read from its machine. Source: pkg/registry/core/pod/strategy.go (LogLocation), pkg/kubelet/kubelet_pods.go. */
export function readLog(call: Call): Answer {
  const { state, request } = call;
  const name = request.name ?? '';
  const pod = state.store.get('pods', request.namespace, name);
  if (pod === undefined) return notFound(PODS, name);
  const chosen = chooseContainer(pod, request.log?.container);
  if (typeof chosen !== 'string') return chosen;
  const node = asText(dig(pod, 'spec', 'nodeName')) ?? '';
  if (node === '') return badRequest(`pod ${name} does not have a host assigned`);
  const kubelet = state.world.kubelets.get(node);
  if (kubelet === undefined) return kubeletUnreachable(call, pod, node, chosen);
  const refused = tlsTrouble(call, pod, node, chosen);
  if (refused !== undefined) return refused;
  const reading = kubelet.readLog(pod, chosen, request.log?.previous === true);
  if (!reading.ok) return badRequest(reading.why);
  const { lines, log } = reading;
  const first = firstLine(log.times, request.log ?? {}, state.now());
  return {
    ok: true,
    code: 200,
    object: { kind: 'Log', apiVersion: 'v1', metadata: { name } },
    lines: lines.slice(first),
    log: { ...log, times: log.times.slice(first), before: log.before + first },
    warnings: call.warnings,
  };
}

/** The first line that is asked for: of the last few, and none from before a moment. */
function firstLine(times: readonly number[], { tailLines, sinceSeconds, sinceTime }: LogRequest, now: number): number {
  const since = sinceSeconds === undefined ? sinceTime : now - sinceSeconds * 1000;
  const young = since === undefined ? 0 : times.findIndex((at) => at >= since);
  return Math.max(young < 0 ? times.length : young, tailLines === undefined ? 0 : times.length - tailLines);
}

/**
 * Where a command is to be run: the node and the container, before the kubelet is asked. Source: pkg/registry/core/pod/strategy.go
 * (streamLocation).
 */
export function placeOfContainer(call: Call): Answer {
  const { state, request } = call;
  const name = request.name ?? '';
  const pod = state.store.get('pods', request.namespace, name);
  if (pod === undefined) return notFound(PODS, name);
  const container = chooseContainer(pod, request.log?.container);
  if (typeof container !== 'string') return container;
  const node = nodeOf(call, pod);
  if (typeof node !== 'string') return node;
  return {
    ok: true,
    code: 200,
    object: { kind: 'ContainerPlace', apiVersion: 'v1', metadata: { name }, node, container },
    warnings: call.warnings,
  };
}

/** The node whose kubelet is to be asked. */
export function nodeOf(call: Call, pod: KubeObject): string | Failure {
  const node = asText(dig(pod, 'spec', 'nodeName')) ?? '';
  if (node === '') return badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  return call.state.world.kubelets.has(node) ? node : internalError(`error dialing backend: ${dialTrouble(call, node)}`);
}

function dialTrouble(call: Call, node: string): string {
  const address = call.state.world.machines.get(node)?.spec.address;
  return address === undefined ? `dial tcp: lookup ${node}: no such host` : `dial tcp ${address}:10250: connect: connection refused`;
}

/** The connection to the kubelet failed: Go's words, with the address the API server dialled. */
function kubeletUnreachable(call: Call, pod: KubeObject, node: string, container: string): Answer {
  const address = call.state.world.machines.get(node)?.spec.address;
  const url = logUrl(address ?? node, pod, container);
  return internalError(
    address === undefined
      ? `Get "${url}": dial tcp: lookup ${node}: no such host`
      : `Get "${url}": dial tcp ${address}:10250: connect: connection refused`,
  );
}

function logUrl(host: string, pod: KubeObject, container: string): string {
  return `https://${host}:10250/containerLogs/${pod.metadata.namespace ?? ''}/${pod.metadata.name}/${container}`;
}

/**
 * The kubelet has no serving certificate (nobody approved its request, or it has ended), or does not know who the API server is.
 * A certificate it signed itself is not verified. Source: pkg/kubelet/certificate/kubelet.go (GetCertificate); apimachinery's
 * pkg/api/errors/errors.go (NewGenericServerResponse).
 */
function tlsTrouble({ state }: Call, pod: KubeObject, node: string, container: string): Answer | undefined {
  const { certificates, configuration, machines } = state.world;
  const serving = certificates.get(`kubelet-serving-${node}`);
  const unserved =
    configuration.serverTlsBootstrap && (serving === undefined || certificates.verify(serving, [CLUSTER_CA], state.now()) !== undefined);
  if (unserved)
    return internalError(`Get "${logUrl(machines.get(node)?.spec.address ?? node, pod, container)}": remote error: tls: internal error`);
  if (certificates.trouble('apiserver-kubelet-client', CLUSTER_CA, state.now()) === undefined) return undefined;
  return failure(401, 'Unauthorized', `the server has asked for the client to provide credentials ( pods/log ${pod.metadata.name})`);
}

function chooseContainer(pod: KubeObject, wanted: string | undefined): string | Answer {
  const spec = asObject(pod['spec']);
  const names = (field: string): readonly string[] => asList(spec[field]).map((container) => textOf(dig(container, 'name')));
  const [containers, init] = [names('containers'), names('initContainers')];
  const all = [...containers, ...init, ...names('ephemeralContainers')];
  if (wanted === undefined || wanted === '') {
    const [only] = containers;
    if (containers.length === 1 && only !== undefined) return only;
    const words = init.length === 0 ? '' : ` or one of the init containers: [${init.join(' ')}]`;
    return badRequest(`a container name must be specified for pod ${pod.metadata.name}, choose one of: [${containers.join(' ')}]${words}`);
  }
  return all.includes(wanted) ? wanted : badRequest(`container ${wanted} is not valid for pod ${pod.metadata.name}`);
}
