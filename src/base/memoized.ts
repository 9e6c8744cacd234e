import type { JsonObject } from './json.ts';

/**
 * The function, which must depend on its text alone, with its latest answers at hand; an answer is forgotten when `limit` others
 * came after it. Texts longer than `length` characters are never kept, so that what is kept has a bound.
 */
export function remembered<T>(
  make: (text: string) => T,
  { limit, length }: { readonly limit: number; readonly length: number },
): (text: string) => T {
  const known = new Map<string, { readonly value: T }>();
  // It stays where the last one was forgotten: from the start it would pass over thousands that are gone.
  const oldest = known.keys();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before.value;
    const value = make(text);
    if (text.length > length) return value;
    known.set(text, { value });
    if (known.size > limit) known.delete(oldest.next().value ?? '');
    return value;
  };
}

/** One value for all that are written alike, among the latest: for what is the same in thousands of objects. */
export function sharing(limit: number): (value: JsonObject) => JsonObject {
  const known = remembered((text) => JSON.parse(text) as JsonObject, { limit, length: 500 });
  return (value) => known(JSON.stringify(value));
}
