import { dig } from '../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import type { ComponentHost } from '../components/component.ts';
import type { Routine } from '../time/routine.ts';

export type Fetched =
  | { readonly ok: true; readonly object: KubeObject }
  | { readonly ok: false; readonly trouble: string; readonly missing: boolean };

/**
 * ConfigMaps and Secrets as the kubelet knows them: read when first needed, and again when asked after a pod that uses them was
 * told of a change. An absent object is asked for anew each time. Source: pkg/kubelet/util/manager/watch_based_manager.go.
 */
export class ObjectCache {
  readonly #host: ComponentHost;
  readonly #known = new Map<string, KubeObject>();
  readonly #watched = new Set<string>();
  readonly #changed: (ref: ObjectRef) => void;

  constructor(host: ComponentHost, changed: (ref: ObjectRef) => void) {
    this.#host = host;
    this.#changed = changed;
  }

  /** With `awaited`, one that is not there is watched for: who uses it goes on without it. */
  *get(ref: ObjectRef, awaited = false): Routine<Fetched> {
    const key = `${ref.kind}/${ref.namespace}/${ref.name}`;
    const known = this.#known.get(key);
    if (known !== undefined) return { ok: true, object: known };
    const answer = yield* this.#host.client.get(ref);
    if (!answer.ok && answer.code === 404 && awaited) this.#watch(ref, key);
    if (!answer.ok) return { ok: false, trouble: troubleOf(ref, answer.code, answer.message), missing: answer.code === 404 };
    this.#known.set(key, answer.object);
    this.#watch(ref, key);
    return { ok: true, object: answer.object };
  }

  /** Watches what is in use by its name alone. What every pod mounts and nobody changes is not watched. */
  #watch(ref: ObjectRef, key: string): void {
    if (this.#watched.has(key) || ref.name === 'kube-root-ca.crt' || ref.namespace === undefined) return;
    this.#watched.add(key);
    const informer = this.#host.informer({ kind: ref.kind, namespace: ref.namespace, fieldSelector: `metadata.name=${ref.name}` });
    informer.onChange(({ type, object }) => {
      const before = this.#known.get(key);
      if (type === 'DELETED') this.#known.delete(key);
      else this.#known.set(key, object);
      if (before === undefined || dig(before, 'metadata', 'resourceVersion') !== dig(object, 'metadata', 'resourceVersion'))
        this.#changed(ref);
    });
  }
}

function troubleOf(ref: ObjectRef, code: number, message: string): string {
  if (code === 404) return `${ref.kind.toLowerCase()} "${ref.name}" not found`;
  return code === 0 || code >= 500 ? `failed to sync ${ref.kind.toLowerCase()} cache: timed out waiting for the condition` : message;
}
