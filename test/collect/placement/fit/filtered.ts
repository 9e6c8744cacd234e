import type { JsonObject } from '../../../../src/base/json.ts';
import { nodeFitter } from '../../../../src/collect/placement/fit/node-refusals.ts';
import { makePlacementView } from '../../../../src/collect/placement/fit/placement-view.ts';
import { viewOf } from '../../../../src/collect/placement/fit/pod-view.ts';
import type { KubeObject } from '../../../../src/model/kube-object.ts';
import { objectOf } from '../../../support/collected.ts';

export const ZONE = 'topology.kubernetes.io/zone';

export function node(
  name: string,
  {
    labels = {},
    allocatable = {},
    spec = {},
  }: { readonly labels?: JsonObject; readonly allocatable?: JsonObject; readonly spec?: JsonObject } = {},
): KubeObject {
  return objectOf('Node', name, { spec, status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110', ...allocatable } } }, { labels });
}

export function pod(name: string, spec: JsonObject = {}, metadata: JsonObject = {}, status: JsonObject = {}): KubeObject {
  return objectOf('Pod', name, { spec: { containers: [{ name: 'web' }], ...spec }, status }, metadata);
}

export interface Seen {
  readonly nodes?: readonly KubeObject[];
  readonly pods?: readonly KubeObject[];
  readonly claims?: readonly KubeObject[];
  readonly volumes?: readonly KubeObject[];
  readonly allPods?: boolean;
  readonly wholeNodes?: readonly string[];
  readonly wholeNamespaces?: readonly string[];
}

export interface Filtered {
  readonly refused: readonly string[];
  readonly unknown: readonly string[];
  readonly detail: string | undefined;
}

/** What the filters of the scheduler make of the pod and the first node. */
export function filtered(
  waiting: KubeObject,
  { nodes = [node('worker-1')], pods = [], claims = [], volumes = [], allPods = true, wholeNodes = [], wholeNamespaces = [] }: Seen = {},
): Filtered {
  const world = makePlacementView({
    nodes,
    pods,
    claims,
    volumes,
    allPods,
    wholeNodes: new Set(wholeNodes),
    wholeNamespaces: new Set(wholeNamespaces),
  });
  const [first] = nodeFitter(world)(viewOf(waiting));
  return {
    refused: first?.refusals.map(({ blocker }) => blocker) ?? [],
    unknown: first?.unknown ?? [],
    detail: first?.refusals[0]?.detail,
  };
}

export const refused = (waiting: KubeObject, seen: Seen = {}): readonly string[] => filtered(waiting, seen).refused;
