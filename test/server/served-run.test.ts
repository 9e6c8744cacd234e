import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askControl } from '../../src/server/control.ts';
import type { Run } from '../../src/server/run-folder.ts';
import { liveRuns } from '../../src/server/run-folder.ts';
import type { ServedRun, ServedRunOptions } from '../../src/server/served-run.ts';
import { startRun } from '../../src/server/served-run.ts';
import { createCluster, DEFAULT_START } from '../../src/simulator/index.ts';
import { WireClient } from './client.ts';

let folder: string;
const runs: ServedRun[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'podcheck-runs-'));
});

afterEach(async () => {
  for (const run of runs.splice(0)) await run.close();
  rmSync(folder, { recursive: true, force: true });
});

async function started(options: Partial<ServedRunOptions> = {}): Promise<ServedRun> {
  const run = await startRun({
    cluster: createCluster({ seed: 1, preset: 'one-node' }),
    runs: folder,
    scenario: 'one-node',
    seed: 1,
    ...options,
  });
  runs.push(run);
  return run;
}

describe('a run', () => {
  it('is found by others while it is served, with files only its user can read', async () => {
    const { run, folder: own } = await started({ about: { drill: 'shop' } });
    const found = await liveRuns(folder);
    expect(found.map(({ id, scenario, pid, about }) => [id, scenario, pid, about])).toEqual([
      [run.id, 'one-node', process.pid, { drill: 'shop' }],
    ]);
    expect([statSync(own).mode & 0o777, statSync(join(own, 'run.json')).mode & 0o777, statSync(run.kubeconfig).mode & 0o777]).toEqual([
      0o700, 0o600, 0o600,
    ]);
  });

  it('can be reached before its cluster is there, and answers when it is', async () => {
    const order: string[] = [];
    let answer: Promise<{ readonly code: number }> | undefined;
    const future = {
      from: DEFAULT_START,
      until: DEFAULT_START,
      make: () => (order.push('made'), createCluster({ seed: 1, preset: 'one-node' })),
    };
    const served = await started({
      cluster: future,
      announce: (run) => {
        order.push('announced');
        answer = new WireClient(readFileSync(run.kubeconfig, 'utf8')).ask('/api/v1/nodes');
      },
    });
    expect([order, (await answer)?.code, (await liveRuns(folder)).length]).toEqual([['announced', 'made'], 200, 1]);
    expect((await new WireClient(served.kubeconfig).ask('/api/v1/nodes')).code).toBe(200);
  });

  it('leaves nothing when its cluster cannot be made', async () => {
    let announced: Run | undefined;
    const make = (): never => {
      throw new Error('no such machine');
    };
    await expect(
      started({ cluster: { from: DEFAULT_START, until: DEFAULT_START, make }, announce: (run) => void (announced = run) }),
    ).rejects.toThrow('no such machine');
    expect([announced === undefined, readdirSync(folder), existsSync(announced?.kubeconfig ?? '')]).toEqual([false, [], false]);
    await expect(askControl(announced?.control ?? { port: 1, token: '' }, 'status')).rejects.toThrow('does not answer');
  });

  it('goes when whoever serves it is interrupted', async () => {
    const interrupted = new AbortController();
    const served = await started({ interrupted: interrupted.signal });
    interrupted.abort();
    expect([existsSync(served.folder), existsSync(served.run.kubeconfig)]).toEqual([false, false]);
  });

  it('leaves nothing when it is closed', async () => {
    const served = await started();
    await served.close();
    expect([existsSync(served.folder), await liveRuns(folder)]).toEqual([false, []]);
    await expect(askControl(served.run.control, 'status')).rejects.toThrow('does not answer');
    runs.splice(0);
  });

  it('is taken away by the next when it ended without being asked', async () => {
    const dead = join(folder, 'dead');
    const kubeconfig = join(folder, 'left');
    mkdirSync(dead);
    const { run } = await started();
    writeFileSync(kubeconfig, readFileSync(run.kubeconfig));
    writeFileSync(join(dead, 'run.json'), JSON.stringify({ ...run, id: 'dead', pid: 2 ** 30, kubeconfig }));
    await started();
    expect([existsSync(dead), existsSync(kubeconfig)]).toEqual([false, false]);
    expect(await liveRuns(folder)).toHaveLength(2);
  });

  it('never takes a kubeconfig that is not its own', async () => {
    const file = join(folder, 'config');
    writeFileSync(file, 'apiVersion: v1\nkind: Config\n');
    await expect(started({ kubeconfigFile: file })).rejects.toThrow('was not written by podcheck');
    expect(readFileSync(file, 'utf8')).toBe('apiVersion: v1\nkind: Config\n');
  });

  it('lets time be asked for, stopped and moved on, by whoever has its token', async () => {
    const { run, clock } = await started();
    expect(await askControl(run.control, 'time', { do: 'pause' })).toMatchObject({ paused: true });
    const before = clock.state().now;
    await askControl(run.control, 'time', { do: 'advance', milliseconds: 600_000 });
    expect(clock.state().now - before).toBe(600_000);
    await expect(askControl({ ...run.control, token: 'x' }, 'time')).rejects.toThrow('token');
    await expect(askControl(run.control, 'time', { do: 'stand still' })).rejects.toThrow('unknown action');
  });

  it('can be asked more by who started it', async () => {
    const { run } = await started({ control: { hint: ({ level }) => ({ hint: `look at the pod (${JSON.stringify(level)})` }) } });
    expect(await askControl(run.control, 'hint', { level: 1 })).toEqual({ hint: 'look at the pod (1)' });
    await expect(askControl(run.control, 'nothing')).rejects.toThrow('this run has no nothing');
  });

  it('writes down every request', async () => {
    const served = await started();
    await new WireClient(served.kubeconfig).ask('/api/v1/nodes');
    const { folder: own } = served;
    await expect.poll(() => readFileSync(join(own, 'audit.jsonl'), 'utf8')).toContain('"resource":"nodes"');
  });
});
