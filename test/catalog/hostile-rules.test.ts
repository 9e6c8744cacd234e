import { describe, expect, it } from 'vitest';
import { loadRules } from '../../src/catalog/load-rules.ts';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

const HEAD = 'id: volumes/shop\nstage: volumes\ntitle: The shop has no settings\n';
const REST = 'what: The settings are gone.\nwhy: Nobody wrote them.\nfix:\n  - say: Write them.\n';

function rule(id: string, where: string, more = ''): string {
  return `id: volumes/${id}\nstage: volumes\ntitle: The ${id} has no settings\nwhen:\n  all:\n    - fact: reference\n      where: { refKind: ConfigMap, exists: false, ${where} }\n${more}${REST}`;
}

/** Nine levels of ten members each: a thousand million values for who resolves them. */
const BOMB = ['a0: &a0 [x]', ...Array.from({ length: 9 }, (_, level) => `a${level + 1}: &a${level + 1} [${Array.from({ length: 10 }, () => `*a${level}`).join(', ')}]`)].join('\n');

describe('a folder with rules that somebody sent', () => {
  it.each([
    ['aliases of aliases', `${BOMB}\n${HEAD}references: *a9\n`],
    ['an alias of what it is in', `${HEAD}when: &when { all: [*when] }\n${REST}`],
    ['a hundred thousand brackets', `${HEAD}when: ${'['.repeat(100_000)}\n`],
  ])('is refused for %s, with the line, and at once', async (_, text) => {
    const { rules, problems } = await loadRules(folderWith({ 'volumes/shop.yaml': text }));
    expect(rules).toEqual([]);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.every(({ line }) => line > 0)).toBe(true);
  }, 120_000);

  it('may hold patterns that would take a backtracking matcher for ever', async () => {
    const folder = folderWith({ 'volumes/shop.yaml': rule('shop', `refName: { parse: '^(?:a+)+$' }`) });
    expect((await loadRules(folder)).problems).toEqual([]);
    const manifest = `apiVersion: v1\nkind: Pod\nmetadata: { name: till, namespace: shop }\nspec: { containers: [{ name: till, image: till, envFrom: [{ configMapRef: { name: ${'a'.repeat(5000)}! } }] }] }\n`;
    expect([0, 1, 2, 3]).toContain((await podcheck(['diagnose', 'till', '-n', 'shop', '--rules', folder, '--from', '-'], { stdin: manifest })).code);
  }, 120_000);

  it('names one of two rules that explain one another', async () => {
    const folder = folderWith({ 'volumes/till.yaml': rule('till', 'refName: $name', 'explains: [volumes/shop]\n'), 'volumes/shop.yaml': rule('shop', 'refName: $name', 'explains: [volumes/till]\n') });
    const { code, out } = await podcheck(['diagnose', 'web', '--scenario', 'volumes/configmap-not-found', '--rules', folder, '-o', 'json']);
    expect(code).toBe(1);
    expect((JSON.parse(out) as { causes: unknown[] }).causes.length).toBeGreaterThan(0);
  }, 120_000);
});
