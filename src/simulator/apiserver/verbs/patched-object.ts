import type { JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { applyJsonPatch, MAX_OPERATIONS } from '../../../base/json-patch.ts';
import { applyMergePatch } from '../../../base/merge-patch.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { badRequest, failure, plainError, unsupportedMediaType } from '../failures.ts';
import { applyClientPatch, applyStrategicMerge } from '../patches/strategic-merge.ts';
import type { Failure } from '../request.ts';
import type { Call } from '../server-state.ts';

/** What a patch makes of an object, before anybody looks whether it is one of its kind still. */
export function patchedObject(call: Call, current: KubeObject): { readonly ok: true; readonly object: JsonObject } | Failure {
  const { request, resource } = call;
  const given = request.patch;
  if (given === undefined) return badRequest('patch is empty');
  if (given.type === 'json') {
    if (!Array.isArray(given.body))
      return badRequest('error decoding patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch');
    if (given.body.length > MAX_OPERATIONS)
      return failure(
        413,
        'RequestEntityTooLarge',
        `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${given.body.length}`,
      );
    const result = applyJsonPatch(current, given.body);
    if (!result.ok) return failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
    return isJsonObject(result.value) ? { ok: true, object: result.value } : badRequest(NO_OBJECT);
  }
  if (!isJsonObject(given.body)) return badRequest('error decoding patch: expected an object');
  if (given.type === 'merge') return { ok: true, object: applyMergePatch(current, given.body) as JsonObject };
  if (resource.model === undefined)
    return unsupportedMediaType(
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    );
  if (request.tracksFields !== true) return { ok: true, object: applyStrategicMerge(resource.model, current, given.body) };
  const merged = applyClientPatch(resource.model, current, given.body);
  return 'error' in merged ? plainError(merged.error) : { ok: true, object: merged.object };
}

/** Source: staging/src/k8s.io/apimachinery/pkg/runtime/serializer/json/meta.go (Interpret). */
const NO_OBJECT =
  'couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
