import { hostname } from 'node:os';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
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
