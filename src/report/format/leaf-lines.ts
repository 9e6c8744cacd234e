import type { Json } from '../../base/json.ts';
import { asText, dig, isJsonObject } from '../../base/json.ts';
import { printableUpTo, shorten } from '../../base/text.ts';

export interface Leaf {
  /** `spec.containers[web].image` */
  readonly path: string;
  readonly value: Json;
}

/** A value leaf by leaf, so that each line can be read; members with names are called by their names. */
export function leavesOf(value: Json, path = ''): readonly Leaf[] {
  if (isJsonObject(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, member]) => leavesOf(member ?? null, path === '' ? key : `${path}.${key}`));
  if (Array.isArray(value) && (value as readonly Json[]).some(isJsonObject))
    return (value as readonly Json[]).flatMap((member, index) =>
      leavesOf(member, `${path}[${asText(dig(member, 'name')) ?? String(index)}]`),
    );
  return [{ path, value }];
}

/**
 * `spec.replicas: 3`, in one line whatever is in it. The path is in it before it is made harmless: it says whether the value is a secret.
 */
export function leafLine({ path, value }: Leaf, longest: number): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return printableUpTo(
    `${shorten(path, longest)}: ${text}`.replaceAll('\r', String.raw`\r`).replaceAll('\n', String.raw`\n`),
    Math.min(path.length, longest) + ': '.length + longest,
  );
}
