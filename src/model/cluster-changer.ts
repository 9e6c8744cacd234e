import type { Json, JsonObject } from '../base/json.ts';
import { withPath } from '../base/json-edit.ts';
import type { KubeObject } from './kube-object.ts';
import type { PatchType, Propagation } from './playbook-change.ts';

/** A write, as the API takes it. */
export interface WriteRequest {
  readonly verb: 'create' | 'update' | 'patch' | 'delete';
  readonly apiVersion?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly subresource?: string;
  readonly patch?: { readonly type: PatchType; readonly body: Json };
  readonly body?: JsonObject;
  /** Of a delete: only the object with this uid. */
  readonly uid?: string;
  /** Only while the object is as it was in this version; a Conflict otherwise. Of patches and deletions. */
  readonly resourceVersion?: string;
  readonly propagation?: Propagation;
  readonly graceSeconds?: number;
}

export type Written =
  | { readonly ok: true; readonly object: KubeObject | undefined }
  /** `isUnknown`: it was sent, and nobody knows whether it was carried out (no answer, a server error, an answer that is none). */
  | { readonly ok: false; readonly reason: string; readonly message: string; readonly isUnknown?: true };

export interface Access {
  readonly verb: string;
  readonly kind: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** The only way to change a cluster. A refusal is a value, never an exception. */
export interface ClusterChanger {
  send(request: WriteRequest, dryRun: boolean): Promise<Written>;
  /** Whether whoever runs it may; undefined when that cannot be told. */
  allowed(access: Access): Promise<boolean | undefined>;
}

/** The patch's body with the version it is for: a server that has another one answers with a Conflict. */
export function withVersion({ type, body }: NonNullable<WriteRequest['patch']>, resourceVersion: string | undefined): Json {
  if (resourceVersion === undefined) return body;
  if (type === 'json') return [...(body as readonly Json[]), { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion }];
  return withPath(body as JsonObject, ['metadata', 'resourceVersion'], resourceVersion);
}
