import { hostname } from 'node:os';
import { join } from 'node:path';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PodcheckError } from '../../src/base/errors.ts';
import { hold, isHeld } from '../../src/runbook/lock.ts';
import { addTrust, removeTrust, trustOf, trusts } from '../../src/runbook/trust.ts';
import { folderWith } from '../support/folder.ts';

const DIGEST = 'a'.repeat(64);

describe('what a run holds', () => {
  it('is held until it lets go, and nothing is where there is no folder', async () => {
    const folder = folderWith();
    expect(isHeld(join(folder, 'absent'), 'Deployment/shop/web')).toBe(false);
    expect(isHeld(folder, 'Deployment/shop/web')).toBe(false);
    const release = await hold(folder, 'Deployment/shop/web', 'web-1');
    expect([isHeld(folder, 'Deployment/shop/web'), isHeld(folder, 'Deployment/shop/cart')]).toEqual([true, false]);
    release();
    expect(isHeld(folder, 'Deployment/shop/web')).toBe(false);
  });

  const WHAT = 'Deployment/shop/web';
  /** A folder, and the path in it of a claim of another run. */
  const folderAndClaim = async (): Promise<readonly [string, string]> => {
    const folder = folderWith();
    const release = await hold(folder, WHAT, 'web-1');
    const [own = ''] = readdirSync(folder);
    release();
    return [folder, join(folder, own.replace('web-1', 'web-2'))];
  };
  const NOBODY = 2 ** 22 + 1;

  it.each<readonly [string, object, string]>([
    [
      'a run on another machine',
      { run: 'web-2', process: NOBODY, host: 'till-1' },
      `web-2 is already running on ${WHAT} (process ${NOBODY} on till-1)`,
    ],
    [
      'a process that lives',
      { run: 'web-2', process: process.ppid, host: hostname() },
      `web-2 is already running on ${WHAT} (process ${process.ppid} on ${hostname()})`,
    ],
    ['a claim that does not say whose it is', {}, `another run is already running on ${WHAT} (process 0 on )`],
  ])('is held by %s', async (_, claim, message) => {
    const [folder, file] = await folderAndClaim();
    writeFileSync(file, JSON.stringify(claim));
    expect([isHeld(folder, WHAT), isHeld(folder, 'Deployment/shop/cart')]).toEqual([true, false]);
    await expect(hold(folder, WHAT, 'web-1')).rejects.toThrow(message);
    expect(readdirSync(folder)).toHaveLength(1);
    await hold(folder, 'Deployment/shop/cart', 'web-1');
  });

  it.each([
    ['whose process has ended', { run: 'web-2', process: NOBODY, host: hostname() }],
    ['without a process', { run: 'web-2', process: 0, host: hostname() }],
  ])('is not held by a claim %s, which is taken away', async (_, claim) => {
    const [folder, file] = await folderAndClaim();
    writeFileSync(file, JSON.stringify(claim));
    expect(isHeld(folder, WHAT)).toBe(false);
    await hold(folder, WHAT, 'web-1');
    expect([existsSync(file), isHeld(folder, WHAT)]).toEqual([false, true]);
  });

  it('is held by a claim that cannot be read, but not by one that is gone, nor by a draft', async () => {
    const [folder, file] = await folderAndClaim();
    symlinkSync(join(folder, 'gone'), file);
    writeFileSync(`${file}.draft`, '{}');
    expect(isHeld(folder, WHAT)).toBe(false);
    (await hold(folder, WHAT, 'web-1'))();
    mkdirSync(file.replace('web-2', 'web-3'));
    expect(isHeld(folder, WHAT)).toBe(true);
    await expect(hold(folder, WHAT, 'web-1')).rejects.toThrow('another run is already running on');
  });
});

describe('the trust in a playbook', () => {
  it('is taken back once, and again without an error', () => {
    const folder = folderWith();
    addTrust(folder, { digest: DIGEST, file: '/srv/web.yaml', at: '2026-03-04T12:00:00Z' });
    expect(trustOf(folder, DIGEST)?.file).toBe('/srv/web.yaml');
    removeTrust(folder, DIGEST);
    expect(trustOf(folder, DIGEST)).toBeUndefined();
    expect(() => {
      removeTrust(folder, DIGEST);
    }).not.toThrow();
  });

  it('says so when it cannot be taken back', () => {
    const file = join(folderWith(), 'no-folder');
    writeFileSync(file, hostname());
    expect(() => {
      removeTrust(file, DIGEST);
    }).toThrow(PodcheckError);
  });

  it('is listed with the oldest first', () => {
    const folder = folderWith();
    for (const [digest, at] of [
      [DIGEST, '2026-03-05T12:00:00Z'],
      ['b'.repeat(64), '2026-03-04T12:00:00Z'],
    ] as const)
      addTrust(folder, { digest, file: `/srv/${at}.yaml`, at });
    expect(trusts(folder).map(({ at }) => at)).toEqual(['2026-03-04T12:00:00Z', '2026-03-05T12:00:00Z']);
  });
});
