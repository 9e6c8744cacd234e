import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { shippedRules, shippedScenarios } from '../src/catalog/bundled-data.ts';
import { KUBECTL, NOT_RUN } from './conformance/kubectl.ts';
import type { Worth } from './support/printed-fixes.ts';
import { playFix } from './support/printed-fixes.ts';

/** Rules whose printed fix does not cure as it stands, by what it lacks. */
const WANTING = parse(readFileSync('test/fixes/wanting.yaml', 'utf8')) as Readonly<Record<Exclude<Worth, 'cures' | 'person'>, readonly string[]>>;
/** The number of rules in test/fixes/wanting.yaml may only fall. */
const MOST_WANTING = 33;

const rules = await shippedRules();
const troubled = (await shippedScenarios()).filter(({ cure, expect: wanted }) => wanted?.outcome === 'explained' && cure.length > 0);
const worths = new Map<string, Worth>();

describe.skipIf(KUBECTL === undefined)(`the printed fix${NOT_RUN}`, () => {
  it.each(troubled.map((scenario) => [scenario.id, scenario] as const))('of %s cures when it is run as printed', async (id, scenario) => {
    const { worth, commands, told } = await playFix(scenario, rules);
    worths.set(id, worth);
    const [wanting = 'cures'] = Object.entries(WANTING).find(([, ids]) => ids.includes(id)) ?? [];
    expect(worth === 'person' ? 'cures' : worth, `${commands.join('\n')}\n${told}`).toBe(wanting);
  }, 120_000);
});

describe('the list of fixes that do not cure as printed', () => {
  const listed = Object.values(WANTING).flat();

  it('names scenarios with a cure, each once', () => {
    expect(listed.filter((id) => !troubled.some((scenario) => scenario.id === id))).toEqual([]);
    expect(listed.filter((id, index) => listed.indexOf(id) !== index)).toEqual([]);
    expect(troubled.length).toBeGreaterThan(200);
  });

  it('only gets shorter', () => {
    expect(listed.length).toBeLessThanOrEqual(MOST_WANTING);
  });
});

afterAll(() => {
  const lines = [...new Set(worths.values())].map((worth) => {
    const ids = [...worths].flatMap(([id, one]) => (one === worth ? [id] : []));
    return `${String(ids.length).padStart(4)} ${worth}${worth === 'cures' ? '' : `: ${ids.join(' ')}`}`;
  });
  process.stdout.write(`${lines.toSorted().toReversed().join('\n')}\n`);
});
