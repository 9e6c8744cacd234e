import type { Instant } from '../../base/instant.ts';
import { ordinalIn } from '../../base/template-hash.ts';
import { parseInstant } from '../../base/instant.ts';
import { asBoolean, asList, asNumber, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { controllerOf, formatRef, labelsOf, refOf, shows } from '../../model/kube-object.ts';
import { evictionOf } from '../events/evictions.ts';
import type { FactSink, FieldValues, WordOf } from '../survey/fact-sink.ts';
import { podEvents } from '../events/pod-events.ts';
import { managedBy } from './managed-by.ts';
import { ageSeconds, conditionOf, isReady } from './pods.ts';
import type { Scene } from '../survey/scene.ts';
import { templateOf } from './workloads.ts';

/** A `pod` fact for every pod that is judged, and for those whose ports are the node's: they keep others off these. */
export async function collectPods(scene: Scene, sink: FactSink): Promise<void> {
  const events = await podEvents(scene);
  for (const pod of scene.pods.filter((one) => scene.isJudged(one) || dig(one, 'spec', 'hostNetwork') === true)) {
    const ref = refOf(pod);
    const node = asText(dig(pod, 'spec', 'nodeName'));
    const phase = asText(dig(pod, 'status', 'phase'));
    const eviction = evictionOf(pod, events.of(pod));
    sink.fact(
      'pod',
      ref,
      {
        phase,
        reason: asText(dig(pod, 'status', 'reason')) ?? (eviction === undefined ? undefined : 'Evicted'),
        message: asText(dig(pod, 'status', 'message')) ?? eviction?.message,
        node,
        scheduled: node !== undefined ? true : shows(pod, 'spec.nodeName') ? false : undefined,
        ready: isReady(pod),
        deleting: shows(pod, 'metadata.deletionTimestamp') ? dig(pod, 'metadata', 'deletionTimestamp') !== undefined : undefined,
        untakenSeconds: untakenFor(pod, scene.survey.now()),
        ...endingOf(pod, scene.survey.now()),
        pinned: pinnedTo(pod, node, scene),
        held: heldByOwner(pod, scene),
        owned: shows(pod, 'metadata.ownerReferences') ? controllerOf(pod) !== undefined : undefined,
        belongsTo: managedBy(pod),
        hostNetwork: asBoolean(dig(pod, 'spec', 'hostNetwork')) ?? (shows(pod, 'spec.hostNetwork') ? false : undefined),
        serviceAccount: asText(dig(pod, 'spec', 'serviceAccountName')),
        scheduler: asText(dig(pod, 'spec', 'schedulerName')),
        restartPolicy: asText(dig(pod, 'spec', 'restartPolicy')),
        ip: asText(dig(pod, 'status', 'podIP')),
        ageSeconds: ageSeconds(pod, scene.survey.now()),
        gates: shows(pod, 'spec.schedulingGates') ? asList(dig(pod, 'spec', 'schedulingGates')).length : undefined,
        hasStatuses: shows(pod, 'status.containerStatuses.ready') ? asList(dig(pod, 'status', 'containerStatuses')).length > 0 : undefined,
      },
      { source: `${formatRef(ref)} status`, quote: quoteOf(pod, phase, node) },
    );
  }
}

/** A kubelet that takes a pod writes status.startTime first. Source: pkg/kubelet/kubelet_pods.go (generateAPIPodStatus). */
function untakenFor(pod: KubeObject, now: Instant): number | undefined {
  const { status } = pod;
  if (dig(status, 'phase') !== 'Pending' || !shows(pod, 'status.startTime')) return undefined;
  if (['startTime', 'containerStatuses', 'initContainerStatuses'].some((field) => dig(status, field) !== undefined)) return undefined;
  const scheduled = conditionOf(pod, 'PodScheduled');
  const since = dig(scheduled, 'status') === 'True' ? parseInstant(dig(scheduled, 'lastTransitionTime')) : undefined;
  return since === undefined ? undefined : Math.max(0, Math.round((now - since) / 1000));
}

/** deletionTimestamp is the time at which the pod has to be gone. Source: staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go. */
function endingOf({ metadata }: KubeObject, now: Instant): FieldValues<'pod'> {
  const [until, graceSeconds] = [parseInstant(metadata['deletionTimestamp']), asNumber(metadata['deletionGracePeriodSeconds'])];
  if (until === undefined || graceSeconds === undefined) return {};
  return { graceSeconds, endingSeconds: Math.max(0, Math.round((now - until) / 1000) + graceSeconds) };
}

/** With OnDelete a new template reaches a pod only when that is deleted. Source: pkg/controller/daemon/update.go (rollingUpdate). */
function heldByOwner(pod: KubeObject, scene: Scene): WordOf<'pod', 'held'> | undefined {
  const owner = controllerOf(pod);
  const set = owner?.kind === 'StatefulSet' || owner?.kind === 'DaemonSet' ? scene.workload(owner) : undefined;
  if (set === undefined || isReady(pod) !== false || dig(pod, 'metadata', 'deletionTimestamp') !== undefined) return undefined;
  if (dig(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return 'on-delete';
  return set.kind === 'StatefulSet' ? heldInOrder(pod, set) : undefined;
}

/**
 * With OrderedReady a StatefulSet replaces no pod while one is not ready, not even that one by a corrected template. Source:
 * pkg/controller/statefulset/stateful_set_control.go (updateStatefulSet).
 */
function heldInOrder(pod: KubeObject, set: KubeObject): WordOf<'pod', 'held'> | undefined {
  if (dig(set, 'spec', 'podManagementPolicy') === 'Parallel') return undefined;
  if (isBelowPartition(pod, set)) return 'partition';
  const [own, present] = [labelsOf(pod)['controller-revision-hash'], asText(dig(set, 'status', 'updateRevision'))];
  return own !== undefined && present !== undefined && own !== present ? 'outdated' : 'current';
}

/** Such a pod comes back with the template it has. Source: pkg/controller/statefulset/stateful_set_utils.go (newVersionedStatefulSetPod). */
function isBelowPartition(pod: KubeObject, set: KubeObject): boolean {
  const partition = asNumber(dig(set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition')) ?? 0;
  const [first, ordinal] = [asNumber(dig(set, 'spec', 'ordinals', 'start')) ?? 0, ordinalIn(pod.metadata.name)];
  return ordinal !== undefined && ordinal < first + partition;
}

/** A new pod without this name is placed by the scheduler. */
function pinnedTo(pod: KubeObject, node: string | undefined, scene: Scene): string | undefined {
  if (!shows(pod, 'metadata.ownerReferences')) return undefined;
  const workload = scene.workloadOf(refOf(pod));
  if (workload === undefined) return controllerOf(pod) === undefined ? node : undefined;
  const owner = scene.workload(workload);
  return owner === undefined ? undefined : asText(dig(templateOf(owner), 'spec', 'nodeName'));
}

function quoteOf(pod: KubeObject, phase: string | undefined, node: string | undefined): string {
  const [reason, message] = [asText(dig(pod, 'status', 'reason')), asText(dig(pod, 'status', 'message'))];
  return [
    `phase: ${phase ?? 'unknown'}`,
    ...(node === undefined ? [] : [`node: ${node}`]),
    ...(reason === undefined ? [] : [`reason: ${reason}`]),
    ...(message === undefined ? [] : [`message: ${message.trim()}`]),
  ].join(', ');
}
