import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';

/** Whose log a file holds. */
export interface LogPlace {
  readonly pod: ObjectRef;
  readonly container: string;
  readonly previous: boolean;
}

/** The pods of a source, by the names files are given after them. */
export interface PodNames {
  readonly byName: ReadonlyMap<string, readonly NamedPod[]>;
  /** `web-1-app` and `shop-web-1-app`, with `_` and `.` for `-` as well; undefined for names that may mean several. */
  readonly byFileName: ReadonlyMap<string, Named | undefined>;
}

interface NamedPod {
  readonly ref: ObjectRef;
  readonly containers: readonly string[];
}

interface Named {
  readonly pod: ObjectRef;
  readonly container: string;
}

export function podNames(objects: readonly KubeObject[]): PodNames {
  const byName = new Map<string, NamedPod[]>();
  const byFileName = new Map<string, Named | undefined>();
  for (const object of objects) {
    if (object.kind !== 'Pod') continue;
    const { name, namespace } = object.metadata;
    const ref = { kind: 'Pod', ...(namespace === undefined ? {} : { namespace }), name };
    const containers = containersOf(object);
    byName.set(name, [...(byName.get(name) ?? []), { ref, containers }]);
    for (const prefix of [name, `${namespace ?? ''}-${name}`]) {
      if (containers.length === 1) remember(byFileName, prefix, { pod: ref, container: containers[0] ?? '' });
      for (const container of containers) remember(byFileName, `${prefix}-${container}`, { pod: ref, container });
    }
  }
  return { byName, byFileName };
}

/**
 * Finds pod and container in the path of a log, wherever a collector puts them: `<ns>/<pod>/logs.txt`,
 * `…/<ns>/<pod>/<container>-previous.log`, `…/<pod>/<container>/<container>/logs/current.log`, `web-1_app.log`. Undefined when no
 * known pod and container are named, or when several pods may be meant.
 */
export function placeOfLog(path: string, names: PodNames): LogPlace | undefined {
  const folders = path.split('/');
  const file = folders.pop() ?? '';
  if (folders.includes('rotated') || file.includes('.insecure')) return undefined;
  const { stem, previous } = stemOf(file);
  for (let at = folders.length - 1; at >= 0; at--) {
    const pod = onlyOne(names.byName.get(folders[at] ?? '') ?? [], folders.slice(0, at));
    if (pod === undefined) continue;
    const container = containerIn(pod, [...folders.slice(at + 1), stem]);
    return container === undefined ? undefined : { pod: pod.ref, container, previous };
  }
  const named = names.byFileName.get(plainName(stem));
  return named === undefined ? undefined : { ...named, previous };
}

function stemOf(file: string): { readonly stem: string; readonly previous: boolean } {
  const rotated = file.endsWith('.log.1');
  const stem = file.replace(/\.(?:log|txt)(?:\.1)?$/i, '').replace(/^logs-/, '');
  const dated = /^(.*?)-\d{8}-\d{6}(-prev)?$/.exec(stem);
  const bare = dated === null ? stem : `${dated[1] ?? ''}${dated[2] ?? ''}`;
  const earlier = /^(?:(.*)[-_.])?(?:previous|prev)$/.exec(bare);
  return earlier === null ? { stem: bare, previous: rotated } : { stem: earlier[1] ?? 'previous', previous: true };
}

/** Pods of one name in several namespaces are told apart by the folder above. */
function onlyOne(pods: readonly NamedPod[], folders: readonly string[]): NamedPod | undefined {
  if (pods.length <= 1) return pods[0];
  const here = pods.filter(({ ref }) => ref.namespace !== undefined && folders.includes(ref.namespace));
  return here.length === 1 ? here[0] : undefined;
}

const MEANS_THE_POD: ReadonlySet<string> = new Set(['log', 'logs', 'current', 'previous', 'pod', 'output', 'stdout']);

function containerIn({ ref, containers }: NamedPod, names: readonly string[]): string | undefined {
  const named = names.findLast((name) => containers.includes(name));
  if (named !== undefined) return named;
  const last = names.at(-1) ?? '';
  return containers.length === 1 && (MEANS_THE_POD.has(last) || last === ref.name) ? containers[0] : undefined;
}

function containersOf(pod: KubeObject): readonly string[] {
  const lists = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => asList(dig(pod, 'spec', list)));
  return lists.map((container) => asText(dig(container, 'name'))).filter((name) => name !== undefined);
}

function remember(map: Map<string, Named | undefined>, name: string, named: Named): void {
  const key = plainName(name);
  const known = map.get(key);
  const same =
    known !== undefined &&
    known.container === named.container &&
    known.pod.name === named.pod.name &&
    known.pod.namespace === named.pod.namespace;
  map.set(key, !map.has(key) || same ? named : undefined);
}

function plainName(name: string): string {
  return name.replaceAll(/[_.]/g, '-');
}
