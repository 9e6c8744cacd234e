import type { Json, JsonObject } from '../base/json.ts';
import { asText, asTextMap, dig } from '../base/json.ts';

/**
 * Which fields a source shows, for an object that was not read whole (a table's columns, a `describe`): field paths without
 * list positions, each standing for all below it (`spec.containers.env`). Objects read whole do not have it.
 */
export const OBSERVED: unique symbol = Symbol('observed');

/** An object as the API serves it. Only its identity is promised; everything else is read with the `dig` family. */
export interface KubeObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [OBSERVED]?: readonly string[];
}

export interface ObjectMeta extends JsonObject {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
}

/** Names an object. Cluster-scoped kinds have no namespace. */
export interface ObjectRef {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
}

/** Whether the source of this object would have shown the field: only then does its absence mean anything. */
export function shows(object: KubeObject, path: string): boolean {
  const observed = object[OBSERVED];
  return observed === undefined || observed.some((shown) => path === shown || path.startsWith(`${shown}.`));
}

export function refOf(object: KubeObject): ObjectRef {
  const { name, namespace, uid } = object.metadata;
  return namedRef(object.kind, namespace, name, uid);
}

/** Made for every change there is: each shape is written out, which is faster than putting one together. */
function namedRef(kind: string, namespace: string | undefined, name: string, uid: string | undefined): ObjectRef {
  if (namespace === undefined) return uid === undefined ? { kind, name } : { kind, name, uid };
  return uid === undefined ? { kind, namespace, name } : { kind, namespace, name, uid };
}

/** The part of a reference or scope that names a namespace: none of it for an object of the whole cluster. */
export function inNamespace(namespace: string | undefined): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}

/** `Pod/shop/web-1`, `Node/worker-1`: what an object is called in findings and JSON. */
export function formatRef(ref: ObjectRef): string {
  return ref.namespace === undefined ? `${ref.kind}/${ref.name}` : `${ref.kind}/${ref.namespace}/${ref.name}`;
}

/** What an object is called there. */
export function objectKey(object: KubeObject): string {
  return formatRef(refOf(object));
}

/** Reads what `formatRef` writes; undefined when it is not of that form. */
export function parseRef(text: string): ObjectRef | undefined {
  const parts = text.split('/');
  const [kind, second, third] = parts;
  if (kind === undefined || kind === '' || second === undefined || second === '' || parts.length > 3) return undefined;
  if (third === undefined) return { kind, name: second };
  return third === '' ? undefined : { kind, namespace: second, name: third };
}

export function sameObject(a: ObjectRef, b: ObjectRef): boolean {
  return a.kind === b.kind && a.name === b.name && a.namespace === b.namespace;
}

export function labelsOf(object: KubeObject): Readonly<Record<string, string>> {
  return asTextMap(dig(object, 'metadata', 'labels'));
}

export function annotationsOf(object: KubeObject): Readonly<Record<string, string>> {
  return asTextMap(dig(object, 'metadata', 'annotations'));
}

/** The owner that manages the object (`ownerReferences[].controller: true`), by kind and name. */
export function controllerOf(object: KubeObject): ObjectRef | undefined {
  const owners = dig(object, 'metadata', 'ownerReferences');
  if (!Array.isArray(owners)) return undefined;
  const list = owners as readonly Json[];
  const known = controllers.get(list);
  if (known !== undefined && known.namespace === object.metadata.namespace) return known;
  const found = controllerAmong(list, object.metadata.namespace);
  if (found !== undefined) controllers.set(list, found);
  return found;
}

/** Asked of every state of a pod by all that watch pods; the states share their list of owners. */
const controllers = new WeakMap<readonly Json[], ObjectRef>();

function controllerAmong(owners: readonly Json[], namespace: string | undefined): ObjectRef | undefined {
  for (const owner of owners) {
    const [kind, name, uid] = [asText(dig(owner, 'kind')), asText(dig(owner, 'name')), asText(dig(owner, 'uid'))];
    if (dig(owner, 'controller') !== true || kind === undefined || name === undefined) continue;
    return namedRef(kind, namespace, name, uid);
  }
  return undefined;
}
