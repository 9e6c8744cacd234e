import type { Json, JsonObject } from '../../../base/json.ts';
import { asList, dig, isJsonObject } from '../../../base/json.ts';
import { onceEach } from '../../../base/once.ts';
import type { Nano } from '../../../base/quantity.ts';
import { parseQuantity } from '../../../base/quantity.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { OBSERVED } from '../../../model/kube-object.ts';
import type { PodView } from './pod-view.ts';

/** Amounts by resource name. */
export type Amounts = ReadonlyMap<string, Nano>;

/**
 * What the scheduler reckons for a pod: its total and the overhead. Requests of the pod as a whole replace the sum. Undefined when no
 * source shows them; the table of a node's describe shows the whole only.
 * Source: staging/src/k8s.io/component-helpers/resource/helpers.go (PodRequests).
 */
export function podRequests(view: PodView): Amounts | undefined {
  const only = onlyContainer(view.pod);
  if (only !== undefined) return requestsOf(only);
  const containers = view.field('containers');
  const whole = amountsOf(dig(view.field('resources').value, 'requests'));
  if (!containers.known || asList(containers.value).some((container) => !isShown(view, container)))
    return whole.size > 0 ? whole : undefined;
  const total = totalOf(asList(containers.value), asList(view.field('initContainers').value), requestsOf);
  for (const [name, amount] of whole) total.set(name, amount);
  add(total, amountsOf(view.field('overhead').value));
  return total;
}

/** The sum of containers and sidecars, or what an init container needs with the sidecars before it when that is more. */
export function totalOf(
  containers: readonly Json[],
  initContainers: readonly Json[],
  amountsOfOne: (container: Json) => Amounts,
): Map<string, Nano> {
  const running = new Map<string, Nano>();
  for (const container of containers) add(running, amountsOfOne(container));
  const starting = new Map<string, Nano>();
  const sidecars = new Map<string, Nano>();
  for (const container of initContainers) {
    const own = amountsOfOne(container);
    if (dig(container, 'restartPolicy') === 'Always') {
      add(sidecars, own);
      add(running, own);
    } else raise(starting, sum(own, sidecars));
  }
  raise(running, starting);
  return running;
}

/** The container of a pod that was read whole, if all that the pod asks for is there: so it is with most pods of a large cluster. */
function onlyContainer(pod: KubeObject): Json | undefined {
  const { spec } = pod;
  if (pod[OBSERVED] !== undefined || !isJsonObject(spec)) return undefined;
  const { containers, initContainers, resources, overhead } = spec;
  const has = initContainers !== undefined || resources !== undefined || overhead !== undefined;
  return has || !Array.isArray(containers) || containers.length !== 1 ? undefined : (containers as readonly Json[])[0];
}

/** A `describe` shows requests with the containers; a table shows containers by name only. */
function isShown(view: PodView, container: Json): boolean {
  return dig(container, 'resources') !== undefined || view.field('containers', 'resources').known;
}

/** A limit without a request is a request of the same amount. Source: pkg/apis/core/v1/defaults.go (SetDefaults_Pod). */
export function requestsOf(container: Json): Amounts {
  const resources = dig(container, 'resources');
  return isJsonObject(resources) ? requestsIn(resources) : NOTHING;
}

/** Pods of a snapshot that are alike have the very same part. */
const requestsIn = onceEach((resources: JsonObject): Amounts => {
  const requests = new Map(amountsOf(resources['requests']));
  for (const [name, amount] of amountsOf(resources['limits'])) if (!requests.has(name)) requests.set(name, amount);
  return requests;
});

/** Reads `{cpu: 100m, memory: 1Gi}`; what is no quantity is left out. */
export function amountsOf(resources: Json | undefined): Amounts {
  return isJsonObject(resources) ? amountsIn(resources) : NOTHING;
}

const NOTHING: Amounts = new Map();

const amountsIn = onceEach((resources: JsonObject): Amounts => {
  const amounts = new Map<string, Nano>();
  for (const [name, quantity] of Object.entries(resources)) {
    const amount = parseQuantity(quantity);
    if (amount !== undefined) amounts.set(name, amount);
  }
  return amounts;
});

export function add(total: Map<string, Nano>, more: Amounts): void {
  for (const [name, amount] of more) total.set(name, (total.get(name) ?? 0n) + amount);
}

function raise(total: Map<string, Nano>, floor: Amounts): void {
  for (const [name, amount] of floor) if (amount > (total.get(name) ?? 0n)) total.set(name, amount);
}

function sum(a: Amounts, b: Amounts): Amounts {
  const total = new Map(a);
  add(total, b);
  return total;
}
