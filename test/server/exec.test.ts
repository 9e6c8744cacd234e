import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { dig } from '../../src/base/json.ts';
import { LineEditor } from '../../src/server/line-editor.ts';
import type { Serving } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { createCluster } from '../../src/simulator/index.ts';
import { WireClient } from './client.ts';
import { SpdyClient } from './spdy-client.ts';
import { BINARY, frames, masked, TEXT, Upgraded, webSocketHeaders } from './upgraded.ts';

const OBJECTS = [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { colour: 'blue\n' } },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: {
      containers: [
        {
          name: 'web',
          image: 'nginx:1.27',
          env: [{ name: 'COLOUR', value: 'green' }],
          volumeMounts: [{ name: 'settings', mountPath: '/etc/web' }],
        },
      ],
      volumes: [{ name: 'settings', configMap: { name: 'settings' } }],
    },
  },
];

let serving: Serving;

afterEach(() => serving.close());

async function running(): Promise<WireClient> {
  const cluster = createCluster({ seed: 1, preset: 'one-node' });
  cluster.apply(OBJECTS);
  cluster.advance(20_000);
  serving = await startServing({ cluster });
  return new WireClient(serving.kubeconfig);
}

/** A command in the pod, as kubectl runs it. */
class Exec {
  readonly texts: Record<number, string> = {};
  readonly #connection: Upgraded;

  constructor(client: WireClient, words: readonly string[], options = 'stdout=true&stderr=true', protocol = 'v5.channel.k8s.io') {
    this.#connection = new Upgraded(client, {
      path: pathOf(words, options),
      headers: webSocketHeaders(protocol),
      take: frames(({ kind, payload }) => this.#read(kind, payload)),
    });
  }

  get head(): string {
    return this.#connection.head;
  }

  get ended(): boolean {
    return this.#connection.ended;
  }

  get status(): Json {
    return this.texts[3] === undefined ? null : (JSON.parse(this.texts[3]) as Json);
  }

  get output(): string {
    return this.texts[1] ?? '';
  }

  send(channel: number, text: string | Uint8Array): void {
    this.raw(masked(Buffer.concat([Buffer.from([channel]), Buffer.from(text)])));
  }

  raw(bytes: Uint8Array): void {
    this.#connection.raw(bytes);
  }

  close(): void {
    this.#connection.close();
  }

  #read(kind: number, payload: Buffer): void {
    const [channel = 0] = payload;
    if (kind === TEXT)
      this.texts[channel - 48] = (this.texts[channel - 48] ?? '') + Buffer.from(payload.subarray(1).toString(), 'base64').toString();
    if (kind === BINARY) this.texts[channel] = (this.texts[channel] ?? '') + payload.subarray(1).toString();
  }
}

function pathOf(words: readonly string[], options: string): string {
  return `/api/v1/namespaces/default/pods/web/exec?${words.map((word) => `command=${encodeURIComponent(word)}`).join('&')}&${options}`;
}

/** The same over SPDY, as kubectl did before 1.31. */
class SpdyExec {
  readonly connection: Upgraded;
  readonly spdy: SpdyClient;
  readonly #streams = new Map<string, number>();

  constructor(client: WireClient, words: readonly string[], options: string, protocol = 'v4.channel.k8s.io') {
    this.connection = new Upgraded(client, {
      path: pathOf(words, options),
      method: 'POST',
      headers: { Upgrade: 'SPDY/3.1', ...(protocol === '' ? {} : { 'X-Stream-Protocol-Version': protocol }) },
      take: (part) => this.spdy.take(part),
    });
    this.spdy = new SpdyClient((bytes) => this.connection.raw(bytes));
  }

  async open(...kinds: readonly string[]): Promise<void> {
    for (const kind of kinds) this.#streams.set(kind, await this.spdy.open({ streamtype: kind }));
  }

  text(kind: string): string | undefined {
    return this.spdy.texts[this.#streams.get(kind) ?? 0];
  }

  send(text: string, isLast: boolean): void {
    this.spdy.send(this.#streams.get('stdin') ?? 0, text, isLast);
  }
}

describe('a command in a container over SPDY', () => {
  it('begins when all streams are open, and gets what is sent to it', async () => {
    const exec = new SpdyExec(await running(), ['cat'], 'stdin=true&stdout=true&stderr=true');
    await exec.open('error', 'stdin', 'stdout', 'stderr');
    exec.send('one\n', false);
    exec.send('two\n', true);
    await expect.poll(() => exec.connection.ended).toBe(true);
    expect([exec.text('stdout'), exec.text('error')]).toEqual(['one\ntwo\n', '{"metadata":{},"status":"Success"}']);
    expect(exec.spdy.replies).toEqual([1, 3, 5, 7]);
  });

  it.each([
    ['v4.channel.k8s.io', /^\{.*"reason":"NonZeroExitCode".*"message":"3"/],
    ['v2.channel.k8s.io', /^command terminated with non-zero exit code: exit status 3$/],
  ])('tells its exit code in the protocol %s', async (protocol, ended) => {
    const exec = new SpdyExec(await running(), ['sh', '-c', 'echo good; echo bad >&2; exit 3'], 'stdout=true&stderr=true', protocol);
    await exec.open('error', 'stdout', 'stderr');
    await expect.poll(() => exec.connection.ended).toBe(true);
    expect([exec.text('stdout'), exec.text('stderr')]).toEqual(['good\n', 'bad\n']);
    expect(exec.text('error')).toMatch(ended);
  });

  it('is a shell for who has a terminal', async () => {
    const exec = new SpdyExec(await running(), ['sh'], 'stdin=true&stdout=true&tty=true');
    await exec.open('error', 'stdin', 'stdout', 'resize');
    await expect.poll(() => exec.text('stdout')).toBe('/ # ');
    exec.send('exit 4\r', false);
    await expect.poll(() => exec.text('error')).toContain('exit status 4');
  });

  it.each([
    ['', 400, 'unable to upgrade: header X-Stream-Protocol-Version does not exist in request with 3 headers'],
    ['v9.channel.k8s.io', 403, 'unable to upgrade: unable to negotiate protocol: client supports [v9.channel.k8s.io], server accepts'],
  ])('is refused in the protocol %j', async (protocol, code, words) => {
    const exec = new SpdyExec(await running(), ['env'], 'stdout=true', protocol);
    await expect.poll(() => exec.connection.head).toContain(`HTTP/1.1 ${code} `);
    await expect.poll(() => exec.connection.rest).toContain(words);
  });

  it('is ended with a client that breaks the protocol', async () => {
    const client = await running();
    const exec = new SpdyExec(client, ['sh'], 'stdin=true&stdout=true&tty=true');
    exec.spdy.control(1, Buffer.alloc(20, 1));
    await expect.poll(() => exec.connection.ended).toBe(true);
    expect((await client.ask('/api/v1/nodes')).code).toBe(200);
  });
});

describe('a command in a container', () => {
  it('sees the environment and the mounts, and ends with a Status', async () => {
    const exec = new Exec(await running(), ['sh', '-c', 'echo $COLOUR; cat /etc/web/colour']);
    await expect.poll(() => exec.ended).toBe(true);
    expect([exec.output, exec.status]).toEqual(['green\nblue\n', { metadata: {}, status: 'Success' }]);
  });

  it('tells its exit code and writes errors apart', async () => {
    const exec = new Exec(await running(), ['cat', '/nothing']);
    await expect.poll(() => exec.ended).toBe(true);
    expect([exec.texts[2], dig(exec.status, 'reason'), dig(exec.status, 'details', 'causes', 0, 'message')]).toEqual([
      "cat: can't open '/nothing': No such file or directory\n",
      'NonZeroExitCode',
      '1',
    ]);
  });

  it.each([
    ['ps', 'PID   USER     TIME  COMMAND\n    1 root      0:00 /docker-entrypoint.sh nginx -g daemon off;\n   14 root      0:00 ps\n'],
    ['mount | grep /etc/web', '/dev/vda1 on /etc/web type ext4 (ro,relatime)\n'],
    ['ls /etc/web; ls -l /etc/web | grep -v total', /^colour\n-rw-r--r-- .* 5 Nov 20 09:00 colour\n$/],
    ['echo one > /tmp/a; echo two >> /tmp/a; head -n 1 /tmp/a; tail -1 /tmp/a; wc -l /tmp/a', 'one\ntwo\n2 /tmp/a\n'],
    ['which sh', '/usr/bin/sh\n'],
  ])('lets somebody look around: %s', async (script, wanted) => {
    const exec = new Exec(await running(), ['sh', '-c', script]);
    await expect.poll(() => exec.ended).toBe(true);
    expect(exec.output).toMatch(typeof wanted === 'string' ? new RegExp(`^${wanted.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$`) : wanted);
  });

  it('copies files out and in as kubectl cp does', async () => {
    const client = await running();
    const out = new Exec(client, ['tar', 'cf', '-', '/etc/web']);
    await expect.poll(() => out.ended).toBe(true);
    const archive = out.output;
    expect([archive.length % 512, archive.includes('etc/web/colour\0'), archive.includes('blue\n')]).toEqual([0, true, true]);
    const into = new Exec(client, ['tar', '-xmf', '-', '-C', '/tmp'], 'stdin=true&stdout=true&stderr=true');
    for (let at = 0; at < archive.length; at += 100) into.send(0, archive.slice(at, at + 100));
    into.send(255, Uint8Array.of(0));
    await expect.poll(() => into.ended).toBe(true);
    const seen = new Exec(client, ['cat', '/tmp/etc/web/colour']);
    await expect.poll(() => seen.ended).toBe(true);
    expect(seen.output).toBe('blue\n');
  });

  it('that the image does not have is refused in the words of the runtime', async () => {
    const exec = new Exec(await running(), ['kubectl']);
    await expect.poll(() => exec.ended).toBe(true);
    expect(dig(exec.status, 'message')).toMatch(
      /^Internal error occurred: error executing command in container: .*exec: "kubectl": executable file not found in \$PATH: unknown$/,
    );
  });

  it.each([
    ['v4.channel.k8s.io', '"message":"command terminated with non-zero exit code: exit status 1"'],
    ['v4.base64.channel.k8s.io', '"reason":"NonZeroExitCode"'],
    ['channel.k8s.io', /^command terminated with non-zero exit code: exit status 1$/],
    ['base64.channel.k8s.io', /^command terminated with non-zero exit code: exit status 1$/],
    ['', /^command terminated with non-zero exit code: exit status 1$/],
  ])('is run over the old protocol %j', async (protocol, ended) => {
    const client = await running();
    const failed = new Exec(client, ['sh', '-c', 'echo one; exit 1'], undefined, protocol);
    await expect.poll(() => failed.ended).toBe(true);
    expect(failed.output).toBe('one\n');
    expect(failed.texts[3]).toMatch(ended);
    const right = new Exec(client, ['true'], undefined, protocol);
    await expect.poll(() => right.ended).toBe(true);
    expect([right.output, right.texts[3]]).toEqual(['', protocol.startsWith('v') ? '{"metadata":{},"status":"Success"}' : undefined]);
  });

  it('reads base64 in an old protocol', async () => {
    const exec = new Exec(await running(), ['sh'], 'stdin=true&stdout=true&tty=true', 'base64.channel.k8s.io');
    await expect.poll(() => exec.output).toBe('/ # ');
    exec.send(48, Buffer.from('exit 4\r').toString('base64'));
    await expect.poll(() => exec.texts[3]).toMatch(/exit status 4$/);
  });

  it('runs while time is paused', async () => {
    const client = await running();
    serving.clock.pause();
    const exec = new Exec(client, ['sh', '-c', 'sleep 0.2; echo done']);
    await expect.poll(() => exec.ended, { timeout: 20_000 }).toBe(true);
    expect(exec.output).toBe('done\n');
  });

  it('gets what is sent to it', async () => {
    const exec = new Exec(await running(), ['cat'], 'stdin=true&stdout=true');
    exec.send(0, 'one\ntwo\n');
    exec.send(255, Uint8Array.of(0));
    await expect.poll(() => exec.ended).toBe(true);
    expect(exec.output).toBe('one\ntwo\n');
  });

  it('changes what the next one sees, and is part of what a fork of the cluster plays', async () => {
    const client = await running();
    const first = new Exec(client, ['sh', '-c', 'echo one > /tmp/note']);
    await expect.poll(() => first.ended).toBe(true);
    const second = new Exec(client, ['cat', '/tmp/note']);
    await expect.poll(() => second.ended).toBe(true);
    expect(second.output).toBe('one\n');
    serving.clock.pause();
    expect(serving.cluster.fork().digest()).toBe(serving.cluster.digest());
  });

  it.each([
    ['a right that is missing', 403, (client: WireClient) => Object.assign(client, new WireClient(serving.kubeconfigFor('jane', []))), ''],
    ['a container that is not there', 400, (client: WireClient) => client, '&container=nothing'],
  ])('is refused for %s, over SPDY too', async (_, code, as, more) => {
    const client = as(await running());
    const exec = new Exec(client, ['env'], `stdout=true${more}`);
    await expect.poll(() => exec.head).toContain(`HTTP/1.1 ${code} `);
    const old = new SpdyExec(client, ['env'], `stdout=true${more}`);
    await expect.poll(() => old.connection.head).toContain(`HTTP/1.1 ${code} `);
    exec.close();
  });
});

describe('a shell in a container', () => {
  it('answers line by line, keeps its folder, and can be interrupted and ended', async () => {
    const exec = new Exec(await running(), ['sh'], 'stdin=true&stdout=true&tty=true');
    await expect.poll(() => exec.output).toBe('/ # ');
    exec.send(0, 'cd /etc/web\r');
    await expect.poll(() => exec.output).toContain('/etc/web # ');
    exec.send(0, 'ls\r');
    await expect.poll(() => exec.output).toContain('ls\r\ncolour\r\n/etc/web # ');
    exec.send(0, 'sleep 1000\r');
    exec.send(0, '\u0003');
    await expect.poll(() => exec.output).toMatch(/sleep 1000\r\n\^C\r\n\/etc\/web # $/);
    exec.send(0, 'exit 4\r');
    await expect.poll(() => dig(exec.status, 'details', 'causes', 0, 'message')).toBe('4');
  });

  it('ends with its client, and with a client that breaks the protocol', async () => {
    const client = await running();
    const gone = new Exec(client, ['sh'], 'stdin=true&stdout=true&tty=true');
    await expect.poll(() => gone.output).toBe('/ # ');
    gone.close();
    const broken = new Exec(client, ['sh'], 'stdin=true&stdout=true&tty=true');
    await expect.poll(() => broken.output).toBe('/ # ');
    broken.raw(randomBytes(64).fill(0x01, 0, 2));
    await expect.poll(() => broken.ended).toBe(true);
    expect((await client.ask('/api/v1/nodes')).code).toBe(200);
  });
});

describe('a line that is typed', () => {
  it('is shown as it is typed, with what was taken back', () => {
    const [shown, lines]: [string[], string[]] = [[], []];
    const editor = new LineEditor({
      echo: (text) => shown.push(text),
      line: (text) => lines.push(text),
      interrupt: () => lines.push('^C'),
      end: () => lines.push('^D'),
    });
    editor.type('lss\u007F -l\u001B[A\u001B[1;5C\r');
    editor.type('rm\u0015ls\r\u0003\u0004');
    expect(lines).toEqual(['ls -l\n', 'ls\n', '^C', '^D']);
    expect(shown.join('')).toBe('lss\b \b -l\r\nrm\b \b\b \bls\r\n^C\r\n');
  });
});
