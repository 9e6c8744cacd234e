import { describe, expect, it } from 'vitest';
import { shippedScenarios } from '../../src/catalog/bundled-data.ts';
import { drillOfScenario, noDrillBecause } from '../../src/drill/drill-of-scenario.ts';
import type { Scenario } from '../../src/model/scenario.ts';

const scenarios = await shippedScenarios();
const WEB = { kind: 'Deployment', namespace: 'shop', name: 'web' };
const SCENARIO: Scenario = {
  id: 'volumes/configmap-not-found',
  title: 'A ConfigMap was deleted',
  cluster: { preset: 'one-node', configuration: {} },
  setup: [],
  steps: [],
  untilMilliseconds: undefined,
  expect: { outcome: 'explained', target: WEB, scan: undefined, cause: 'volumes/configmap-not-found', object: undefined, also: [] },
  cure: [{ do: 'wait', atMilliseconds: undefined, place: 'here' }],
};

describe('a scenario as a drill', () => {
  it('asks about what it is about', () => {
    expect(drillOfScenario(SCENARIO)?.faults).toEqual([{ cause: 'volumes/configmap-not-found', target: WEB, object: undefined }]);
  });

  it('keeps what is well when it is mended, and where it is to be seen', () => {
    const found = {
      outcome: 'explained',
      target: WEB,
      scan: 'namespace',
      cause: 'controllers/pdb-blocks-eviction',
      object: undefined,
      also: [],
    } as const;
    expect(drillOfScenario({ ...SCENARIO, expect: found, cured: 'gone' })?.faults).toEqual([
      { cause: 'controllers/pdb-blocks-eviction', target: WEB, object: undefined, scan: 'namespace', cured: 'gone' },
    ]);
  });

  it.each([
    ...(['healthy', 'waiting'] as const).map((outcome): readonly [string, Scenario] => [
      'it has no fault',
      { ...SCENARIO, expect: { outcome, target: WEB, scan: undefined, cause: undefined, object: undefined, also: [] } },
    ]),
    [
      'no rule names its fault, so no answer can be judged',
      { ...SCENARIO, expect: { outcome: 'unexplained', target: WEB, scan: undefined, cause: undefined, object: undefined, also: [] } },
    ],
    ['it has no cure, so it cannot be fixed', { ...SCENARIO, cure: [] }],
    ['it does not name its fault', { ...SCENARIO, expect: undefined }],
  ] satisfies readonly (readonly [string, Scenario])[])('is none where %s', (reason, scenario) => {
    expect(drillOfScenario(scenario)).toBeUndefined();
    expect(noDrillBecause(scenario)).toBe(reason);
  });

  it('is what every scenario in which something goes wrong is', () => {
    const others = scenarios.filter((scenario) => drillOfScenario(scenario) === undefined);
    expect(scenarios.length - others.length).toBeGreaterThan(200);
    expect(others.filter((scenario) => noDrillBecause(scenario) !== 'it has no fault').map(({ id }) => id)).toEqual([]);
  });
});
