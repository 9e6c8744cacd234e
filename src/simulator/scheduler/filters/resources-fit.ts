import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import type { FilterPlugin, Rejection } from '../view.ts';
import { WORDS } from '../words.ts';

/** What the node lacks for a pod; a request beyond all the node has is not helped by removing pods. Source: noderesources/fit.go (fitsRequest). */
export const RESOURCES_FIT: FilterPlugin = {
  name: 'NodeResourcesFit',
  prepare: (pod) => ({ filter: (node) => lackOf(pod, node) }),
};

export function lackOf({ spec: { requests } }: Pick<PodInfo, 'spec'>, { allocatable, requested, pods }: NodeInfo): Rejection | undefined {
  let lacking: string[] | undefined;
  let resolvable = true;
  function check(name: string, wanted: number, has: number, used: number): void {
    if (wanted <= 0 || wanted <= has - used) return;
    lacking ??= [];
    lacking.push(WORDS.insufficient(name));
    if (wanted > has) resolvable = false;
  }
  if (pods.size + 1 > allocatable.pods) lacking = [WORDS.tooManyPods];
  check('cpu', requests.cpu, allocatable.cpu, requested.cpu);
  check('memory', requests.memory, allocatable.memory, requested.memory);
  check('ephemeral-storage', requests.ephemeral, allocatable.ephemeral, requested.ephemeral);
  for (const [name, wanted] of requests.scalar) check(name, wanted, allocatable.scalar.get(name) ?? 0, requested.scalar.get(name) ?? 0);
  return lacking === undefined ? undefined : { plugin: 'NodeResourcesFit', resolvable, reasons: lacking };
}
