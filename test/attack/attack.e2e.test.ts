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

  it.each(['request/1', 'token/1', 'proxy/1', 'kill/1'])('tries one case with a server again by its seed: %s', (seed) => {
    const { status, stdout, stderr } = attack(['--seed', seed]);
    expect([status, stderr], stdout).toEqual([0, '']);
    expect(stdout).toContain(`${seed} holds`);
  });

  it('says how it is used', () => {
    for (const args of [
      ['--sead', '1'],
      ['--minutes', '1', '--kinds', 'nothing'],
    ])
      expect(attack(args)).toMatchObject({ status: 2, stdout: expect.stringContaining('proxy, kill') as string });
  });
});
