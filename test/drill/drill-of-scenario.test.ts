import { describe, expect, it } from 'vitest';
import { drillOfScenario } from '../../src/drill/drill-of-scenario.ts';
import type { Scenario } from '../../src/model/scenario.ts';

const WEB = { kind: 'Deployment', namespace: 'shop', name: 'web' };
const SCENARIO: Scenario = {
  id: 'volumes/configmap-not-found',
  title: 'A ConfigMap was deleted',
  cluster: { preset: 'one-node', configuration: {} },
  setup: [],
  steps: [],
  untilMilliseconds: undefined,
  expect: { outcome: 'explained', target: WEB, scan: undefined, cause: 'volumes/configmap-not-found', object: undefined, also: [] },
  cure: [],
};

describe('a scenario as a drill', () => {
  it('asks about what it is about', () => {
    expect(drillOfScenario(SCENARIO)?.faults).toEqual([{ cause: 'volumes/configmap-not-found', target: WEB, object: undefined }]);
  });

  it.each([
    ['nothing goes wrong', { ...SCENARIO, expect: { outcome: 'healthy', target: WEB, scan: undefined, cause: undefined, object: undefined, also: [] } }],
    ['it shows beside other things only', { ...SCENARIO, expect: { outcome: 'explained', target: WEB, scan: 'namespace', cause: 'controllers/pdb-blocks-eviction', object: undefined, also: [] } }],
    ['nothing is left of it when it is mended', { ...SCENARIO, cured: 'gone' }],
    ['it went wrong before anything reached the cluster', { ...SCENARIO, expect: { outcome: 'explained', target: WEB, scan: undefined, cause: 'apply/manifest-not-parsable', object: undefined, also: [] } }],
  ] satisfies readonly (readonly [string, Scenario])[])('is none where %s', (_, scenario) => {
    expect(drillOfScenario(scenario)).toBeUndefined();
  });
});
