const SUFFIX: Readonly<Record<string, readonly [base: bigint, power: bigint]>> = {
  n: [10n, 0n],
  u: [10n, 3n],
  m: [10n, 6n],
  '': [10n, 9n],
  k: [10n, 12n],
  M: [10n, 15n],
  G: [10n, 18n],
  T: [10n, 21n],
  P: [10n, 24n],
  E: [10n, 27n],
  Ki: [2n, 10n],
  Mi: [2n, 20n],
  Gi: [2n, 30n],
  Ti: [2n, 40n],
  Pi: [2n, 50n],
  Ei: [2n, 60n],
};
const NANO = 1_000_000_000n;

/** An amount in billionths of its unit (cores, bytes, pieces), exact for everything Kubernetes accepts. */
export type Nano = bigint;

/**
 * Reads a Kubernetes quantity (`250m`, `1.5Gi`, `2e3`, `12E`); undefined for anything else. Amounts below a billionth are
 * rounded up, as the API server does. Source: staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go.
 */
export function parseQuantity(text: unknown): Nano | undefined {
  if (typeof text === 'number') return Number.isFinite(text) ? parseQuantity(String(text)) : undefined;
  if (typeof text !== 'string' || text.length > 64) return undefined;
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3})|([numkMGTPE]|[KMGTPE]i)?)$/.exec(text.trim());
  if (parts === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent, suffix = ''] = parts;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(whole + fraction);
  const scale = exponent === undefined ? SUFFIX[suffix] : ([10n, 9n + BigInt(exponent)] as const);
  if (scale === undefined) return undefined;
  const amount = scaled(digits, BigInt(fraction.length), scale);
  return sign === '-' ? -amount : amount;
}

/** A quantity as Kubernetes would print it in the family of the unit asked for: `bytes` in Ki/Mi/Gi, `decimal` in m/k/M. */
export function formatQuantity(amount: Nano, family: 'bytes' | 'decimal'): string {
  if (amount < 0n) return `-${formatQuantity(-amount, family)}`;
  if (family === 'bytes') {
    for (const suffix of ['Ei', 'Pi', 'Ti', 'Gi', 'Mi', 'Ki']) {
      const size = NANO << (SUFFIX[suffix]?.[1] ?? 0n);
      if (amount >= size && amount % size === 0n) return `${amount / size}${suffix}`;
    }
  }
  if (amount % NANO === 0n) return `${amount / NANO}`;
  if (amount % 1_000_000n === 0n) return `${amount / 1_000_000n}m`;
  return amount % 1000n === 0n ? `${amount / 1000n}u` : `${amount}n`;
}

function scaled(digits: bigint, fractionDigits: bigint, [base, power]: readonly [bigint, bigint]): Nano {
  const divisor = 10n ** fractionDigits;
  const factor = base === 2n ? NANO << power : power >= 0n ? 10n ** power : 1n;
  const below = base === 10n && power < 0n ? divisor * 10n ** -power : divisor;
  return (digits * factor + below - 1n) / below;
}
