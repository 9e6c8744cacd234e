import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

function attack(args: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, ['.build/attack.mjs', ...args], { encoding: 'utf8' });
}

describe('npm run attack', () => {
  it('tries one case again by its seed', () => {
    const { status, stdout, stderr } = attack(['--seed', 'pasted/1']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^podcheck [^]*exit code [^]*pasted\/1 holds\n$/);
  });

  it('says how it is used', () => {
    expect(attack(['--sead', '1'])).toMatchObject({ status: 2 });
  });
});
