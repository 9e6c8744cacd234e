import type { Json } from '../../../base/json.ts';
import { asList, asObject, asText, dig } from '../../../base/json.ts';
import { canonicalJson } from '../../../base/json-edit.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { toleratesDeviceTaint } from '../../devices/device-taints.ts';
import type { DeviceAlternative } from './requests.ts';
import type { Device } from './pools.ts';
import { deviceId } from './pools.ts';

/** A device that was chosen for a request of a claim. */
export interface Chosen {
  readonly claim: number;
  readonly request: DeviceAlternative;
  readonly device: Device;
}

/**
 * Whether the devices chosen so far for a claim keep its constraints: an attribute is the same for all (matchAttribute), or different for
 * all.
 * Source: staging/src/k8s.io/dynamic-resource-allocation/structured/internal/stable/allocator_stable.go (matchAttributeConstraint).
 */
export function keepsConstraints(claim: KubeObject, chosen: readonly Chosen[]): boolean {
  return asList(dig(claim, 'spec', 'devices', 'constraints')).every((constraint) => {
    const names = asList(dig(constraint, 'requests'));
    const meant = chosen.filter(
      ({ request }) => names.length === 0 || names.includes(request.name) || names.includes(request.name.split('/', 1)[0] ?? ''),
    );
    const [same, different] = [asText(dig(constraint, 'matchAttribute')), asText(dig(constraint, 'distinctAttribute'))];
    const values = meant.map(({ device }) => attributeOf(device, same ?? different ?? ''));
    if (values.includes(undefined)) return false;
    const kinds = new Set(values).size;
    return same === undefined ? kinds === values.length : kinds <= 1;
  });
}

/** Its own name, or without the domain where that is the driver's. */
function attributeOf(device: Device, name: string): string | undefined {
  const attributes = dig(device.spec, 'attributes');
  const short = name.startsWith(`${device.driver}/`) ? dig(attributes, name.slice(device.driver.length + 1)) : undefined;
  const value = dig(attributes, name) ?? short;
  return value === undefined ? undefined : canonicalJson(value);
}

/** Whether no taint of the device keeps the request away. Source: allocator_stable.go (taintPreventsAllocation). */
export function toleratesTaints({ spec }: Device, { tolerations }: DeviceAlternative): boolean {
  return asList(dig(spec, 'taints')).every((taint) => {
    const effect = asText(dig(taint, 'effect')) ?? '';
    return (effect !== 'NoSchedule' && effect !== 'NoExecute') || tolerations.some((toleration) => toleratesDeviceTaint(toleration, taint));
  });
}

/**
 * Whether the counters devices of a pool share are enough for all that are in use and the chosen ones.
 * Source: allocator_stable.go (checkAvailableCounters).
 */
export function hasCounters(slices: readonly KubeObject[], inUse: (id: string) => boolean, chosen: readonly Device[]): boolean {
  const left = new Map<string, bigint>();
  for (const slice of slices) {
    for (const set of asList(dig(slice, 'spec', 'sharedCounters'))) forEachCounter(set, 'name', (name, amount) => left.set(name, amount));
  }
  const taken = new Set(chosen.map(({ id }) => id));
  const used = slices.flatMap((slice) =>
    asList(dig(slice, 'spec', 'devices')).filter((device) => {
      const id = deviceId(
        asText(dig(slice, 'spec', 'driver')) ?? '',
        asText(dig(slice, 'spec', 'pool', 'name')) ?? '',
        asText(dig(device, 'name')) ?? '',
      );
      return inUse(id) || taken.has(id);
    }),
  );
  for (const device of used) {
    for (const consumption of asList(dig(device, 'consumesCounters'))) {
      forEachCounter(consumption, 'counterSet', (name, amount) => {
        const before = left.get(name);
        if (before !== undefined) left.set(name, before - amount);
      });
    }
  }
  return [...left.values()].every((amount) => amount >= 0n);
}

function forEachCounter(set: Json, nameField: string, told: (name: string, amount: bigint) => void): void {
  const name = asText(dig(set, nameField)) ?? '';
  for (const [counter, amount] of Object.entries(asObject(dig(set, 'counters'))))
    told(`${name}/${counter}`, parseQuantity(dig(amount ?? null, 'value')) ?? 0n);
}
