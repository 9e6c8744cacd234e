import type { Json, JsonObject } from '../base/json.ts';
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
  readonly propagation?: Propagation;
  readonly graceSeconds?: number;
}

export type Written = { readonly ok: true; readonly object: KubeObject | undefined } | { readonly ok: false; readonly reason: string; readonly message: string };

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
