import type { JsonObject } from '../../../base/json.ts';
import type { Prng } from '../../../base/prng.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { danglingCondition } from '../../controllers/flow-schema-status.ts';

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

const ALL = 'Group:system:unauthenticated,Group:system:authenticated';
const EVERYTHING = '* | * | * | cluster';

/** Rules are `verbs | groups | resources [| cluster]` or `verbs @ paths`; without any, everything. */
const SCHEMAS: readonly (readonly [
  name: string,
  level: string,
  precedence: number,
  by: '' | 'User' | 'Namespace',
  who: string,
  ...rules: readonly string[],
])[] = [
  ['exempt', 'exempt', 1, '', 'Group:system:masters'],
  ['probes', 'exempt', 2, '', ALL, 'get @ /healthz,/readyz,/livez'],
  [
    'system-leader-election',
    'leader-election',
    100,
    'User',
    'User:system:kube-controller-manager,User:system:kube-scheduler,ServiceAccount:*',
    'get,create,update | coordination.k8s.io | leases',
  ],
  [
    'system-node-high',
    'node-high',
    400,
    'User',
    'Group:system:nodes',
    '* |  | nodes,nodes/status | cluster',
    '* | coordination.k8s.io | leases',
  ],
  ['system-nodes', 'system', 500, 'User', 'Group:system:nodes'],
  ['kube-controller-manager', 'workload-high', 800, 'Namespace', 'User:system:kube-controller-manager'],
  ['kube-scheduler', 'workload-high', 800, 'Namespace', 'User:system:kube-scheduler'],
  ['kube-system-service-accounts', 'workload-high', 900, 'Namespace', 'ServiceAccount:*'],
  ['service-accounts', 'workload-low', 9000, 'User', 'Group:system:serviceaccounts'],
  ['global-default', 'global-default', 9900, 'User', ALL],
  ['catch-all', 'catch-all', 10_000, 'User', ALL],
];

/**
 * The priority levels and FlowSchemas that every cluster begins with, as its server leaves them, with the resource of each.
 * Source: staging/src/k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap/default.go.
 */
export function bootstrapFlowControl(now: string, prng: Prng): readonly (readonly [resource: string, object: KubeObject])[] {
  const made = (kind: string, name: string, more: JsonObject): readonly [string, KubeObject] => [
    `${kind.toLowerCase()}s.flowcontrol.apiserver.k8s.io`,
    {
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      kind,
      metadata: {
        name,
        uid: prng.uuid(),
        generation: 1,
        creationTimestamp: now,
        annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' },
      },
      ...more,
    },
  ];
  return [
    ...LEVELS.map((level) => made('PriorityLevelConfiguration', level[0], { spec: levelSpec(level), status: {} })),
    ...SCHEMAS.map(([name, level, matchingPrecedence, by, who, ...rules]) => {
      const spec = {
        priorityLevelConfiguration: { name: level },
        matchingPrecedence,
        ...(by === '' ? {} : { distinguisherMethod: { type: `By${by}` } }),
        rules: [{ subjects: who.split(',').map(readSubject), ...readRules(rules.length === 0 ? [EVERYTHING, '* @ *'] : rules) }],
      };
      return made('FlowSchema', name, { spec, status: { conditions: [danglingCondition(level, true, now)] } });
    }),
  ];
}

function levelSpec([name, nominalConcurrencyShares, lendablePercent, queues, handSize]: Level): JsonObject {
  const shares = { nominalConcurrencyShares, lendablePercent };
  if (name === 'exempt') return { type: 'Exempt', exempt: shares };
  const limitResponse = queues === undefined ? { type: 'Reject' } : { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } };
  return { type: 'Limited', limited: { ...shares, limitResponse } };
}

function readSubject(text: string): JsonObject {
  const [kind = '', ...rest] = text.split(':');
  const name = rest.join(':');
  if (kind === 'ServiceAccount') return { kind, serviceAccount: { namespace: 'kube-system', name } };
  return { kind, [kind.toLowerCase()]: { name } };
}

function readRules(lines: readonly string[]): JsonObject {
  const resourceRules: JsonObject[] = [];
  const nonResourceRules: JsonObject[] = [];
  for (const line of lines) {
    const [verbs = '', groups, resources = '', cluster] = line.split(/ (?:\||@) /);
    if (resources === '') nonResourceRules.push({ verbs: verbs.split(','), nonResourceURLs: (groups ?? '').split(',') });
    else
      resourceRules.push({
        verbs: verbs.split(','),
        apiGroups: [groups ?? ''],
        resources: resources.split(','),
        ...(cluster === undefined ? {} : { clusterScope: true }),
        namespaces: ['*'],
      });
  }
  return { ...(resourceRules.length === 0 ? {} : { resourceRules }), ...(nonResourceRules.length === 0 ? {} : { nonResourceRules }) };
}
