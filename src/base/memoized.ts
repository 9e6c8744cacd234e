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
