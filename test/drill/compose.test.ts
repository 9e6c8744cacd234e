import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { composeDrill } from '../../src/drill/compose/compose.ts';
import { FAULT_KINDS } from '../../src/drill/compose/faults.ts';

const rules = await shippedRules();

describe('a random drill', () => {
  it('is about rules there are', () => {
    const ids = new Set(rules.map(({ id }) => id));
    expect(FAULT_KINDS.filter(({ cause }) => !ids.has(cause)).map(({ cause }) => cause)).toEqual([]);
  });

  it.each([...new Set(FAULT_KINDS.map(({ stage }) => stage))])('can be had for the stage %s', async (stage) => {
    const drill = await composeDrill({ seed: 5, stage }, rules);
    expect(drill.faults[0]?.cause.startsWith(`${stage}/`)).toBe(true);
  });

  it('is the same for the same seed', async () => {
    expect(await composeDrill({ seed: 'monday', difficulty: 'hard' }, rules)).toEqual(
      await composeDrill({ seed: 'monday', difficulty: 'hard' }, rules),
    );
  });

  it('has more faults and more that looks odd the harder it is', async () => {
    const [easy, hard] = [
      await composeDrill({ seed: 3, difficulty: 'easy' }, rules),
      await composeDrill({ seed: 3, difficulty: 'hard' }, rules),
    ];
    expect([easy.faults.length, easy.lookAlikes.length]).toEqual([1, 0]);
    expect(hard.faults.length).toBeGreaterThan(1);
    expect(hard.lookAlikes.length).toBeGreaterThan(0);
  });
});
