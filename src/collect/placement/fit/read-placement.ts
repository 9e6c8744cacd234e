import { asText, dig } from '../../../base/json.ts';
import { once } from '../../../base/once.ts';
import type { ListRead } from '../../../model/cluster-reader.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { inNamespace, objectKey } from '../../../model/kube-object.ts';
import { selectorOfFields } from '../../../model/selectors.ts';
import type { Scene } from '../../survey/scene.ts';
import { claimsOf } from './pod-volumes.ts';
import type { PodView } from './pod-view.ts';
import type { Said } from './scheduler-message.ts';
import type { PlacementView } from './placement-view.ts';
import { makePlacementView } from './placement-view.ts';

/** Beyond so many nodes their pods are not read for one target: the scheduler's words have to do. */
const SMALL_CLUSTER = 20;

/**
 * Reads what the fit is computed from, as little as does: pods of other namespaces only where something on the nodes may be full. Only a
 * stored
 * source has some of the pods of a list; what it has of each node (a `describe` of it) costs nothing to ask for.
 */
export async function readPlacement(
  scene: Scene,
  nodes: readonly KubeObject[],
  views: readonly PodView[],
  said: readonly (Said | undefined)[],
): Promise<PlacementView> {
  const pods = new PodSet(scene.pods);
  const add = (list: ListRead): boolean => {
    if (!list.ok) return false;
    for (const pod of list.value) pods.add(pod);
    return list.partial === undefined;
  };
  const namespaces = [...new Set(views.map(({ pod }) => pod.metadata.namespace ?? 'default'))];
  const everywhere = scene.request.target === undefined && scene.request.namespace === undefined;
  const crowded = said.some((one) => one === undefined || one.reasons.some(({ blocker }) => NEIGHBOURLY.has(blocker)));
  const looked =
    everywhere || (crowded && nodes.length > 0 && nodes.length <= SMALL_CLUSTER) ? await scene.survey.list('Pod', {}) : undefined;
  const allPods = looked !== undefined && add(looked);
  const wholeNodes = new Set<string>();
  const wholeNamespaces = new Set<string>();
  if (!allPods && crowded) {
    for (const namespace of namespaces) if (add(await scene.survey.list('Pod', { namespace }))) wholeNamespaces.add(namespace);
    for (const { metadata } of mayTellMore(looked, scene) ? nodes : [])
      if (add(await scene.survey.list('Pod', { fieldSelector: selectorOfFields({ 'spec.nodeName': metadata.name }) })))
        wholeNodes.add(metadata.name);
  }
  const { claims, volumes } = await claimsAndVolumes(scene, views);
  return makePlacementView({ nodes, pods: pods.all, allPods, wholeNodes, wholeNamespaces, claims, volumes });
}

/** Whether a list of one node's pods may show some that the list of all does not. */
function mayTellMore(all: ListRead | undefined, { survey }: Scene): boolean {
  return all?.ok === true && survey.mayHaveNodeLists;
}

/** Pods, each once. Mostly the very same objects come again: only for others it is worked out what they are called. */
class PodSet {
  readonly all: KubeObject[];
  readonly #objects: Set<KubeObject>;
  readonly #names = once(() => new Set(this.all.map((pod) => objectKey(pod))));

  constructor(pods: readonly KubeObject[]) {
    this.all = [...pods];
    this.#objects = new Set(pods);
  }

  add(pod: KubeObject): void {
    if (this.#objects.has(pod)) return;
    this.#objects.add(pod);
    const name = objectKey(pod);
    if (this.#names().has(name)) return;
    this.#names().add(name);
    this.all.push(pod);
  }
}

/** Blockers that lie with the other pods. */
const NEIGHBOURLY: ReadonlySet<string> = new Set([
  'resource',
  'pod-count',
  'host-port',
  'volume-in-use',
  'spread',
  'pod-affinity',
  'pod-anti-affinity',
  'existing-anti-affinity',
  'other',
]);

async function claimsAndVolumes(
  scene: Scene,
  views: readonly PodView[],
): Promise<{ readonly claims: readonly KubeObject[]; readonly volumes: readonly KubeObject[] }> {
  const claims = new Map<string, KubeObject>();
  const volumes = new Map<string, KubeObject>();
  if (scene.request.target === undefined && views.some((view) => claimsOf(view).length > 0)) {
    await scene.survey.list('PersistentVolumeClaim', inNamespace(scene.request.namespace));
  }
  for (const view of views) {
    const { namespace } = view.pod.metadata;
    for (const { claim } of claimsOf(view)) {
      const read = await scene.survey.get({
        kind: 'PersistentVolumeClaim',
        ...inNamespace(namespace),
        name: claim,
      });
      if (!read.ok) continue;
      claims.set(objectKey(read.value), read.value);
      const volumeName = asText(dig(read.value, 'spec', 'volumeName'));
      if (volumeName === undefined || volumeName === '' || volumes.has(volumeName)) continue;
      const volume = await scene.survey.get({ kind: 'PersistentVolume', name: volumeName });
      if (volume.ok) volumes.set(volumeName, volume.value);
    }
  }
  return { claims: [...claims.values()], volumes: [...volumes.values()] };
}
