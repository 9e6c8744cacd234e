import type { DeviceLedger } from '../devices/ledger.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { FilterPlugin, Rejection } from '../view.ts';
import { WORDS } from '../scheduler-messages.ts';

/**
 * What the node lacks for a pod; a request beyond all the node has is not helped by removing pods. Source: noderesources/fit.go
 * (fitsRequest).
 */
export const RESOURCES_FIT: FilterPlugin = {
  name: 'NodeResourcesFit',
  byClass: true,
  prepare: (pod, { devices }) => ({ filter: (node) => lackOf(pod, node, devices) }),
};

export function lackOf(
  { spec: { requests } }: Pick<PodInfo, 'spec'>,
  { allocatable, requested, pods }: NodeInfo,
  devices: DeviceLedger,
): Rejection | undefined {
  if (
    requests.scalar.size === 0 &&
    pods.size < allocatable.pods &&
    fits(requests.cpu, allocatable.cpu, requested.cpu) &&
    fits(requests.memory, allocatable.memory, requested.memory) &&
    fits(requests.ephemeral, allocatable.ephemeral, requested.ephemeral)
  )
    return undefined;
  const needs: readonly (readonly [name: string, wanted: number, has: number, used: number])[] = [
    ['cpu', requests.cpu, allocatable.cpu, requested.cpu],
    ['memory', requests.memory, allocatable.memory, requested.memory],
    ['ephemeral-storage', requests.ephemeral, allocatable.ephemeral, requested.ephemeral],
    ...[...requests.scalar]
      .filter(([name]) => !isForDevices(name, allocatable, devices))
      .map(([name, wanted]) => [name, wanted, allocatable.scalar.get(name) ?? 0, requested.scalar.get(name) ?? 0] as const),
  ];
  const lacking = needs.filter(([, wanted, has, used]) => !fits(wanted, has, used));
  const reasons = [...(pods.size + 1 > allocatable.pods ? [WORDS.tooManyPods] : []), ...lacking.map(([name]) => WORDS.insufficient(name))];
  return reasons.length === 0
    ? undefined
    : { plugin: 'NodeResourcesFit', resolvable: lacking.every(([, wanted, has]) => wanted <= has), reasons };
}

/** What no device plugin offers there and a device class stands for is for DynamicResources to find. */
function isForDevices(resource: string, { scalar }: NodeInfo['allocatable'], devices: DeviceLedger): boolean {
  return (scalar.get(resource) ?? 0) === 0 && devices.classFor(resource) !== undefined;
}

function fits(wanted: number, has: number, used: number): boolean {
  return wanted <= 0 || wanted <= has - used;
}
