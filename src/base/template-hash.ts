import { parseInteger } from './number.ts';

/** Letters that make no words. Source: staging/src/k8s.io/apimachinery/pkg/util/rand/rand.go (alphanums). */
const SAFE_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** A hash as the names of ReplicaSets and revisions carry it. Source: the same file (SafeEncodeString). */
export function safeEncoded(hash: string): string {
  return Array.from(hash, (character) => SAFE_LETTERS.charAt(character.charCodeAt(0) % SAFE_LETTERS.length)).join('');
}

/** What SafeEncodeString makes of a 32-bit number in decimal, or that number itself (Kubernetes 1.8 and before). */
const OF_A_HASH = /-(?:[456789bcdf]{7,10}|[1-9]\d{6,9})$/;

/**
 * The Deployment that a ReplicaSet of this name belongs to by its name; undefined for a name without a hash. Source:
 * pkg/controller/deployment/sync.go (getNewReplicaSet).
 */
export function deploymentOf(replicaSet: string): string | undefined {
  const hash = OF_A_HASH.exec(replicaSet);
  return hash === null || hash.index === 0 ? undefined : replicaSet.slice(0, hash.index);
}

/** The number at the end of the name of a StatefulSet's pod. Source: pkg/controller/statefulset/stateful_set_utils.go (getParentNameAndOrdinal). */
export function ordinalIn(pod: string): number | undefined {
  return parseInteger(/-(\d+)$/.exec(pod)?.[1]);
}
