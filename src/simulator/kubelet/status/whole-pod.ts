import type { Json, JsonObject } from '../../../base/json.ts';
import { asObject, dig } from '../../../base/json.ts';
import { remembered } from '../../../base/memoized.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { podRequests, quantityText } from '../../apiserver/quota-usage.ts';
import { containersOf } from '../pods/pod-fields.ts';

/**
 * What a pod as a whole was given and has. Of one that has run the kubelet reads what it has from its control group: CPU and memory;
 * where that says nothing, as not every container has a limit, what it showed before stays.
 * Source: pkg/kubelet/kubelet_pods.go (convertToAPIPodLevelResourcesStatus), cm/helpers_linux.go.
 */
export function wholePodOf(pod: KubeObject): JsonObject {
  const spec = asObject(pod['spec']);
  const { resources, overhead } = spec;
  const own = (kind: 'containers' | 'initContainers'): JsonObject[] =>
    containersOf(pod, kind).map(({ resources: asked, restartPolicy }) => ({ resources: asked, restartPolicy }));
  const [containers, initContainers] = [own('containers'), own('initContainers')];
  if (resources === undefined && overhead === undefined && ![...containers, ...initContainers].some(asksForAny)) return NOTHING;
  return sumsOf(JSON.stringify([{ resources, overhead, containers, initContainers }, dig(pod, 'status', 'phase') !== 'Pending']));
}

const NOTHING: JsonObject = { resources: {} };

function asksForAny({ resources }: JsonObject): boolean {
  return Object.keys(asObject(resources)).length > 0;
}

/** Most pods of a cluster ask for the same as others. */
const sumsOf = remembered(
  (text): JsonObject => {
    const [spec, hasRun] = JSON.parse(text) as [JsonObject, boolean];
    const pod = { spec } as unknown as KubeObject;
    const [requests, limits] = [amounts(pod, 'requests'), amounts(pod, 'limits')];
    if (!hasRun) return { resources: { requests, limits }, allocatedResources: requests };
    return {
      resources: { requests: actual(pod, requests, 'requests'), limits: actual(pod, limits, 'limits') },
      allocatedResources: requests,
    };
  },
  { limit: 4096, length: 4000 },
);

type Kind = 'requests' | 'limits';

/** Each sum is written like the first amount that is in it. */
function amounts(pod: KubeObject, kind: Kind): JsonObject | null {
  const given = [pod['spec'] ?? null, ...containersOf(pod, 'containers'), ...containersOf(pod, 'initContainers')];
  const like = (name: string): Json | undefined => given.map((one) => dig(one, 'resources', kind, name)).find((one) => one !== undefined);
  const sums = Array.from(podRequests(pod, kind), ([name, amount]) => [name, quantityText(amount, like(name))] as const);
  return sums.length === 0 ? null : Object.fromEntries(sums);
}

/** What is in the control group, beside what was given to the pod itself; null for what was shown before the pod ran, and goes. */
function actual(pod: KubeObject, sums: JsonObject | null, kind: Kind): JsonObject | null {
  const given = asObject(dig(pod['spec'], 'resources', kind));
  const all = [...containersOf(pod, 'containers'), ...containersOf(pod, 'initContainers')];
  const isLimited = given['memory'] !== undefined || all.every((one) => dig(one, 'resources', 'limits', 'memory') !== undefined);
  const entries = Object.entries(sums ?? {}).map(([name, sum]): readonly [string, Json] => {
    if (name === 'memory' && kind === 'limits' && isLimited) return [name, inPages(sum)];
    return [name, (name === 'cpu' || name === 'memory' ? sum : given[name]) ?? null];
  });
  return entries.every(([, sum]) => sum === null) ? null : Object.fromEntries(entries);
}

/** The kernel counts memory in pages. */
function inPages(limit: Json | undefined): string {
  const bytes = (parseQuantity(limit) ?? 0n) / PAGE;
  return quantityText(bytes * PAGE, 'Ki');
}

/** In the units of `Nano`. */
const PAGE = 4096n * 1_000_000_000n;
