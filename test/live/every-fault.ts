import { afterAll, describe, expect, it } from 'vitest';
import { liveFaults } from './fault.ts';
import type { PlayedFault } from './play-fault.ts';
import { LOOKS, playFault } from './play-fault.ts';

const only = (process.env['PODCHECK_LIVE_FAULTS'] ?? '').split(',').filter((name) => name !== '');
const faults = liveFaults().filter(({ fault }) => only.length === 0 || only.includes(fault));
const played: PlayedFault[] = [];

afterAll(() => {
  const cured = played.filter(({ cure, healthy }) => cure.printed && healthy?.outcome === 'healthy').length;
  process.stdout.write(`${played.length} faults on a real cluster; the printed commands cured ${cured}\n`);
});

describe('podcheck on a real cluster', () => {
  it.concurrent.each(faults)('names the cause of $fault, or that it waits, at first, and the cause from then on', async (fault) => {
    const result = await playFault(fault);
    played.push(result);
    const [first, ...later] = result.looks;
    const isRight = (rule: string | undefined): boolean => rule !== undefined && fault.rules.includes(rule);
    expect(
      isRight(first?.rules[0]) || (first?.rules.length === 0 && first.outcome !== 'failed'),
      `after ${LOOKS[0]} s: ${JSON.stringify(first)}`,
    ).toBe(true);
    for (const look of later) expect(look.rules[0], `after ${look.seconds} s: ${JSON.stringify(look)}`).toSatisfy(isRight);
    const { cure, healthy } = result;
    if (cure.commands.length === 0) return;
    expect(cure.failed, 'the cure').toBeUndefined();
    expect(healthy?.outcome, `after the cure: ${JSON.stringify({ cure, healthy })}`).toBe('healthy');
  });
});
