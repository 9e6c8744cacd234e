import type { Json } from '../../base/json.ts';
import { asList, asNumber, asText, dig } from '../../base/json.ts';
import { textOf } from '../../base/json-text.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, controllerOf } from '../../model/kube-object.ts';
import type { Call } from './call.ts';
import { containersLines, tolerationLines, volumeLines } from './describe-pod.ts';
import { labelsText } from './get.ts';
import { longTime, mapLines } from './metadata-lines.ts';

/** Deployments, ReplicaSets, StatefulSets, DaemonSets and Jobs. Source: staging/src/k8s.io/kubectl/pkg/describe/describe.go. */
export function describeWorkload(object: KubeObject, call: Call): readonly string[] {
  const { metadata, kind } = object;
  const [spec, status] = [object['spec'] ?? {}, object['status'] ?? {}];
  const owner = controllerOf(object);
  return [
    `Name:\t${metadata.name}`,
    `Namespace:\t${metadata.namespace ?? ''}`,
    ...(kind === 'Deployment' || kind === 'StatefulSet' ? [`CreationTimestamp:\t${longTime(metadata['creationTimestamp'])}`] : []),
    ...(kind === 'Deployment' ? mapLines('Labels', metadata['labels']) : []),
    ...(kind === 'Deployment' ? mapLines('Annotations', applied(metadata['annotations'])) : []),
    `Selector:\t${labelsText(dig(spec, 'selector', 'matchLabels'))}`,
    ...(kind === 'Deployment' ? [] : mapLines('Labels', metadata['labels'])),
    ...(kind === 'Deployment' ? [] : mapLines('Annotations', applied(metadata['annotations']))),
    ...(owner === undefined ? [] : [`Controlled By:\t${owner.kind}/${owner.name}`]),
    ...replicaLines(kind, spec, status),
    ...(['ReplicaSet', 'StatefulSet', 'DaemonSet'].includes(kind) ? [podsLine(object, call)] : []),
    'Pod Template:',
    ...mapLines('  Labels', dig(spec, 'template', 'metadata', 'labels')),
    ...(dig(spec, 'template', 'spec', 'serviceAccountName') === undefined
      ? []
      : [`  Service Account:\t${textOf(dig(spec, 'template', 'spec', 'serviceAccountName'))}`]),
    ...containersLines('Init Containers', dig(spec, 'template', 'spec', 'initContainers'), undefined, '  '),
    ...containersLines('Containers', dig(spec, 'template', 'spec', 'containers'), undefined, '  '),
    ...[
      ...volumeLines(dig(spec, 'template', 'spec', 'volumes')),
      ...mapLines('Node-Selectors', dig(spec, 'template', 'spec', 'nodeSelector')),
      ...tolerationLines(dig(spec, 'template', 'spec', 'tolerations')),
    ].map((line) => `  ${line}`),
    ...conditions(dig(status, 'conditions')),
    ...(kind === 'Deployment' ? replicaSetLines(object, call) : []),
  ];
}

function podsLine(owner: KubeObject, { kube }: Call): string {
  const pods = kube.cluster.store.list('pods').filter((pod) => controllerOf(pod)?.uid === owner.metadata.uid);
  const count = (phase: string): number => pods.filter((pod) => dig(pod, 'status', 'phase') === phase).length;
  return `Pods Status:\t${count('Running')} Running / ${count('Pending')} Waiting / ${count('Succeeded')} Succeeded / ${count('Failed')} Failed`;
}

/** The ReplicaSets of a Deployment: those of older templates that still have pods, and that of its own. */
function replicaSetLines(deployment: KubeObject, { kube }: Call): readonly string[] {
  const of = annotationsOf(deployment)['deployment.kubernetes.io/revision'];
  const sets = kube.cluster.store.list('replicasets.apps').filter((set) => controllerOf(set)?.uid === deployment.metadata.uid);
  const words = (set: KubeObject): string =>
    `${set.metadata.name} (${asNumber(dig(set, 'status', 'replicas')) ?? 0}/${asNumber(dig(set, 'spec', 'replicas')) ?? 0} replicas created)`;
  const isNew = (set: KubeObject): boolean => annotationsOf(set)['deployment.kubernetes.io/revision'] === of;
  const [fresh, old] = [sets.filter(isNew), sets.filter((set) => !isNew(set))];
  return [`OldReplicaSets:\t${old.map(words).join(', ') || '<none>'}`, `NewReplicaSet:\t${fresh.map(words).join(', ') || '<none>'}`];
}

function applied(annotations: Json | undefined): Json {
  const { 'kubectl.kubernetes.io/last-applied-configuration': _, ...others } = (annotations ?? {}) as Readonly<Record<string, Json>>;
  return others;
}

function replicaLines(kind: string, spec: Json, status: Json): readonly string[] {
  const count = (field: string): number => asNumber(dig(status, field)) ?? 0;
  const wanted = asNumber(dig(spec, 'replicas')) ?? 1;
  switch (kind) {
    case 'Deployment': {
      const [surge, unavailable] = [
        dig(spec, 'strategy', 'rollingUpdate', 'maxSurge'),
        dig(spec, 'strategy', 'rollingUpdate', 'maxUnavailable'),
      ];
      return [
        `Replicas:\t${wanted} desired | ${count('updatedReplicas')} updated | ${count('replicas')} total | ${count('availableReplicas')} available | ${count('unavailableReplicas')} unavailable`,
        `StrategyType:\t${asText(dig(spec, 'strategy', 'type')) ?? ''}`,
        `MinReadySeconds:\t${asNumber(dig(spec, 'minReadySeconds')) ?? 0}`,
        ...(surge === undefined ? [] : [`RollingUpdateStrategy:\t${textOf(unavailable)} max unavailable, ${textOf(surge)} max surge`]),
      ];
    }
    case 'ReplicaSet':
      return [`Replicas:\t${count('replicas')} current / ${wanted} desired`];
    case 'StatefulSet':
      return [
        `Replicas:\t${wanted} desired | ${count('replicas')} total`,
        `Update Strategy:\t${textOf(dig(spec, 'updateStrategy', 'type'))}`,
      ];
    case 'DaemonSet':
      return [
        `Desired Number of Nodes Scheduled:\t${count('desiredNumberScheduled')}`,
        `Current Number of Nodes Scheduled:\t${count('currentNumberScheduled')}`,
        `Number of Nodes Scheduled with Up-to-date Pods:\t${count('updatedNumberScheduled')}`,
        `Number of Nodes Scheduled with Available Pods:\t${count('numberAvailable')}`,
        `Number of Nodes Misscheduled:\t${count('numberMisscheduled')}`,
      ];
    default:
      return [
        `Parallelism:\t${textOf(dig(spec, 'parallelism'))}`,
        `Completions:\t${textOf(dig(spec, 'completions'))}`,
        `Start Time:\t${longTime(dig(status, 'startTime'))}`,
        `Pods Statuses:\t${count('active')} Active (${count('ready')} Ready) / ${count('succeeded')} Succeeded / ${count('failed')} Failed`,
      ];
  }
}

function conditions(all: Json | undefined): readonly string[] {
  const rows = asList(all).map((one) => `  ${textOf(dig(one, 'type'))} \t${textOf(dig(one, 'status'))}\t${textOf(dig(one, 'reason'))}`);
  return rows.length === 0 ? [] : ['Conditions:', '  Type\tStatus\tReason', '  ----\t------\t------', ...rows];
}
