import type { Json } from '../../base/json.ts';
import { asList, asNumber, asText, asTextMap, dig } from '../../base/json.ts';
import { onceEach, onceFor } from '../../base/once.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, labelsOf, refOf, shows } from '../../model/kube-object.ts';
import type { Scene } from '../survey/scene.ts';
import { appliedAs, manifestsOf } from '../request/answers/manifests.ts';
import { templateOf } from '../objects/workloads.ts';

/** A port that a container of a pod or template declares. `name` is undefined when there is none, or the source does not show names. */
export interface DeclaredPort {
  readonly container: string;
  readonly name: string | undefined;
  readonly number: number;
  readonly protocol: string;
}

/** What stands behind a Service: the pods its selector fits now, and the templates whose pods it would fit. */
export interface Backends {
  readonly pods: readonly KubeObject[];
  /** Those of the pods that are looked at one by one. */
  readonly judged: readonly KubeObject[];
  readonly workloads: readonly KubeObject[];
  readonly ports: readonly DeclaredPort[];
  /** The sources show the names of ports, so that a name that is not there is not declared. */
  readonly namesShown: boolean;
}

export function selectorOf(service: KubeObject): Readonly<Record<string, string>> {
  return asTextMap(dig(service, 'spec', 'selector'));
}

/** Pods and workloads of the scene that a Service selects, with the ports their containers declare. */
export async function backendsOf(service: KubeObject, scene: Scene): Promise<Backends> {
  const selector = selectorOf(service);
  const { namespace } = service.metadata;
  if (Object.keys(selector).length === 0) return { pods: [], judged: [], workloads: [], ports: [], namesShown: false };
  const near = labelled(scene)(namespace);
  const [pods, workloads, judged] = [near.pods(selector), near.workloads(selector), near.judged(selector)];
  const templates = await manifestTemplates(scene, [...pods, ...workloads]);
  // A pod that another stands for declares what that one does.
  const sources = [
    ...judged.map((pod) => ({ spec: dig(pod, 'spec'), shown: shows(pod, 'spec.containers.ports.name') })),
    ...workloads.map((workload) => ({
      spec: dig(templateOf(workload), 'spec'),
      shown: shows(workload, 'spec.template.spec.containers.ports.name'),
    })),
    ...templates.map((template) => ({ spec: dig(template, 'spec'), shown: true })),
  ];
  return {
    pods,
    judged,
    workloads,
    ports: unique(sources.flatMap(({ spec }) => portsOf(spec))),
    namesShown: sources.some(({ shown }) => shown),
  };
}

/** Pods that others stand for are ready: to look at each of 100,000 took as long as all else about their Services. */
export function countReady({ pods, judged }: Backends, is: (pod: KubeObject) => boolean): number {
  return pods.length - judged.length + judged.filter(is).length;
}

/** Pods and workloads of a namespace by their labels: one of thousands of Services is not gone through for each of these. */
const labelled = onceEach((scene: Scene) =>
  onceFor((namespace: string | undefined) => {
    const { pods, workloads } = scene.within(namespace);
    return {
      pods: byLabels(pods, labelsOf),
      judged: byLabels(pods.filter(scene.isJudged), labelsOf),
      workloads: byLabels(workloads, templateLabels),
    };
  }),
);

/**
 * Finds what has all labels of a selector, in the order of the objects. Pods of a snapshot that are alike have the very same labels, which
 * are looked at once for all of them.
 */
function byLabels(
  objects: readonly KubeObject[],
  labels: (object: KubeObject) => Readonly<Record<string, string>>,
): (selector: Readonly<Record<string, string>>) => readonly KubeObject[] {
  const sets = new Map<Readonly<Record<string, string>>, Labelled>();
  for (const [position, object] of objects.entries()) {
    const set = labels(object);
    const known = sets.get(set);
    if (known === undefined) sets.set(set, { objects: [object], positions: [position] });
    else {
      known.objects.push(object);
      known.positions.push(position);
    }
  }
  const byLabel = new Map<string, Readonly<Record<string, string>>[]>();
  for (const set of sets.keys()) {
    for (const [key, value] of Object.entries(set)) {
      const same = byLabel.get(`${key}=${value}`);
      if (same === undefined) byLabel.set(`${key}=${value}`, [set]);
      else same.push(set);
    }
  }
  return (selector) => {
    let fewest: readonly Readonly<Record<string, string>>[] | undefined;
    for (const [key, value] of Object.entries(selector)) {
      const found = byLabel.get(`${key}=${value}`) ?? [];
      if (fewest === undefined || found.length < fewest.length) fewest = found;
    }
    const selected = (fewest ?? []).flatMap((set) => (selects(selector, set) ? (sets.get(set) ?? []) : []));
    return selected.length === 1 ? (selected[0]?.objects ?? []) : inOrder(selected, objects);
  };
}

/** Objects that have the very same labels, with their positions among all. */
interface Labelled {
  readonly objects: KubeObject[];
  readonly positions: number[];
}

function inOrder(selected: readonly Labelled[], objects: readonly KubeObject[]): readonly KubeObject[] {
  return selected
    .flatMap(({ positions }) => positions)
    .toSorted((a, b) => a - b)
    .flatMap((position) => objects[position] ?? []);
}

export function selects(selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>): boolean {
  const wanted = Object.entries(selector);
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
}

export function templateLabels(workload: KubeObject): Readonly<Record<string, string>> {
  return asTextMap(dig(templateOf(workload), 'metadata', 'labels'));
}

/** A pasted `describe` leaves out much of a template; the manifest as applied has it. */
async function manifestTemplates(scene: Scene, objects: readonly KubeObject[]): Promise<readonly Json[]> {
  if ((await manifestsOf(scene)).length === 0) return [];
  const owners = new Map(objects.flatMap((object) => scene.workloadOf(refOf(object)) ?? []).map((owner) => [formatRef(owner), owner]));
  const applied = await Promise.all([...owners.values()].map((owner) => appliedAs(owner, scene)));
  return applied.flat().flatMap((object) => dig(object, 'spec', 'template') ?? []);
}

function portsOf(podSpec: Json | undefined): readonly DeclaredPort[] {
  const containers = [
    ...asList(dig(podSpec, 'containers')),
    ...asList(dig(podSpec, 'initContainers')).filter((container) => dig(container, 'restartPolicy') === 'Always'),
  ];
  return containers.flatMap((container) =>
    asList(dig(container, 'ports')).flatMap((port) => {
      const number = asNumber(dig(port, 'containerPort'));
      if (number === undefined) return [];
      return [
        {
          container: asText(dig(container, 'name')) ?? '',
          name: asText(dig(port, 'name')),
          number,
          protocol: asText(dig(port, 'protocol')) ?? 'TCP',
        },
      ];
    }),
  );
}

export function formatPort({ number, protocol, name }: DeclaredPort): string {
  return `${String(number)}/${protocol}${name === undefined ? '' : ` (${name})`}`;
}

/** Each port once; of two sightings the one with a name. */
function unique(ports: readonly DeclaredPort[]): readonly DeclaredPort[] {
  const byKey = new Map<string, DeclaredPort>();
  for (const port of ports) {
    const key = `${port.container} ${String(port.number)} ${port.protocol}`;
    if (byKey.get(key)?.name === undefined) byKey.set(key, port);
  }
  return [...byKey.values()];
}
