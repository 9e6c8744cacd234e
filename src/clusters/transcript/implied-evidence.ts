import { dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, refOf } from '../../model/kube-object.ts';
import type { Collected } from '../memory-reader.ts';
import { combine } from '../merge-evidence.ts';
import { userOfClaim } from './draft.ts';
import { impliedNodes } from './loose/implied-nodes.ts';
import { impliedServices } from './implied-services.ts';
import { impliedAutoscalers, impliedClaims, impliedJobs, impliedPods, impliedReplicaSets } from './loose/implied-pods.ts';
import { withMakers } from './loose/pod-makers.ts';

/** Whether all pods of a namespace were seen, so that one that is not among them is gone. */
export function isListed(collected: readonly Collected[], namespace: string | undefined): boolean {
  return collected.some(
    (one) =>
      one.kind === 'Pod' &&
      one.complete &&
      one.labelSelector === undefined &&
      one.fieldSelector === undefined &&
      (one.namespace === undefined || one.namespace === namespace),
  );
}

/** With what events imply of pods of which nothing else tells that. */
export function withImplied(
  objects: readonly KubeObject[],
  events: readonly KubeObject[],
  collected: readonly Collected[],
): readonly KubeObject[] {
  const pods = new Map(objects.flatMap((object) => (object.kind === 'Pod' ? [[formatRef(refOf(object)), object] as const] : [])));
  const implied = new Map(
    impliedPods(events, pods, (namespace) => isListed(collected, namespace)).map((pod) => [formatRef(refOf(pod)), pod] as const),
  );
  const merged = objects.map((object) => {
    const pod = object.kind === 'Pod' ? implied.get(formatRef(refOf(object))) : undefined;
    return pod === undefined ? object : combine(pod, object);
  });
  const withClaims = withClaimsOfSets(merged);
  const known = new Set(objects.map((object) => formatRef(refOf(object))));
  const others = [
    ...impliedClaims(events, known),
    ...impliedJobs(events, known),
    ...impliedAutoscalers(events, known),
    ...impliedReplicaSets(events, known),
    ...impliedServices(objects, collected),
    ...impliedNodes(events, known),
  ];
  return withMakers([...withClaims, ...[...implied].flatMap(([key, pod]) => (pods.has(key) ? [] : [pod])), ...others], events);
}

/**
 * Pods of StatefulSets use the claims that have their name at the end. Source: pkg/controller/statefulset/stateful_set_utils.go
 * (getPersistentVolumeClaimName).
 */
function withClaimsOfSets(objects: readonly KubeObject[]): readonly KubeObject[] {
  const claims = objects.filter(({ kind }) => kind === 'PersistentVolumeClaim');
  if (claims.length === 0) return objects;
  const claimOf = new Map(
    claims.flatMap(({ metadata: { name, namespace } }) =>
      [...name.matchAll(/-(?=[a-z])/g)].map(({ index }) => [`${namespace ?? ''}/${name.slice(index + 1)}`, name] as const),
    ),
  );
  return objects.map((object) => {
    const { name, namespace } = object.metadata;
    const claim = object.kind === 'Pod' && /-\d{1,6}$/.test(name) ? claimOf.get(`${namespace ?? ''}/${name}`) : undefined;
    return claim === undefined || dig(object, 'spec', 'volumes') !== undefined
      ? object
      : combine(userOfClaim(name, namespace, claim), object);
  });
}

/** Pods that only events tell of are not all there are. */
export function impliedCollected(all: readonly KubeObject[], seen: readonly KubeObject[]): readonly Collected[] {
  const scopes = new Map(
    all
      .slice(seen.length)
      .map(
        ({ kind, metadata: { namespace } }) =>
          [`${kind} ${namespace ?? ''}`, { kind, ...(namespace === undefined ? {} : { namespace }), complete: false }] as const,
      ),
  );
  return [...scopes.values()];
}

/**
 * Documents of events with what these imply, where no pod was seen and no list of pods was read: somebody saved the events alone. Gives the
 * same where that is not so.
 */
export function withImpliedByEventsAlone(
  objects: readonly KubeObject[],
  collected: readonly Collected[],
  others: readonly KubeObject[],
): { readonly objects: readonly KubeObject[]; readonly collected: readonly Collected[] } {
  const events = objects.filter(({ kind }) => kind === 'Event');
  const isOfPods = ({ kind }: { readonly kind: string }): boolean => kind === 'Pod';
  if (events.length === 0 || [objects, others].some((some) => some.some(isOfPods)) || collected.some(isOfPods))
    return { objects, collected };
  const whole = withImplied(objects, events, collected);
  return { objects: whole, collected: [...collected, ...impliedCollected(whole, objects)] };
}
