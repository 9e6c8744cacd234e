import { asText, dig } from '../../base/json.ts';
import { grouped } from '../../base/lists.ts';
import { once, onceFor } from '../../base/once.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { resourceOfKind } from '../../model/resources.ts';
import type { Collected } from '../memory-reader.ts';
import { identityPath, ObjectMap } from './object-index.ts';
import type { Place } from './file-place.ts';
import type { ListForm } from './list-items.ts';

/** A list that was read, with where it stood. */
export interface ReadList {
  readonly form: ListForm;
  readonly place: Place;
  readonly objects: readonly KubeObject[];
}

/**
 * What the lists of a source are complete for, so that what is not in them does not exist. Nothing in a list says which
 * selectors it was asked with, therefore no more is taken from it than it shows:
 *
 * - a list of one kind is complete for the namespace all its items are in, and for all namespaces if they are in several;
 * - a list of several kinds is complete for each kind in each namespace where it has some of it;
 * - a list in a collector's layout is complete for the kind and the namespace that its place names, even if it is empty;
 * - nodes in a list of several kinds are all of them only if no pod has begun on another one;
 * - a page, a list with the same object twice, and a list that lacks an object which another file has, are complete for nothing.
 *
 * `isDistinct`: it is known that no object is there twice.
 */
export function completenessOf(lists: readonly ReadList[], objects: readonly KubeObject[], isDistinct = false): readonly Collected[] {
  const home = onlyNamespaceOf(objects);
  const claims = lists.flatMap((list) => claimsOf(list, { home, all: objects, isDistinct }));
  const scopes = scopesOf(objects);
  const byKey = new Map<string, Collected>();
  for (const claim of claims) {
    const { kind, namespace } = claim;
    const complete = claim.complete && (claim.certain || !lacksSome(claim, scopes));
    const key = `${kind} ${namespace ?? ''}`;
    if (byKey.get(key)?.complete === true) continue;
    const brokeOff = claim.cut === true ? { brokeOff: true as const } : {};
    byKey.set(key, { kind, ...(namespace === undefined ? {} : { namespace }), complete, ...brokeOff });
  }
  return [...byKey.values()];
}

interface Claim {
  readonly kind: string;
  readonly namespace?: string;
  readonly complete: boolean;
  /** The place says so, not just the content. */
  readonly certain: boolean;
  /** Its list could not be read to the end. */
  readonly cut?: true;
  /** Everything in its list, and the identities of that. */
  readonly members: ReadonlySet<KubeObject>;
  readonly listed: () => ObjectMap<true>;
}

/** What there is in all lists together. */
interface Whole {
  readonly home: string | undefined;
  readonly all: readonly KubeObject[];
  readonly isDistinct: boolean;
}

function claimsOf(list: ReadList, { home, all, isDistinct }: Whole): readonly Claim[] {
  const { form, place, objects } = list;
  const members = new Set(objects);
  // The identities of all objects of a large cluster take long, and mostly nobody asks for them.
  const listed = once(() => identitiesOf(objects));
  const whole = !form.paged && (isDistinct || listed().size === objects.length);
  const kinds = grouped(objects, ({ kind }) => kind);
  if (kinds.size === 0) return form.kind === undefined ? [] : [emptyClaim(list, form.kind, whole, home)];
  return [...kinds].flatMap(([kind, own]) => {
    const namespaces = new Set(own.map(({ metadata }) => metadata.namespace));
    const everywhere = kinds.size === 1 && namespaces.size > 1 && place.namespace === undefined;
    return (everywhere ? [undefined] : [...namespaces]).map((namespace) => ({
      kind,
      ...(namespace === undefined ? {} : { namespace }),
      complete: whole && (kind !== 'Namespace' || hasImmortals(objects)) && (kind !== 'Node' || kinds.size === 1 || hasHosts(own, all)),
      certain: place.namespace !== undefined && place.namespace === namespace && place.kind === kind,
      members,
      listed,
      ...(form.cut === true ? { cut: true as const } : {}),
    }));
  });
}

function identitiesOf(objects: readonly KubeObject[]): ObjectMap<true> {
  const identities = new ObjectMap<true>(identityPath);
  for (const object of objects) identities.set(object, true);
  return identities;
}

/** An empty list names no namespace. Where all there is is in one, it can be no other. */
function emptyClaim(list: ReadList, kind: string, whole: boolean, home: string | undefined): Claim {
  const clusterScoped = resourceOfKind(kind)?.namespaced === false;
  const namespace = clusterScoped ? undefined : (list.place.namespace ?? home);
  const complete = whole && kind !== 'Namespace' && (clusterScoped || namespace !== undefined);
  return {
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    complete,
    certain: list.place.namespace !== undefined,
    members: new Set(),
    listed: () => new ObjectMap(identityPath),
  };
}

/** No cluster can be without these. Source: plugin/pkg/admission/namespace/lifecycle/admission.go (immortalNamespaces). */
function hasImmortals(objects: readonly KubeObject[]): boolean {
  return ['default', 'kube-system'].every((name) => objects.some(({ kind, metadata }) => kind === 'Namespace' && metadata.name === name));
}

/** The cluster soon deletes the pods of a node that is gone, so that a few nodes with other objects are rather a choice. */
function hasHosts(nodes: readonly KubeObject[], all: readonly KubeObject[]): boolean {
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  return all.every((pod) => {
    if (pod.kind !== 'Pod' || dig(pod, 'status', 'startTime') === undefined) return true;
    return names.has(asText(dig(pod, 'spec', 'nodeName')) ?? '') || pod.metadata['deletionTimestamp'] !== undefined;
  });
}

/** The objects of a kind, of one namespace or of all. */
type Scopes = (kind: string, namespace: string | undefined) => readonly KubeObject[];

function scopesOf(objects: readonly KubeObject[]): Scopes {
  const kinds = grouped(objects, ({ kind }) => kind);
  const within = onceFor((kind: string) => grouped(kinds.get(kind) ?? [], ({ metadata }) => metadata.namespace));
  return (kind, namespace) => (namespace === undefined ? kinds.get(kind) : within(kind).get(namespace)) ?? [];
}

/** Mostly it is the very object, which takes a quarter of the time that its identity does. */
function lacksSome({ kind, namespace, members, listed }: Claim, scopes: Scopes): boolean {
  return scopes(kind, namespace).some((object) => !members.has(object) && listed().get(object) === undefined);
}

function onlyNamespaceOf(objects: readonly KubeObject[]): string | undefined {
  const namespaces = new Set<string>();
  for (const { metadata } of objects) if (metadata.namespace !== undefined) namespaces.add(metadata.namespace);
  return namespaces.size === 1 ? [...namespaces][0] : undefined;
}
