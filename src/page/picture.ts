import type { Instant } from '../base/instant.ts';
import { asList, asText, dig } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import type { KubeObject } from '../model/kube-object.ts';
import type { Cluster } from '../simulator/index.ts';

/** Where a pod is on its way, as its own status tells; the order of the rows of the picture. */
export const PLACES = [
  'scheduling',
  'volumes, network',
  'images',
  'containers',
  'probes',
  'ready',
  'completed',
  'failed',
  'terminating',
] as const;
export type Place = (typeof PLACES)[number];

/** How it stands there. */
export type Standing = 'good' | 'waiting' | 'bad';

/** A pod in the picture: `node` is a place in `nodes`, or -1. */
export interface Dot {
  readonly name: string;
  readonly namespace: string;
  readonly place: number;
  readonly node: number;
  readonly standing: Standing;
}

export interface Picture {
  readonly nodes: readonly { readonly name: string; readonly ready: boolean }[];
  readonly dots: readonly Dot[];
  readonly now: Instant;
  /** Milliseconds after the start. */
  readonly elapsed: number;
  readonly isPlayed: boolean;
}

/** The pods of a cluster by stage and node. */
export function dotsOf(cluster: Cluster): Pick<Picture, 'nodes' | 'dots'> {
  const nodes = cluster.store.list('nodes').map((node) => ({ name: node.metadata.name, ready: isTrue(node, 'Ready') }));
  const places = new Map(nodes.map(({ name }, at) => [name, at]));
  const dots = cluster.store.list('pods').map((pod) => {
    const [place, standing] = placeOf(pod);
    return {
      name: pod.metadata.name,
      namespace: pod.metadata.namespace ?? '',
      place: PLACES.indexOf(place),
      node: places.get(asText(dig(pod, 'spec', 'nodeName')) ?? '') ?? -1,
      standing,
    };
  });
  return { nodes, dots };
}

function placeOf(pod: KubeObject): readonly [Place, Standing] {
  if (pod.metadata['deletionTimestamp'] !== undefined) return ['terminating', 'waiting'];
  const phase = dig(pod, 'status', 'phase');
  if (phase === 'Succeeded') return ['completed', 'good'];
  if (phase === 'Failed') return ['failed', 'bad'];
  if (dig(pod, 'spec', 'nodeName') === undefined) return ['scheduling', condition(pod, 'PodScheduled') === undefined ? 'waiting' : 'bad'];
  if (isTrue(pod, 'Ready')) return ['ready', 'good'];
  const statuses = [...asList(dig(pod, 'status', 'initContainerStatuses')), ...asList(dig(pod, 'status', 'containerStatuses'))];
  const reasons = statuses.map((one) => asText(dig(one, 'state', 'waiting', 'reason')) ?? '');
  if (reasons.some((reason) => /Image|Registry/.test(reason))) return ['images', 'bad'];
  if (reasons.some((reason) => !WAITS.includes(reason))) return ['containers', 'bad'];
  if (statuses.some((one) => dig(one, 'state', 'terminated') !== undefined && dig(one, 'state', 'terminated', 'exitCode') !== 0))
    return ['containers', 'bad'];
  if (!isTrue(pod, 'PodReadyToStartContainers')) return ['volumes, network', 'waiting'];
  if (isTrue(pod, 'Initialized') && statuses.every((one) => !isMain(one, pod) || dig(one, 'state', 'running') !== undefined))
    return ['probes', 'waiting'];
  const pulled = statuses.some((one) => (asText(dig(one, 'imageID')) ?? '') !== '');
  return [pulled ? 'containers' : 'images', 'waiting'];
}

/** Reasons for waiting that every start has. */
const WAITS = ['', 'ContainerCreating', 'PodInitializing'];

function isMain(status: Json, pod: KubeObject): boolean {
  return asList(dig(pod, 'spec', 'containers')).some((one) => dig(one, 'name') === dig(status, 'name'));
}

function condition(object: KubeObject, type: string): Json | undefined {
  return asList(dig(object, 'status', 'conditions')).find((one) => dig(one, 'type') === type);
}

function isTrue(object: KubeObject, type: string): boolean {
  return dig(condition(object, type), 'status') === 'True';
}
