import { describe, expect, it } from 'vitest';
import { shippedRules, shippedScenarios } from '../../src/catalog/bundled-data.ts';
import { isTried } from '../../src/commands/diagnose/decidable-fix.ts';
import { withDeniedRights } from '../../src/commands/diagnose/fix-rights.ts';
import { withTriedFixes } from '../../src/commands/diagnose/try-fixes.ts';
import { diagnoseTarget } from '../../src/library/diagnose-target.ts';
import type { Diagnosis } from '../../src/model/diagnosis.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { diagnosisText } from '../../src/report/diagnosis/diagnosis-text.ts';
import { PLAIN } from '../../src/report/format/text-style.ts';
import { planFix } from '../../src/runbook/change-plan.ts';
import { simulatedChanger } from '../../src/runbook/simulated-changer.ts';
import type { Cluster } from '../../src/simulator/index.ts';
import { playScenario } from '../../src/simulator/index.ts';
import { podcheck } from '../support/command-line.ts';

const rules = await shippedRules();
const decidable = (await shippedScenarios()).filter(
  ({ expect: wanted }) =>
    wanted?.outcome === 'explained' && /^scheduling\/(?!claim-)|^validating-admission\/(quota|limit-range)-/.test(wanted.cause ?? ''),
);
const helped: string[] = [];

describe.each(decidable.map((scenario) => [scenario.id, scenario] as const))('the fix of %s, tried in clones', (id, scenario) => {
  it('helps where it says so, and has at most six lines', async () => {
    const { cluster, diagnosis } = await diagnosed(scenario);
    const tried = await withTriedFixes(diagnosis, { reader: cluster.reader(), rules });
    const [before, after] = [diagnosis.causes[0]?.fix ?? [], tried.causes[0]?.fix ?? []];
    // What is said besides is not changed, and nothing is left out without something that helps.
    expect({ ...tried, causes: [{ ...tried.causes[0], fix: before }, ...tried.causes.slice(1)] }).toEqual(diagnosis);
    expect(fixLines(tried).length, fixLines(tried).join('\n')).toBeLessThanOrEqual(Math.max(6, fixLines(diagnosis).length));
    for (const { run, say } of after.filter((step) => / clone: the pods? starts?\.$/.test(step.say))) {
      helped.push(id);
      if (run === undefined || run.includes('| kubectl replace')) continue;
      expect(await curedBy(run, scenario), say).toBe('healthy');
    }
  });
});

describe('alternatives that are tried', () => {
  it('help in as many scenarios as before', () => {
    expect(new Set(helped).size, [...new Set(helped)].join(' ')).toBeGreaterThanOrEqual(15);
  });

  it('are tried unasked only where the evidence is at hand', async () => {
    const [scenario] = decidable;
    if (scenario === undefined) throw new Error('no scenario');
    const { cluster, diagnosis } = await diagnosed(scenario);
    const reader = cluster.reader();
    expect(await isTried(diagnosis, undefined, { reader, isAtHand: true })).toBe(true);
    expect(await isTried(diagnosis, undefined, { reader, isAtHand: false })).toBe(false);
    expect(await isTried(diagnosis, true, { reader, isAtHand: false })).toBe(true);
    expect(await isTried(diagnosis, false, { reader, isAtHand: true })).toBe(false);
    expect(await isTried({ ...diagnosis, causes: [] }, true, { reader, isAtHand: true })).toBe(false);
  });

  it('say how many nodes more would do', async () => {
    const { out } = await podcheck(['diagnose', '-n', 'shop', '--scenario', 'scheduling/pod-anti-affinity-conflict']);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/Or add a node like worker-\d\. Tried in a simulated clone: the pods start\./);
    const untried = await podcheck(['diagnose', '-n', 'shop', '--scenario', 'scheduling/pod-anti-affinity-conflict', '--no-try-fixes']);
    expect(untried.out).not.toContain('clone');
  });

  it('say which permission is missing, before anybody tries them', async () => {
    const scenario = decidable.find(({ id }) => id === 'validating-admission/quota-exceeded');
    if (scenario === undefined) throw new Error('no scenario');
    const { cluster, diagnosis } = await diagnosed(scenario);
    expect(await withDeniedRights(diagnosis, simulatedChanger(cluster))).toEqual(diagnosis);
    const eve = await withDeniedRights(diagnosis, simulatedChanger(cluster, cluster.userCredential('eve')));
    expect(eve.causes[0]?.fix[0]?.say).toContain('You lack the permission: patch resourcequotas in shop.');
  });

  it('are said nothing of where the clone does not show the cause', async () => {
    const scenario = decidable.find(({ id }) => id === 'validating-admission/quota-exceeded');
    if (scenario === undefined) throw new Error('no scenario');
    const { diagnosis } = await diagnosed(scenario);
    const empty = playScenario({ ...scenario, steps: scenario.steps.slice(0, 1) }).cluster;
    expect(await withTriedFixes(diagnosis, { reader: empty.reader(), rules })).toEqual(diagnosis);
  });
});

async function diagnosed(scenario: Scenario): Promise<{ readonly cluster: Cluster; readonly diagnosis: Diagnosis }> {
  const { cluster } = playScenario(scenario);
  const target = scenario.expect?.target;
  if (target === undefined) throw new Error(`${scenario.id} has no target`);
  return { cluster, diagnosis: await diagnoseTarget(cluster.reader(), rules, target) };
}

/** What comes of a command in the scenario's own cluster. */
async function curedBy(run: string, scenario: Scenario): Promise<string> {
  const { cluster, diagnosis } = await diagnosed(scenario);
  const plan = await planFix(run, cluster.reader(), cluster.now());
  if (!plan.ok) return plan.cannot;
  for (const { request } of plan.writes) await simulatedChanger(cluster).send(request, false);
  cluster.advance(20 * 60_000);
  return (await diagnoseTarget(cluster.reader(), rules, diagnosis.target)).outcome;
}

function fixLines(diagnosis: Diagnosis): readonly string[] {
  const lines = diagnosisText(diagnosis, { ...PLAIN, width: 80 }, { wide: false, timeline: false }).split('\n');
  const [from, to] = [lines.findIndex((line) => line.startsWith('Fix ')), lines.findIndex((line) => line.startsWith('Rule '))];
  return lines.slice(from, to);
}
