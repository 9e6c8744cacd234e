import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { annotationsOf, controllerOf, labelsOf, refOf } from '../../model/kube-object.ts';
import { PodcheckError } from '../../base/errors.ts';
import { matchesLabels, parseLabelSelector } from '../../model/selectors.ts';
import type { StoredLog } from '../memory-reader.ts';
import type { LogSighting } from './log-output.ts';
import type { NamespaceFinder } from './namespaces.ts';

/** Lines kept of one container. */
const MAX_LOG_LINES = 5000;

/** Gives every log to the containers it came from, now that the pods are known, and makes one log of several looks at a container. */
export function resolveLogs(sightings: readonly LogSighting[], pods: readonly KubeObject[], finder: NamespaceFinder): readonly StoredLog[] {
  const found = new Map<string, { log: StoredLog; exact: boolean }[]>();
  for (const sighting of sightings) {
    for (const { log, exact } of placesOf(sighting, pods, finder)) {
      const key = [log.pod.namespace ?? '', log.pod.name, log.container, String(log.previous)].join('\n');
      const logs = found.get(key);
      if (logs === undefined) found.set(key, [{ log, exact }]);
      else logs.push({ log, exact });
    }
  }
  return [...found.values()].flatMap((logs) => joined(logs) ?? []);
}

interface Place {
  readonly log: StoredLog;
  /** The lines are surely this container's. */
  readonly exact: boolean;
}

function placesOf(sighting: LogSighting, pods: readonly KubeObject[], finder: NamespaceFinder): readonly Place[] {
  const target = targetsOf(sighting, pods, finder);
  const { lines, filtered, unread } = sighting;
  return target.pods.flatMap((pod) => {
    const every = target.container === undefined && sighting.all ? containersOf(pod) : [];
    const containers = every.length > 0 ? every : [target.container ?? defaultContainer(pod)];
    // Of all containers of a pod whose containers were not seen, the lines may be of several.
    const exact = target.pods.length === 1 && containers.length === 1 && (!sighting.all || every.length === 1);
    const { namespace, name } = pod.metadata;
    return containers.map((container) => ({
      exact,
      log: {
        pod: { kind: 'Pod', ...(namespace === undefined ? {} : { namespace }), name },
        container,
        previous: target.previous,
        lines,
        filtered: filtered || !exact,
        ...(unread === undefined ? {} : { unread }),
      },
    }));
  });
}

interface Target {
  readonly pods: readonly KubeObject[];
  readonly container: string | undefined;
  readonly previous: boolean;
}

function targetsOf(sighting: LogSighting, pods: readonly KubeObject[], finder: NamespaceFinder): Target {
  const { of, container, previous, segment } = sighting;
  switch (of.by) {
    case 'pod': {
      const namespace = sighting.namespace ?? finder.ofObject({ kind: 'Pod', name: of.pod }, segment);
      const known = pods.find(({ metadata }) => metadata.name === of.pod && metadata.namespace === namespace);
      return { pods: [known ?? unknownPod(of.pod, namespace)], container, previous };
    }
    case 'workload': {
      const namespace = sighting.namespace ?? finder.ofObject({ kind: of.kind, name: of.name }, segment);
      const inNamespace = pods.filter(({ metadata }) => metadata.namespace === namespace);
      const owned = inNamespace.filter((pod) => belongsTo(pod, of.kind, of.name));
      // People (and scripts) write deploy/db for what is a StatefulSet; the answer shows that something was found.
      return {
        pods: owned.length > 0 ? owned : inNamespace.filter((pod) => isNamedAfter(pod.metadata.name, of.name)),
        container,
        previous,
      };
    }
    case 'selector': {
      const namespace = sighting.namespace ?? finder.ofSegment(segment);
      return selected(
        of.selector,
        pods.filter(({ metadata }) => metadata.namespace === namespace),
        { container, previous },
      );
    }
  }
}

/**
 * Pods of a selector. A container's name, or `previous`, that was glued to the value (`app=web.istio-proxy`) is taken off when only
 * then a pod has the labels. Where no labels were seen the value may be what the pods are named after.
 */
function selected(selector: string, pods: readonly KubeObject[], asked: Omit<Target, 'pods'>): Target {
  const whole = labelled(selector, pods);
  if (whole.length > 0) return { pods: whole, ...asked };
  for (const { rest, container, previous } of unglued(selector)) {
    const found = labelled(rest, pods).concat(labelled(rest, pods).length > 0 ? [] : namedAfter(rest, pods));
    const has = found.filter(
      (pod) => container === undefined || containersOf(pod).includes(container) || initContainersOf(pod).includes(container),
    );
    if (has.length > 0) return { pods: has, container: container ?? asked.container, previous: previous || asked.previous };
  }
  return { pods: namedAfter(selector, pods), ...asked };
}

function unglued(selector: string): readonly { readonly rest: string; readonly container?: string; readonly previous: boolean }[] {
  const [, front = '', last = ''] = /^(.*)\.([a-z0-9-]{1,63})$/s.exec(selector) ?? [];
  if (front === '') return [];
  if (last !== 'previous') return [{ rest: front, container: last, previous: false }];
  const [, further = '', container] = /^(.*)\.([a-z0-9-]{1,63})$/s.exec(front) ?? [];
  return [{ rest: front, previous: true }, ...(container === undefined ? [] : [{ rest: further, container, previous: true }])];
}

function labelled(selector: string, pods: readonly KubeObject[]): readonly KubeObject[] {
  try {
    const requirements = parseLabelSelector(selector);
    return requirements.length === 0 ? [] : pods.filter((pod) => matchesLabels(requirements, labelsOf(pod)));
  } catch (error) {
    if (error instanceof PodcheckError) return [];
    throw error;
  }
}

function namedAfter(selector: string, pods: readonly KubeObject[]): readonly KubeObject[] {
  const value = namedBySelector(selector);
  if (value === undefined) return [];
  return pods.filter((pod) => Object.keys(labelsOf(pod)).length === 0 && isNamedAfter(pod.metadata.name, value));
}

/** What pods are probably named after that have this label. */
export function namedBySelector(selector: string): string | undefined {
  return /^[\w./-]+=([a-z0-9-]+)$/.exec(selector)?.[1];
}

/** `web-6d4b75cb6d-hx7bk`, `web-0`, `web-abcde`. */
function isNamedAfter(pod: string, workload: string): boolean {
  return (
    pod.startsWith(`${workload}-`) &&
    /^(?:<pod>$|(?:[a-f0-9bcdfghjklmnpqrstvwxz]{6,10}-)?[a-z0-9]{1,5}$)/.test(pod.slice(workload.length + 1))
  );
}

function belongsTo(pod: KubeObject, kind: string, name: string): boolean {
  const owner = controllerOf(pod);
  if (owner === undefined) return isNamedAfter(pod.metadata.name, name) || (kind === 'Service' && labelsOf(pod)['app'] === name);
  if (owner.kind === kind) return owner.name === name;
  if (kind === 'Deployment' && owner.kind === 'ReplicaSet')
    return owner.name.startsWith(`${name}-`) && !owner.name.slice(name.length + 1).includes('-');
  return kind === 'Service' && labelsOf(pod)['app'] === name;
}

function containersOf(pod: KubeObject): readonly string[] {
  return asList(dig(pod, 'spec', 'containers')).flatMap((container) => asText(dig(container, 'name')) ?? []);
}

function initContainersOf(pod: KubeObject): readonly string[] {
  return asList(dig(pod, 'spec', 'initContainers')).flatMap((container) => asText(dig(container, 'name')) ?? []);
}

/** The container kubectl shows without `-c`. Source: staging/src/k8s.io/kubectl/pkg/util/podutils/podutils.go. */
function defaultContainer(pod: KubeObject): string {
  return (
    annotationsOf(pod)['kubectl.kubernetes.io/default-container'] ??
    containersOf(pod)[0] ??
    asText(dig(asList(dig(pod, 'status', 'containerStatuses'))[0], 'name')) ??
    ''
  );
}

function unknownPod(name: string, namespace: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace } };
}

/** One log from several looks: a whole one is enough; parts are put together, the surer lines last. */
function joined(looks: readonly Place[]): readonly StoredLog[] | undefined {
  const read = looks.filter(({ log }) => log.unread === undefined);
  const last = looks.at(-1)?.log;
  if (last === undefined) return undefined;
  if (read.length === 0) return [last];
  const whole = read.findLast(({ log }) => !log.filtered);
  if (whole !== undefined) return [whole.log];
  const exact = read.filter((look) => look.exact);
  const parts = exact.length > 0 ? exact : read;
  const newest = parts.at(-1)?.log ?? last;
  const seen = new Set(newest.lines);
  const earlier = parts.slice(0, -1).flatMap(({ log }) => log.lines.filter((line) => !seen.has(line) && seen.add(line) !== undefined));
  return [{ ...newest, pod: refOfPod(newest), lines: [...earlier, ...newest.lines].slice(-MAX_LOG_LINES), filtered: true }];
}

function refOfPod({ pod }: StoredLog): StoredLog['pod'] {
  return refOf({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: pod.name, ...(pod.namespace === undefined ? {} : { namespace: pod.namespace }) },
  });
}
