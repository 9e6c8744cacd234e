import { bigintOf, parseBigint, parseInteger } from '../../../base/number.ts';
import { remembered } from '../../../base/memoized.ts';

/** Fields that hold quantities, which the generated schema has as plain text: `Struct.field`, of maps their values. */
export const QUANTITY_FIELDS: ReadonlySet<string> = new Set([
  'CapacityRequestPolicy.default',
  'CapacityRequestPolicy.validValues',
  'CapacityRequestPolicyRange.max',
  'CapacityRequestPolicyRange.min',
  'CapacityRequestPolicyRange.step',
  'CapacityRequirements.requests',
  'ContainerStatus.allocatedResources',
  'Counter.value',
  'CSIStorageCapacity.capacity',
  'CSIStorageCapacity.maximumVolumeSize',
  'DeviceCapacity.value',
  'DeviceRequestAllocationResult.consumedCapacity',
  'EmptyDirVolumeSource.sizeLimit',
  'HPAScalingRules.tolerance',
  'LimitRangeItem.default',
  'LimitRangeItem.defaultRequest',
  'LimitRangeItem.max',
  'LimitRangeItem.maxLimitRequestRatio',
  'LimitRangeItem.min',
  'MetricTarget.averageValue',
  'MetricTarget.value',
  'MetricValueStatus.averageValue',
  'MetricValueStatus.value',
  'NodeAllocatableResourceClaimStatus.resources',
  'NodeAllocatableResourceMapping.allocationMultiplier',
  'NodeStatus.allocatable',
  'NodeStatus.capacity',
  'Overhead.podFixed',
  'PersistentVolumeClaimStatus.allocatedResources',
  'PersistentVolumeClaimStatus.capacity',
  'PersistentVolumeSpec.capacity',
  'PodSpec.overhead',
  'PodStatus.allocatedResources',
  'ResourceFieldSelector.divisor',
  'ResourceQuotaSpec.hard',
  'ResourceQuotaStatus.hard',
  'ResourceQuotaStatus.used',
  'ResourceRequirements.limits',
  'ResourceRequirements.requests',
  'VolumeResourceRequirements.limits',
  'VolumeResourceRequirements.requests',
]);

/** A quantity in the one form the API server keeps: `1024Mi` is `1Gi`, `0.5` is `500m`; undefined when it is none. */
export function canonicalQuantity(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' ? canonical(text) : undefined;
}

/** Amounts of resources are not finer than a thousandth. Source: pkg/apis/core/v1/defaults.go (SetDefaults_ResourceList). */
export function inThousandths(quantity: string): string {
  const [, digits = '', unit = ''] = /^(\d+)([nu])$/.exec(quantity) ?? [];
  if (unit === '') return quantity;
  const part = unit === 'n' ? 1_000_000n : 1000n;
  return canonicalForm(`${((parseBigint(digits) ?? 0n) + part - 1n) / part}m`) ?? quantity;
}

const canonical = remembered((text) => canonicalForm(text.trim()), { limit: 5000, length: 64 });

/** Source: staging/src/k8s.io/apimachinery/pkg/api/resource/{quantity,suffix}.go. */
function canonicalForm(text: string): string | undefined {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE])([+-]?\d{1,3})|([numkMGTPE]|[KMGTPE]i)?)$/.exec(text);
  if (parts === null || text.length > 64) return undefined;
  const [, sign, whole = '', fraction = '', e, exponent, suffix = ''] = parts;
  if (whole === '' && fraction === '') return undefined;
  const digits = parseBigint(`${whole}${fraction}`) ?? 0n;
  const minus = sign === '-' ? '-' : '';
  if (suffix.endsWith('i')) return binaryForm(digits, fraction.length, BINARY.indexOf(suffix), minus);
  const power = e === undefined ? (DECIMAL_POWERS[suffix] ?? 0) : (parseInteger(exponent) ?? 0);
  const form = decimalForm(digits, power - fraction.length);
  return form === undefined ? '0' : `${minus}${form.digits}${unitOf(form.power, e)}`;
}

/** A suffix, or an exponent where one was given. */
function unitOf(power: number, e: string | undefined): string {
  if (e === undefined) return DECIMAL_SUFFIXES[String(power)] ?? '';
  return power === 0 ? '' : `${e}${power}`;
}

/** Digits without thousands to spare, and a power that is a multiple of three; not below a billionth, which is rounded up. */
function decimalForm(digits: bigint, power: number): { readonly digits: bigint; readonly power: number } | undefined {
  let [rest, exponent] = [digits, power];
  if (rest === 0n) return undefined;
  while (exponent < -9) [rest, exponent] = [(rest + 9n) / 10n, exponent + 1];
  while (exponent % 3 !== 0) [rest, exponent] = [rest * 10n, exponent - 1];
  while (rest % 1000n === 0n && exponent < 18) [rest, exponent] = [rest / 1000n, exponent + 3];
  return { digits: rest, power: exponent };
}

function binaryForm(digits: bigint, decimals: number, unit: number, minus: string): string {
  const divisor = 10n ** bigintOf(decimals);
  const bytes = digits << bigintOf(unit * 10);
  if (bytes === 0n) return '0';
  if (bytes % divisor !== 0n) return canonicalForm(`${minus}${(bytes * 1000n + divisor - 1n) / divisor}m`) ?? '0';
  let [rest, index] = [bytes / divisor, 0];
  while (rest % 1024n === 0n && index < BINARY.length - 1) [rest, index] = [rest / 1024n, index + 1];
  return `${minus}${rest}${BINARY[index] ?? ''}`;
}

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL_POWERS: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const DECIMAL_SUFFIXES: Readonly<Record<string, string>> = {
  '-9': 'n',
  '-6': 'u',
  '-3': 'm',
  0: '',
  3: 'k',
  6: 'M',
  9: 'G',
  12: 'T',
  15: 'P',
  18: 'E',
};
