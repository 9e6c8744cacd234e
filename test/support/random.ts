/** Numbers in [0, 1), the same for a seed. (mulberry32) */
export function randomFrom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function one<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)] as T;
}
