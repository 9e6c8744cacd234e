import type { ClusterChanger, WriteRequest } from '../model/cluster-changer.ts';
import type { Json } from '../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../base/json.ts';
import { sameJson } from '../base/json-edit.ts';
import type { ClusterReader } from '../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import { formatRef, inNamespace } from '../model/kube-object.ts';
import { diffLines } from './object-diff.ts';

/** A write of which nobody knows whether it was carried out: it got no answer, or the run was killed. */
export interface DoubtfulWrite {
  readonly ref: ObjectRef;
  /** Undefined where it was not written down because a secret is in it. */
  readonly request: WriteRequest | undefined;
  /** Of the object as it was before; empty for one that was to be made. */
  readonly uid: string;
}

/** `object` is what is there now. */
export type Carried =
  | { readonly was: 'carried-out'; readonly object: KubeObject | undefined }
  | { readonly was: 'not-carried-out' }
  | { readonly was: 'unknown'; readonly why: string };

/** Whether a write was carried out, by the object as it is now. What cannot be told from that is unknown, never a guess. */
export async function carriedOut(
  { ref, request, uid }: DoubtfulWrite,
  reader: ClusterReader,
  changer: ClusterChanger | undefined,
): Promise<Carried> {
  const now = await reader.get(ref);
  if (!now.ok && now.why !== 'absent') return unknown(`${formatRef(ref)} could not be read: ${now.detail}`);
  const object = now.ok ? now.value : undefined;
  if (request === undefined) return unknown('the intended value contains a secret and was not recorded');
  const isOther = object === undefined || object.metadata.uid !== uid;
  if (isRemoval(request)) return toldBy(isOther || object.metadata['deletionTimestamp'] !== undefined, undefined);
  if (object === undefined) return request.verb === 'create' ? { was: 'not-carried-out' } : unknown(`${formatRef(ref)} is gone`);
  if (request.verb === 'create') return sameAsWanted(object, { type: 'merge', body: request.body ?? {} }, request, changer);
  if (isOther) return unknown(`${formatRef(ref)} is now another object of the same name`);
  if (request.subresource === 'approval') return toldBy(isApproved(object), object);
  if (request.patch === undefined) return unknown('an update leaves no separate trace');
  return sameAsWanted(object, request.patch, request, changer);
}

function isRemoval({ verb, subresource }: WriteRequest): boolean {
  return verb === 'delete' || subresource === 'eviction';
}

function toldBy(wasCarriedOut: boolean, object: KubeObject | undefined): Carried {
  return wasCarriedOut ? { was: 'carried-out', object } : { was: 'not-carried-out' };
}

/** Whether the same patch would still change something: the server knows how it writes the values down. */
async function sameAsWanted(
  object: KubeObject,
  patch: NonNullable<WriteRequest['patch']>,
  { subresource, kind, namespace, name }: WriteRequest,
  changer: ClusterChanger | undefined,
): Promise<Carried> {
  // Of a Secret nothing but its metadata is ever read.
  if (kind === 'Secret') return unknown('values of a Secret are not read');
  if (patch.type !== 'json' && isJsonObject(patch.body) && holds(object, patch.body)) return { was: 'carried-out', object };
  if (subresource !== undefined) return unknown(`subresource ${subresource} cannot be compared`);
  const place = { apiVersion: object.apiVersion, kind, ...inNamespace(namespace), name };
  const tried = await changer?.send({ verb: 'patch', ...place, patch }, true);
  if (tried?.ok !== true || tried.object === undefined)
    return unknown(tried?.ok === false ? tried.message : 'the server did not return the difference');
  return diffLines(object, tried.object).length === 0 ? { was: 'carried-out', object } : { was: 'not-carried-out' };
}

/** Whether all that a merge patch says already holds of a value: a field that is null is absent, lists are whole. */
export function holds(value: Json | undefined, patch: Json | undefined): boolean {
  if (!isJsonObject(patch)) return patch === null ? value === undefined || value === null : sameJson(value, patch);
  return Object.entries(patch).every(([field, member]) => holds(dig(value, field), member));
}

function isApproved(object: KubeObject): boolean {
  return asList(dig(object, 'status', 'conditions')).some(
    (condition) => asText(dig(condition, 'type')) === 'Approved' && asText(dig(condition, 'status')) === 'True',
  );
}

function unknown(why: string): Carried {
  return { was: 'unknown', why };
}
