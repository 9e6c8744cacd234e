import { describe, expect, it } from 'vitest';
import { loadDrills } from '../../src/catalog/load-drills.ts';
import { loadScenario, loadScenarios } from '../../src/catalog/load-scenarios.ts';
import { parseScenario } from '../../src/catalog/parse-scenario.ts';
import type { Problem } from '../../src/catalog/yaml-problem.ts';
import { problemText } from '../../src/catalog/yaml-problem.ts';
import { folderWith } from '../support/folder.ts';

const SHORT = 'title: A shop\nsteps:\n  - wait: settled\n';
const EXPECT = 'outcome: healthy, target: Deployment/shop/web';

function read(more: string): ReturnType<typeof parseScenario> {
  return parseScenario('shop.yaml', `${SHORT}${more}\n`, 'shop', []);
}

function problemOf(more: string): string {
  const problems: Problem[] = [];
  parseScenario('shop.yaml', `${SHORT}${more}\n`, 'shop', problems);
  return problems.map(problemText).join('\n');
}

describe('a scenario file', () => {
  it('needs no more than a title and steps', () => {
    expect(read('')).toMatchObject({
      id: 'shop',
      title: 'A shop',
      cluster: { preset: 'three-nodes', configuration: {} },
      setup: [],
      untilMilliseconds: undefined,
      expect: undefined,
      cure: [],
      cured: undefined,
    });
  });

  it.each<readonly [string, object]>([
    [
      'cluster: { preset: one-node, configuration: { version: "1.30" } }',
      { cluster: { preset: 'one-node', configuration: { version: '1.30' } } },
    ],
    ['cluster: { nodes: [{ name: worker-1, cpu: 2 }] }', { cluster: { preset: [{ name: 'worker-1', cpu: 2 }] } }],
    [
      'images: { shop/web: { exits: { code: 1 } } }\nsetup: [{ fault: stop, process: kubelet }]',
      {
        setup: [
          { place: 'shop.yaml:4', fault: { fault: 'part', part: 'behaviour', what: 'shop/web', with: { exits: { code: 1 } } } },
          { place: 'shop.yaml:5', fault: { fault: 'stop', process: 'kubelet' } },
        ],
      },
    ],
    ['until: 1h', { untilMilliseconds: 3_600_000 }],
    [`expect: { ${EXPECT} }`, { expect: { outcome: 'healthy', target: { name: 'web' }, scan: undefined, object: undefined, also: [] } }],
    [
      'expect: { outcome: explained, target: Namespace/shop, scan: namespace, cause: a/b, object: Node/worker-1, also: [c/d, e/f] }',
      { expect: { scan: 'namespace', cause: 'a/b', object: { kind: 'Node', name: 'worker-1' }, also: ['c/d', 'e/f'] } },
    ],
    ['cure: [{ wait: 5s }]\ncured: gone', { cure: [{ do: 'wait', milliseconds: 5000, place: 'shop.yaml:4' }], cured: 'gone' }],
    ['cure: [{ wait: 5s }]\ncured: there', { cured: 'there' }],
    ['cure: [{ wait: 5s }]\ncured: Pod/shop/till', { cured: { kind: 'Pod', namespace: 'shop', name: 'till' } }],
  ])('is what it says: %s', (more, expected) => {
    expect(problemOf(more)).toBe('');
    expect(read(more)).toMatchObject(expected);
  });

  it.each([
    ['cluster: { preset: one-node, nodes: [{ name: worker-1 }] }', 'shop.yaml:4:10: cluster: preset and nodes cannot be used together'],
    ['cluster: { nodes: [{ cpu: 2 }] }', 'shop.yaml:4:20: cluster.nodes[0]: a node needs a name'],
    ['cluster: { presets: one-node }', 'shop.yaml:4:12: cluster.presets: unknown field "presets"; did you mean preset?'],
    ['setup: [{ process: kubelet }]', 'shop.yaml:4:9: setup[0]: "fault" is missing: the kind of fault'],
    ['images: { shop/web: 5 }', 'shop.yaml:4:21: images.shop/web: expected a map'],
    ['until: later', 'shop.yaml:4:8: until: "later" is not a valid duration; write 30s, 2m or 1h30m'],
    [`expect: { ${EXPECT}, scan: all }`, 'expect.scan: unknown value "all"'],
    [`expect: { ${EXPECT}, causes: a/b }`, 'expect.causes: unknown field "causes"; did you mean cause?'],
    ['expect: { target: Deployment/shop/web }', 'shop.yaml:4:9: expect: "outcome" is missing'],
    ['cured: gone', 'shop.yaml:4:8: cured: "cured" needs "cure"'],
    ['cure: [{ wait: 5s }]\ncured: well', 'shop.yaml:5:8: cured: "well" is not a valid object reference'],
    ['cure: [{ wayt: 5s }]', 'cure[0].wayt: unknown field "wayt"; did you mean wait?'],
    ['cure: 5s', 'shop.yaml:4:7: cure: expected a list'],
    ['setup: [&all { fault: stop }, *all]', 'setup[1]: aliases and tags are not allowed here'],
  ])('is refused, with its line, column and field: %s', (more, problem) => {
    expect(read(more)).toBeUndefined();
    expect(problemOf(more)).toContain(problem);
  });
});

describe('a folder of scenarios', () => {
  const filled = (): string =>
    folderWith({
      'volumes/gone.scenario.yaml': SHORT,
      'volumes/gone.near-optional.yaml': SHORT,
      'volumes/gone.yaml': 'id: volumes/gone\n',
      'volumes/gone.drill.yaml': SHORT,
      'images/tag.scenario.yaml': SHORT.replace('wait', 'wayt'),
    });

  it('has those whose names say so, in the order of their ids, and tells what is wrong with the others', async () => {
    const folder = filled();
    const { scenarios, problems } = await loadScenarios(folder);
    expect(scenarios.map(({ id }) => id)).toEqual(['volumes/gone.near-optional', 'volumes/gone']);
    expect(problems.map(({ file, line }) => `${file.slice(folder.length + 1)}:${String(line)}`)).toEqual([
      'images/tag.scenario.yaml:3',
      'images/tag.scenario.yaml:3',
    ]);
  });

  it('is read no further than it is wanted', async () => {
    const folder = filled();
    const { scenarios, problems } = await loadScenarios(folder, (id) => id === 'volumes/gone');
    expect([scenarios.map(({ id }) => id), problems]).toEqual([['volumes/gone'], []]);
  });

  it('that cannot be read is a wrong input, and so is a scenario that is invalid', async () => {
    const folder = filled();
    await expect(loadScenarios(`${folder}/none`)).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('/none: ') as string,
    });
    await expect(loadScenario(`${folder}/images/tag.scenario.yaml`)).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('images/tag.scenario.yaml:3:5: steps[0].wayt: unknown field "wayt"') as string,
      hint: 'see a valid one with `podcheck sim show <id>`',
    });
  });
});

const DRILL = `story: The shop is dark.
difficulty: easy
faults:
  - { cause: volumes/gone, target: Deployment/shop/web, object: ConfigMap/shop/prices }
lookAlikes: [Pod/shop/till]
scenario:
  title: A shop
  steps: [{ wait: settled }]
  cure: [{ wait: settled }]
`;

describe('a drill', () => {
  const drillOf = async (source: string): Promise<Awaited<ReturnType<typeof loadDrills>>> =>
    loadDrills(folderWith({ 'dark.yaml': source, 'README.md': 'drills' }));

  it('is what its file says', async () => {
    const { drills, problems } = await drillOf(DRILL);
    expect(problems).toEqual([]);
    expect(drills).toMatchObject([
      {
        id: 'drills/dark',
        difficulty: 'easy',
        story: 'The shop is dark.',
        scenario: { id: 'drills/dark', title: 'A shop' },
        faults: [
          {
            cause: 'volumes/gone',
            target: { kind: 'Deployment', namespace: 'shop', name: 'web' },
            object: { kind: 'ConfigMap', namespace: 'shop', name: 'prices' },
          },
        ],
        lookAlikes: [{ kind: 'Pod', namespace: 'shop', name: 'till' }],
      },
    ]);
    expect((await drillOf(DRILL.replace(', object: ConfigMap/shop/prices', ''))).drills[0]?.faults[0]?.object).toBeUndefined();
    expect((await drillOf(DRILL.replace(/lookAlikes.*\n/, ''))).drills[0]?.lookAlikes).toEqual([]);
  });

  it.each([
    ['story: The shop is dark.\n', '', 'dark.yaml:1:1: "story" is missing'],
    ['difficulty: easy', 'difficulty: eazy', 'dark.yaml:2:13: difficulty: unknown value "eazy"; did you mean easy?'],
    [/faults:\n.*\n/, 'faults: []\n', 'dark.yaml:3:9: faults: expected at least one fault'],
    ['cause: volumes/gone, ', '', 'dark.yaml:4:5: faults[0]: "cause" is missing'],
    ['target: Deployment/shop/web', 'target: web', 'faults[0].target: "web" is not a valid object reference'],
    ['object: ConfigMap/shop/prices', 'object: prices', 'faults[0].object: "prices" is not a valid object reference'],
    ['[Pod/shop/till]', '[till]', 'dark.yaml:5:14: lookAlikes[0]: "till" is not a valid object reference'],
    ['lookAlikes', 'lookalikes', 'unknown field "lookalikes"; did you mean lookAlikes?'],
    ['  cure: [{ wait: settled }]\n', '', 'scenario: "cure" is missing: the steps that fix all faults'],
    ['  cure:', `  expect: { ${EXPECT} }\n  cure:`, 'scenario: "expect" is not allowed here: the faults define the expected causes'],
    ['story:', 'story: [', 'dark.yaml:'],
  ])('is refused without, or with something else for: %s', async (from, to, problem) => {
    const { drills, problems } = await drillOf(DRILL.replace(from, to));
    expect(drills).toEqual([]);
    expect(problems.map(problemText).join('\n')).toContain(problem);
  });

  it('is not looked for where there is no folder', async () => {
    await expect(loadDrills('/nowhere/drills')).rejects.toMatchObject({ code: 'bad-input', hint: 'give a folder with <name>.yaml files' });
  });
});
