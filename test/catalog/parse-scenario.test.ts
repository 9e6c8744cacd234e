import { expect, test } from 'vitest';
import { parseScenario } from '../../src/catalog/parse-scenario.ts';
import type { Problem } from '../../src/catalog/yaml-cursor.ts';

const WHOLE = `title: The shop opens
cluster: { preset: one-node }
images:
  shop/web: { exits: { code: 1, afterSeconds: 2 } }
until: 2m
steps:
  - apply: [{ apiVersion: v1, kind: Namespace, metadata: { name: shop } }]
  - at: 30s
    fault: { fault: stop, process: kubelet, node: worker-1 }
expect: { outcome: explained, target: Deployment/shop/web, cause: kubelet/kubelet-down }
`;

function problemsOf(source: string): readonly string[] {
  const problems: Problem[] = [];
  parseScenario('shop.yaml', source, 'shop', problems);
  return problems.map(({ file, line, field, message }) => `${file}:${line} ${field}: ${message}`);
}

test('a scenario is read with the places of its steps', () => {
  const scenario = parseScenario('shop.yaml', WHOLE, 'shop', []);
  expect(scenario?.untilMilliseconds).toBe(120_000);
  expect(scenario?.steps.map(({ atMilliseconds, place, do: does }) => [atMilliseconds, place, does])).toEqual([[undefined, 'shop.yaml:7', 'apply'], [30_000, 'shop.yaml:8', 'fault']]);
  expect(scenario?.setup.map(({ fault }) => fault['what'])).toEqual(['shop/web']);
  expect(scenario?.expect?.target).toEqual({ kind: 'Deployment', namespace: 'shop', name: 'web' });
});

test.each([
  ['an unknown field', WHOLE.replace('until:', 'untill:'), 'shop.yaml:5 untill: unknown field "untill"'],
  ['a duration nobody can read', WHOLE.replace('30s', 'soon'), 'shop.yaml:8 steps[1].at: "soon" is no duration'],
  ['a step that does two things', WHOLE.replace('    fault:', '    wait: settled\n    fault:'), 'shop.yaml:8 steps[1]: a step does one thing'],
  ['a cause that is missing', WHOLE.replace(', cause: kubelet/kubelet-down', ''), 'shop.yaml:10 expect: "cause" is missing'],
  ['an object that is none', WHOLE.replace('Deployment/shop/web', 'web'), 'shop.yaml:10 expect.target: "web" names no object'],
])('%s is named with file, line and field', (_, source, problem) => {
  expect(problemsOf(source)).toEqual([expect.stringContaining(problem)]);
});
