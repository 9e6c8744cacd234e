import type { JsonObject } from '../base/json.ts';

/** What an action does to the world: `destructive` ends something that cannot be had back. */
export const EFFECTS = ['read', 'write', 'destructive'] as const;
export type Effect = (typeof EFFECTS)[number];

/** A change of the cluster. Objects are templates of `Kind/name` or `Kind/namespace/name`; texts in bodies are templates. */
export type ChangeAction =
  | {
      readonly change: 'patch';
      readonly object: string;
      readonly type: PatchType;
      readonly body: JsonObject | readonly JsonObject[];
      readonly subresource?: string;
    }
  | { readonly change: 'scale'; readonly object: string; readonly replicas: string }
  /** A new annotation on the pod template, as `kubectl rollout restart` writes it. */
  | { readonly change: 'restart'; readonly object: string }
  /** The template of the revision before, as `kubectl rollout undo`. */
  | { readonly change: 'rollout-undo'; readonly object: string; readonly revision?: string }
  | { readonly change: 'set-image'; readonly object: string; readonly container: string; readonly image: string }
  | { readonly change: 'create'; readonly manifest: JsonObject }
  | { readonly change: 'delete'; readonly object: string; readonly propagation?: Propagation; readonly graceSeconds?: number }
  | { readonly change: 'cordon' | 'uncordon' | 'drain'; readonly object: string }
  | { readonly change: 'evict'; readonly object: string }
  /** Of a CertificateSigningRequest. */
  | { readonly change: 'approve'; readonly object: string }
  /** A NetworkPolicy that lets the pods of its namespace reach the ports of a Service. */
  | { readonly change: 'allow-clients'; readonly object: string }
  /** What the printed fix of the last cause does, where it is one command that changes one object and deletes none, or creates
   * objects only. */
  | { readonly change: 'fix' };

export const CHANGE_KINDS = [
  'patch',
  'scale',
  'restart',
  'rollout-undo',
  'set-image',
  'create',
  'delete',
  'cordon',
  'uncordon',
  'drain',
  'evict',
  'approve',
  'allow-clients',
  'fix',
] as const satisfies readonly ChangeAction['change'][];
export const PATCH_TYPES = ['strategic', 'merge', 'json'] as const;
export type PatchType = (typeof PATCH_TYPES)[number];
export const PROPAGATIONS = ['Background', 'Foreground', 'Orphan'] as const;
export type Propagation = (typeof PROPAGATIONS)[number];

/** What a change does unless the playbook says worse of it. */
export function effectOf({ change }: ChangeAction): Effect {
  return change === 'delete' || change === 'drain' || change === 'evict' ? 'destructive' : 'write';
}
