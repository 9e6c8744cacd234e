import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { STAGE_IDS } from '../../src/model/stage.ts';
import { runRulesTest } from '../../src/commands/rules/rules-test.ts';
import { writtenContext } from '../support/context.ts';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

const DESCRIBE = readFileSync('src/catalog/examples/missing-configmap.txt', 'utf8');
const OWN = `id: volumes/shop-settings
stage: volumes
title: The shop has lost its settings
when:
  all:
    - fact: reference
      where: { refKind: ConfigMap, via: volume, refName: { contains: settings, as: $configMap } }
what: The shop's settings {{ configMap }} are gone.
why: Nobody knows what anything costs.
fix:
  - say: Restore them from the safe.
`;

describe('rules facts', () => {
  it('lists every kind of fact', async () => {
    const { code, out } = await podcheck(['rules', 'facts', '-o', 'json']);
    expect(code).toBe(0);
    expect((JSON.parse(out) as { kind: string }[]).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['reference', 'container', 'said']),
    );
  });

  it('shows the fields of one, a fact of a scenario, and the rules that use it', async () => {
    const { code, out } = await podcheck(['rules', 'facts', 'reference']);
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}refKind +text /m);
    expect(out).toMatch(/^Example: scenario \w+/m);
    expect(out).toMatch(/^ {2}volumes\/configmap-not-found$/m);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('proposes the kind that was meant', async () => {
    expect(await podcheck(['rules', 'facts', 'referense'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('did you mean reference?') as string,
    });
  });
});

describe('rules list', () => {
  it('lists all rules, in the order of the stages', async () => {
    const { code, out } = await podcheck(['rules', 'list', '-o', 'json']);
    const rules = JSON.parse(out) as { id: string; stage: (typeof STAGE_IDS)[number] }[];
    expect(code).toBe(0);
    expect(rules.length).toBeGreaterThan(10);
    const order = rules.map(({ stage }) => STAGE_IDS.indexOf(stage));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it('is what `rules` alone does', async () => {
    expect((await podcheck(['rules'])).out).toBe((await podcheck(['rules', 'list'])).out);
  });

  it('keeps its table to eighty columns', async () => {
    const { out } = await podcheck(['rules']);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});

describe('rules show and explain', () => {
  it('show a rule in full', async () => {
    const { code, out } = await podcheck(['rules', 'show', 'volumes/configmap-not-found']);
    expect(code).toBe(0);
    expect(out).toContain('FailedMount: ConfigMap not found');
    expect(out).toContain('a fact "reference" with');
    expect((await podcheck(['explain', 'volumes/configmap-not-found'])).out).toBe(out);
  });

  it('explain a stage with its rules', async () => {
    const { out } = await podcheck(['explain', 'volumes']);
    expect(out).toContain('Are all volumes attached and mounted?');
    expect(out).toContain('volumes/configmap-not-found');
  });

  it('explain a word of Kubernetes, in whatever case and with spaces', async () => {
    expect((await podcheck(['explain', 'failedmount'])).out).toMatch(
      /^FailedMount \(event, stage volumes\)[\s\S]*volumes\/configmap-not-found/,
    );
    expect((await podcheck(['explain', 'Insufficient', 'cpu'])).out).toMatch(
      /Requests count,\s+not\s+usage[\s\S]*scheduling\/insufficient-resource/,
    );
  });
});

describe('rules of one’s own', () => {
  it('are used beside the shipped ones', async () => {
    const folder = folderWith({ 'volumes/shop-settings.yaml': OWN });
    const { out } = await podcheck(['diagnose', '--rules', folder, '--from', '-', '-o', 'json'], { stdin: DESCRIBE });
    const { causes } = JSON.parse(out) as { causes: { rule: string }[] };
    expect(causes.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['volumes/shop-settings', 'volumes/configmap-not-found']));
  });

  it('are refused with file, line and field of what is wrong', async () => {
    const folder = folderWith({ 'volumes/shop-settings.yaml': OWN.replace('refKind', 'refKnid').replace('title:', 'titel:') });
    const { code, err } = await podcheck(['rules', 'test', folder]);
    expect(code).toBe(2);
    expect(err).toMatch(/shop-settings\.yaml:3:1: titel: unknown field "titel"; did you mean title\?/);
    expect(err).toMatch(/shop-settings\.yaml:7:25: .*refKnid.*did you mean refKind\?/);
  });

  it('are tried on the examples beside them', async () => {
    const { out, code } = await podcheck([
      'rules',
      'test',
      folderWith({
        'volumes/shop-settings.yaml': OWN,
        'volumes/shop-settings.near-other-name.txt': DESCRIBE.replaceAll('web-settings', 'web-prices'),
      }),
    ]);
    expect({ out, code }).toEqual({
      code: 0,
      out: '1 rule is valid, 1 of 1 situation passes\nno situation: volumes/shop-settings (add volumes/shop-settings.match.txt or volumes/shop-settings.scenario.yaml)\n',
    });
  });

  it('fail when an example is not what they say', async () => {
    const { out, code } = await podcheck([
      'rules',
      'test',
      folderWith({ 'volumes/shop-settings.yaml': OWN, 'volumes/shop-settings.near-itself.txt': DESCRIBE }),
    ]);
    expect(code).toBe(2);
    expect(out).toContain('FAILED volumes/shop-settings.near-itself.txt: volumes/shop-settings must not be a cause, but is');
  });

  it('are tried on scenarios, too: with what they expect, and after the cure', async () => {
    const scenario = readFileSync('rules/volumes/configmap-not-found.scenario.yaml', 'utf8')
      .replace('cause: volumes/configmap-not-found', 'cause: volumes/shop-settings')
      .replace('also: []', 'also: [volumes/configmap-not-found]');
    const folder = (files: Readonly<Record<string, string>>): string =>
      folderWith({ 'volumes/shop-settings.yaml': `${OWN}explains: [volumes/configmap-not-found]\n`, ...files });
    const tested = (files: Readonly<Record<string, string>>): ReturnType<typeof podcheck> => podcheck(['rules', 'test', folder(files)]);
    expect(await tested({ 'volumes/shop-settings.scenario.yaml': scenario.replace(/object: [^,]+, /, '') })).toMatchObject({
      code: 2,
      out: expect.stringMatching(
        /FAILED volumes\/shop-settings\.scenario\.yaml: expected also: \[volumes\/configmap-not-found\], got \[\]/,
      ) as string,
    });
    const right = scenario.replace(/object: [^,]+, /, '').replace('also: [volumes/configmap-not-found]', 'also: []');
    expect(await tested({ 'volumes/shop-settings.scenario.yaml': right.slice(0, right.indexOf('cure:')) })).toMatchObject({
      code: 0,
      out: '1 rule is valid, 1 of 1 situation passes\n',
    });
    expect(
      await tested({
        'volumes/shop-settings.scenario.yaml': right.replace(
          /name: web-settings, namespace: shop \}, data/,
          'name: web-colours, namespace: shop }, data',
        ),
      }),
    ).toMatchObject({
      code: 2,
      out: expect.stringContaining('after the cure Deployment/shop/web is not healthy: volumes/shop-settings') as string,
    });
    expect(await tested({ 'volumes/shop-settings.near-itself.yaml': scenario })).toMatchObject({
      code: 2,
      out: expect.stringContaining(
        'FAILED volumes/shop-settings.near-itself.yaml: volumes/shop-settings must not be a cause, but is',
      ) as string,
    });
    expect(await tested({ 'volumes/shop-settings.scenario.yaml': right.replace('steps:', 'stps:') })).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /scenarios are invalid:\n.*shop-settings\.scenario\.yaml:3:1: stps: unknown field "stps"; did you mean steps\?/,
      ) as string,
    });
  });

  it.each([
    ['an ID, in a folder with rules/', 'volumes/configmap-not-found', /^1 rule is valid, (\d+) of \1 situations pass\n$/],
    ['the file of a rule', 'rules/volumes/configmap-not-found.yaml', /^1 rule is valid, (\d+) of \1 situations pass\n$/],
    ['the file of a near-miss', 'rules/volumes/configmap-not-found.near-optional.yaml', /^1 rule is valid, (\d+) of \1 situations pass\n$/],
    ['the folder of a stage', 'rules/authorization', /^\d+ rules are valid, (\d+) of \1 situations pass\n$/],
  ])('are named by %s', async (_, word, out) => {
    expect(await podcheck(['rules', 'test', word])).toMatchObject({ code: 0, out: expect.stringMatching(out) as string });
  });

  it('are looked for among the bundled ones elsewhere, and the nearest is proposed', async () => {
    const context = writtenContext(folderWith());
    expect(await runRulesTest('volumes/configmap-not-found', context)).toBe(0);
    expect(context.out()).toBe('1 rule is valid, 2 of 2 situations pass\n');
    await expect(runRulesTest('volumes/confgmap-not-found', context)).rejects.toThrow('did you mean volumes/configmap-not-found');
  });

  it('are refused when there are none', async () => {
    expect(await podcheck(['scan', '--rules', folderWith({ 'notes.md': 'none' }), '--from', '-'], { stdin: DESCRIBE })).toMatchObject({
      code: 2,
      err: expect.stringContaining('no rules in') as string,
    });
  });
});
