import type { Environment } from '@marcbachmann/cel-js';
import { numberOf } from '../../../base/number.ts';
import { parseQuantity } from '../../../base/quantity.ts';

/** Source: staging/src/k8s.io/apiserver/pkg/cel/library/quantity.go. */
export function registerQuantities(environment: Environment): Environment {
  return environment
    .registerType('Quantity', Quantity)
    .registerFunction('isQuantity(dyn): bool', (text: unknown) => parseQuantity(text) !== undefined)
    .registerFunction('quantity(string): Quantity', (text: string) => {
      const amount = parseQuantity(text);
      if (amount === undefined)
        throw new Error("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
      return new Quantity(amount);
    })
    .registerFunction('Quantity.isGreaterThan(Quantity): bool', (one: Quantity, other: Quantity) => one.amount > other.amount)
    .registerFunction('Quantity.isLessThan(Quantity): bool', (one: Quantity, other: Quantity) => one.amount < other.amount)
    .registerFunction('Quantity.compareTo(Quantity): int', (one: Quantity, other: Quantity) =>
      one.amount > other.amount ? 1n : one.amount < other.amount ? -1n : 0n,
    )
    .registerFunction('Quantity.add(Quantity): Quantity', (one: Quantity, other: Quantity) => new Quantity(one.amount + other.amount))
    .registerFunction('Quantity.add(int): Quantity', (one: Quantity, other: bigint) => new Quantity(one.amount + other * NANO))
    .registerFunction('Quantity.sub(Quantity): Quantity', (one: Quantity, other: Quantity) => new Quantity(one.amount - other.amount))
    .registerFunction('Quantity.sub(int): Quantity', (one: Quantity, other: bigint) => new Quantity(one.amount - other * NANO))
    .registerFunction('Quantity.sign(): int', ({ amount }: Quantity) => (amount > 0n ? 1n : amount < 0n ? -1n : 0n))
    .registerFunction('Quantity.isInteger(): bool', ({ amount }: Quantity) => amount % NANO === 0n)
    .registerFunction('Quantity.asInteger(): int', ({ amount }: Quantity) => {
      if (amount % NANO !== 0n) throw new Error('cannot convert value to integer');
      return amount / NANO;
    })
    .registerFunction('Quantity.asApproximateFloat(): double', ({ amount }: Quantity) => numberOf(amount) / 1e9)
    .registerOperator('Quantity == Quantity', (one: Quantity, other: Quantity) => one.amount === other.amount);
}

const NANO = 1_000_000_000n;

/** An amount in billionths. */
export class Quantity {
  readonly amount: bigint;

  constructor(amount: bigint) {
    this.amount = amount;
  }
}
