import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunbookRunOptions } from '../../src/commands/runbook/runbook-run.ts';
import { runRunbookRun } from '../../src/commands/runbook/runbook-run.ts';
import { CHAIN_START, readChain } from '../../src/runbook/journal-chain.ts';
import { writeHead } from '../../src/runbook/journal-head.ts';
import { hold } from '../../src/runbook/lock.ts';
import { addTrust, digestOfText, trustFolder } from '../../src/runbook/trust.ts';
import type { Serving } from '../../src/server/serve.ts';
import { startServing } from '../../src/server/serve.ts';
import { shop } from '../runbook/shop.ts';
import type { WrittenContext } from '../support/context.ts';
import { writtenContext } from '../support/context.ts';
import { folderWith } from '../support/folder.ts';

const PLAYBOOK = `title: The shop needs another pod
use: When it is slow.
for: {}
escalation: Call the owner of the shop.
steps:
  - { id: look, diagnose: target }
  - id: grow
    say: Add a pod.
    change: { scale: "{{ target }}", replicas: 3 }
    verify: { until: { all: [{ fact: workload, where: { top: true, desired: 3 } }] }, every: 1s, limit: 30s }
    undo: restore
  - { id: make, say: Note it., change: { create: { apiVersion: v1, kind: ConfigMap, metadata: { name: web-notes }, data: { seen: "yes" } } }, verify: { until: { outcome: healthy }, every: 1s, limit: 30s }, undo: restore }
  - { id: pods, say: See the pods., show: { list: Pod, namespace: "{{ namespace }}" } }
`;

const servings: Serving[] = [];
afterEach(async () => {
  for (const serving of servings.splice(0)) await serving.close();
});

interface Served {
  readonly folder: string;
  readonly serving: Serving;
  readonly run: (
    options?: Partial<RunbookRunOptions>,
    words?: readonly string[],
  ) => Promise<{ readonly code: number; readonly context: WrittenContext }>;
}

const LOCKS = '.local/state/podcheck/locks';

function trust(folder: string, text: string): void {
  addTrust(trustFolder({}, folder), { digest: digestOfText(text), file: join(folder, 'slow-shop.yaml'), at: '2026-11-20T12:00:00Z' });
}

/** The journal as a process leaves it that is killed after so many records. */
function asKilled(path: string, records: number, torn = ''): void {
  const text = `${readFileSync(path, 'utf8').split('\n').slice(0, records).join('\n')}\n`;
  writeFileSync(path, text + torn);
  writeHead(path, { records, hash: readChain(Buffer.from(text)).records.at(-1)?.hash ?? CHAIN_START });
}

/** A shop that is served, somebody who says yes, and a folder for their runs. */
async function served(): Promise<Served> {
  const serving = await startServing({ cluster: shop(), speed: 1000 });
  servings.push(serving);
  const folder = folderWith({ 'slow-shop.yaml': PLAYBOOK, kubeconfig: serving.kubeconfig });
  trust(folder, PLAYBOOK);
  const yes = (): Promise<string> => Promise.resolve('y');
  return {
    folder,
    serving,
    run: async (options = {}, words = [join(folder, 'slow-shop.yaml'), 'deploy/web']) => {
      const context = {
        ...writtenContext(folder),
        clock: () => Date.now(),
        typing: { line: yes, hidden: yes, block: () => Promise.resolve(undefined) },
      };
      const code = await runRunbookRun(
        words,
        { kubeconfig: join(folder, 'kubeconfig'), namespace: 'shop', journal: join(folder, 'journal'), ...options },
        context,
      );
      return { code, context };
    },
  };
}

describe('podcheck runbook run on a cluster', () => {
  it('changes it, and lets go of its target at the end', async () => {
    const { run, serving, folder } = await served();
    const { code, context } = await run();
    expect(context.out()).toContain('Fixed. The run is complete.');
    expect(code).toBe(0);
    const deployment = await serving.cluster.reader().get({ kind: 'Deployment', namespace: 'shop', name: 'web' });
    expect(deployment).toMatchObject({ ok: true, value: { spec: { replicas: 3 } } });
    expect(readdirSync(join(folder, LOCKS))).toEqual([]);
  });

  it('changes only a clone when it simulates', async () => {
    const { run, serving } = await served();
    const { code, context } = await run({ simulate: true });
    expect(context.out()).toContain('The changes would fix it.');
    expect(code).toBe(0);
    expect(await serving.cluster.reader().get({ kind: 'Deployment', namespace: 'shop', name: 'web' })).toMatchObject({
      ok: true,
      value: { spec: { replicas: 2 } },
    });
  });

  it('goes on with a run that was killed, and makes nothing twice', async () => {
    const { run, folder } = await served();
    await run();
    const file = readdirSync(join(folder, 'journal')).find((name) => name.endsWith('.jsonl')) ?? '';
    const path = join(folder, 'journal', file);
    const whole = readFileSync(path, 'utf8').split('\n');
    const killed = whole.findIndex((line) => line.includes('"type":"changed","step":"make"')) + 1;
    asKilled(path, killed, '{"seq":');
    const { code, context } = await run({ resume: file.replace('.jsonl', '') }, []);
    expect(context.out()).toMatch(/\(make: PASSED/);
    expect(context.out()).not.toContain('(grow:');
    expect(code).toBe(0);
    await expect(run({ resume: file.replace('.jsonl', '') }, [])).rejects.toThrow('is already complete');
  });

  it('does not go on when the playbook has become another, and shows how', async () => {
    const { run, folder } = await served();
    await run({ dryRun: true });
    const file = readdirSync(join(folder, 'journal')).find((name) => name.endsWith('.jsonl')) ?? '';
    asKilled(join(folder, 'journal', file), 4);
    const other = PLAYBOOK.replace('replicas: 3', 'replicas: 9');
    writeFileSync(join(folder, 'slow-shop.yaml'), other);
    trust(folder, other);
    const context = { ...writtenContext(folder), clock: () => Date.now() };
    const resumed = runRunbookRun(
      [],
      { kubeconfig: join(folder, 'kubeconfig'), namespace: 'shop', journal: join(folder, 'journal'), resume: file.replace('.jsonl', '') },
      context,
    );
    await expect(resumed).rejects.toThrow(/the playbook has changed since the run was interrupted:[^]*replicas: 3[^]*replicas: 9/);
  });

  it('is refused while another run is under way on the target', async () => {
    const { run, folder, serving } = await served();
    const release = await hold(join(folder, LOCKS), `Deployment/shop/web on podcheck (127.0.0.1:${serving.port})`, 'slow-shop-1');
    await expect(run()).rejects.toThrow('slow-shop-1 is already running on');
    // Also with a journal of its own.
    await expect(run({ journal: join(folder, 'other') })).rejects.toThrow('slow-shop-1 is already running on');
    release();
    expect((await run()).code).toBe(0);
  });

  it('is refused before its first step when a right is missing, and names it', async () => {
    const { run, folder, serving } = await served();
    serving.cluster.apply([
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'eve-views' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'eve' }],
      },
    ]);
    writeFileSync(join(folder, 'kubeconfig'), serving.kubeconfigFor('eve', []));
    const context = { ...writtenContext(folder), clock: () => Date.now() };
    const refused = runRunbookRun(
      [join(folder, 'slow-shop.yaml'), 'deploy/web'],
      { kubeconfig: join(folder, 'kubeconfig'), namespace: 'shop', journal: join(folder, 'journal') },
      context,
    );
    await expect(refused).rejects.toThrow(/step grow needs: patch deployments in shop\n.*step make needs: create configmaps in shop/);
    expect(readdirSync(folder)).not.toContain('journal');
    const { code } = await run({ dryRun: true });
    expect(code).toBe(3);
  });
});
