import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { asText, dig } from '../../src/base/json.ts';
import { emptyFolder } from '../support/built-program.ts';
import { WireClient } from './client.ts';

const PROGRAM = resolve('dist/podcheck.js');
const folder = emptyFolder();
const runs = join(folder.path, 'podcheck', 'runs');
afterAll(folder.remove);

function started(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [PROGRAM, 'sim', ...args], {
    cwd: folder.path,
    env: { ...process.env, XDG_STATE_HOME: folder.path, NODE_OPTIONS: '', ...env },
  });
}

/** Runs until it ends by itself. */
async function ran(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const child = started(args, env);
  let [out, err] = ['', ''];
  child.stdout.on('data', (part: Buffer) => (out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (err += part.toString()));
  child.stdin.end();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

function left(): readonly string[] {
  return existsSync(runs) ? readdirSync(runs) : [];
}

describe('podcheck sim serve', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('serves until %s, and leaves nothing', async (signal, code) => {
    const kubeconfig = join(folder.path, 'kubeconfig');
    const child = started(['serve', 'volumes/configmap-not-found', '--kubeconfig', 'kubeconfig', '--speed', 'max']);
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    expect(said.toString()).toContain('volumes/configmap-not-found is served at https://127.0.0.1:');
    const client = new WireClient(readFileSync(kubeconfig, 'utf8'));
    expect((await client.ask('/api/v1/pods')).code).toBe(200);
    child.kill(signal);
    // With a file or a name still being read the program ends by the signal itself, which a shell tells by the same number.
    const [status, by] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    expect(status ?? 128 + constants.signals[by ?? signal]).toBe(code);
    expect([existsSync(kubeconfig), left()]).toEqual([false, []]);
    await expect(client.ask('/version')).rejects.toThrow('ECONNREFUSED');
  });

  it('at the speed max has done what a write sets off before it answers the next request', async () => {
    const child = started(['serve', 'one-node', '--kubeconfig', 'fast', '--speed', 'max']);
    await once(child.stdout, 'data');
    const client = new WireClient(readFileSync(join(folder.path, 'fast'), 'utf8'));
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } };
    await client.ask('/api/v1/namespaces/default/pods', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(pod),
    });
    expect(dig((await client.ask('/api/v1/namespaces/default/pods/web')).json, 'status', 'phase')).toBe('Running');
    child.kill('SIGINT');
    await once(child, 'close');
  });

  it('goes on in the background, tells and changes its time, and ends when it is told to', async () => {
    const { code, out } = await ran(['serve', 'one-node', '--detach']);
    expect([code, out]).toEqual([0, expect.stringContaining('one-node is served at https://127.0.0.1:')]);
    expect(await ran(['time', 'pause'])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d{4}-.*Z, paused\n$/) as string });
    expect(await ran(['time', 'advance', '10m'])).toMatchObject({ code: 0 });
    expect(await ran(['time', 'speed', '10'])).toMatchObject({ out: expect.stringContaining('10 virtual seconds per second') as string });
    expect(await ran(['stop'])).toMatchObject({ code: 0 });
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
    expect(await ran(['time'])).toMatchObject({ code: 2, err: expect.stringContaining('no simulated cluster is running') as string });
  });

  it('warns of an address that other machines reach, and issues tokens that the seed does not tell', async () => {
    const tokens: string[] = [];
    for (const [index, listen] of [
      ['0', '0.0.0.0'],
      ['1', '127.0.0.1'],
    ] as const) {
      const child = started(['serve', 'one-node', '--seed', '7', '--listen', listen, '--kubeconfig', `tokens-${index}`]);
      let err = '';
      child.stderr.on('data', (part: Buffer) => (err += part.toString()));
      await once(child.stdout, 'data');
      const client = new WireClient(readFileSync(join(folder.path, `tokens-${index}`), 'utf8'));
      const { json } = await client.ask('/api/v1/namespaces/default/serviceaccounts/default/token', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{}}',
      });
      tokens.push(asText(dig(json, 'status', 'token')) ?? '');
      child.kill('SIGINT');
      await once(child, 'close');
      expect(err.includes('can be reached from other machines; the kubeconfig gives full access to it')).toBe(listen === '0.0.0.0');
    }
    expect(tokens[0]).toMatch(/^sim\.[0-9a-f]{64}$/);
    expect(tokens[1]).not.toBe(tokens[0]);
  });

  it('opens a shell that has its kubeconfig, and ends with it', async () => {
    const shell = join(folder.path, 'shell');
    writeFileSync(shell, '#!/bin/sh\nif [ -f "$KUBECONFIG" ]; then echo "run $PODCHECK_RUN"; fi\nexit 3\n', { mode: 0o755 });
    const { code, out, err } = await ran(['serve', 'one-node', '--shell'], { SHELL: shell, PATH: '/nothing' });
    expect([code, out, err]).toEqual([
      0,
      expect.stringMatching(/\nrun [0-9a-f]{8}\n$/),
      expect.stringContaining('kubectl is not installed'),
    ]);
    expect(left()).toEqual([]);
  });

  it.each([
    ['an unknown scenario', ['serve', 'volumes/confgmap-not-found'], 'did you mean volumes/configmap-not-found'],
    ['a speed that is none', ['serve', 'one-node', '--speed', 'fast'], '"fast" is not a valid speed'],
    ['a port that is none', ['serve', 'one-node', '--port', '70000'], '--port: "70000" is not a valid port'],
    [
      'an address that is not of this machine',
      ['serve', 'one-node', '--listen', '192.0.2.1'],
      '192.0.2.1 is not an address of this machine',
    ],
    ['a shell in the background', ['serve', 'one-node', '--shell', '--detach'], 'cannot be used together'],
    ['a wish nobody can grant', ['time', 'backwards'], 'unknown action "backwards"'],
  ])('refuses %s', async (_, args, words) => {
    expect(await ran(args)).toMatchObject({ code: 2, err: expect.stringContaining(words) as string });
    expect(left()).toEqual([]);
  });

  it('refuses a port that is in use, and a kubeconfig that is not its own', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await ran(['serve', 'one-node', '--port', String(port)])).toMatchObject({
      code: 2,
      err: `error: port ${port} of 127.0.0.1 is in use\nhint: choose another port, or leave out --port to use any free one\n`,
    });
    server.close();
    writeFileSync(join(folder.path, 'mine'), 'apiVersion: v1\n');
    expect(await ran(['serve', 'one-node', '--kubeconfig', 'mine'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('was not written by podcheck') as string,
    });
    expect([readFileSync(join(folder.path, 'mine'), 'utf8'), left()]).toEqual(['apiVersion: v1\n', []]);
  });
});
