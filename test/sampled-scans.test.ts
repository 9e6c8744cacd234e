import { describe, expect, it } from 'vitest';
import { shippedRules, shippedScenarios } from '../src/catalog/bundled-data.ts';
import { examine } from '../src/library/examine.ts';
import type { ClusterReader } from '../src/model/cluster-reader.ts';
import { WORKLOAD_KINDS } from '../src/model/workload-kinds.ts';
import { played, targetOf } from './support/scenario-runs.ts';
import { amidCrowd } from './support/healthy-crowd.ts';

const [rules, scenarios] = [await shippedRules(), await shippedScenarios()];

describe('a scan that looks at one of the pods that are alike', () => {
  let sampled = 0;

  const cases = scenarios.map((scenario, index) => [scenario.id, scenario, index] as const);

  it.each(cases)('finds what a scan of all pods finds: %s', async (_, scenario, index) => {
    const { namespace = 'shop' } = targetOf(scenario.expect);
    const original = played(scenario).reader();
    const nodes = await original.list('Node', {});
    const names = nodes.ok ? nodes.value.map(({ metadata }) => metadata.name) : [];
    const crowd = amidCrowd(original, [namespace, 'market'], names);
    for (const hidden of [[], HIDDEN[index % HIDDEN.length] ?? []]) {
      const reader = without(crowd, hidden);
      const [all, sample] = [await examine(reader, rules, {}), await examine(reader, rules, { sampledFrom: 1 })];
      expect(sample.scan()).toEqual(all.scan());
      expect(sample.evidence.targets).toEqual(all.evidence.targets);
      if (sample.evidence.facts.length < all.evidence.facts.length) sampled++;
    }
  });

  it('leaves out facts of most', () => {
    expect(sampled).toBeGreaterThan(scenarios.length);
  });
});

/** What people save: pods alone, `get all`, all but what takes rights in the whole cluster, and lists with one missing. */
const HIDDEN: readonly (readonly string[])[] = [
  ['Node', 'Event', 'Service', 'EndpointSlice', 'Endpoints', ...WORKLOAD_KINDS],
  ['Node', 'Event', 'EndpointSlice', 'Endpoints'],
  ['Node'],
  ['ReplicaSet'],
  ['Deployment', 'Event'],
];

/** The same cluster, of which these kinds were not collected. */
function without(reader: ClusterReader, kinds: readonly string[]): ClusterReader {
  const unread = (kind: string) => ({ ok: false, why: 'not-collected', detail: `${kind} was not collected` }) as const;
  return {
    ...reader,
    get: async (ref) => (kinds.includes(ref.kind) ? unread(ref.kind) : reader.get(ref)),
    list: async (kind, scope) => (kinds.includes(kind) ? unread(kind) : reader.list(kind, scope)),
  };
}
