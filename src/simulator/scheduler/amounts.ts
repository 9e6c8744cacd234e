import type { Json } from '../../base/json.ts';
import { asObject } from '../../base/json.ts';
import { bigintOf, numberOf } from '../../base/number.ts';
import { parseQuantity } from '../../base/quantity.ts';
import { LruMap } from '../../base/lru-map.ts';

/** Resources as the scheduler adds them up: thousandths of a core, bytes, and pieces of everything else by name. */
export interface Amounts {
  cpu: number;
  memory: number;
  ephemeral: number;
  pods: number;
  readonly scalar: Map<string, number>;
}

export function noAmounts(): Amounts {
  return { cpu: 0, memory: 0, ephemeral: 0, pods: 0, scalar: new Map() };
}

/** A resource list (`requests`, `allocatable`, `overhead`). */
export function amountsOf(list: Json | undefined): Amounts {
  const amounts = noAmounts();
  for (const [name, quantity] of Object.entries(asObject(list))) {
    if (name === 'cpu') amounts.cpu = valueOf(quantity, 1000);
    else if (name === 'memory') amounts.memory = valueOf(quantity, 1);
    else if (name === 'ephemeral-storage') amounts.ephemeral = valueOf(quantity, 1);
    else if (name === 'pods') amounts.pods = valueOf(quantity, 1);
    else amounts.scalar.set(name, valueOf(quantity, 1));
  }
  return amounts;
}

export function addAmounts(to: Amounts, more: Amounts, sign: 1 | -1 = 1): void {
  to.cpu += sign * more.cpu;
  to.memory += sign * more.memory;
  to.ephemeral += sign * more.ephemeral;
  for (const [name, amount] of more.scalar) to.scalar.set(name, (to.scalar.get(name) ?? 0) + sign * amount);
}

/** Raises each amount to at least the other's. */
export function raiseAmounts(to: Amounts, floor: Amounts): void {
  to.cpu = Math.max(to.cpu, floor.cpu);
  to.memory = Math.max(to.memory, floor.memory);
  to.ephemeral = Math.max(to.ephemeral, floor.ephemeral);
  for (const [name, amount] of floor.scalar) to.scalar.set(name, Math.max(to.scalar.get(name) ?? 0, amount));
}

/** Thousands of pods ask for the same few quantities. */
const known = new LruMap<number>(5000);
const REMEMBERED_LENGTH = 64;
const NANO = 1_000_000_000n;

/** In units of `1/perUnit`, rounded up as Quantity.MilliValue and Quantity.Value do. */
function valueOf(quantity: Json | undefined, perUnit: 1 | 1000): number {
  const key = `${typeof quantity === 'string' || typeof quantity === 'number' ? quantity : ''} ${perUnit}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const nano = (parseQuantity(quantity) ?? 0n) * bigintOf(perUnit);
  const value = numberOf((nano + NANO - 1n) / NANO);
  if (key.length <= REMEMBERED_LENGTH) known.set(key, value);
  return value;
}
