import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { isThere } from '../support/built-program.ts';
import { folderWith } from '../support/folder.ts';
import { kubeServer, listen } from '../support/kube-server.ts';

const PROGRAM = resolve('dist/podcheck.js');
const BASH = isThere('bash', ['--version']);
const PROC = existsSync('/proc/self/stat');
/** What is under way here takes longer than this by far, on any machine; the program itself ends within a second. */
const SOON_MILLISECONDS = 8000;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

describe('Ctrl-C ends the program at once', () => {
  it('while it reads a large file', async () => {
    const child = start(['diagnose', '--from', join(folderWith({ 'pods.yaml': manyPods() }), 'pods.yaml'), 'web-1']);
    await (PROC ? busyFor(child, 2) : pause(3000));
    expect(await interrupted(child)).toEqual([null, 'SIGINT']);
  });

  it.runIf(BASH)('while the file system does not answer', async () => {
    const folder = folderWith();
    spawnSync('bash', ['-c', 'mkfifo pipe'], { cwd: folder });
    const child = start(['diagnose', '--from', join(folder, 'pipe')]);
    await (PROC ? busyFor(child, 0.1) : pause(1000));
    await pause(1000);
    expect(ending(await interrupted(child))).toBe('interrupted');
  });

  it('while a server does not answer the TLS handshake', async () => {
    const silent = await silentServer();
    const child = start(['scan'], kubeconfig(`https://127.0.0.1:${silent.port}`));
    await silent.connected;
    expect(ending(await interrupted(child))).toBe('interrupted');
  });

  it('while a proxy does not answer', async () => {
    const silent = await silentServer();
    const child = start(['scan'], { ...kubeconfig('https://api.shop.example:6443'), HTTPS_PROXY: `http://127.0.0.1:${silent.port}` });
    await silent.connected;
    expect(ending(await interrupted(child))).toBe('interrupted');
  });

  it('while an answer does not come', async () => {
    let asked = (): void => undefined;
    const begun = new Promise<void>((done) => void (asked = done));
    const server = await kubeServer(() => {
      asked();
      return 'handled';
    });
    closing.push(() => void server.close());
    const child = start(['scan'], kubeconfig(server.url.href));
    await begun;
    expect(ending(await interrupted(child))).toBe('interrupted');
  });

  it('while a credential plugin does not answer, and it and its children too', async () => {
    const folder = folderWith({
      'plugin.cjs': `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
        require('node:fs').writeFileSync(__dirname + '/pids', process.pid + ' ' + child.pid + ' ');
        setInterval(() => {}, 1000);`,
    });
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: [join(folder, 'plugin.cjs')],
      interactiveMode: 'Never',
    };
    const child = start(['scan'], kubeconfig('https://127.0.0.1:1', { exec }));
    const pids = (): readonly number[] =>
      existsSync(join(folder, 'pids')) ? readFileSync(join(folder, 'pids'), 'utf8').trim().split(' ').map(Number) : [];
    while (pids().length < 2) await pause(20);
    expect(ending(await interrupted(child))).toBe('interrupted');
    while (pids().some(isRunning)) await pause(20);
  });
});

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...env },
  });
  closing.push(() => child.kill('SIGKILL'));
  return child;
}

/** How it ended: the exit code, or the signal. */
async function interrupted(child: ChildProcess): Promise<readonly unknown[]> {
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(SOON_MILLISECONDS) });
  child.kill('SIGINT');
  return ended.catch(() => ['it goes on']);
}

/** A shell calls both the same: 130. */
function ending(ended: readonly unknown[]): unknown {
  return ended[0] === 130 || ended[1] === 'SIGINT' ? 'interrupted' : ended;
}

/** Comes back when the program has computed for so many seconds. */
async function busyFor({ pid }: ChildProcess, seconds: number): Promise<void> {
  for (;;) {
    const [, , , , , , , , , , , user = 0, system = 0] = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
      .map(Number);
    if ((user + system) / 100 >= seconds) return;
    await pause(20);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !PROC || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Takes some ten seconds to read. */
function manyPods(): string {
  const pod = (index: number): string =>
    `- apiVersion: v1\n  kind: Pod\n  metadata: {name: web-${index}, namespace: shop, labels: {app: web}}\n  spec:\n    containers:\n    - name: web\n      image: shop/web:1.4\n      ports: [{containerPort: 8080}]\n      env: [{name: A, value: "b"}, {name: C, value: "d"}]\n  status: {phase: Running, podIP: 10.0.0.1, conditions: [{type: Ready, status: "True"}]}\n`;
  return `apiVersion: v1\nkind: List\nitems:\n${Array.from({ length: 120_000 }, (_, index) => pod(index)).join('')}`;
}

interface SilentServer {
  readonly port: number;
  readonly connected: Promise<void>;
}

/** Takes connections and says nothing. */
async function silentServer(): Promise<SilentServer> {
  const sockets: Socket[] = [];
  let connected = (): void => undefined;
  const first = new Promise<void>((done) => void (connected = done));
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    connected();
  });
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: await listen(server), connected: first };
}

function kubeconfig(server: string, user: object = { token: 'a-token' }): { readonly KUBECONFIG: string } {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'shop',
    clusters: [{ name: 'shop', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'anna', user }],
    contexts: [{ name: 'shop', context: { cluster: 'shop', user: 'anna', namespace: 'shop' } }],
  };
  return { KUBECONFIG: join(folderWith({ config: JSON.stringify(config) }), 'config') };
}
