import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PLAYBOOK_TEMPLATE } from '../../src/commands/runbook/playbook-template.ts';
import { runRunbookNew } from '../../src/commands/runbook/runbook-lint.ts';
import { STAGE_IDS } from '../../src/model/stage.ts';
import { shippedPlaybooks } from '../../src/catalog/bundled-data.ts';
import { podcheck } from '../support/command-line.ts';
import { writtenContext } from '../support/context.ts';
import { folderWith } from '../support/folder.ts';

describe('podcheck runbook list', () => {
  it('has every playbook, and those for an alert, a stage or a rule', async () => {
    const all = JSON.parse((await podcheck(['runbook', 'list', '-o', 'json'])).out) as { name: string }[];
    expect(all.map(({ name }) => name)).toEqual((await shippedPlaybooks()).map(({ name }) => name));
    expect((await podcheck(['runbook', 'list', '--alert', 'KubePodCrashLooping'])).out).toContain('crash-loop');
    expect((await podcheck(['runbook', 'list', '--stage', 'images'])).out).toContain('image-pull');
    expect((await podcheck(['runbook', '--rule', 'volumes/configmap-not-found'])).out).toContain('missing-config');
    expect((await podcheck(['runbook', 'list', '--alert', 'ShopIsClosed'])).out).toBe('No matching playbook.\n');
  });

  it('says what a stage or rule is near to', async () => {
    expect((await podcheck(['runbook', 'list', '--stage', 'image'])).err).toContain('unknown stage "image"');
    expect((await podcheck(['runbook', 'list', '--rule', 'volumes/none'])).code).toBe(2);
  });
});

describe('podcheck runbook show', () => {
  it('shows a playbook as text, Markdown and data', async () => {
    expect((await podcheck(['runbook', 'show', 'crash-loop'])).out).toContain('playbook crash-loop');
    expect((await podcheck(['runbook', 'show', 'crash-loop', '-o', 'markdown'])).out).toMatch(/^# [^]*\n\n## Steps\n\n1\. /);
    expect(JSON.parse((await podcheck(['runbook', 'show', 'playbook/crash-loop', '-o', 'json'])).out)).toMatchObject({
      name: 'crash-loop',
    });
    expect((await podcheck(['explain', 'playbook/crash-loop'])).out).toBe((await podcheck(['runbook', 'show', 'crash-loop'])).out);
  });

  it('names one that is near to one there is not', async () => {
    const { code, err } = await podcheck(['runbook', 'show', 'crash-lop']);
    expect(code).toBe(2);
    expect(err).toContain('did you mean crash-loop');
  });
});

describe('podcheck runbook lint', () => {
  it('finds nothing wrong with the playbooks that come along', async () => {
    const { code, out } = await podcheck(['runbook', 'lint']);
    expect(out).toMatch(/^\d+ playbooks are valid\n$/);
    expect(code).toBe(0);
  });

  it('names file, line and field of what is wrong, also what only hangs together with others', async () => {
    const folder = folderWith({
      'one.yaml':
        'title: T\nuse: U\nfor: { alerts: [KubePodNotRedy], rules: [volumes/confgmap-not-found] }\nsteps:\n  - diagnose: target\n  - include: crash-lop\nescalation: E\n',
      'two.yaml':
        'title: T\nuse: U\nfor: {}\nsteps:\n  - include: two\n  - note: ghp_0123456789abcdefghijklmnopqrstuvwxyz\nescalation: E\n',
      'three.yaml': 'title: T\nuse: U\nfor: {}\nsteps:\n  - say: S\nescalation: E\n',
    });
    const { code, out } = await podcheck(['runbook', 'lint', ...['one', 'two', 'three'].map((name) => join(folder, `${name}.yaml`))]);
    expect(code).toBe(2);
    expect(out).toMatch(/one\.yaml:1: for\.alerts: kubernetes-mixin has no alert "KubePodNotRedy"; did you mean KubePodNotReady/);
    expect(out).toMatch(/one\.yaml:1: for\.rules: unknown rule "volumes\/confgmap-not-found"/);
    expect(out).toMatch(/one\.yaml:6:14: steps\[1\]\.include: unknown playbook "crash-lop"; did you mean crash-loop/);
    expect(out).toMatch(/two\.yaml:5:14: steps\[0\]\.include: it includes itself: two → two/);
    expect(out).toMatch(/two\.yaml:6: this looks like a secret/);
    expect(out).toMatch(/three\.yaml:5:5: steps\[0\]: a step needs exactly one of/);
  });

  it('names a parameter that none of the causes gives', async () => {
    const playbook = (cause: string): string =>
      `title: T\nuse: U\nfor: { rules: [volumes/configmap-not-found] }\nparams: { map: { type: name, says: which one, cause: ${cause} } }\nsteps:\n  - note: "{{ map }}"\nescalation: E\n`;
    const folder = folderWith({ 'right.yaml': playbook('configMap'), 'wrong.yaml': playbook('confgMap') });
    expect((await podcheck(['runbook', 'lint', join(folder, 'right.yaml')])).out).toBe(
      'the playbook is valid\n\nright can\n  read   everything a diagnosis of its target needs\n  touch  no object\n',
    );
    expect((await podcheck(['runbook', 'lint', join(folder, 'wrong.yaml')])).out).toMatch(
      /params\.map\.cause: no cause of this playbook has a parameter "confgMap"; did you mean configMap/,
    );
  });
});

describe('podcheck runbook new', () => {
  it('writes a playbook that is valid, and never over another', async () => {
    const folder = folderWith({});
    const context = writtenContext(folder);
    expect(await runRunbookNew('slow-disk', context)).toBe(0);
    const { out } = await podcheck(['runbook', 'lint', join(folder, 'slow-disk.yaml')]);
    expect(out).toMatch(/^the playbook is valid\n\nslow-disk can\n/);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      /read kubectl -n <namespace> get configmaps -o wide .*change create: kubectl create -f 'configmap-<configMap>\.yaml' apiVersion: v1 kind: ConfigMap .*show for node <node>: journalctl -u kubelet .*touch at most 2 objects: ConfigMap\/<configMap>/,
    );
    await expect(runRunbookNew('slow-disk', context)).rejects.toThrow('slow-disk.yaml already exists');
    await expect(runRunbookNew('Slow Disk', context)).rejects.toThrow('is not a valid playbook name');
  });
});

describe('the schema of playbooks', () => {
  const schema = JSON.parse(readFileSync('src/report/schemas/playbook.v1.json', 'utf8')) as {
    readonly $defs: { readonly stage: { readonly enum: readonly string[] } };
  };
  const validate = new Ajv2020({ allErrors: false, strict: false }).compile(schema);

  it('accepts every playbook that comes along, and the one to begin with', async () => {
    for (const { name } of await shippedPlaybooks())
      expect([name, validate(parse(readFileSync(`playbooks/${name}.yaml`, 'utf8'))), validate.errors]).toEqual([name, true, null]);
    expect(validate(parse(PLAYBOOK_TEMPLATE))).toBe(true);
  });

  it('refuses what the loader refuses', () => {
    expect(validate(parse('title: T\nuse: U\nfor: {}\nescalation: E\nsteps: [{ say: S }]\n'))).toBe(false);
    expect(
      validate(parse('title: T\nuse: U\nfor: {}\nescalation: E\nsteps: [{ decide: [{ when: { outcome: healthy }, goto: end }] }]\n')),
    ).toBe(false);
  });

  it('knows exactly the stages there are', () => {
    expect(schema.$defs.stage.enum).toEqual(STAGE_IDS);
  });
});
