import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fileSchemas } from '../../src/catalog/schemas/file-schemas.ts';

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
const [rule, scenario] = ['rule.v1.json', 'scenario.v1.json'].map((name) => ajv.compile(fileSchemas()[name] ?? {}));
const files = readdirSync('rules', { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.yaml'))
  .toSorted();
const rules = files.filter((file) => /\/[^./_][^./]*\.yaml$/.test(file));
const scenarios = files.filter((file) => /\.(?:scenario|(?:match|near)-[^./]+)\.yaml$/.test(file));

function problemsOf(validate: typeof rule, source: string): readonly string[] {
  validate?.(parse(source, { merge: true }));
  return (validate?.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

function read(file: string): string {
  return readFileSync(join('rules', file), 'utf8');
}

describe('the schema of rules', () => {
  it('takes all bundled rules', () => {
    expect(rules.length).toBeGreaterThan(200);
    expect(rules.flatMap((file) => problemsOf(rule, read(file)).map((problem) => `${file}: ${problem}`))).toEqual([]);
  });

  it.each([
    ['an unknown field', 'why:', 'reason:'],
    ['a missing field', /^what: .*\n/m, ''],
    ['an unknown stage', 'stage: containers', 'stage: container'],
    ['an unknown kind of fact', 'fact: exit', 'fact: exits'],
    ['an unknown field of a fact', 'class: completed', 'clas: completed'],
    ['a value that the field never has', 'class: completed', 'class: competed'],
    ['an unknown check', 'pod: $pod, class', 'pod: { containz: x }, class'],
    ['neither facts nor wordings', /^when:\n(?: .*\n)+/m, ''],
    ['no fix', /^fix:\n(?: .*\n)+/m, 'fix: []\n'],
  ])('refuses %s', (_, from, to) => {
    const good = read('containers/container-completes.yaml');
    const odd = good.replace(from, to);
    expect(odd).not.toBe(good);
    expect(problemsOf(rule, odd)).not.toEqual([]);
  });
});

describe('the schema of scenarios', () => {
  it('takes all bundled scenarios', () => {
    expect(scenarios.length).toBeGreaterThan(200);
    expect(scenarios.flatMap((file) => problemsOf(scenario, read(file)).map((problem) => `${file}: ${problem}`))).toEqual([]);
  });

  it.each([
    ['an unknown field', 'title:', 'name:'],
    ['an unknown outcome', 'outcome: explained', 'outcome: explaned'],
    ['two actions in one step', '  - apply:\n', '  - wait: 3s\n    apply:\n'],
    ['a target that is no reference', 'target: Deployment/shop/web', 'target: web'],
    ['an explanation without a cause', /cause: [^,]+, /, ''],
    ['two kinds of nodes', '{ preset: three-nodes }', '{ preset: three-nodes, nodes: [{ name: worker-1 }] }'],
  ])('refuses %s', (_, from, to) => {
    const good = read('volumes/configmap-not-found.scenario.yaml');
    const odd = good.replace(from, to);
    expect(odd).not.toBe(good);
    expect(problemsOf(scenario, odd)).not.toEqual([]);
  });
});
