import { asList, asText, dig } from '../../../base/json.ts';
import type { Unread } from '../../../model/cluster-reader.ts';
import { unseenIn } from '../../../model/cluster-reader.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Scene } from '../../survey/scene.ts';

/** How many devices there are, and how many of them nobody has. */
export interface DeviceSupply {
  readonly driver: string | undefined;
  readonly offered: number;
  readonly free: number;
}

/** The devices of the driver that expressions name, or of all drivers; or what could not be read. */
export async function deviceSupply(
  expressions: readonly string[],
  scene: Scene,
): Promise<DeviceSupply | { readonly gap: Pick<Unread, 'detail' | 'needs'> }> {
  const [slices, claims] = [await scene.survey.list('ResourceSlice', {}), await scene.survey.list('ResourceClaim', {})];
  const unseen = unseenIn(slices) ?? unseenIn(claims);
  if (unseen !== undefined || !slices.ok || !claims.ok) return { gap: unseen ?? { detail: 'the devices were not seen' } };
  const driver = driverIn(expressions);
  const offered = new Set(
    slices.value.filter((slice) => driver === undefined || dig(slice, 'spec', 'driver') === driver).flatMap(devicesOf),
  );
  let free = offered.size;
  for (const id of new Set(claims.value.flatMap(allocatedTo))) if (offered.has(id)) free--;
  return { driver, offered: offered.size, free };
}

/** Most classes are for one driver, and say so: `device.driver == "gpu.example.com"`. */
function driverIn(expressions: readonly string[]): string | undefined {
  for (const expression of expressions) {
    const driver = /device\.driver ?== ?["']([-.a-z0-9]{1,63})["']/.exec(expression)?.[1];
    if (driver !== undefined) return driver;
  }
  return undefined;
}

function devicesOf(slice: KubeObject): readonly string[] {
  const spec = dig(slice, 'spec');
  return asList(dig(spec, 'devices')).map((device) => idOf(dig(spec, 'driver'), dig(spec, 'pool', 'name'), dig(device, 'name')));
}

function allocatedTo(claim: KubeObject): readonly string[] {
  const results = asList(dig(claim, 'status', 'allocation', 'devices', 'results'));
  return results
    .filter((result) => dig(result, 'adminAccess') !== true)
    .map((result) => idOf(dig(result, 'driver'), dig(result, 'pool'), dig(result, 'device')));
}

function idOf(...parts: readonly (KubeObject['spec'] | undefined)[]): string {
  return parts.map((part) => asText(part) ?? '').join('/');
}
