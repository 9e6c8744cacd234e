/** Letters that make no words. Source: staging/src/k8s.io/apimachinery/pkg/util/rand/rand.go (alphanums). */
const SAFE_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** A hash as the names of ReplicaSets and revisions carry it. Source: the same file (SafeEncodeString). */
export function safeHash(hash: number): string {
  return Array.from(String(hash), (digit) => SAFE_LETTERS.charAt(digit.charCodeAt(0) % SAFE_LETTERS.length)).join('');
}
