import type { Node, Pair } from 'yaml';
import { isMap, isScalar, isSeq } from 'yaml';
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { YamlCursor } from './yaml-cursor.ts';

/** What stands at a place as JSON, whatever it is; a problem for what JSON does not have. */
export function jsonAt(cursor: YamlCursor): Json | undefined {
  const { node } = cursor;
  if (node === null) return null;
  if (isScalar(node)) {
    const value: unknown = node.value;
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  }
  if (isSeq(node)) return cursor.items().map((item) => jsonAt(item) ?? null);
  if (isMap(node)) return Object.fromEntries((node.items as readonly Pair<Node, Node | null>[]).flatMap((pair) => member(cursor, pair)));
  return cursor.problem('aliases and tags are not allowed here');
}

/** A map as JSON. */
export function objectAt(cursor: YamlCursor): JsonObject | undefined {
  const value = jsonAt(cursor);
  return isJsonObject(value) ? value : cursor.problem('expected a map');
}

function member(cursor: YamlCursor, { key }: Pair<Node, Node | null>): readonly (readonly [string, Json])[] {
  const name = isScalar(key) ? String(key.value) : '';
  const found = cursor.entries().get(name);
  return found === undefined ? [] : [[name, jsonAt(found) ?? null]];
}
