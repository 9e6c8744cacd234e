import type { Json, JsonObject } from '../../base/json.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { controllerOf, labelsOf, refOf } from '../../model/kube-object.ts';
import type { ComponentHost } from '../components/component.ts';
import type { Informer } from '../components/informer.ts';
import type { Routine } from '../time/routine.ts';
import { keyOf } from '../store/store.ts';
import type { LabelMatcher } from '../apiserver/selectors.ts';

/** Files objects under the uid of their controller, and those without one under their namespace. */
export function withOwnerIndex(informer: Informer): Informer {
  return informer.addIndex(BY_CONTROLLER, controllerKeys).addIndex(ORPHANS, orphanKeys);
}

/** What a controller's object owns, in the order it came. The informer needs `withOwnerIndex`. */
export function ownedBy(informer: Informer, owner: KubeObject): readonly KubeObject[] {
  return informer.by(BY_CONTROLLER, owner.metadata.uid ?? '');
}

/** What has no controller in a namespace. */
export function orphansIn(informer: Informer, namespace: string | undefined): readonly KubeObject[] {
  return informer.by(ORPHANS, namespace ?? '');
}

/** The reference a controller puts into what it makes. */
export function controllerReference(owner: KubeObject): JsonObject {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** The key of the controller of this kind, if the object has one. */
export function controllerKey(object: KubeObject, kind: string): string | undefined {
  const owner = controllerOf(object);
  return owner?.kind === kind ? keyOf(owner.namespace, owner.name) : undefined;
}

export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  return owner.metadata.uid !== undefined && controllerOf(object)?.uid === owner.metadata.uid;
}

export function splitKey(key: string): readonly [namespace: string | undefined, name: string] {
  const slash = key.indexOf('/');
  return slash < 0 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
}

/**
 * What belongs to the owner after orphans that fit its selector were adopted and owned ones that do not fit any more were let
 * go. Source: pkg/controller/controller_ref_manager.go.
 */
export function* claim(
  host: ComponentHost,
  informer: Informer,
  owner: KubeObject,
  matches: LabelMatcher,
  accept: (object: KubeObject) => boolean = () => true,
): Routine<readonly KubeObject[]> {
  const claimed: KubeObject[] = [];
  for (const object of ownedBy(informer, owner)) {
    if (matches(labelsOf(object)) || isDeleted(owner)) claimed.push(object);
    else yield* release(host, object, owner);
  }
  if (isDeleted(owner)) return claimed;
  for (const object of orphansIn(informer, owner.metadata.namespace)) {
    if (isDeleted(object) || !accept(object) || !matches(labelsOf(object))) continue;
    const adopted = yield* adopt(host, object, owner);
    if (adopted !== undefined) claimed.push(adopted);
  }
  return claimed;
}

export function isDeleted(object: KubeObject): boolean {
  return object.metadata['deletionTimestamp'] !== undefined;
}

function* adopt(host: ComponentHost, object: KubeObject, owner: KubeObject): Routine<KubeObject | undefined> {
  const references = [...asList(object.metadata['ownerReferences']), controllerReference(owner)];
  const answer = yield* host.client.patch(refOf(object), 'merge', {
    metadata: { ownerReferences: references, uid: object.metadata.uid ?? null },
  });
  return answer.ok ? answer.object : undefined;
}

function* release(host: ComponentHost, object: KubeObject, owner: KubeObject): Routine {
  const references = asList(object.metadata['ownerReferences']).filter((reference) => dig(reference, 'uid') !== owner.metadata.uid);
  yield* host.client.patch(refOf(object), 'merge', {
    metadata: { ownerReferences: references.length === 0 ? null : references, uid: object.metadata.uid ?? null },
  });
}

const BY_CONTROLLER = 'controller';
const ORPHANS = 'orphans';

function controllerKeys(object: KubeObject): readonly string[] {
  const uid = controllerOf(object)?.uid;
  return uid === undefined ? [] : [uid];
}

function orphanKeys(object: KubeObject): readonly string[] {
  const owned = asList(object.metadata['ownerReferences']).some(
    (reference: Json) => dig(reference, 'controller') === true && asText(dig(reference, 'uid')) !== undefined,
  );
  return owned ? [] : [object.metadata.namespace ?? ''];
}
