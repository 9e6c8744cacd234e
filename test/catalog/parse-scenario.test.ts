import { expect, test } from 'vitest';
import { parseScenario } from '../../src/catalog/parse-scenario.ts';
import type { Problem } from '../../src/catalog/yaml-problem.ts';

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
  expect(scenario?.steps.map(({ atMilliseconds, place, do: does }) => [atMilliseconds, place, does])).toEqual([
    [undefined, 'shop.yaml:7', 'apply'],
    [30_000, 'shop.yaml:8', 'fault'],
  ]);
  expect(scenario?.setup.map(({ fault }) => fault['what'])).toEqual(['shop/web']);
  expect(scenario?.expect?.target).toEqual({ kind: 'Deployment', namespace: 'shop', name: 'web' });
});

test.each([
  ['an unknown field', WHOLE.replace('until:', 'untill:'), 'shop.yaml:5 untill: unknown field "untill"'],
  ['a duration nobody can read', WHOLE.replace('30s', 'soon'), 'shop.yaml:8 steps[1].at: "soon" is not a valid duration'],
  [
    'a step that does two things',
    WHOLE.replace('    fault:', '    wait: settled\n    fault:'),
    'shop.yaml:8 steps[1]: a step needs exactly one of',
  ],
  [
    'a field that does not belong to what the step does',
    WHOLE.replace('    fault:', '    namespace: shop\n    fault:'),
    'shop.yaml:9 steps[1].namespace: "namespace" is not allowed in a fault step',
  ],
  [
    'someone who is two at once',
    WHOLE.replace('steps:\n  - apply:', 'steps:\n  - as: { user: anna, token: abc }\n    apply:'),
    'shop.yaml:7 steps[0].as: "as" is one of',
  ],
  [
    'a service account without a namespace',
    WHOLE.replace('steps:\n', 'steps:\n  - token: robot\n'),
    'shop.yaml:7 steps[0].token: "robot" is not a valid ServiceAccount reference',
  ],
  [
    'a kubeconfig that is both missing and full',
    WHOLE.replace('steps:\n  - apply:', 'steps:\n  - kubeconfig: { file: anna.yaml, missing: true, content: {} }\n    apply:'),
    'shop.yaml:7 steps[0].kubeconfig: content is not allowed with missing: true',
  ],
  ['a target that is missing', WHOLE.replace('target: Deployment/shop/web, ', ''), 'shop.yaml:10 expect: "target" is missing'],
  ['a cure that is said to work and is none', `${WHOLE}cured: gone\n`, 'shop.yaml:11 cured: "cured" needs "cure"'],
  ['a cause that is missing', WHOLE.replace(', cause: kubelet/kubelet-down', ''), 'shop.yaml:10 expect: "cause" is missing'],
  [
    'an object that is none',
    WHOLE.replace('Deployment/shop/web', 'web'),
    'shop.yaml:10 expect.target: "web" is not a valid object reference',
  ],
])('%s is named with file, line and field', (_, source, problem) => {
  expect(problemsOf(source)).toEqual([expect.stringContaining(problem)]);
});
