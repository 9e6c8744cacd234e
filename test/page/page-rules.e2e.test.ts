import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { shippedRules, shippedScenarios } from '../../src/catalog/bundled-data.ts';
import { isNearMiss } from '../../src/model/scenario.ts';
import type { Rule } from '../../src/model/rule.ts';
import { unpackedRules } from '../../src/page/page-data.ts';
import { runProgram } from '../support/built-program.ts';
import { diagnosed, played, wordsOf } from '../support/scenario-runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'podcheck-page-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));
runProgram(process.execPath, [resolve('dist/podcheck.js'), 'sim', 'page', '-o', 'playground'], { cwd: folder });
const data = JSON.parse(readFileSync(join(folder, 'playground/data/rules.json'), 'utf8')) as JsonObject;
const whole = await shippedRules();
const ofPage = unpackedRules(data) as unknown as readonly Rule[];
const scenarios = (await shippedScenarios()).filter(({ id }) => !isNearMiss(id));

describe('the rules of the page', () => {
  it('are without what nothing in the page says', () => {
    const wordings = (rules: readonly Rule[]): number => rules.reduce((sum, { says }) => sum + says.length, 0);
    expect(ofPage).toHaveLength(whole.length);
    expect(wordings(ofPage)).toBeLessThan(wordings(whole) * 0.9);
  });

  it.each(scenarios.map((scenario) => [scenario.id, scenario] as const))('name what all rules name: %s', async (_, scenario) => {
    const cluster = played(scenario);
    const [all, some] = [await diagnosed(cluster, scenario, whole), await diagnosed(cluster, scenario, ofPage)];
    expect(wordsOf(some)).toEqual(wordsOf(all));
  });
});
