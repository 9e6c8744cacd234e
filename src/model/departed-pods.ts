import type { Instant } from '../base/instant.ts';
import { asText, dig } from '../base/json.ts';
import { eventTime, involvedIn } from './event-fields.ts';
import type { KubeObject, ObjectRef } from './kube-object.ts';
import { formatRef } from './kube-object.ts';

/**
 * Pods that are gone by what events tell, by key: the kubelet stopped them, their controller deleted them, or their Deployment has scaled
 * up another
 * ReplicaSet since anything was said of them. It is for pods of which nothing but events was seen.
 */
export function departedPods(events: readonly KubeObject[]): ReadonlySet<string> {
  const told = events.map(readPart);
  const departed = new Set<string>();
  const latest = latestOfPods(told);
  const replaced = replacedSets(told);
  for (const [key, { about, stopped, said }] of latest) {
    const left = stopped !== undefined && (said === undefined || stopped >= said);
    const set = replaced.get(`${about.namespace ?? ''}/${setOf(about.name)}`);
    if (left || (set !== undefined && said !== undefined && said < set)) departed.add(key);
  }
  for (const { about, reason, message } of told) {
    const deleted = reason === 'SuccessfulDelete' ? /^Deleted pod: ([^\s/]{1,253})$/.exec(message)?.[1] : undefined;
    if (deleted !== undefined) departed.add(formatRef({ ...about, kind: 'Pod', name: deleted }));
    if (about.kind === 'Pod' && message.startsWith('skip schedule deleting pod')) departed.add(formatRef(about));
  }
  return departed;
}

interface Told {
  readonly about: ObjectRef;
  readonly reason: string;
  readonly message: string;
  readonly at: Instant | undefined;
}

function readPart(event: KubeObject): Told {
  const involved = involvedIn(event);
  const namespace = asText(dig(involved, 'namespace')) ?? event.metadata.namespace;
  return {
    about: {
      kind: asText(dig(involved, 'kind')) ?? '',
      ...(namespace === undefined ? {} : { namespace }),
      name: asText(dig(involved, 'name')) ?? '',
    },
    reason: asText(dig(event, 'reason')) ?? '',
    message: asText(dig(event, 'message')) ?? asText(dig(event, 'note')) ?? '',
    at: eventTime(event),
  };
}

interface Course {
  readonly about: ObjectRef;
  /** When the kubelet last said that it stops a container for good. */
  stopped: Instant | undefined;
  /** The latest of its other events. */
  said: Instant | undefined;
}

/**
 * The kubelet's words for a container of a pod that is deleted; one that it restarts it ends with other words. Source:
 * pkg/kubelet/kuberuntime (killContainer).
 */
const STOPPING = /^Stopping container /;

function latestOfPods(told: readonly Told[]): ReadonlyMap<string, Course> {
  const courses = new Map<string, Course>();
  for (const { about, reason, message, at } of told) {
    if (about.kind !== 'Pod' || at === undefined) continue;
    const key = formatRef(about);
    const course = courses.get(key) ?? { about, stopped: undefined, said: undefined };
    courses.set(key, course);
    if (reason === 'Killing' && STOPPING.test(message)) course.stopped = Math.max(at, course.stopped ?? at);
    // What fails while a pod is being stopped does not bring it back.
    else if (reason !== 'Unhealthy' && reason !== 'FailedPreStopHook') course.said = Math.max(at, course.said ?? at);
  }
  return courses;
}

/** ReplicaSets by `namespace/name` that another one of their Deployment has replaced, and when that was scaled up. */
function replacedSets(told: readonly Told[]): ReadonlyMap<string, Instant> {
  const byDeployment = new Map<string, { readonly set: string; readonly at: Instant }[]>();
  for (const { about, reason, message, at } of told) {
    const set = reason === 'ScalingReplicaSet' ? /^Scaled up replica set ([^\s/]{1,253}) /.exec(message)?.[1] : undefined;
    if (set === undefined || at === undefined || about.kind !== 'Deployment') continue;
    const key = formatRef(about);
    byDeployment.set(key, [...(byDeployment.get(key) ?? []), { set: `${about.namespace ?? ''}/${set}`, at }]);
  }
  const replaced = new Map<string, Instant>();
  for (const scaled of byDeployment.values()) {
    const newest = scaled.toSorted((one, other) => other.at - one.at)[0];
    for (const { set } of scaled) if (newest !== undefined && set !== newest.set) replaced.set(set, newest.at);
  }
  return replaced;
}

/** The ReplicaSet's part of a pod's name. */
function setOf(pod: string): string {
  return pod.slice(0, Math.max(0, pod.lastIndexOf('-')));
}
