import type { NodeInfo } from '../node-info.ts';
import { tolerates } from '../tolerations.ts';
import type { ClassScorePlugin, ScorePlugin } from '../view.ts';
import { HIGHEST_SCORE } from '../view.ts';

/** Fewer PreferNoSchedule taints are better. Source: tainttoleration/taint_toleration.go. */
export const TAINT_SCORE: ScorePlugin = {
  name: 'TaintToleration',
  weight: 3,
  score: ({ spec }, nodes, { cache }) => {
    if (!cache.hasSoftTaints) return undefined;
    const soft = spec.tolerations.filter(({ effect }) => effect === '' || effect === 'PreferNoSchedule');
    const raw = nodes.map(({ taints }) => taints.filter((taint) => taint.effect === 'PreferNoSchedule' && !tolerates(soft, taint)).length);
    return spread(raw, true);
  },
};

/** Source: nodeaffinity/node_affinity.go. */
export const NODE_AFFINITY_SCORE: ScorePlugin = {
  name: 'NodeAffinity',
  weight: 2,
  score: ({ spec: { preferredNodes } }, nodes) => {
    if (preferredNodes.length === 0) return undefined;
    const raw = nodes.map(({ labels, name }) => {
      let sum = 0;
      for (const { weight, matches } of preferredNodes) if (matches(labels, name)) sum += weight;
      return sum;
    });
    return spread(raw, false);
  },
};

/** Least allocated: cpu and memory count alike. Source: noderesources/least_allocated.go. */
export const FIT_SCORE: ClassScorePlugin = {
  name: 'NodeResourcesFit',
  weight: 1,
  points: ({ spec: { assumed } }, node) => {
    const cpu = free(node.assumed.cpu + assumed.cpu, node.allocatable.cpu);
    const memory = free(node.assumed.memory + assumed.memory, node.allocatable.memory);
    if (cpu === undefined || memory === undefined) return cpu ?? memory ?? 0;
    return Math.floor((cpu + memory) / 2);
  },
};

/** Nodes whose cpu and memory the pod fills more evenly. Source: noderesources/balanced_allocation.go (1.36). */
export const BALANCE_SCORE: ClassScorePlugin = {
  name: 'NodeResourcesBalancedAllocation',
  weight: 1,
  points: ({ spec: { requests } }, node) => {
    if (requests.cpu === 0 && requests.memory === 0) return 0;
    return 50 + Math.trunc((50 + evenness(node, requests.cpu, requests.memory) - evenness(node, 0, 0)) / 2);
  },
};

/** Nodes that have the pod's images already, the larger the better. Source: imagelocality/image_locality.go. */
export const IMAGE_SCORE: ScorePlugin = {
  name: 'ImageLocality',
  weight: 1,
  score: ({ spec: { images, containerCount } }, nodes, { cache }) => {
    const count = cache.list().length;
    const names = images.map(withTag).filter((name) => cache.nodesWithImage(name) > 0);
    if (names.length === 0) return undefined;
    const most = 1000 * MEBIBYTE * Math.max(1, containerCount);
    return nodes.map((node) => {
      let sum = 0;
      for (const name of names) sum += Math.floor(((node.images.get(name) ?? 0) * cache.nodesWithImage(name)) / count);
      const clamped = Math.min(Math.max(sum, SMALLEST), most);
      return Math.floor((HIGHEST_SCORE * (clamped - SMALLEST)) / (most - SMALLEST));
    });
  },
};

const MEBIBYTE = 1024 * 1024;
const SMALLEST = 23 * MEBIBYTE;

/** Brings points to 0..100 by the highest; reversed, the highest gets 0. Source: plugins/helper/normalize_score.go. */
function spread(raw: readonly number[], reverse: boolean): readonly number[] {
  let highest = 0;
  for (const score of raw) highest = Math.max(highest, score);
  if (highest === 0) return raw.map(() => (reverse ? HIGHEST_SCORE : 0));
  return raw.map((score) => {
    const normal = Math.floor((HIGHEST_SCORE * score) / highest);
    return reverse ? HIGHEST_SCORE - normal : normal;
  });
}

function free(wanted: number, has: number): number | undefined {
  if (has === 0) return undefined;
  return wanted > has ? 0 : Math.floor(((has - wanted) * HIGHEST_SCORE) / has);
}

function evenness({ requested, allocatable }: NodeInfo, cpu: number, memory: number): number {
  // One resource alone is even with itself.
  if (allocatable.cpu === 0 || allocatable.memory === 0) return HIGHEST_SCORE;
  const [a, b] = [Math.min(1, (requested.cpu + cpu) / allocatable.cpu), Math.min(1, (requested.memory + memory) / allocatable.memory)];
  return Math.trunc((1 - Math.abs(a - b) / 2) * HIGHEST_SCORE);
}

function withTag(image: string): string {
  return image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image;
}
