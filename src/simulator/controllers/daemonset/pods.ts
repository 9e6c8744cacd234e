import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, asObject, asText, asTextMap, dig } from '../../../base/json.ts';
import { withFields } from '../../../base/json-edit.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { annotationsOf } from '../../../model/kube-object.ts';
import type { NewObject } from '../../components/client.ts';
import { matchesNode, untolerated } from '../node-fit.ts';
import { podOfTemplate } from '../pod-control.ts';

/**
 * What a DaemonSet's pod is, and where one belongs. Source: pkg/controller/daemon/util/daemonset_util.go, daemon_controller.go
 * (NodeShouldRunDaemonPod).
 */
export const HASH_LABEL = 'controller-revision-hash';
const GENERATION_LABEL = 'pod-template-generation';

export interface Wanted {
  readonly run: boolean;
  /** One that is there may stay, though none would be put there. */
  readonly stay: boolean;
}

/**
 * Which nodes DaemonSets want pods on: kept for each template and state of a node, since it is asked for every node at every change of a
 * pod.
 */
export class WantedNodes {
  readonly #known = new WeakMap<JsonObject, WeakMap<KubeObject, Wanted>>();

  on(set: KubeObject, node: KubeObject): Wanted {
    const template = asObject(dig(set, 'spec', 'template'));
    const known = this.#known.get(template) ?? new WeakMap<KubeObject, Wanted>();
    this.#known.set(template, known);
    const wanted = known.get(node) ?? decide(asObject(template['spec']), node);
    known.set(node, wanted);
    return wanted;
  }
}

function decide(spec: JsonObject, node: KubeObject): Wanted {
  const nodeName = asText(dig(spec, 'nodeName')) ?? '';
  if ((nodeName !== '' && nodeName !== node.metadata.name) || !matchesNode(spec, node)) return { run: false, stay: false };
  const tolerations = [...asList(dig(spec, 'tolerations')), ...addedTolerations(dig(spec, 'hostNetwork') === true)];
  const taints = asList(dig(node, 'spec', 'taints'));
  if (untolerated(tolerations, taints, ['NoSchedule', 'NoExecute']) === undefined) return { run: true, stay: true };
  return { run: false, stay: untolerated(tolerations, taints, ['NoExecute']) === undefined };
}

export function daemonPod(set: KubeObject, node: string, hash: string): NewObject {
  const pod = podOfTemplate(set, asObject(dig(set, 'spec', 'template')));
  const spec = asObject(pod['spec']);
  const tolerations = [...asList(spec['tolerations'])];
  for (const toleration of addedTolerations(spec['hostNetwork'] === true))
    if (!tolerations.some((own) => sameToleration(own, toleration))) tolerations.push(toleration);
  const generation = annotationsOf(set)['deprecated.daemonset.template.generation'];
  const labels = {
    ...asTextMap(pod.metadata['labels']),
    ...(generation === undefined ? {} : { [GENERATION_LABEL]: generation }),
    [HASH_LABEL]: hash,
  };
  return {
    ...pod,
    metadata: { ...pod.metadata, labels },
    spec: withFields(spec, { affinity: pinned(asObject(spec['affinity']), node), tolerations }),
  };
}

/** The node a pod is or will be on: where it runs, or the one its affinity names. */
export function targetNode(pod: KubeObject): string {
  const nodeName = asText(dig(pod, 'spec', 'nodeName')) ?? '';
  if (nodeName !== '') return nodeName;
  const terms = asList(dig(pod, 'spec', 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'));
  for (const term of terms) {
    const field = asList(dig(term, 'matchFields')).find((one) => dig(one, 'key') === 'metadata.name');
    const name = asText(dig(asList(dig(field, 'values'))[0]));
    if (name !== undefined) return name;
  }
  return '';
}

/** Every term of the affinity, bound to one node. */
function pinned(affinity: JsonObject, node: string): JsonObject {
  const nodeAffinity = asObject(affinity['nodeAffinity']);
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  return withFields(affinity, {
    nodeAffinity: withFields(nodeAffinity, { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } }),
  });
}

function addedTolerations(hostNetwork: boolean): readonly JsonObject[] {
  const on = (effect: string, ...names: readonly string[]): readonly JsonObject[] =>
    names.map((name) => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists', effect }));
  return [
    ...on('NoExecute', 'not-ready', 'unreachable'),
    ...on(
      'NoSchedule',
      'disk-pressure',
      'memory-pressure',
      'pid-pressure',
      'unschedulable',
      ...(hostNetwork ? ['network-unavailable'] : []),
    ),
  ];
}

function sameToleration(a: Json, b: JsonObject): boolean {
  return dig(a, 'key') === b['key'] && dig(a, 'effect') === b['effect'] && dig(a, 'operator') === b['operator'];
}
