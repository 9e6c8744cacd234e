import { describe, expect, it } from 'vitest';
import { ValueMasks } from '../../src/clusters/mask-values.ts';
import { maskedScenario } from '../../src/commands/sim/masked-scenario.ts';
import type { Scenario, ScenarioAction } from '../../src/model/scenario.ts';

function masked(action: ScenarioAction, plain = true): unknown {
  const scenario: Scenario = {
    id: 'shop',
    title: '',
    cluster: { preset: 'one-node', configuration: {} },
    setup: [],
    steps: [{ atMilliseconds: undefined, place: '', ...action }],
    untilMilliseconds: undefined,
    expect: undefined,
    cure: [],
  };
  return maskedScenario(scenario, new ValueMasks({ plain })).steps[0];
}

const CONFIG = { kind: 'ConfigMap', namespace: 'shop', name: 'settings' };
const WEB = { kind: 'Deployment', namespace: 'shop', name: 'web' };

describe('a patch of a scenario', () => {
  it('is masked like the object it is for', () => {
    expect(masked({ do: 'patch', object: CONFIG, body: { data: { url: 'planted' } }, subresource: undefined })).toMatchObject({
      body: { data: { url: '<redacted-1>' } },
    });
    expect(
      JSON.stringify(
        masked(
          { do: 'patch', object: { ...CONFIG, kind: 'Secret' }, body: { stringData: { password: 'planted' } }, subresource: undefined },
          false,
        ),
      ),
    ).not.toContain('planted');
    expect(masked({ do: 'patch', object: CONFIG, body: { data: { url: 'planted' } }, subresource: undefined }, false)).toMatchObject({
      body: { data: { url: 'planted' } },
    });
  });

  it('is masked in each of its operations, at its path', () => {
    const body = [
      { op: 'replace', path: '/spec/template/spec/containers/0/env/1/value', value: 'planted' },
      { op: 'add', path: '/spec/template/spec/containers/0/env/-', value: { name: 'A', value: 'planted' } },
      { op: 'replace', path: '/spec/replicas', value: 3 },
      { op: 'remove', path: '/spec/paused' },
    ];
    expect(masked({ do: 'patch', object: WEB, body, subresource: undefined })).toMatchObject({
      body: [
        { value: '<redacted-1>' },
        { value: { name: 'A', value: '<redacted-1>' } },
        { value: 3 },
        { op: 'remove', path: '/spec/paused' },
      ],
    });
    expect(
      masked({ do: 'patch', object: CONFIG, body: [{ op: 'add', path: '/data/url', value: 'planted' }], subresource: undefined }),
    ).toMatchObject({ body: [{ value: '<redacted-1>' }] });
  });
});
