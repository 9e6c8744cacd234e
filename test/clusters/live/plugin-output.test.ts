import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { CredentialOptions, Credentials } from '../../../src/clusters/live/kubeconfig/credentials.ts';
import { credentialsOf } from '../../../src/clusters/live/kubeconfig/credentials.ts';
import type { ExecEntry } from '../../../src/clusters/live/kubeconfig/kubeconfig-entries.ts';
import { folderWith } from '../../support/folder.ts';
import { liveConfig } from '../../support/live.ts';

interface Plugin {
  readonly credentials: Credentials;
  /** Numbers of the processes that have said that they run: the plugin's own, then its child's. */
  readonly running: () => readonly number[];
  readonly runs: () => number;
}

/** A plugin that starts a child that does nothing for ever, with the plugin's own output, and then goes on with the script. */
function plugin(script: string, options: Partial<CredentialOptions> = {}): Plugin {
  const folder = folderWith({
    'plugin.cjs': `const fs = require('node:fs');
      const { spawn } = require('node:child_process');
      fs.appendFileSync(__dirname + '/runs', 'run\\n');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'inherit', 'inherit'] });
      fs.writeFileSync(__dirname + '/pids', process.pid + ' ' + child.pid);
      const give = (token) => console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } }));
      ${script}`,
  });
  const exec: ExecEntry = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: [join(folder, 'plugin.cjs')],
    env: [],
    provideClusterInfo: false,
    interactiveMode: 'Never',
  };
  const read = (name: string): string => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').trim() : '');
  return {
    credentials: credentialsOf(liveConfig(new URL('https://127.0.0.1:1'), { user: { exec } }), {
      clock: Date.now,
      env: process.env,
      interactive: false,
      ...options,
    }),
    running: () =>
      read('pids')
        .split(' ')
        .filter((pid) => pid !== '')
        .map(Number),
    runs: () => read('runs').split('\n').length,
  };
}

describe('a credential plugin that never answers', () => {
  it('is ended in time with all that it has started', async () => {
    const { credentials, running } = plugin('setInterval(() => {}, 1000);', { pluginSeconds: 2 });
    await expect(credentials.current()).rejects.toThrow('it did not answer within 2 s');
    expect(running()).toHaveLength(2);
    await gone(running());
  });

  it('is asked once for all reads, those at once and those after it', async () => {
    const { credentials, runs } = plugin('setInterval(() => {}, 1000);', { pluginSeconds: 2 });
    const asked = await Promise.allSettled([credentials.current(), credentials.current(), credentials.renew({})]);
    asked.push(...(await Promise.allSettled([credentials.current(), credentials.current()])));
    expect(asked.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
    expect(runs()).toBe(1);
  });

  it('is asked again a minute later', async () => {
    let now = 0;
    const { credentials, runs } = plugin(`child.kill('SIGKILL'); child.once('exit', () => process.exit(1));`, { clock: () => now });
    await expect(credentials.current()).rejects.toThrow('exited with code 1');
    now += 60_000;
    await expect(credentials.current()).rejects.toThrow('exited with code 1');
    expect(runs()).toBe(2);
  });

  it('is ended with all that it has started when the signal says so', async () => {
    const stop = new AbortController();
    const { credentials, running } = plugin('setInterval(() => {}, 1000);', { signal: stop.signal });
    const asked = credentials.current().then(() => '', String);
    while (running().length < 2) await pause(20);
    stop.abort();
    expect(await asked).toContain('it was interrupted');
    await gone(running());
  });
});

describe('a credential plugin whose child keeps its output open', () => {
  it('has answered when it has ended', async () => {
    const { credentials, running } = plugin(`give('from-plugin'); child.unref();`, { pluginSeconds: 50 });
    expect(await credentials.current()).toEqual({ token: 'from-plugin' });
    process.kill(running()[1] ?? 0, 'SIGKILL');
  });
});

/** Comes back when none of the processes is there any more; a test that waits in vain fails by its time. */
async function gone(pids: readonly number[]): Promise<void> {
  while (pids.some(isThere)) await pause(20);
}

/** One that has ended and that nobody has asked after counts as gone. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
