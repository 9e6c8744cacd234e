import type { Prng } from '../../../base/prng.ts';
import type { KubeObject } from '../../../model/kube-object.ts';

/** Shares, the percentage of them that is lent, and queues with the size of a hand. */
type Level = readonly [name: string, shares: number, lent: number, queues?: number, handSize?: number];

const LEVELS: readonly Level[] = [
  ['exempt', 0, 0],
  ['catch-all', 5, 0],
  ['system', 30, 33, 64, 6],
  ['node-high', 40, 25, 64, 6],
  ['leader-election', 10, 0, 16, 4],
  ['workload-high', 40, 50, 128, 6],
  ['workload-low', 100, 90, 128, 6],
  ['global-default', 20, 50, 128, 6],
];

/**
 * The priority levels that every cluster begins with; of its FlowSchemas none is shown. Source:
 * staging/src/k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap/default.go.
 */
export function priorityLevels(creationTimestamp: string, prng: Prng): readonly (readonly [resource: string, object: KubeObject])[] {
  return LEVELS.map(([name, nominalConcurrencyShares, lendablePercent, queues, handSize]) => {
    const shares = { nominalConcurrencyShares, lendablePercent };
    const queuing = { queues, handSize, queueLengthLimit: 50 };
    const limitResponse = queues === undefined ? { type: 'Reject' } : { type: 'Queue', queuing };
    const annotations = { 'apf.kubernetes.io/autoupdate-spec': 'true' };
    const level: KubeObject = {
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      kind: 'PriorityLevelConfiguration',
      metadata: { name, uid: prng.uuid(), generation: 1, creationTimestamp, annotations },
      spec: name === 'exempt' ? { type: 'Exempt', exempt: shares } : { type: 'Limited', limited: { ...shares, limitResponse } },
      status: {},
    };
    return ['prioritylevelconfigurations.flowcontrol.apiserver.k8s.io', level];
  });
}
