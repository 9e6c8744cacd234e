import { sha256Base64 } from '../../../base/sha256.ts';
import type { ServedResource } from '../resources.ts';

/**
 * What discovery tells of the version in which a resource is stored; undefined of what is not stored.
 * Source: staging/src/k8s.io/apiserver/pkg/endpoints/discovery/storageversionhash.go.
 */
export function storageVersionHash({ key, group, version, kind, verbs, custom }: ServedResource): string | undefined {
  if (!verbs.includes('watch')) return undefined;
  const stored = custom === undefined ? (STORED[key] ?? `${group}/${version}`) : `${group}/${custom.storage}`;
  return sha256Base64(new TextEncoder().encode(`${stored}/${kind}`), 8);
}

/** Kinds that are served in several versions. */
const STORED: Readonly<Record<string, string>> = { events: '/v1', 'horizontalpodautoscalers.autoscaling': 'autoscaling/v2' };
