import type { Prng } from '../../base/prng.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { extendedClasses } from './devices/extended.ts';
import { deallocatable } from './filters/dynamic-resources.ts';
import type { NotSearched, Searched } from './find-nodes.ts';
import { findNodes } from './find-nodes.ts';
import { countReason, fitMessage, preemptionPart } from './fit-message.ts';
import type { NodeInfo } from './node-info.ts';
import type { Nominator } from './nominator.ts';
import type { PodInfo } from './pod-info.ts';
import { findPreemption } from './preemption.ts';
import { totalScores } from './scores/scores.ts';
import type { PluginName, SchedulerView } from './view.ts';
import { WORDS } from './scheduler-messages.ts';

/** What a scheduling cycle decides for a pod. */
export type Decision =
  | { readonly node: NodeInfo; readonly next: number }
  | { readonly failed: string; readonly next: number }
  | {
      readonly message: string;
      readonly rejectedBy: ReadonlySet<PluginName>;
      /** The node that is being made free for the pod; empty when none is, undefined when what was said before still holds. */
      readonly nominated: string | undefined;
      readonly victims: readonly PodInfo[];
      /** A claim whose allocation is given up, so that another node may do. */
      readonly deallocate?: KubeObject | undefined;
      readonly next: number;
    };

/** One scheduling cycle: filter, score, or see whether preemption helps. Source: pkg/scheduler/schedule_one.go (schedulingCycle). */
export function decide(pod: PodInfo, view: SchedulerView, nominator: Nominator, prng: Prng, start: number): Decision {
  const count = view.cache.list().length;
  const hopeless = { nominated: undefined, victims: [], next: start };
  if (count === 0) return { ...hopeless, nominated: '', message: WORDS.noNodes, rejectedBy: new Set() };
  const search = findNodes(pod, view, nominator, start);
  if ('failed' in search) return { failed: search.failed, next: start };
  if ('rejected' in search)
    return {
      ...hopeless,
      message: fitMessage(count, { preFilter: search.rejected }, afterPreFilter(pod, search, count)),
      rejectedBy: search.plugins,
    };
  const [first, second] = search.feasible;
  if (first !== undefined) return { node: second === undefined ? first : best(pod, search.feasible, view, prng), next: search.next };
  return { ...whyNot(pod, search, view, nominator, prng), next: search.next };
}

/**
 * A PreFilter that rejects keeps DynamicResources from preparing its state, without which its PostFilter fails and ends the rest; unless it
 * is its own.
 */
function afterPreFilter(pod: PodInfo, { plugins }: NotSearched, count: number): string {
  if (!plugins.has('DynamicResources')) return WORDS.noState;
  return preemptionPart(pod.spec.mayPreempt ? fitMessage(count, { reasons: new Map([[WORDS.notHelpful, count]]) }) : WORDS.never);
}

function whyNot(pod: PodInfo, search: Searched, view: SchedulerView, nominator: Nominator, prng: Prng) {
  const reasons = new Map<string, number>();
  for (const rejection of search.rejections.values()) for (const reason of rejection.reasons) countReason(reasons, reason);
  for (let index = 0; index < search.excluded; index++) countReason(reasons, WORDS.excluded(search.excludedBy));
  const count = view.cache.list().length;
  const deallocate = pod.spec.claimsDevices
    ? deallocatable(
        pod,
        view.cache.list().filter(({ name }) => search.rejections.get(name)?.plugin === 'DynamicResources'),
        view,
      )
    : undefined;
  const ofClaims =
    !pod.spec.claimsDevices && extendedClasses(pod, view.devices) === undefined
      ? WORDS.noClaims
      : deallocate === undefined
        ? WORDS.claimsKeep
        : WORDS.deallocated;
  const preemption = findPreemption(pod, search, view, nominator, prng);
  if ('why' in preemption)
    return {
      deallocate,
      message: fitMessage(count, { reasons }, preemptionPart(preemption.why, ofClaims)),
      rejectedBy: search.plugins,
      nominated: preemption.eligible ? '' : undefined,
      victims: [],
    };
  return {
    deallocate,
    message: fitMessage(count, { reasons }),
    rejectedBy: search.plugins,
    nominated: preemption.node,
    victims: preemption.victims,
  };
}

/** The node with the most points; among equals chance decides. */
function best(pod: PodInfo, nodes: readonly NodeInfo[], view: SchedulerView, prng: Prng): NodeInfo {
  const totals = totalScores(pod, nodes, view);
  let most = Number.NEGATIVE_INFINITY;
  let among: NodeInfo[] = [];
  for (let index = 0; index < nodes.length; index++) {
    const total = totals[index] ?? 0;
    if (total < most) continue;
    if (total > most) among = [];
    most = total;
    among.push(nodes[index] as NodeInfo);
  }
  return prng.pick(among) ?? (nodes[0] as NodeInfo);
}
