import type { Json, JsonObject } from '../../base/json.ts';
import { asText, dig, isJsonObject } from '../../base/json.ts';
import { asCoreEvent } from '../../model/event-fields.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { groupOf, resourceOfKind } from '../../model/resources.ts';
import type { Conceal } from '../conceal-secret.ts';
import { concealSecrets } from '../conceal-secret.ts';
import { inferKind } from './infer-kind.ts';
import type { Place } from './file-place.ts';

/** What one document holds. */
export interface ListItems {
  readonly objects: readonly KubeObject[];
  /** Objects a watch said were deleted. */
  readonly deleted: readonly KubeObject[];
  /** The document is a list: what it has not may not be there. */
  readonly list?: ListForm;
}

export interface ListForm {
  /** Kind of the items where the list itself or its file names it. */
  readonly kind?: string;
  /** More pages follow, or some of it could not be read, so the list is not whole. */
  readonly paged: boolean;
  /** Some of it could not be read. */
  readonly cut?: true;
}

/**
 * The objects of a document: a List, a typed list (`PodList`), a bare array, one object, or what a watch wrote
 * (`{"type": "ADDED", "object": …}`). Items without a kind get that of their list or of the file they are in. Values of Secrets
 * are emptied, as `conceal` does it. What is no object of Kubernetes is left out.
 */
export function listItems(document: Json, place: Place, conceal: Conceal = concealSecrets): ListItems {
  const { objects, deleted, list } = listItemsWhole(document, place);
  const concealed = (object: KubeObject): KubeObject => conceal(object) as KubeObject;
  return { objects: objects.map(concealed), deleted: deleted.map(concealed), ...(list === undefined ? {} : { list }) };
}

function listItemsWhole(document: Json, place: Place): ListItems {
  if (Array.isArray(document)) return listed(document as readonly Json[], undefined, undefined, false, place);
  if (!isJsonObject(document)) return NOTHING;
  const watched = watchedObject(document);
  if (watched !== undefined) return watched;
  const { items } = document;
  const kind = asText(document['kind']) ?? '';
  if (Array.isArray(items) || (items === null && kind.endsWith('List'))) {
    const itemKind = kind.endsWith('List') && kind !== 'List' ? kind.slice(0, -'List'.length) : undefined;
    const more = asText(dig(document, 'metadata', 'continue')) ?? '';
    return listed((items ?? []) as readonly Json[], itemKind, asText(document['apiVersion']), more !== '', place);
  }
  const object = asKubeObject(document, undefined, undefined, place);
  return object === undefined ? NOTHING : { objects: [object], deleted: [] };
}

const NOTHING: ListItems = { objects: [], deleted: [] };

function listed(items: readonly Json[], kind: string | undefined, apiVersion: string | undefined, paged: boolean, place: Place): ListItems {
  const version = apiVersion === 'v1' && kind !== undefined && resourceOfKind(kind)?.apiVersion !== 'v1' ? undefined : apiVersion;
  const objects = items.map((item) => asKubeObject(item, kind, version, place)).filter((object) => object !== undefined);
  const named = kind ?? place.kind;
  return { objects, deleted: [], list: { ...(named === undefined ? {} : { kind: named }), paged } };
}

/** Source: `kubectl get --watch --output-watch-events`, and the API's own watch. */
function watchedObject(document: JsonObject): ListItems | undefined {
  const { type, object } = document;
  if (typeof type !== 'string' || !isJsonObject(object) || !['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'].includes(type))
    return undefined;
  const read = type === 'BOOKMARK' || type === 'ERROR' ? undefined : asKubeObject(object, undefined, undefined, {});
  if (read === undefined) return NOTHING;
  return type === 'DELETED' ? { objects: [], deleted: [read] } : { objects: [read], deleted: [] };
}

/** Undefined for what has no kind or name, and for other APIs' kinds of the same name (OpenShift's own `Ingress` and `Node`). */
function asKubeObject(item: Json, listKind: string | undefined, listVersion: string | undefined, place: Place): KubeObject | undefined {
  if (!isJsonObject(item)) return undefined;
  const { metadata } = item;
  const kind = asText(item['kind']) ?? listKind ?? supposedKind(item, place);
  const name = asText(dig(metadata, 'name')) ?? '';
  if (kind === undefined || kind === '' || name === '' || !isJsonObject(metadata)) return undefined;
  const resource = resourceOfKind(kind);
  const apiVersion = asText(item['apiVersion']) ?? listVersion ?? servedAs(resource);
  if (resource !== undefined && !isSameApi(kind, groupOf(apiVersion), groupOf(resource.apiVersion))) return undefined;
  const namespace = namespaceOf(metadata, resource, place);
  return asCoreEvent(identified(item as KubeObject, kind, apiVersion, namespace));
}

/** Mostly the object says all of it itself: then it is not copied. */
function identified(item: KubeObject, kind: string, apiVersion: string, namespace: string | undefined): KubeObject {
  const { metadata } = item;
  if (item.kind === kind && item.apiVersion === apiVersion && metadata.namespace === namespace) return item;
  if (namespace !== undefined) return { ...item, apiVersion, kind, metadata: { ...metadata, namespace } };
  const { namespace: _, ...own } = metadata;
  return { ...item, apiVersion, kind, metadata: own };
}

function servedAs(resource: ReturnType<typeof resourceOfKind>): string {
  return resource?.apiVersion ?? 'v1';
}

function supposedKind(item: JsonObject, place: Place): string | undefined {
  return inferKind(item) ?? place.kind ?? place.folderKind;
}

function namespaceOf(metadata: JsonObject, resource: ReturnType<typeof resourceOfKind>, place: Place): string | undefined {
  const given = asText(metadata['namespace']) ?? '';
  if (given !== '') return given;
  return resource?.namespaced === true ? (place.namespace ?? 'default') : undefined;
}

/** Groups a kind was served under before, or is served under as well. Source: the API's deprecation guide. */
const FORMER_GROUPS: Readonly<Record<string, readonly string[]>> = {
  Event: ['events.k8s.io'],
  Deployment: ['extensions'],
  DaemonSet: ['extensions'],
  ReplicaSet: ['extensions'],
  Ingress: ['extensions'],
  NetworkPolicy: ['extensions'],
};

function isSameApi(kind: string, group: string, known: string): boolean {
  return group === known || (FORMER_GROUPS[kind]?.includes(group) ?? false);
}
