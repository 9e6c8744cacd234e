import { describe, expect, it } from 'vitest';
import { podcheck } from '../support/command-line.ts';

async function proposals(...words: readonly string[]): Promise<{ readonly values: readonly string[]; readonly directive: string }> {
  const { out, code } = await podcheck(['__complete', ...words]);
  expect(code).toBe(0);
  const lines = out.trimEnd().split('\n');
  return { values: lines.slice(0, -1).map((line) => line.split('\t')[0] ?? ''), directive: lines.at(-1) ?? '' };
}

describe('completion', () => {
  it('proposes the commands that fit', async () => {
    expect(await proposals('')).toEqual({
      values: [
        'diagnose',
        'scan',
        'preflight',
        'watch',
        'rules',
        'explain',
        'cert-expiry',
        'sim',
        'drill',
        'runbook',
        'eval',
        'snapshot',
        'rbac',
        'mcp',
        'completion',
      ],
      directive: ':4',
    });
    expect((await proposals('di')).values).toEqual(['diagnose']);
    expect((await proposals('rules', '')).values).toEqual(['list', 'show', 'facts', 'test']);
  });

  it('proposes flags, those of the command first', async () => {
    const { values } = await proposals('diagnose', '--');
    expect(values[0]).toBe('--timeline');
    expect(values).toContain('--kubeconfig');
    expect((await proposals('scan', '--')).values).not.toContain('--timeline');
    expect((await proposals('explain', '--')).values).not.toContain('--kubeconfig');
  });

  it.each([
    [
      ['diagnose', '-o', ''],
      ['text', 'wide', 'json', 'yaml', 'markdown'],
    ],
    [['eval', '--output=j'], ['--output=json']],
    [
      ['rules', 'list', '--output', ''],
      ['text', 'json', 'yaml'],
    ],
    [['explain', 'vol'], ['volumes']],
    [['explain', 'CrashLoop'], ['CrashLoopBackOff']],
    [['diagnose', '--scenario', 'volumes/csi-d'], ['volumes/csi-driver-not-found']],
    [['sim', 'show', 'healthy/dep'], ['healthy/deployment']],
    [['sim', 'serve', 'healthy/pod'], ['healthy/pod']],
    [['sim', 'try', '--cluster', 'three'], ['three-nodes']],
    [['drill', 'start', 'drills/quiet'], ['drills/quiet-node']],
    [['runbook', 'run', 'missing'], ['missing-config']],
    [['drill', 'review', '-o', 'h'], ['html']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', 'powershell'],
    ],
    [
      ['completion', '""'],
      ['bash', 'zsh', 'fish', 'powershell'],
    ],
    [['scan', '--from', 'example:missing-c'], ['example:missing-configmap']],
  ])('knows the values of %j', async (words, values) => {
    expect((await proposals(...words)).values.slice(0, values.length)).toEqual(values);
  });

  it('proposes rules by their ids', async () => {
    const { values } = await proposals('rules', 'show', 'endpoints/');
    expect(values.length).toBeGreaterThan(1);
    for (const value of values) expect(value).toMatch(/^endpoints\//);
  });

  it('leaves files and folders to the shell', async () => {
    expect((await proposals('diagnose', '--from', '')).directive).toBe(':0');
    expect((await proposals('scan', '--rules', '')).directive).toBe(':16');
    expect((await proposals('eval', '')).directive).toBe(':16');
  });

  it('is silent where a cluster cannot be asked', async () => {
    expect(await proposals('diagnose', '')).toEqual({ values: [], directive: ':4' });
    expect(await proposals('scan', '-n', '')).toEqual({ values: [], directive: ':4' });
  });

  it.each(['bash', 'zsh', 'fish', 'powershell'])('has a script for %s', async (shell) => {
    const { code, out } = await podcheck(['completion', shell]);
    expect(code).toBe(0);
    expect(out).toContain('__complete');
  });
});
