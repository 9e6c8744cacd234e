import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ProgramRun } from '../../src/commands/run-program.ts';
import { runProgram } from '../../src/commands/run-program.ts';
import type { ProgramEnd } from '../../src/runbook/ports.ts';
import { folderWith } from '../support/folder.ts';

function run(script: string, more: Partial<ProgramRun> = {}): Promise<ProgramEnd> {
  return runProgram([process.execPath, '-e', script], {
    folder: folderWith(),
    env: { PATH: process.env['PATH'] },
    credentials: false,
    signal: new AbortController().signal,
    ...more,
  });
}

/** Starts a grandchild that does not heed SIGTERM, and writes down its id. */
const FAMILY = (file: string): string => `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); process.stdout.write('up'); setInterval(() => {}, 1000)"], { stdio: ['ignore', 'inherit', 'inherit'] });
  require('node:fs').writeFileSync(${JSON.stringify(file)}, String(child.pid));
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
`;

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    // One that has ended and whom nobody has asked about is still listed.
    return !/^\d+ \(.*\) Z/.test(existsSync(`/proc/${id}/stat`) ? readFileSync(`/proc/${id}/stat`, 'utf8') : '');
  } catch {
    return false;
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (let left = 500; !holds() && left > 0; left--) await sleep(20);
  expect(holds()).toBe(true);
}

describe('a program that a playbook runs', () => {
  it('is said not to be installed where PATH does not lead to it', async () => {
    for (const env of [{}, { PATH: '' }, { PATH: '/nonexistent' }]) {
      expect(
        await runProgram(['shop-kubectl'], { folder: folderWith(), env, credentials: false, signal: new AbortController().signal }),
      ).toEqual({ ended: 'not-started', code: undefined, output: 'executable not found in PATH' });
    }
  });

  it('gives back how it ended, with what it printed in order', async () => {
    expect(await run("process.stdout.write('a'); process.stderr.write('b'); process.exitCode = 3")).toEqual({
      ended: 'exit',
      code: 3,
      output: 'ab',
    });
    expect(await run('process.kill(process.pid, "SIGKILL")')).toEqual({
      ended: 'killed',
      code: undefined,
      output: 'terminated by SIGKILL\n',
    });
    expect(
      await runProgram(['no-such-program'], {
        folder: '/',
        env: { PATH: '/usr/bin' },
        credentials: false,
        signal: new AbortController().signal,
      }),
    ).toMatchObject({ ended: 'not-started', code: undefined });
    expect(
      await runProgram(['cat', 'a\u0000b'], { folder: '/', env: {}, credentials: false, signal: new AbortController().signal }),
    ).toMatchObject({ ended: 'not-started' });
  });

  it('has no input, no shell, and an environment of what it needs', async () => {
    const env = {
      PATH: `.:bin:${process.env['PATH'] ?? ''}`,
      HOME: '/home/eve',
      KUBECONFIG: '/home/eve/config',
      LC_ALL: 'C',
      https_proxy: 'http://proxy:1',
      AWS_PROFILE: 'shop',
      DB_PASSWORD: 'hunter22',
      NODE_OPTIONS: '--no-warnings',
      LD_PRELOAD: '/tmp/x.so',
    };
    const { output } = await run('process.stdin.on("end", () => console.log(JSON.stringify(process.env))).resume()', { env });
    const seen = JSON.parse(output) as Record<string, string>;
    expect(
      Object.keys(seen)
        .toSorted()
        .filter((name) => !name.startsWith('__')),
    ).toEqual(['HOME', 'KUBECONFIG', 'LC_ALL', 'NO_COLOR', 'PATH', 'TERM', 'https_proxy']);
    expect(seen['PATH']).toBe(process.env['PATH']);
    const { output: plugins } = await run('console.log(process.env.AWS_PROFILE, process.env.DB_PASSWORD)', { env, credentials: true });
    expect(plugins).toBe('shop undefined\n');
  });

  it('is ended with its children when it takes too long', async () => {
    const file = join(folderWith(), 'id');
    expect(await run(FAMILY(file), { limits: { seconds: 2, bytes: 1000 } })).toMatchObject({ ended: 'time' });
    await until(() => !isAlive(Number(readFileSync(file, 'utf8'))));
  });

  it('is ended with its children within a second of Ctrl-C', async () => {
    const file = join(folderWith(), 'id');
    const interrupted = new AbortController();
    const running = run(FAMILY(file), { signal: interrupted.signal });
    await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
    interrupted.abort();
    expect(await running).toMatchObject({ ended: 'interrupted' });
    await until(() => !isAlive(Number(readFileSync(file, 'utf8'))));
    expect(await run('setInterval(() => {}, 1000)', { signal: interrupted.signal })).toMatchObject({ ended: 'interrupted' });
  });

  it('is ended when it prints more than anybody reads', async () => {
    const { ended, output } = await run("for (;;) require('node:fs').writeSync(1, 'web-1 '.repeat(1000))", {
      limits: { seconds: 60, bytes: 50_000 },
    });
    expect([ended, output.length]).toEqual(['output', 50_000]);
  });
});
