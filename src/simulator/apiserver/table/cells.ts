import { formatDuration } from '../../../base/duration.ts';
import type { Instant } from '../../../base/instant.ts';
import { parseInstant } from '../../../base/instant.ts';
import type { Json } from '../../../base/json.ts';
import { asList, asNumber, asObject, asTextMap, dig, digAt } from '../../../base/json.ts';
import { textOf } from '../../../base/json-text.ts';
import type { KubeObject } from '../../../model/kube-object.ts';

/** Texts that many columns share. Source: pkg/printers/internalversion/printers.go. */

export const NONE = '<none>';
export const UNKNOWN = '<unknown>';
export const UNSET = '<unset>';

/** How long ago: `5m12s`. */
export function since(time: Json | undefined, now: Instant): string {
  const instant = parseInstant(time);
  return instant === undefined ? UNKNOWN : formatDuration((now - instant) / 1000);
}

export function age(object: KubeObject, now: Instant): string {
  return since(object.metadata['creationTimestamp'], now);
}

export function text(object: KubeObject, ...path: readonly (string | number)[]): string {
  return textOf(digAt(object, path));
}

export function textOr(otherwise: string, object: KubeObject, ...path: readonly (string | number)[]): string {
  const found = text(object, ...path);
  return found === '' ? otherwise : found;
}

export function count(object: KubeObject, ...path: readonly (string | number)[]): number {
  return asNumber(digAt(object, path)) ?? 0;
}

/** `app=web,tier=front`. */
export function labels(map: Json | undefined, otherwise = NONE): string {
  const pairs = Object.entries(asTextMap(map))
    .map(([key, value]) => `${key}=${value}`)
    .sort();
  return pairs.length === 0 ? otherwise : pairs.join(',');
}

/** A LabelSelector as `metav1.FormatLabelSelector` writes it. */
export function selector(of: Json | undefined): string {
  if (of === undefined || of === null) return NONE;
  const pairs = Object.entries(asTextMap(dig(of, 'matchLabels'))).map(([key, value]): [string, string] => [key, `${key}=${value}`]);
  const expressions = asList(dig(of, 'matchExpressions')).map((one): [string, string] => {
    const key = textOf(dig(one, 'key'));
    const values = asList(dig(one, 'values')).map(String).sort().join(',');
    return [
      key,
      { In: `${key} in (${values})`, NotIn: `${key} notin (${values})`, Exists: key, DoesNotExist: `!${key}` }[
        textOf(dig(one, 'operator'))
      ] ?? key,
    ];
  });
  const all = [...pairs, ...expressions].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, words]) => words);
  return all.length === 0 ? NONE : all.join(',');
}

/** Names and images of a template's containers, as two cells. */
export function containerCells(podSpec: Json | undefined): readonly [names: string, images: string] {
  const containers = asList(dig(podSpec, 'containers'));
  return [containers.map((one) => textOf(dig(one, 'name'))).join(','), containers.map((one) => textOf(dig(one, 'image'))).join(',')];
}

/** The first few of a list, and how many more there are. */
export function listed(list: readonly string[], most: number, separator: string, otherwise: string): string {
  if (list.length === 0) return otherwise;
  const shown = list.slice(0, most).join(separator);
  return list.length > most ? `${shown} + ${list.length - most} more...` : shown;
}

export function hasCondition(object: KubeObject, type: string, status = 'True'): boolean {
  return asList(dig(object, 'status', 'conditions')).some((one) => dig(one, 'type') === type && dig(one, 'status') === status);
}

export function size(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : Object.keys(asObject(value)).length;
}

/** Go's words for a pointer to a boolean. */
export function boolOr(value: Json | undefined, otherwise: string): string {
  return value === true ? 'True' : value === false ? 'False' : otherwise;
}
