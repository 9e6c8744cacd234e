import { describe, expect, it } from 'vitest';
import { shippedRules } from '../../src/catalog/bundled-data.ts';
import { loadRules } from '../../src/catalog/load-rules.ts';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

const HEAD = 'id: volumes/shop\nstage: volumes\ntitle: The shop has no settings\n';
const REST = 'what: The settings are gone.\nwhy: Nobody wrote them.\nfix:\n  - say: Write them.\n';

function rule(id: string, where: string, more = ''): string {
  return `id: volumes/${id}\nstage: volumes\ntitle: The ${id} has no settings\nwhen:\n  all:\n    - fact: reference\n      where: { refKind: ConfigMap, exists: false, ${where} }\n${more}${REST}`;
}

/** Nine levels of ten members each: a thousand million values for who resolves them. */
const BOMB = [
  'a0: &a0 [x]',
  ...Array.from(
    { length: 9 },
    (_, level) => `a${level + 1}: &a${level + 1} [${Array.from({ length: 10 }, () => `*a${level}`).join(', ')}]`,
  ),
].join('\n');

describe('a folder with rules that somebody sent', () => {
  it.each([
    ['aliases of aliases', `${BOMB}\n${HEAD}references: *a9\n`],
    ['an alias of what it is in', `${HEAD}when: &when { all: [*when] }\n${REST}`],
    ['a hundred thousand brackets', `${HEAD}when: ${'['.repeat(100_000)}\n`],
  ])(
    'is refused for %s, with the line, and at once',
    async (_, text) => {
      const { rules, problems } = await loadRules(folderWith({ 'volumes/shop.yaml': text }));
      expect(rules).toEqual([]);
      expect(problems.length).toBeGreaterThan(0);
      expect(problems.every(({ line }) => line > 0)).toBe(true);
    },
    120_000,
  );

  it('may hold patterns that would take a backtracking matcher for ever', async () => {
    const pattern = Array.from({ length: 30 }, (_, index) => `\${v${index}}a`).join('');
    const folder = folderWith({
      'volumes/shop.yaml': rule('shop', `refName: { parse: '${pattern}!\${rest}' }`, 'explains: [containers/configmap-not-found]\n'),
    });
    expect((await loadRules(folder, { others: await shippedRules() })).problems).toEqual([]);
    expect(await firstCauseWith(folder, `${'a'.repeat(3000)}!b`)).toBe('volumes/shop');
    expect(await firstCauseWith(folder, 'a'.repeat(3000))).toBe('containers/configmap-not-found');
  }, 120_000);

  it('names one of two rules that explain one another', async () => {
    const folder = folderWith({
      'volumes/till.yaml': rule('till', 'refName: $name', 'explains: [volumes/shop, containers/configmap-not-found]\n'),
      'volumes/shop.yaml': rule('shop', 'refName: $name', 'explains: [volumes/till, containers/configmap-not-found]\n'),
    });
    expect(await firstCauseWith(folder, 'settings')).toMatch(/^volumes\/(?:shop|till)$/);
  }, 120_000);
});

/** The first cause named for a pod whose ConfigMap of this name is not there. */
async function firstCauseWith(rules: string, configMap: string): Promise<string | undefined> {
  const seen = folderWith({
    'pods.yaml': `apiVersion: v1\nkind: List\nitems:\n- ${JSON.stringify(podThatReads(configMap))}\n`,
    'configmaps.yaml': 'apiVersion: v1\nkind: ConfigMapList\nitems: []\n',
  });
  const { out, err } = await podcheck(['diagnose', 'till', '-n', 'shop', '--rules', rules, '--from', seen, '-o', 'json']);
  expect(err).not.toMatch(/error/i);
  return (JSON.parse(out) as { causes: { rule: string }[] }).causes[0]?.rule;
}

function podThatReads(configMap: string): object {
  const created = '2026-01-01T00:00:00Z';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'till', namespace: 'shop', uid: 'u', creationTimestamp: created },
    spec: { nodeName: 'worker-1', containers: [{ name: 'till', image: 'till', envFrom: [{ configMapRef: { name: configMap } }] }] },
    status: {
      phase: 'Pending',
      startTime: created,
      containerStatuses: [
        {
          name: 'till',
          ready: false,
          restartCount: 0,
          image: 'till',
          imageID: '',
          state: { waiting: { reason: 'CreateContainerConfigError', message: `configmap "${configMap}" not found` } },
        },
      ],
    },
  };
}
