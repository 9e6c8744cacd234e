import type { KubeObject } from '../../model/kube-object.ts';

/** Whether etcd refuses to store an object. Source: etcd's server/embed/config.go (DefaultMaxRequestBytes). */
export function isTooLarge(object: KubeObject): boolean {
  return sizeUpTo(object, MAX_BYTES) > MAX_BYTES;
}

const MAX_BYTES = 1_572_864;

/** A lower bound of the bytes of a value, without writing it out. What is beyond the limit is not counted. */
function sizeUpTo(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let size = 2;
  for (const field in value) {
    if (size > limit) return size;
    size += (Array.isArray(value) ? 1 : field.length + 4) + sizeUpTo((value as Readonly<Record<string, unknown>>)[field], limit - size);
  }
  return size;
}
