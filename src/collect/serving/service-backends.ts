import type { Json } from '../../base/json.ts';
import { asList, asNumber, asText, asTextMap, dig } from '../../base/json.ts';
import { onceEach, onceFor } from '../../base/once.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { labelsOf, refOf, shows } from '../../model/kube-object.ts';
import { APPLIED_MANIFEST } from '../../model/record-kinds.ts';
import type { Scene } from '../survey/scene.ts';
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
  if (Object.keys(selector).length === 0) return { pods: [], workloads: [], ports: [], namesShown: false };
  const near = labelled(scene)(namespace);
  const pods = near.pods(selector).filter((pod) => selects(selector, labelsOf(pod)));
  const workloads = near.workloads(selector).filter((workload) => selects(selector, templateLabels(workload)));
  const templates = await manifestTemplates(scene, [...pods, ...workloads]);
  const sources = [
    ...pods.map((pod) => ({ spec: dig(pod, 'spec'), shown: shows(pod, 'spec.containers.ports.name') })),
    ...workloads.map((workload) => ({
      spec: dig(templateOf(workload), 'spec'),
      shown: shows(workload, 'spec.template.spec.containers.ports.name'),
    })),
    ...templates.map((template) => ({ spec: dig(template, 'spec'), shown: true })),
  ];
  return { pods, workloads, ports: unique(sources.flatMap(({ spec }) => portsOf(spec))), namesShown: sources.some(({ shown }) => shown) };
}

/** Pods and workloads of a namespace by their labels: one of thousands of Services is not gone through for each of these. */
const labelled = onceEach((scene: Scene) =>
  onceFor((namespace: string | undefined) => {
    const { pods, workloads } = scene.within(namespace);
    return { pods: byLabels(pods, labelsOf), workloads: byLabels(workloads, templateLabels) };
  }),
);

/** Finds what has the rarest of the labels of a selector; whether it has the others, too, is not looked at. */
function byLabels(
  objects: readonly KubeObject[],
  labels: (object: KubeObject) => Readonly<Record<string, string>>,
): (selector: Readonly<Record<string, string>>) => readonly KubeObject[] {
  const byLabel = new Map<string, KubeObject[]>();
  for (const object of objects) {
    for (const [key, value] of Object.entries(labels(object))) {
      const same = byLabel.get(`${key}=${value}`);
      if (same === undefined) byLabel.set(`${key}=${value}`, [object]);
      else same.push(object);
    }
  }
  return (selector) => {
    let fewest: readonly KubeObject[] | undefined;
    for (const [key, value] of Object.entries(selector)) {
      const found = byLabel.get(`${key}=${value}`) ?? [];
      if (fewest === undefined || found.length < fewest.length) fewest = found;
    }
    return fewest ?? [];
  };
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
  const list = await scene.survey.list(APPLIED_MANIFEST, {});
  if (!list.ok) return [];
  const owners = objects.map((object) => scene.workloadOf(refOf(object))).filter((ref): ref is ObjectRef => ref !== undefined);
  return list.value.flatMap((manifest) => {
    const object = dig(manifest, 'spec', 'object');
    const [kind, name] = [asText(dig(object, 'kind')), asText(dig(object, 'metadata', 'name'))];
    const template = dig(object, 'spec', 'template');
    return template !== undefined && owners.some((owner) => owner.kind === kind && owner.name === name) ? [template] : [];
  });
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

/** Each port once; of two sightings the one with a name. */
function unique(ports: readonly DeclaredPort[]): readonly DeclaredPort[] {
  const byKey = new Map<string, DeclaredPort>();
  for (const port of ports) {
    const key = `${port.container} ${String(port.number)} ${port.protocol}`;
    if (byKey.get(key)?.name === undefined) byKey.set(key, port);
  }
  return [...byKey.values()];
}
