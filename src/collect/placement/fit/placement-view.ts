import type { Json } from '../../../base/json.ts';
import { asText, dig } from '../../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { formatRef, inNamespace, objectKey, refOf } from '../../../model/kube-object.ts';
import type { Scene } from '../../survey/scene.ts';

/** What the fit of nodes is computed from. */
export interface PlacementView {
  readonly nodes: readonly KubeObject[];
  /** Pods bound to a node that still need their place there, as far as they were seen. */
  readonly podsOn: (node: string) => readonly KubeObject[];
  /** All such pods that were seen. */
  readonly pods: readonly KubeObject[];
  /** Those that have no node yet. */
  readonly waiting: readonly KubeObject[];
  /** Every pod of the node was seen, so that what is free there is known and not only bounded. */
  readonly allPodsOn: (node: string) => boolean;
  /** Every pod of the namespace was seen. */
  readonly allPodsOf: (namespace: string | undefined) => boolean;
  readonly claim: (ref: Pick<ObjectRef, 'namespace' | 'name'>) => KubeObject | undefined;
  readonly volume: (name: string) => KubeObject | undefined;
  readonly nodeNamed: (name: string) => KubeObject | undefined;
}

export function makePlacementView(seen: {
  nodes: readonly KubeObject[];
  pods: readonly KubeObject[];
  allPods: boolean;
  wholeNodes: ReadonlySet<string>;
  wholeNamespaces: ReadonlySet<string>;
  claims: readonly KubeObject[];
  volumes: readonly KubeObject[];
}): PlacementView {
  const present = seen.pods.filter((pod) => !isOver(pod));
  const pods = present.filter((pod) => nodeOf(pod) !== undefined);
  const byNode = new Map<string, KubeObject[]>();
  for (const pod of pods) {
    const node = nodeOf(pod) ?? '';
    const list = byNode.get(node);
    if (list === undefined) byNode.set(node, [pod]);
    else list.push(pod);
  }
  const claims = new Map(seen.claims.map((claim) => [`${claim.metadata.namespace ?? ''} ${claim.metadata.name}`, claim] as const));
  const volumes = new Map(seen.volumes.map((volume) => [volume.metadata.name, volume] as const));
  const nodes = new Map(seen.nodes.map((node) => [node.metadata.name, node] as const));
  return {
    nodes: seen.nodes,
    podsOn: (node) => byNode.get(node) ?? [],
    pods,
    waiting: present.filter((pod) => nodeOf(pod) === undefined),
    allPodsOn: (node) => seen.allPods || seen.wholeNodes.has(node),
    allPodsOf: (namespace) => seen.allPods || seen.wholeNamespaces.has(namespace ?? ''),
    claim: ({ namespace, name }) => claims.get(`${namespace ?? ''} ${name}`),
    volume: (name) => volumes.get(name),
    nodeNamed: (name) => nodes.get(name),
  };
}

export function nodeOf(pod: KubeObject): string | undefined {
  return asText(dig(pod, 'spec', 'nodeName'));
}

/** A pod with the workload it belongs to, for a person: `Pod/shop/web-6d4-x2x7k of Deployment/web`. */
export function belonging(pod: KubeObject, scene: Scene): string {
  const owner = scene.workloadOf(refOf(pod));
  return `${objectKey(pod)}${owner === undefined ? '' : ` of ${owner.kind}/${owner.name}`}`;
}

/** A pod that has ended keeps no place on its node. */
export function isOver(pod: KubeObject): boolean {
  const phase: Json | undefined = dig(pod, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}

export function isSamePod(a: KubeObject, b: ObjectRef): boolean {
  return (
    formatRef({
      kind: 'Pod',
      ...inNamespace(a.metadata.namespace),
      name: a.metadata.name,
    }) === formatRef(b)
  );
}
