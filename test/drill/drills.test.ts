import { describe, expect, it } from 'vitest';
import { loadDrills } from '../../src/catalog/load-drills.ts';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { collect } from '../../src/collect/collect.ts';
import { causeOf } from '../../src/drill/target-state.ts';
import { scan } from '../../src/engine/scan.ts';
import { diagnoseTarget } from '../../src/library/diagnose-target.ts';
import { formatRef } from '../../src/model/kube-object.ts';
import { cureScenario, playScenario } from '../../src/simulator/index.ts';

const rules = await shippedRules();
const { drills, problems } = await loadDrills('playbooks/drills');

describe('the written drills', () => {
  it('are all readable, and as many as promised', () => {
    expect(problems).toEqual([]);
    expect(drills.length).toBeGreaterThanOrEqual(15);
  });

  it('do not give away in their story which rule it is', () => {
    const told = drills.filter(({ story, faults }) => faults.some(({ cause }) => story?.includes(cause.split('/')[1] ?? '') === true));
    expect(told.map(({ id }) => id)).toEqual([]);
  });

  it('come in all difficulties, with look-alikes and several faults among them', () => {
    expect(new Set(drills.map(({ difficulty }) => difficulty)).size).toBe(3);
    expect(drills.filter(({ lookAlikes }) => lookAlikes.length > 0).length).toBeGreaterThan(4);
    expect(drills.filter(({ faults }) => faults.length > 1).length).toBeGreaterThan(9);
  });
});

describe.each(drills.map((drill) => [drill.id, drill] as const))('%s', (_, drill) => {
  it('has each fault named by its cause, its look-alikes well, and is well after its cure', async () => {
    const { cluster } = playScenario(drill.scenario);
    // One fault may hide behind another (a node that is silent), and is then a further candidate.
    const named = [];
    for (const { cause: wanted, target, object } of drill.faults) {
      const cause = causeOf(await diagnoseTarget(cluster.reader(), rules, target), { cause: wanted, target, object });
      named.push([cause?.rule, object === undefined || cause === undefined ? '' : formatRef(cause.object)]);
    }
    expect(named).toEqual(drill.faults.map(({ cause, object }) => [cause, object === undefined ? '' : formatRef(object)]));
    for (const target of drill.lookAlikes)
      expect([formatRef(target), (await diagnoseTarget(cluster.reader(), rules, target)).outcome]).toEqual([formatRef(target), 'healthy']);
    cureScenario(cluster, drill.scenario);
    expect(
      scan(await collect(cluster.reader(), {}, rules), rules, {}).causes.map(({ rule, object }) => `${rule} ${formatRef(object)}`),
    ).toEqual([]);
    for (const { target } of drill.faults)
      expect([formatRef(target), (await diagnoseTarget(cluster.reader(), rules, target)).outcome]).toEqual([formatRef(target), 'healthy']);
  });
});
