import type { Json, JsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { pruneUnknown } from '../custom/structural.ts';
import { applyDefaults } from '../defaulting/defaults.ts';
import { internalError } from '../failures.ts';
import type { Failure } from '../request.ts';
import { decode } from '../schema/decode.ts';
import type { AdmissionRequest } from './admission.ts';

/** What the schema of a custom resource does not know is left out again. */
function known(value: JsonObject, { custom }: AdmissionRequest['resource']): JsonObject {
  return custom === undefined ? value : pruneUnknown(custom.schema, value).object;
}

/** Puts a changed object in the place of the request's, read and defaulted as if it had been sent. */
export function putMutated(request: AdmissionRequest, value: Json): Failure | undefined {
  const { resource } = request;
  const decoded =
    resource.model === undefined
      ? { ok: true as const, object: known(value as JsonObject, resource) }
      : decode(resource.model, value as JsonObject);
  if (!decoded.ok) return internalError(decoded.error);
  request.object = applyDefaults(resource.key, decoded.object) as KubeObject;
  return undefined;
}
