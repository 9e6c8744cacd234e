import type { KubeObject } from '../../model/kube-object.ts';
import type { Change } from '../store/store.ts';
import type { Failure } from './request.ts';
import type { ObjectMatcher } from './selectors.ts';

/** What a watch delivers, as the wire has it. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  /** Of a change: the object's key in the store. */
  readonly key?: string;
}

export interface WatchHandle {
  stop(): void;
}

export type WatchStart = { readonly ok: true; readonly handle: WatchHandle } | Failure;

/**
 * A change as a watcher with selectors sees it: an object that begins to fit is added, one that stops to fit is deleted.
 * Source: staging/src/k8s.io/apiserver/pkg/storage/cacher/cache_watcher.go (convertToWatchEvent).
 */
export function eventFor(change: Change, matches: ObjectMatcher | undefined): WatchEvent | undefined {
  if (matches === undefined) return { type: change.type, object: change.object, key: change.key };
  const fits = change.type !== 'DELETED' && matches(change.object);
  const fitted = change.previous !== undefined && matches(change.previous);
  if (fits) return { type: fitted ? 'MODIFIED' : 'ADDED', object: change.object, key: change.key };
  return fitted ? { type: 'DELETED', object: change.object, key: change.key } : undefined;
}
