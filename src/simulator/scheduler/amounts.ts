import type { Json } from '../../base/json.ts';
import { asObject } from '../../base/json.ts';
import { numberOf } from '../../base/number.ts';
import { parseQuantity } from '../../base/quantity.ts';
import { remembered } from '../../base/memoized.ts';

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
    if (name === 'cpu') amounts.cpu = thousandthsOf(written(quantity));
    else if (name === 'memory') amounts.memory = wholeOf(written(quantity));
    else if (name === 'ephemeral-storage') amounts.ephemeral = wholeOf(written(quantity));
    else if (name === 'pods') amounts.pods = wholeOf(written(quantity));
    else amounts.scalar.set(name, wholeOf(written(quantity)));
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

const NANO = 1_000_000_000n;

function written(quantity: Json | undefined): string {
  return typeof quantity === 'string' || typeof quantity === 'number' ? String(quantity) : '';
}

/** Thousands of pods ask for the same few quantities. */
const [thousandthsOf, wholeOf] = ([1000n, 1n] as const).map((perUnit) =>
  remembered((quantity) => roundedUp(quantity, perUnit), { limit: 5000, length: 64 }),
) as [(quantity: string) => number, (quantity: string) => number];

/** In units of `1/perUnit`, rounded up as Quantity.MilliValue and Quantity.Value do. */
function roundedUp(quantity: string, perUnit: bigint): number {
  return numberOf(((parseQuantity(quantity) ?? 0n) * perUnit + NANO - 1n) / NANO);
}
