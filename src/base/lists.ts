/**
 * Lists of any length. A list that is spread into the arguments of a call stands on the stack, which takes about 120,000 values;
 * test/spread-arguments.test.ts finds such calls.
 */

/** Puts more at the end of a list. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}

/** The list without one of its members. */
export function without<T>(list: readonly T[], member: T): readonly T[] {
  return list.filter((one) => one !== member);
}

/** The largest of the numbers; NaN if one of them is, and less than every number if there is none. */
export function largest(numbers: Iterable<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const one of numbers) most = Math.max(most, one);
  return most;
}

/** The smallest of the numbers; NaN if one of them is, and more than every number if there is none. */
export function smallest(numbers: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const one of numbers) least = Math.min(least, one);
  return least;
}

/** The members of a list by what they are grouped by, each group in the order of the list. */
export function grouped<Key, T>(list: Iterable<T>, keyOf: (one: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const one of list) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}
