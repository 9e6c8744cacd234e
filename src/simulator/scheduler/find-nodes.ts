import { FILTERS } from './filters/filters.ts';
import type { NodeInfo } from './node-info.ts';
import type { NodeNumbers } from './node-numbers.ts';
import type { Nominator } from './nominator.ts';
import type { PodInfo } from './pod-info.ts';
import type { PluginName, Prepared, Rejection, SchedulerView } from './view.ts';
import { WORDS } from './scheduler-messages.ts';

/** No node was even looked at: a plugin would have none. */
export interface NotSearched {
  readonly rejected: string;
  readonly plugins: ReadonlySet<PluginName>;
}

/** The search was given up: a plugin met an error. */
export interface SearchFailed {
  readonly failed: string;
}

/** Nodes that were looked at, and what speaks against those that will not do. */
export interface Searched {
  readonly feasible: readonly NodeInfo[];
  readonly rejections: ReadonlyMap<string, Rejection>;
  /** How many nodes were left out beforehand, and by which plugins. */
  readonly excluded: number;
  readonly excludedBy: readonly PluginName[];
  readonly plugins: ReadonlySet<PluginName>;
  /** Where the next pod's search begins. */
  readonly next: number;
}

type Filter = (node: NodeInfo) => Rejection | undefined;

/**
 * Asks all plugins before the nodes, then of each node in turn until enough are found.
 * Source: pkg/scheduler/schedule_one.go (findNodesThatFitPod), pkg/scheduler/framework/runtime/framework.go (RunPreFilterPlugins).
 */
export function findNodes(pod: PodInfo, view: SchedulerView, nominator: Nominator, start: number): NotSearched | SearchFailed | Searched {
  const all = view.cache.list();
  const prepared = prepareAll(pod, view);
  if ('rejection' in prepared) return { rejected: prepared.rejection.reasons.join(', '), plugins: new Set([prepared.rejection.plugin]) };
  const { nodes, pinnedBy } = prepared;
  if (nodes?.size === 0) return { rejected: exclusion(pinnedBy), plugins: new Set(pinnedBy) };
  const candidates = nodes === undefined ? all : all.filter(({ name }) => nodes.has(name));
  const rejections = new Map<string, Rejection>();
  const plugins = new Set<PluginName>(candidates.length < all.length ? pinnedBy : []);
  const nominated = nominatedOf(candidates, nominator.nodeOf(pod.key));
  if (nominated !== undefined && rejectionOf(pod, nominated, prepared, view, nominator) === undefined) {
    return { feasible: [nominated], rejections, excluded: 0, excludedBy: [], plugins, next: start };
  }
  const wanted = enough(candidates.length);
  const feasible: NodeInfo[] = [];
  let looked = 0;
  for (; looked < candidates.length && feasible.length < wanted; looked++) {
    const node = candidates[(start + looked) % candidates.length];
    if (node === undefined) break;
    const rejection = rejectionOf(pod, node, prepared, view, nominator);
    if (rejection?.error !== undefined) return { failed: rejection.error };
    if (rejection === undefined) feasible.push(node);
    else {
      rejections.set(node.name, rejection);
      plugins.add(rejection.plugin);
    }
  }
  const next = (start + looked) % Math.max(candidates.length, 1);
  return { feasible, rejections, excluded: all.length - candidates.length, excludedBy: pinnedBy, plugins, next };
}

function nominatedOf(candidates: readonly NodeInfo[], promised: string): NodeInfo | undefined {
  return promised === '' ? undefined : candidates.find(({ name }) => name === promised);
}

function exclusion(pinnedBy: readonly PluginName[]): string {
  return pinnedBy.length === 1 ? WORDS.excludedByOne(pinnedBy[0] ?? '') : WORDS.excludedTogether(pinnedBy);
}

/** Whether a node would take the pod as things are now: everything is looked at anew. */
export function rejectionNow(pod: PodInfo, node: NodeInfo, view: SchedulerView, nominator: Nominator): Rejection | undefined {
  const prepared = prepareAll(pod, view);
  if ('rejection' in prepared) return prepared.rejection;
  return rejectionOf(pod, node, prepared, view, nominator);
}

interface PreparedAll {
  readonly filters: readonly Filter[];
  /** Those of them that think the same of all pods of the class, as one answer for each node: 1 when all would take the pod. */
  readonly byClass: NodeNumbers;
  readonly others: readonly Filter[];
  readonly nodes: ReadonlySet<string> | undefined;
  readonly pinnedBy: readonly PluginName[];
}

function prepareAll(pod: PodInfo, view: SchedulerView): PreparedAll | { readonly rejection: Rejection } {
  const filters: Filter[] = [];
  const [byClass, others]: [Filter[], Filter[]] = [[], []];
  const pinnedBy: PluginName[] = [];
  let nodes: ReadonlySet<string> | undefined;
  for (const plugin of FILTERS) {
    const prepared: Prepared = plugin.prepare(pod, view);
    if (prepared === undefined) continue;
    if ('rejection' in prepared) return prepared;
    if (prepared.filter !== undefined) {
      filters.push(prepared.filter);
      (plugin.byClass === true ? byClass : others).push(prepared.filter);
    }
    const own = prepared.nodes;
    if (own === undefined) continue;
    const before: ReadonlySet<string> | undefined = nodes;
    nodes = before === undefined ? own : new Set([...before].filter((name) => own.has(name)));
    pinnedBy.push(plugin.name);
  }
  const numbers = view.cache.numbers('fits', pod, () => (node) => (firstOf(byClass, node) === undefined ? 1 : 0));
  return { filters, byClass: numbers, others, nodes, pinnedBy };
}

/** The first plugin's objection. Pods nominated to the node count as if they were there, and the pod must fit without them too. */
function rejectionOf(
  pod: PodInfo,
  node: NodeInfo,
  prepared: PreparedAll,
  view: SchedulerView,
  nominator: Nominator,
): Rejection | undefined {
  const rejection = nominator.empty ? undefined : rejectionBeside(pod, node, view, nominator);
  if (rejection !== undefined) return rejection;
  return firstOf(prepared.byClass.of(node) === 1 ? prepared.others : prepared.filters, node);
}

function rejectionBeside(pod: PodInfo, node: NodeInfo, view: SchedulerView, nominator: Nominator): Rejection | undefined {
  const ahead = nominator.ahead(pod, node.name).filter(({ key }) => view.cache.placed(key) === undefined);
  if (ahead.length === 0) return undefined;
  for (const other of ahead) view.cache.place(other, node.name);
  const prepared = prepareAll(pod, view);
  const rejection = 'rejection' in prepared ? prepared.rejection : firstOf(prepared.filters, node);
  for (const other of ahead) view.cache.remove(other.key);
  return rejection;
}

function firstOf(filters: readonly Filter[], node: NodeInfo): Rejection | undefined {
  for (const filter of filters) {
    const rejection = filter(node);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

/** How many nodes that fit are enough of so many. Source: pkg/scheduler/schedule_one.go (numFeasibleNodesToFind). */
function enough(nodes: number): number {
  if (nodes < 100) return nodes;
  const percentage = Math.max(5, 50 - Math.floor(nodes / 125));
  return Math.max(100, Math.floor((nodes * percentage) / 100));
}
