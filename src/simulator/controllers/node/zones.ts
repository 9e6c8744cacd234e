import type { Instant } from '../../../base/instant.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { labelsOf } from '../../../model/kube-object.ts';
import { TokenBucket } from '../../time/token-bucket.ts';
import { isTrue } from '../conditions.ts';

/**
 * How fast nodes of a zone may be emptied: one in ten seconds, more slowly when much of a large zone is ill, not at all in a
 * small one, and not at all when every zone is: then it is more likely that the control plane cannot see.
 * Source: node_lifecycle_controller.go (handleDisruption, ComputeZoneState); options/nodelifecyclecontroller.go for the numbers.
 */
export class Zones {
  readonly #limits = new Map<string, { rate: number; bucket: TokenBucket }>();

  /** Whether every zone is down. */
  assess(nodes: Iterable<KubeObject>, now: Instant): boolean {
    const counts = new Map<string, { ready: number; ill: number }>();
    for (const node of nodes) {
      const zone = zoneOf(node);
      const count = counts.get(zone) ?? { ready: 0, ill: 0 };
      if (isTrue(node, 'Ready')) count.ready++;
      else count.ill++;
      counts.set(zone, count);
    }
    let allDown = counts.size > 0;
    for (const [zone, { ready, ill }] of counts) {
      const down = ready === 0 && ill > 0;
      if (!down) allDown = false;
      const partly = ill > 2 && ill / (ready + ill) >= UNHEALTHY_SHARE;
      this.#set(zone, down || !partly ? EVICTION_RATE : ready + ill > LARGE_ZONE ? SECONDARY_RATE : 0, now);
    }
    return allDown;
  }

  /** Milliseconds until a node of this zone may be emptied; undefined when none may. */
  reserve(node: KubeObject, now: Instant): number | undefined {
    const limit = this.#limits.get(zoneOf(node));
    if (limit === undefined) return 0;
    return limit.rate === 0 ? undefined : limit.bucket.reserve(now);
  }

  mayEmpty(node: KubeObject): boolean {
    return this.#limits.get(zoneOf(node))?.rate !== 0;
  }

  #set(zone: string, rate: number, now: Instant): void {
    if (this.#limits.get(zone)?.rate === rate) return;
    this.#limits.set(zone, { rate, bucket: new TokenBucket(rate === 0 ? 1 : rate, 1, now) });
  }
}

const EVICTION_RATE = 0.1;
const SECONDARY_RATE = 0.01;
const UNHEALTHY_SHARE = 0.55;
const LARGE_ZONE = 50;

function zoneOf(node: KubeObject): string {
  const labels = labelsOf(node);
  return `${labels['topology.kubernetes.io/region'] ?? ''}:${labels['topology.kubernetes.io/zone'] ?? ''}`;
}
