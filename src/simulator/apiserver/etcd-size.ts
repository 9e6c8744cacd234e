import type { Json, JsonObject } from '../../base/json.ts';
import { dig, isJsonObject } from '../../base/json.ts';
import { textOf } from '../../base/json-text.ts';
import { invalid, tooLargeForEtcd } from './failures.ts';
import type { Failure } from './request.ts';
import type { ServedResource } from './resources.ts';
import { tooLong } from './validation/field-error.ts';
import { ANNOTATIONS_LIMIT } from './validation/metadata.ts';

/**
 * What is said of an object that etcd does not store, before time is spent on it: upstream finds its annotations and its data too
 * long first. Upstream counts the bytes of protobuf for its own kinds, which are fewer than those of JSON; here JSON counts for all.
 * Source: etcd's server/embed/config.go (DefaultMaxRequestBytes).
 */
export function refuseTooLarge({ key, group, kind }: ServedResource, object: JsonObject): Failure | undefined {
  if (!isTooLarge(object)) return undefined;
  const of = { group, kind };
  const name = textOf(dig(object, 'metadata', 'name'));
  if (textSize(dig(object, 'metadata', 'annotations'), 1) > ANNOTATIONS_LIMIT)
    return invalid(of, name, [tooLong('metadata.annotations', ANNOTATIONS_LIMIT)]);
  // Four characters of base64 are three bytes.
  if (key === 'configmaps' && textSize(object['data']) + textSize(object['binaryData']) * 0.75 > DATA_LIMIT)
    return invalid(of, name, [tooLong('[]', DATA_LIMIT)]);
  if (key === 'secrets' && textSize(object['stringData']) + textSize(object['data']) * 0.75 > DATA_LIMIT)
    return invalid(of, name, [tooLong('data', DATA_LIMIT)]);
  return tooLargeForEtcd();
}

/** Whether a value has more bytes, as JSON, than etcd stores. */
export function isTooLarge(value: Json | undefined): boolean {
  return sizeUpTo(value, MAX_STORED_BYTES) > MAX_STORED_BYTES;
}

export const MAX_STORED_BYTES = 1_572_864;
const DATA_LIMIT = 1_048_576;

/** The characters of the texts of a map, and of its keys when they count. */
function textSize(map: Json | undefined, keys: 0 | 1 = 0): number {
  let size = 0;
  if (isJsonObject(map)) for (const [key, value] of Object.entries(map)) size += keys * key.length + textOf(value).length;
  return size;
}

/**
 * The bytes of a value as JSON, but for those that escapes add, without writing it out. What is beyond the limit is not counted. Each
 * value counts as many bytes as small ones take on the average: a hundred thousand empty objects take seconds to check.
 */
function sizeUpTo(value: Json | undefined, limit: number): number {
  if (typeof value === 'string') return Math.max(MIN_BYTES, value.length + 2);
  let size = MIN_BYTES;
  if (Array.isArray(value)) {
    for (const member of value as readonly Json[]) {
      size += sizeUpTo(member, limit - size);
      if (size > limit) break;
    }
  } else if (isJsonObject(value)) {
    for (const [field, member] of Object.entries(value)) {
      size += field.length + sizeUpTo(member, limit - size);
      if (size > limit) break;
    }
  }
  return size;
}

const MIN_BYTES = 20;
