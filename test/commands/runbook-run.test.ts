import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { PLAYBOOK_TEMPLATE } from '../../src/commands/runbook/playbook-template.ts';
import type { Ran } from '../support/command-line.ts';
import { podcheck } from '../support/command-line.ts';
import { folderWith } from '../support/folder.ts';

const SCENARIO = ['-n', 'shop', '--scenario', 'volumes/configmap-not-found'];

function folder(): string {
  return folderWith({ 'missing-settings.yaml': PLAYBOOK_TEMPLATE });
}

function run(where: string, ...more: readonly string[]): Promise<Ran> {
  return podcheck(['runbook', 'run', ...more, '--journal', join(where, 'journal')]);
}

function journal(where: string, verb: string, ...more: readonly string[]): Promise<Ran> {
  return podcheck(['runbook', 'journal', verb, ...more, '--journal', join(where, 'journal')]);
}

function problems(schema: string, value: unknown): unknown {
  const validate = new Ajv2020({ strict: false }).compile(
    JSON.parse(readFileSync(`src/report/schemas/${schema}.v1.json`, 'utf8')) as object,
  );
  validate(value);
  return validate.errors ?? null;
}

describe('podcheck runbook run', () => {
  it('says that it knows no such playbook before it asks for a cluster', async () => {
    const { code, err } = await podcheck(['runbook', 'run', 'crash-lop', '--kubeconfig', '/nowhere/config']);
    expect([code, err]).toEqual([2, expect.stringContaining('unknown playbook "crash-lop"')]);
    expect(err).toContain('did you mean crash-loop');
  });

  it('is what a diagnosis leads to, with the target and the way to the cluster', async () => {
    const { out } = await podcheck(['diagnose', 'deployment/web', '-n', 'shop', '--scenario', 'volumes/configmap-not-found']);
    const command = /podcheck (runbook run [^]*?)\n\n?(?= *\n|$)/
      .exec(out)?.[1]
      ?.replace(/ \\\n +/g, ' ')
      .trimEnd();
    expect(command).toBe('runbook run missing-config Deployment/shop/web --scenario volumes/configmap-not-found');
    expect((await podcheck([...(command ?? '').split(' '), '--dry-run', '--journal', folderWith()])).out).toContain(
      'missing-config for Deployment/shop/web',
    );
  });

  it('reads the log of the only run where a container is not restarted', async () => {
    const ended = { exitCode: 1, reason: 'Error', startedAt: '2026-02-03T10:00:05Z', finishedAt: '2026-02-03T10:00:40Z' };
    const pod = (restartPolicy: string, status: object): string =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'load', namespace: 'shop', uid: 'l1', creationTimestamp: '2026-02-03T10:00:00Z' },
        spec: { nodeName: 'worker-2', restartPolicy, containers: [{ name: 'load', image: 'shop/load:3' }] },
        status: {
          conditions: [{ type: 'Ready', status: 'False' }],
          containerStatuses: [{ name: 'load', image: 'shop/load:3', ready: false, ...status }],
        },
      });
    const logsOf = async (name: string, text: string): Promise<string> => {
      const files = folderWith({ [name]: text });
      const { out } = await run(files, 'crash-loop', 'Pod/shop/load', '--from', join(files, name));
      return out.split('\n').find((line) => line.includes('logs load')) ?? '';
    };
    const once = await logsOf('once.json', pod('Never', { restartCount: 0, state: { terminated: ended } }));
    expect(once).toContain('kubectl -n shop logs load --tail=50');
    const again = await logsOf(
      'again.json',
      pod('Always', { restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: ended } }),
    );
    expect(again).toContain('--previous');
  });

  it('says in a simulated clone whether it would help, and writes down how', async () => {
    const where = folder();
    const { code, out } = await run(where, join(where, 'missing-settings.yaml'), 'web', ...SCENARIO, '--simulate', '--param', 'mine=yes');
    expect(code).toBe(0);
    expect(out).toMatch(/The changes would fix it\. The run is complete\.\n.*\nAt the start: volumes\/configmap-not-found\n/);
    const name = /^run (\S+)$/m.exec(out)?.[1] ?? '';
    expect((await journal(where, 'list')).out).toMatch(new RegExp(`${name} +Deployment/shop/web +completed \\(simulate\\) +fixed`));
    expect((await journal(where, 'verify', name)).out).toMatch(/^OK: \d+ records, none missing, none altered; the end record exists\n/);
    expect((await journal(where, 'show', name)).out).toContain('CHANGED ConfigMap/shop/web-settings');
    const timeline = (await journal(where, 'export', name)).out;
    expect(timeline).toMatch(/^# Deployment\/shop\/web: missing-settings, fixed\n/);
    expect(timeline).toContain('Changed: ConfigMap/shop/web-settings');
    expect(timeline).toMatch(/\n\n\| \| \|\n\|---\|---\|\n\| Run \| /);
    expect(timeline).toMatch(/\n## Timeline\n\n\| When \| What \|\n\|---\|---\|\n\| \d/);
    // A template over several lines would break a table.
    expect(timeline).not.toMatch(/^ +$/m);
    const data = JSON.parse((await journal(where, 'export', name, '-o', 'json')).out) as {
      schema: string;
      summary: { result: string };
      records: { type: string; digest?: string }[];
    };
    expect(data).toMatchObject({ schema: 'podcheck.runbook-journal/v1', summary: { result: 'fixed' } });
    expect(problems('runbook-journal', data)).toEqual(null);
    expect(data.records[0]).toMatchObject({ type: 'run', digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
  });

  it('tells the fix of the cause where a person must do it, and fits 80 columns', async () => {
    const { out } = await podcheck(['runbook', 'run', 'missing-config', 'web', ...SCENARIO, '--auto', 'read', '--journal', folderWith()]);
    expect(out).toMatch(
      /\(fix-mend-configmap: NOT_EVALUATED\)\n(?: {4}\S.*\n)+ {4}kubectl -n shop create configmap web-settings --from-file=<file>\n/,
    );
    // What was read stands below the step that read it.
    expect(out).toMatch(/List the ConfigMaps\. \(configmaps: DONE\)\n {4}kubectl .*\n {4}shop\/kube-root-ca\.crt /);
    const prose = out.split('\n').filter((line) => !/^ *(?:kubectl|podcheck|shop\/|Timeline) /.test(line));
    expect(prose.filter((line) => line.length > 80)).toEqual([]);
  });

  it.each(['--simulate', '--dry-run', '--auto read'])('has nothing to do for what is healthy, with %s', async (mode) => {
    const words = ['runbook', 'run', 'crash-loop', '--scenario', 'healthy/pod', ...mode.split(' '), '--journal', folderWith()];
    const { code, out } = await podcheck(words);
    expect([code, out]).toEqual([0, expect.stringContaining('Nothing to do: it was healthy at the start.')]);
    const { out: json } = await podcheck([...words, '-o', 'json']);
    expect(JSON.parse(json)).toMatchObject({ result: 'fixed', began: { outcome: 'healthy', cause: null } });
    expect(problems('runbook-run', JSON.parse(json))).toEqual(null);
  });

  it('looks and shows in a dry run, changes nothing, and evaluates nothing that depends on a change', async () => {
    const where = folder();
    const { code, out } = await run(where, join(where, 'missing-settings.yaml'), 'web', ...SCENARIO, '--dry-run', '--param', 'mine=yes');
    expect(out).toContain('    not done (dry run)\n    kubectl create -f configmap-web-settings.yaml\n');
    expect(out).toMatch(/Wait until the pods are ready\. \(ready: NOT_EVALUATED\)/);
    expect(out).not.toContain('FAILED');
    expect(out).toContain('Nothing was changed.');
    expect(code).toBe(3);
  });

  it('does only what reads when nobody is there', async () => {
    const where = folder();
    const { code, out } = await run(
      where,
      join(where, 'missing-settings.yaml'),
      'web',
      ...SCENARIO,
      '--auto',
      'read',
      '--param',
      'mine=yes',
    );
    expect(out).toContain('    not confirmed (not interactive)\n    kubectl create');
    expect(code).toBe(3);
  });

  it('takes the playbook for what is wrong, and tells it as data', async () => {
    const where = folder();
    const { out, err } = await run(where, '--for-diagnosis', 'web', ...SCENARIO, '--auto', 'read', '-o', 'json');
    expect(problems('runbook-run', JSON.parse(out))).toEqual(null);
    expect(JSON.parse(out)).toMatchObject({ schema: 'podcheck.runbook-run/v1', playbook: 'missing-config', target: 'Deployment/shop/web' });
    expect(err).toContain('playbook missing-config');
  });

  it('takes from an alert what it is about, and the playbook for what is wrong there', async () => {
    const where = folderWith({
      'alert.json': JSON.stringify({
        commonLabels: { namespace: 'shop' },
        alerts: [
          { status: 'firing', labels: { alertname: 'KubeDeploymentRolloutStuck', deployment: 'web' } },
          { status: 'firing', labels: { alertname: 'KubePodNotReady', pod: 'web-6d4cf56db6-x2x7k' } },
        ],
      }),
    });
    const { out } = await run(
      where,
      '--alert',
      join(where, 'alert.json'),
      '--scenario',
      'volumes/configmap-not-found',
      '--auto',
      'read',
      '-o',
      'json',
    );
    expect(JSON.parse(out)).toMatchObject({ playbook: 'missing-config', target: 'Deployment/shop/web' });
  });

  it.each([
    ['an unknown playbook', ['missing-confg', 'web'], 'did you mean missing-config'],
    ['an unknown parameter', ['missing-settings.yaml', 'web', '--param', 'tickt=A-1'], 'did you mean ticket?'],
    [
      'a value of another type',
      ['missing-settings.yaml', 'web', '--param', 'configMap=Not A Name'],
      '--param configMap: expected a Kubernetes name',
    ],
    [
      'a value that does not fit',
      ['missing-settings.yaml', 'web', '--param', 'ticket=a b'],
      '--param ticket: expected a text that matches',
    ],
    ['a parameter without a value', ['missing-settings.yaml', 'web', '--param', 'ticket'], '--param needs a name and a value'],
    ['a target there is not', ['missing-settings.yaml', 'wob'], '"wob" not found in namespace shop'],
    ['two ways at once', ['missing-settings.yaml', 'web', '--dry-run', '--simulate'], '--dry-run and --simulate cannot be used together'],
    ['an unknown way', ['missing-settings.yaml', 'web', '--auto', 'all'], '--auto: unknown value "all'],
    ['a run there is not', ['--resume', 'missing-settings-1'], 'journal of run "missing-settings-1" not found'],
    ['no playbook at all', [], 'no playbook is given'],
  ])('refuses %s before anything is done', async (_, words, message) => {
    const where = folder();
    const { code, err } = await run(where, ...words.map((word) => (word.endsWith('.yaml') ? join(where, word) : word)), ...SCENARIO);
    expect(err).toContain(message);
    expect(code).toBe(2);
    expect(readdirSync(where)).toEqual(['missing-settings.yaml']);
  });

  it('refuses a folder in which nothing can be written down', async () => {
    const where = folder();
    const { code, err } = await podcheck([
      'runbook',
      'run',
      join(where, 'missing-settings.yaml'),
      'web',
      ...SCENARIO,
      '--simulate',
      '--journal',
      join(where, 'missing-settings.yaml'),
    ]);
    expect(err).toMatch(/cannot write the journal to .*nothing was done/s);
    expect(code).toBe(2);
  });

  it('finds out that a journal was changed, and goes on with no such run', async () => {
    const where = folder();
    const { out } = await run(where, join(where, 'missing-settings.yaml'), 'web', ...SCENARIO, '--dry-run');
    const name = /^run (\S+)$/m.exec(out)?.[1] ?? '';
    const file = join(where, 'journal', `${name}.jsonl`);
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, lines.map((line, index) => (index === 2 ? line.replace('true', 'false') : line)).join('\n'));
    const verified = await journal(where, 'verify', name);
    expect(verified.out).toContain(
      'ALTERED: line 3: the record was changed after it was written; nothing from this line on can be relied on; intact before it: 2 records',
    );
    expect(verified.code).toBe(1);
    expect((await journal(where, 'list')).out).toContain('JOURNAL ALTERED');
    expect((await run(where, '--resume', name, ...SCENARIO)).err).toContain(`the journal of ${name} is altered: line 3`);
  });

  it('finds out that the end of a journal was cut off, or all of it, and goes on with no such run', async () => {
    const where = folder();
    const { out } = await run(where, join(where, 'missing-settings.yaml'), 'web', ...SCENARIO, '--dry-run');
    const name = /^run (\S+)$/m.exec(out)?.[1] ?? '';
    const file = join(where, 'journal', `${name}.jsonl`);
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, `${lines.slice(0, 3).join('\n')}\n`);
    expect(await journal(where, 'verify', name)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^CUT: records 4 to \d+ are missing at the end; intact before: 3 records\n/) as string,
    });
    expect((await run(where, '--resume', name, ...SCENARIO)).err).toContain(`the journal of ${name} is cut: records 4 to`);
    writeFileSync(file, '');
    expect(await journal(where, 'verify', name)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^CUT: records 1 to \d+ are missing/) as string,
    });
    expect((await journal(where, 'list')).out).toMatch(new RegExp(`${name} +JOURNAL CUT`));
    rmSync(file.replace('.jsonl', '.head.json'));
    mkdirSync(join(where, 'journal', 'of-another.jsonl'));
    expect((await journal(where, 'list')).out).toMatch(/of-another +unreadable +unknown\n/);
    expect(await journal(where, 'verify', name)).toMatchObject({
      code: 3,
      out: 'UNKNOWN: 0 records intact, but the head file is missing: later records may be missing\n',
    });
    expect((await journal(where, 'verify', name, '-o', 'json')).out).toContain('"state": "unknown"');
  });
});
