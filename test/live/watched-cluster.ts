import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { manifestsOf } from './fault.ts';
import { kubectl, podcheck } from './real-commands.ts';

const NAMESPACE = 'watched-cluster';
const CAUSE = 'containers/configmap-not-found';
const PATIENCE = { timeout: 110_000, interval: 500 };
const fault = {
  fault: NAMESPACE,
  rules: [CAUSE],
  web: { container: { env: [{ name: 'THEME', valueFrom: { configMapKeyRef: { name: 'shop-settings', key: 'theme' } } }] } },
};

interface Told {
  readonly type: string;
  readonly rule?: string;
  readonly fingerprint?: string;
}

let watch: ChildProcess | undefined;
let [out, err] = ['', ''];

function told(): readonly Told[] {
  return out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Told);
}

/** With the rights of its manifest. */
function started(): ChildProcess {
  const words = ['watch', '-n', NAMESPACE, '-o', 'json', '--events', '--state-namespace', 'podcheck'];
  const who = ['--as', 'system:serviceaccount:podcheck:podcheck-watch'];
  const child = spawn(process.execPath, [resolve('dist', 'podcheck.js'), ...words, ...who], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (part: Buffer) => (out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (err += part.toString()));
  return child;
}

describe('podcheck watch on a real cluster', () => {
  beforeAll(async () => {
    for (const namespace of [NAMESPACE, 'podcheck']) expect((await kubectl(['create', 'namespace', namespace])).code).toBe(0);
    const { out: yaml } = await podcheck(['watch', '--manifest', '--events', '--namespaces', NAMESPACE]);
    const applied = await kubectl(['apply', '-f', '-'], yaml);
    expect(applied.code, applied.err).toBe(0);
    watch = started();
    const items = manifestsOf(fault);
    const faulty = await kubectl(['-n', NAMESPACE, 'apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    expect(faulty.code, faulty.err).toBe(0);
  });

  afterAll(() => {
    watch?.kill('SIGKILL');
  });

  it('tells a cause once, with the rights of its manifest alone, and writes it as an Event', async () => {
    await vi.waitFor(() => expect(told()).toMatchObject([{ type: 'found', rule: CAUSE }]), PATIENCE);
    await vi.waitFor(async () => {
      const { out: events } = await kubectl(['-n', NAMESPACE, 'describe', 'deploy', 'web']);
      expect(events).toContain('podcheck.dev/watch');
    }, PATIENCE);
    expect(err).toBe('');
  });

  it('is killed and started again, and does not tell again what it has told', async () => {
    const kept = ['-n', 'podcheck', 'get', 'configmap', 'podcheck-watch-0', '-o', 'jsonpath={.data}'];
    await vi.waitFor(async () => expect((await kubectl(kept)).out).toContain(CAUSE), PATIENCE);
    watch?.kill('SIGKILL');
    await once(watch as ChildProcess, 'close');
    const holder = ['-n', 'podcheck', 'get', 'lease', 'podcheck-watch-0', '-o', 'jsonpath={.spec.holderIdentity}'];
    const { out: before } = await kubectl(holder);
    watch = started();
    await vi.waitFor(async () => expect((await kubectl(holder)).out).not.toBe(before), PATIENCE);
    expect(err).toBe('');
  });

  it('tells when it is cured, and ends with 130', async () => {
    await kubectl(['-n', NAMESPACE, 'create', 'configmap', 'shop-settings', '--from-literal=theme=dark']);
    await vi.waitFor(
      () => expect(told().map(({ type, rule }) => `${type} ${rule ?? ''}`)).toEqual([`found ${CAUSE}`, `cured ${CAUSE}`]),
      PATIENCE,
    );
    expect(new Set(told().map(({ fingerprint }) => fingerprint)).size).toBe(1);
    watch?.kill('SIGINT');
    const [code] = (await once(watch as ChildProcess, 'close')) as [number];
    expect(code).toBe(130);
  });
});
