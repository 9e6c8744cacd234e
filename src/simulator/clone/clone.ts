import type { Instant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import { asText, dig } from '../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { labelsOf } from '../../model/kube-object.ts';
import { Resources } from '../apiserver/resources.ts';
import type { Cluster, ClusterSurroundings } from '../cluster.ts';
import { createCluster } from '../cluster.ts';
import type { Fault } from '../outside/faults.ts';
import { faultsOfPods } from './pod-ills.ts';
import { brokenNodes, faultsOfNodes, machinesOf, pressuresOf } from './machines.ts';
import { reunited } from './owners.ts';
import { restorable } from './restorable.ts';
import { standIns } from './assumed-objects.ts';

export interface CloneOptions {
  /** When the objects were read: the clone begins then. */
  readonly now: Instant;
  readonly seed?: number | string;
  /** Whether all objects of a kind in a namespace are among those given, so that what is not there does not exist. True when not given. */
  readonly isComplete?: (kind: string, namespace: string | undefined) => boolean;
  /** Documents that will be applied: what they name is taken to be there where nobody looked. */
  readonly wanted?: readonly KubeObject[];
  readonly surroundings?: ClusterSurroundings;
}

export interface Clone {
  readonly cluster: Cluster;
  /** Objects that were not taken over, each with a sentence why. */
  readonly leftOut: readonly CloneRemark[];
  /** What nobody saw and is taken to be there, since something that was seen, or is wanted, needs it. */
  readonly assumed: readonly CloneRemark[];
}

export interface CloneRemark {
  readonly about: ObjectRef;
  readonly why: string;
}

/**
 * A simulated cluster in which objects that were read somewhere else stand as they did there: nodes with what they have and repel,
 * workloads with their pods in their places, quotas, policies, claims and volumes, and what kept containers from running. Values of
 * Secrets are not needed. It has come up when it is handed over: healthy pods run, the others fail as they did.
 *
 * What cannot be read off objects is not in it: why a program exits, what a webhook answers (it allows; without ready endpoints it
 * cannot be reached), how much the machines hold beside their pods.
 */
export function cloneCluster(objects: readonly KubeObject[], options: CloneOptions): Clone {
  const { now } = options;
  const isComplete = options.isComplete ?? (() => true);
  const resources = servedWith(objects);
  const leftOut: CloneRemark[] = [];
  const taken = objects.flatMap((object) => {
    const restored = restorable(object, resources, now);
    if (restored.is === 'left-out') leftOut.push({ about: restored.about, why: restored.why });
    return restored.is === 'taken' ? [restored.object] : [];
  });
  const made = standIns({ seen: objects, there: distinct(taken), wanted: options.wanted ?? [], isComplete });
  const extra = made.flatMap(({ object }) => {
    const restored = restorable(object, resources, now);
    return restored.is === 'taken' ? [restored.object] : [];
  });
  const all = reunited(distinct([...taken, ...extra]), now);
  const cluster = createCluster(
    {
      seed: options.seed ?? 1,
      start: now,
      preset: { nodes: machinesOf(all) },
      configuration: { serviceNetwork: serviceNetworkOf(all), nodesAreNew: false },
      setup: [...faultsOfNodes(all), ...faultsOfPods(all, objects)],
      restored: inOrder(all),
      broken: brokenNodes(all).map((node): Fault => ({ fault: 'stop', process: 'kubelet', node })),
    },
    options.surroundings,
  );
  for (const pressure of pressuresOf(all)) cluster.inject(pressure);
  cluster.runUntilSettled({ milliseconds: 10_000 });
  // That a namespace is there is seen by what is in it.
  const inhabited = new Set(taken.map(({ metadata }) => metadata.namespace));
  const assumed = made
    .filter(({ about }) => about.kind !== 'Namespace' || !inhabited.has(about.name))
    .map(({ about, why }) => ({ about, why }));
  return { cluster, leftOut, assumed };
}

/** What is served where these objects come from: the built-in resources and those of its CustomResourceDefinitions. */
function servedWith(objects: readonly KubeObject[]): Resources {
  const resources = new Resources();
  for (const definition of objects) if (definition.kind === 'CustomResourceDefinition') resources.define(definition);
  return resources;
}

/** Of objects with one name the last one counts. */
function distinct(objects: readonly KubeObject[]): readonly KubeObject[] {
  return [
    ...new Map(
      objects.map((object) => [`${object.apiVersion} ${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`, object]),
    ).values(),
  ];
}

/** Definitions before what they define, and namespaces and nodes before what is in them or on them. */
function inOrder(objects: readonly KubeObject[]): readonly JsonObject[] {
  const place = ({ kind }: KubeObject): number => (FIRST.includes(kind) ? FIRST.indexOf(kind) : FIRST.length);
  return objects
    .map((object, index) => ({ object, index }))
    .sort((a, b) => place(a.object) - place(b.object) || a.index - b.index)
    .map(({ object }) => object);
}

const FIRST: readonly string[] = [
  'CustomResourceDefinition',
  'Namespace',
  'Node',
  'PriorityClass',
  'StorageClass',
  'CSIDriver',
  'PersistentVolume',
  'PersistentVolumeClaim',
];

/** The Service of the API server has the first address of its network, and the networks people choose are sixteen bits wide. */
function serviceNetworkOf(objects: readonly KubeObject[]): string {
  const own = objects.find(
    (object) =>
      object.kind === 'Service' &&
      object.metadata.namespace === 'default' &&
      object.metadata.name === 'kubernetes' &&
      labelsOf(object)['provider'] === 'kubernetes',
  );
  const [, network] = /^(\d+\.\d+)\.\d+\.\d+$/.exec(asText(dig(own, 'spec', 'clusterIP')) ?? '') ?? [];
  return `${network ?? '10.96'}.0.0/16`;
}
