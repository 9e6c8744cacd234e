/** One recorded thing and the simulated one it is compared with; either may be missing. */
export interface Pair<T> {
  readonly recorded: T | undefined;
  readonly simulated: T | undefined;
}

/**
 * Pairs things of one masked name: replicas differ in nothing but chance, so each recorded one gets the most alike of those left.
 * `likeness` says how alike two are. Groups larger than `GROUP_LIMIT` are paired in their order.
 */
export function pair<T>(
  recorded: readonly T[],
  simulated: readonly T[],
  keyOf: (thing: T, side: 'recorded' | 'simulated') => string,
  likeness: (recorded: T, simulated: T) => number,
): readonly Pair<T>[] {
  const left = new Map<string, T[]>();
  for (const thing of simulated) addTo(left, keyOf(thing, 'simulated'), thing);
  const groups = new Map<string, T[]>();
  for (const thing of recorded) addTo(groups, keyOf(thing, 'recorded'), thing);
  const pairs: Pair<T>[] = [];
  for (const [key, group] of groups) {
    const others = left.get(key) ?? [];
    for (const thing of group) {
      const index = group.length > GROUP_LIMIT ? 0 : bestOf(thing, others, likeness);
      const [match] = others.splice(index, 1);
      pairs.push({ recorded: thing, simulated: match });
    }
  }
  for (const others of left.values()) for (const thing of others) pairs.push({ recorded: undefined, simulated: thing });
  return pairs;
}

const GROUP_LIMIT = 40;

function bestOf<T>(thing: T, others: readonly T[], likeness: (recorded: T, simulated: T) => number): number {
  let best = 0;
  let most = -1;
  for (const [index, other] of others.entries()) {
    const alike = likeness(thing, other);
    if (alike > most) [best, most] = [index, alike];
  }
  return best;
}

function addTo<T>(groups: Map<string, T[]>, key: string, thing: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [thing]);
  else group.push(thing);
}
