import type { Json, JsonObject } from '../../base/json.ts';
import { asText, dig, isJsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { OBSERVED } from '../../model/kube-object.ts';
import type { Conceal } from '../conceal-secret.ts';
import { concealMetadata } from '../conceal-secret.ts';
import type { ServedApi } from './api-path.ts';

/** What the server is asked for instead of the objects of a kind whose content must not be read. */
export const METADATA_OF_ONE = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
export const METADATA_OF_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Whether podcheck only ever looks at the metadata of a kind. */
export function isMetadataOnly(kind: string): boolean {
  return kind === 'Secret';
}

/**
 * An object of an answer; items of a list do not say their kind. Undefined for what is no object with a name. `conceal` as in `liveList`.
 */
export function liveObject(value: Json | undefined, api: ServedApi, conceal?: Conceal): KubeObject | undefined {
  const metadata = dig(value, 'metadata');
  const name = asText(dig(metadata, 'name'));
  if (!isJsonObject(value) || !isJsonObject(metadata) || name === undefined || name === '') return undefined;
  const meta = textsOnly(metadata, name);
  if (isMetadataOnly(api.kind) && conceal !== undefined)
    return conceal({ ...value, apiVersion: api.apiVersion, kind: api.kind, metadata: concealMetadata(meta) }) as KubeObject;
  if (isMetadataOnly(api.kind)) {
    return { apiVersion: api.apiVersion, kind: api.kind, metadata: concealMetadata(meta), [OBSERVED]: ['metadata'] };
  }
  return { ...value, apiVersion: api.apiVersion, kind: api.kind, metadata: meta };
}

/** The metadata without a namespace or uid that is no text; mostly it has none, and is not copied. */
function textsOnly(metadata: JsonObject, name: string): KubeObject['metadata'] {
  const { namespace, uid } = metadata;
  if (isTextOrNone(namespace) && isTextOrNone(uid)) return metadata as KubeObject['metadata'];
  const { namespace: _namespace, uid: _uid, ...rest } = metadata;
  return { ...rest, name, ...(typeof namespace === 'string' ? { namespace } : {}), ...(typeof uid === 'string' ? { uid } : {}) };
}

function isTextOrNone(value: Json | undefined): boolean {
  return value === undefined || typeof value === 'string';
}
