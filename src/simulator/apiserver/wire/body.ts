import { reasonOf } from '../../../base/errors.ts';
import { duplicateFields } from '../../../base/json-duplicates.ts';
import type { Json } from '../../../base/json.ts';
import { own } from '../../../base/own-property.ts';
import { MAX_STORED_BYTES } from '../etcd-size.ts';
import { badRequest, unsupportedMediaType } from '../failures.ts';
import type { Failure } from '../request.ts';
import type { Resources } from '../resources.ts';
import { readProtobuf } from './protobuf.ts';

/** A request's body as JSON, whatever it was written in, and the fields it named twice. */
export type DecodedBody = { readonly ok: true; readonly body: Json; readonly duplicates: readonly string[] } | Failure;

/** Reads the bytes of a body by its content type (without parameters). YAML has been made JSON by the transport. */
export function decodeWireBody(contentType: string, bytes: Uint8Array, resources: Resources): DecodedBody {
  if (contentType === PROTOBUF) {
    const read = readProtobuf(bytes, (apiVersion, kind) => modelOf(resources, apiVersion, kind));
    return read.ok ? { ...read, duplicates: [] } : badRequest(read.error);
  }
  if (contentType !== '' && !JSON_TYPES.has(contentType))
    return unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, ${PROTOBUF}`,
    );
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // What is too large is refused, whatever it names twice.
    return {
      ok: true,
      body: JSON.parse(text) as Json,
      duplicates: (contentType === JSON_TYPE || contentType === '') && text.length <= MAX_STORED_BYTES ? duplicateFields(text) : [],
    };
  } catch (error) {
    return badRequest(`error decoding body: ${reasonOf(error)}`);
  }
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

const JSON_TYPE = 'application/json';

const JSON_TYPES: ReadonlySet<string> = new Set([
  JSON_TYPE,
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/yaml',
  'application/octet-stream',
  'text/plain',
]);

/** Kinds of subresources and options have no resource of their own. */
function modelOf(resources: Resources, apiVersion: string, kind: string): string | undefined {
  return own(OTHER_KINDS, kind) ?? resources.ofKind(apiVersion, kind)?.model;
}

const OTHER_KINDS: Readonly<Record<string, string>> = {
  DeleteOptions: 'V1DeleteOptions',
  Eviction: 'V1Eviction',
  Scale: 'V1Scale',
  TokenRequest: 'AuthenticationV1TokenRequest',
};
