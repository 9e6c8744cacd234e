import { describe, expect, test } from 'vitest';
import { runSimDiff } from '../../src/commands/sim/sim-diff.ts';
import type { SimReplayOptions } from '../../src/commands/sim/sim-replay.ts';
import { runSimReplay } from '../../src/commands/sim/sim-replay.ts';
import { crashing, recorded, serving } from '../simulator/recording.ts';
import { writtenContext } from '../support/context.ts';
import { folderWith } from '../support/folder.ts';

const CRASH = recorded(
  (cluster) => {
    cluster.apply([crashing('cart')]);
    cluster.advance(60_000);
  },
  { preset: 'one-node' },
);

const WELL = recorded(
  (cluster) => {
    cluster.apply([serving('cart')]);
    cluster.advance(60_000);
  },
  { preset: 'one-node' },
);

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly notes: string;
}

async function replay(text: string, options: SimReplayOptions, target?: string, typed?: string): Promise<Ran> {
  const context = writtenContext(folderWith({ 'shop.trace': text }), typed);
  const code = await runSimReplay('shop.trace', target, options, context);
  return { code, out: context.out(), notes: context.notes() };
}

describe('sim replay', () => {
  test('shows state and diagnosis at the end, and exits as a scan does', async () => {
    const { code, out } = await replay(CRASH, {});
    expect(code).toBe(1);
    expect(out).toMatch(/Deployment shop\/cart +0\/1/);
    expect(out).toContain('containers/application-error-exit');
  });

  test('shows an earlier instant, when nothing was wrong yet', async () => {
    const { code, out } = await replay(WELL, { at: '40s' }, 'deployment/cart');
    expect(code).toBe(0);
    expect(out).toContain('shop.trace at 40s');
    expect(out).toMatch(/Deployment shop\/cart +2\/2/);
  });

  test('gives all of it as JSON', async () => {
    const { out } = await replay(CRASH, { output: 'json', at: '30s' });
    expect(JSON.parse(out)).toMatchObject({
      file: 'shop.trace',
      seconds: 30,
      asRecorded: true,
      trouble: [],
      diagnosis: { causes: [{ rule: 'containers/application-error-exit' }] },
    });
  });

  test('says so when the digest no longer matches, and is sure of nothing', async () => {
    const { code, out } = await replay(CRASH.replaceAll('exit 3', 'exit 4'), {});
    expect(code).toBe(3);
    expect(out).toContain('The digest no longer matches');
  });

  test('says that a recording was cut off', async () => {
    expect((await replay(CRASH.slice(0, -300), {})).notes).toContain('the trace is cut off at ');
  });

  test('refuses a time after the recording, or none', async () => {
    await expect(replay(CRASH, { at: '1h' })).rejects.toThrow('--at 1h is after the end of');
    await expect(replay(CRASH, { at: 'noon' })).rejects.toThrow('"noon" is not a valid time after the start');
  });

  test('refuses a trace of another version and a file that is not there', async () => {
    await expect(replay(CRASH.replace(/"version":\d+/, '"version":99'), {})).rejects.toThrow('is of version 99');
    await expect(runSimReplay('gone.trace', undefined, {}, writtenContext(folderWith({})))).rejects.toThrow(
      'cannot read the trace gone.trace',
    );
  });

  test('tells every step from an instant on', async () => {
    const { code, out } = await replay(CRASH, { step: true });
    expect(code).toBe(0);
    expect(out).toMatch(/1\.0\d+s +Deployment shop\/cart: is applied/);
    expect(out).toMatch(/Pod shop\/cart-\S+: container web is terminated: Error, exit code 3/);
    const late = await replay(CRASH, { step: true, at: '30s' });
    expect(late.out.length).toBeLessThan(out.length);
    expect(late.out).not.toContain('is applied');
  });

  test('waits at a terminal for the next step, shows how things stand, and stops', async () => {
    const { out } = await replay(CRASH, { step: true, at: '1.02s' }, undefined, '\ns\nq\n');
    expect(out).toMatch(/Deployment shop\/cart: is applied/);
    expect(out).toContain('records');
    expect(out).not.toContain('exit code 3');
  });
});

describe('sim diff', () => {
  test('exits with 0 for the same trace', async () => {
    const context = writtenContext(folderWith({ 'a.trace': WELL, 'b.trace': WELL }));
    expect(await runSimDiff('a.trace', 'b.trace', {}, context)).toBe(0);
    expect(context.out()).toContain('The traces are identical');
  });

  test('tells the first divergence and what followed, in text and JSON', async () => {
    const context = writtenContext(folderWith({ 'a.trace': WELL, 'b.trace': CRASH }));
    expect(await runSimDiff('a.trace', 'b.trace', {}, context)).toBe(1);
    expect(context.out()).toMatch(/B +\S+ +Pod shop\/cart-\S+: Warning BackOff/);
    const data = writtenContext(folderWith({ 'a.trace': WELL, 'b.trace': CRASH }));
    await runSimDiff('a.trace', 'b.trace', { output: 'json' }, data);
    const { same, first } = JSON.parse(data.out()) as { same: boolean; first: { seconds: number; a: { is: string } } };
    expect([same, first.a.is, Math.floor(first.seconds)]).toEqual([false, 'input', 1]);
    expect(context.out()).toContain(`FIRST DIVERGENCE, at ${first.seconds}s`);
  });
});
