import { reasonOf } from '../../../base/errors.ts';
import type { Json } from '../../../base/json.ts';
import { badRequest, unsupportedMediaType } from '../failures.ts';
import type { Failure } from '../request.ts';

/** A request's body as JSON, whatever it was written in. */
export type DecodedBody = { readonly ok: true; readonly body: Json } | Failure;

/** Reads the bytes of a body by its content type (without parameters). YAML has been made JSON by the transport. */
export function decodeWireBody(contentType: string, bytes: Uint8Array): DecodedBody {
  if (contentType !== '' && !JSON_TYPES.has(contentType)) return unsupportedMediaType(`the body of the request was in an unknown format - accepted media types include: application/json, application/yaml`);
  try {
    return { ok: true, body: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json };
  } catch (error) {
    return badRequest(`error decoding body: ${reasonOf(error)}`);
  }
}

const JSON_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/json-patch+json', 'application/merge-patch+json', 'application/strategic-merge-patch+json', 'application/apply-patch+yaml', 'application/yaml', 'application/octet-stream', 'text/plain']);
