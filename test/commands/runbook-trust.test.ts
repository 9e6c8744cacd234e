import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunbookRunOptions } from '../../src/commands/runbook/runbook-run.ts';
import { runRunbookRun } from '../../src/commands/runbook/runbook-run.ts';
import { runRunbookTrust } from '../../src/commands/runbook/runbook-trust.ts';
import { clusterOf, kubeconfigFor } from '../support/cluster.ts';
import type { Ran } from '../support/command-line.ts';
import { podcheck } from '../support/command-line.ts';
import type { WrittenContext } from '../support/context.ts';
import { writtenContext } from '../support/context.ts';
import { folderWith } from '../support/folder.ts';
import type { KubeServer } from '../support/kube-server.ts';
import { kubeServer } from '../support/kube-server.ts';

const WEB = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', uid: 'u1' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
  },
  status: {},
};

const servers: KubeServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface Sent {
  readonly folder: string;
  /** The file a program of the playbook writes. */
  readonly mark: string;
  readonly playbook: string;
  readonly server: KubeServer;
  readonly podcheck: (...argv: readonly string[]) => Promise<Ran>;
  /** Somebody at a terminal who answers like this. */
  readonly sitting: (
    answers: readonly string[],
    options?: Partial<RunbookRunOptions>,
  ) => Promise<{ readonly code: number; readonly context: WrittenContext; readonly questions: readonly string[] }>;
}

/** A playbook that somebody sent, a cluster, and a kubectl that writes down how it was called. */
async function sent(): Promise<Sent> {
  const server = await kubeServer(clusterOf([WEB]));
  servers.push(server);
  const folder = folderWith();
  const [mark, playbook] = [join(folder, 'mark'), join(folder, 'web-trouble.yaml')];
  const config = kubeconfigFor(server.url, folder);
  writeFileSync(
    join(folder, 'kubectl'),
    `#!${process.execPath}\nrequire('node:fs').appendFileSync(${JSON.stringify(join(folder, 'calls'))}, process.argv.slice(2).join(' ') + '\\n');\nconsole.log('pods of the shop');\n`,
  );
  chmodSync(join(folder, 'kubectl'), 0o755);
  writeFileSync(
    playbook,
    `title: Trouble with web
use: When web is in trouble.
for: {}
escalation: Call the owner of the shop.
steps:
  - { id: shell, say: Look into it., run: [sh, -c, "echo $HOME > ${mark}"], effect: read }
  - { id: pods, say: See the pods., run: [kubectl, get, pods, -n, "{{ namespace }}"] }
  - { id: gone, say: Delete them., run: [kubectl, delete, pods, --all], effect: read }
`,
  );
  const env = { HOME: folder, XDG_STATE_HOME: join(folder, 'state'), PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  return {
    folder,
    mark,
    playbook,
    server,
    podcheck: (...argv) =>
      podcheck(argv[1] === 'run' ? [...argv, playbook, 'deploy/web', '-n', 'shop', '--kubeconfig', config] : argv, { env }),
    sitting: async (answers, options = {}) => {
      const questions: string[] = [];
      const line = (question: string): Promise<string | undefined> => Promise.resolve(answers[questions.push(question) - 1]);
      const context = {
        ...writtenContext(folder),
        env,
        clock: () => Date.now(),
        typing: { line, hidden: line, block: () => Promise.resolve(undefined) },
      };
      const code = await runRunbookRun([playbook, 'deploy/web'], { kubeconfig: config, namespace: 'shop', ...options }, context);
      return { code, context, questions };
    },
  };
}

describe('a playbook that somebody sent', () => {
  it.each([[[]], [['--dry-run']], [['--auto', 'read']]])(
    'is refused until it is trusted, and asks the cluster nothing: %s',
    async (flags) => {
      const { podcheck: run, mark, playbook, server } = await sent();
      const { code, err } = await run('runbook', 'run', ...flags);
      expect(err).toBe(
        `error: ${playbook} is not a bundled playbook and is not trusted\nhint: review and trust it: podcheck runbook trust ${playbook}. Nothing was done\n`,
      );
      expect(code).toBe(2);
      expect([existsSync(mark), server.seen.length]).toEqual([false, 0]);
    },
  );

  it('is shown with all it can do when it is trusted, and asks again once it has changed', async () => {
    const { podcheck: run, playbook } = await sent();
    const trusted = await run('runbook', 'trust', playbook);
    expect(trusted.out).toContain('Look into it. (shell)');
    expect(trusted.out.replaceAll(/\s+/g, ' ')).toMatch(
      /web-trouble can .*run on this machine: sh -c [^(]* \(runs after you confirm it: sh is not on .*run on this machine: kubectl get pods -n <namespace> \(only reads: runs without confirmation\).*touch no object/,
    );
    expect(trusted.out).toMatch(/is now trusted \(sha256 [0-9a-f]{64}\)/);
    expect(trusted.code).toBe(0);
    expect((await run('runbook', 'run', '--dry-run')).err).toBe('');
    expect((await run('runbook', 'trust')).out).toMatch(/^SINCE +SHA256 +FILE\n\d{4}-\S+ +[0-9a-f]{12} +\S+web-trouble\.yaml\n$/);
    writeFileSync(playbook, readFileSync(playbook, 'utf8').replace('Look into it.', 'Look into it!'));
    const changed = await run('runbook', 'run', '--dry-run');
    expect(changed.err).toMatch(/web-trouble\.yaml has changed since it was trusted \(\d{4}-/);
    expect(changed.code).toBe(2);
  });

  it('is no longer trusted once that is taken back', async () => {
    const { podcheck: run, playbook } = await sent();
    await run('runbook', 'trust', playbook);
    expect((await run('runbook', 'trust', playbook, '--remove')).out).toContain('is no longer trusted');
    expect((await run('runbook', 'run', '--dry-run')).code).toBe(2);
    expect((await run('runbook', 'trust', playbook, '--remove')).err).toContain('is not trusted');
  });

  it('may be tried in a scenario before it is trusted: there nothing is run', async () => {
    const { podcheck: run, mark, playbook, folder } = await sent();
    const { out } = await podcheck([
      'runbook',
      'run',
      playbook,
      'web',
      '-n',
      'shop',
      '--scenario',
      'volumes/configmap-not-found',
      '--auto',
      'read',
      '--journal',
      join(folder, 'journal'),
    ]);
    expect(out).toContain('programs cannot be run here: sh -c');
    expect(existsSync(mark)).toBe(false);
    expect((await run('runbook', 'trust')).out).toBe('No playbook file is trusted.\n');
  });

  it('is shown and asked for at a terminal', async () => {
    const { sitting, mark } = await sent();
    await expect(sitting(['n'])).rejects.toThrow('is not trusted');
    const { questions, context } = await sitting(['y'], { dryRun: true });
    expect(questions).toEqual(['Trust this version and run it? [y/N] ']);
    expect(context.out()).toContain('web-trouble can\n');
    expect((await sitting([], { dryRun: true })).questions).toEqual([]);
    expect(existsSync(mark)).toBe(false);
  });

  it('is not trusted by an empty or foreign file in the place of trust', async () => {
    const { podcheck: run, playbook, folder } = await sent();
    const digest = /sha256 (\S+)\)/.exec((await run('runbook', 'trust', playbook)).out)?.[1] ?? '';
    for (const text of ['', '{}', '{"digest":"0"}', '[']) {
      writeFileSync(join(folder, 'state/podcheck/trust', `${digest}.json`), text);
      expect((await run('runbook', 'run', '--dry-run')).code).toBe(2);
    }
  });
});

describe('the commands of a playbook that is trusted', () => {
  it('are shown in a dry run, and none is started, not even one that only reads', async () => {
    const { podcheck: run, playbook, mark, folder } = await sent();
    await run('runbook', 'trust', playbook);
    const { out, code } = await run('runbook', 'run', '--dry-run');
    expect(out).toContain(`    not run in a dry run; it would run after you confirm it\n    sh -c 'echo $HOME > ${mark}'\n`);
    expect(out).toMatch(/ not run in a dry run\n {4}kubectl --kubeconfig=\S+ --namespace=shop get pods -n shop\n/);
    expect([existsSync(mark), existsSync(join(folder, 'calls')), code]).toEqual([false, false, 3]);
  });

  it('are run with nobody there only when they are known to only read, whatever they say of themselves', async () => {
    const { podcheck: run, playbook, mark, folder } = await sent();
    await run('runbook', 'trust', playbook);
    const { out } = await run('runbook', 'run', '--auto', 'read');
    expect(out).toContain('not run, not confirmed (not interactive): sh -c');
    expect(out).toMatch(/See the pods\. \(pods: PASSED/);
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toMatch(/^--kubeconfig=\S+ --namespace=shop get pods -n shop\n$/);
    expect(existsSync(mark)).toBe(false);
  });

  it('are each shown and confirmed by a person', async () => {
    const { podcheck: run, playbook, mark, folder, sitting } = await sent();
    await run('runbook', 'trust', playbook);
    const { questions, context } = await sitting(['y', 'n']);
    expect(questions).toEqual(['Run this command? [y/N, s to stop] ', 'Run this command? [y/N, s to stop] ']);
    expect(context.out()).toContain(
      `  sh -c 'echo $HOME > ${mark}'\n  It runs on this machine, with your rights: sh is not on the list of read-only programs.\n`,
    );
    expect(readFileSync(mark, 'utf8')).toBe(`${folder}\n`);
    expect(readFileSync(join(folder, 'calls'), 'utf8')).not.toContain('delete');
  });
});

describe('a playbook with control sequences', () => {
  it('is harmless wherever it is shown', async () => {
    const escape = String.raw`\u001B[2J\u202E\u0007`;
    const folder = folderWith({
      'web-trouble.yaml': `title: "T${escape}"\nuse: "U${escape}\\n✔ Fixed."\nfor: {}\nparams: { one: { type: text, says: "S${escape}", default: "D" } }\nescalation: "E${escape}"\nsteps:\n  - { say: "S${escape}", run: [echo, "R${escape}\\n✔ Fixed."] }\n  - { say: "S${escape}", run: [ls, "R${escape}"], on: "N${escape}" }\n  - { manual: "M${escape}", commands: ["C${escape}\\n✔ Fixed."] }\n  - say: "S${escape}"\n    change: { create: { apiVersion: v1, kind: ConfigMap, metadata: { name: notes }, data: { "k${escape}": "V${escape}" } } }\n    verify: { until: { outcome: healthy }, limit: 10s }\n    undo: { none: "W${escape}" }\n`,
    });
    const file = join(folder, 'web-trouble.yaml');
    const where = ['-n', 'shop', '--scenario', 'volumes/configmap-not-found', '--journal', join(folder, 'journal')];
    const texts = [
      await podcheck(['runbook', 'lint', file]),
      await podcheck(['runbook', 'show', file]),
      await podcheck(['runbook', 'show', file, '-o', 'markdown']),
      await podcheck(['runbook', 'trust', file], { env: { HOME: folder } }),
      await podcheck(['runbook', 'run', file, 'web', ...where, '--auto', 'read']),
      await podcheck(['runbook', 'run', file, 'web', ...where, '--dry-run']),
      await podcheck(['runbook', 'run', file, 'web', ...where, '--simulate']),
    ].map(({ out, err }) => out + err);
    const run = /^run (\S+)$/m.exec(texts.at(-1) ?? '')?.[1] ?? '';
    for (const verb of ['show', 'export', 'verify', 'list'])
      texts.push(
        (await podcheck(['runbook', 'journal', verb, ...(verb === 'list' ? [] : [run]), '--journal', join(folder, 'journal')])).out,
      );
    for (const text of texts) {
      expect(text.length).toBeGreaterThan(20);
      expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/);
      expect(text).not.toMatch(/^ ?✔ Fixed/m);
    }
  });

  it('is refused in few words when there is too much of it', async () => {
    const many = `title: T\nuse: U\nfor: {}\nescalation: E\nsteps:\n${'  - note: N\n'.repeat(300)}`;
    const folder = folderWith({
      'many.yaml': many,
      'long.yaml': `${many}${'#'.repeat(600_000)}`,
      'wide.yaml': `title: T\nuse: U\nfor: {}\nescalation: E\nsteps:\n${'  - include: first-response\n'.repeat(199)}`,
    });
    expect((await podcheck(['runbook', 'lint', join(folder, 'many.yaml')])).out).toMatch(
      /many\.yaml:6:3: steps: 300 steps, but the limit is 200/,
    );
    expect((await podcheck(['runbook', 'lint', join(folder, 'long.yaml')])).err).toContain('it is larger than 512 KiB');
    expect((await podcheck(['runbook', 'lint', join(folder, 'wide.yaml')])).out).toMatch(
      /more than 1000 steps, with the included playbooks/,
    );
    expect((await podcheck(['runbook', 'lint', '/dev/zero'])).err).toContain('it is larger than 512 KiB');
  });
});

describe('podcheck runbook trust', () => {
  it('needs no bundled playbook, and none that is invalid', async () => {
    const folder = folderWith({ 'bad.yaml': 'title: T\n' });
    expect((await podcheck(['runbook', 'trust', 'crash-loop'])).err).toContain('crash-loop is a bundled playbook');
    expect((await podcheck(['runbook', 'trust', join(folder, 'bad.yaml')], { env: { HOME: folder } })).err).toContain(
      'the playbook is invalid',
    );
    expect((await podcheck(['runbook', 'trust', '--remove'])).err).toContain('no playbook is given');
  });

  it('asks at a terminal, and says when it cannot be written down', async () => {
    const folder = folderWith({ 'web-trouble.yaml': 'title: T\nuse: U\nfor: {}\nescalation: E\nsteps: [{ note: N }]\n', state: 'a file' });
    const line = (answer: string) => () => Promise.resolve(answer);
    const context = (answer: string): WrittenContext =>
      Object.assign(writtenContext(folder), {
        typing: { line: line(answer), hidden: line(answer), block: line(answer) },
        env: { XDG_STATE_HOME: join(folder, 'state') },
      });
    expect(await runRunbookTrust(join(folder, 'web-trouble.yaml'), {}, context('n'))).toBe(3);
    await expect(runRunbookTrust(join(folder, 'web-trouble.yaml'), {}, context('y'))).rejects.toThrow('cannot save the trust');
  });
});
