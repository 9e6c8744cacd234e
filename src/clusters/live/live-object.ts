import type { Json } from '../../base/json.ts';
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
  const { namespace: _namespace, uid: _uid, ...rest } = metadata;
  const [namespace, uid] = [asText(metadata['namespace']), asText(metadata['uid'])];
  const meta = { ...rest, name, ...(namespace === undefined ? {} : { namespace }), ...(uid === undefined ? {} : { uid }) };
  if (isMetadataOnly(api.kind) && conceal !== undefined)
    return conceal({ ...value, apiVersion: api.apiVersion, kind: api.kind, metadata: concealMetadata(meta) }) as KubeObject;
  if (isMetadataOnly(api.kind)) {
    return { apiVersion: api.apiVersion, kind: api.kind, metadata: concealMetadata(meta), [OBSERVED]: ['metadata'] };
  }
  return { ...value, apiVersion: api.apiVersion, kind: api.kind, metadata: meta };
}
