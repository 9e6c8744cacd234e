import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FACT_KINDS, IMPLICIT_FIELDS } from '../../src/model/fact-kinds.ts';
import { isThere } from '../support/built-program.ts';

const PROGRAM = resolve('dist/podcheck.js');
const BASH = isThere('bash', ['--version']);

describe('the process', () => {
  it('ends with 130 on Ctrl-C, while it waits for its input', async () => {
    const child = spawn(process.execPath, [PROGRAM, 'diagnose', '--from', '-'], { stdio: ['pipe', 'ignore', 'pipe'] });
    // More than a pipe holds is taken only by a program that has started and reads.
    await new Promise<void>((resolve, reject) =>
      child.stdin.write('web-1\n'.repeat(100_000), (error) => (error ? reject(error) : resolve())),
    );
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
    expect(child.stderr.read()).toBeNull();
  });

  it.runIf(BASH)('is quiet when its reader goes away', () => {
    const ended = spawnSync(
      'bash',
      ['-c', `set -o pipefail; "${process.execPath}" "${PROGRAM}" rules list -o json | head -c 10 >/dev/null; echo "\${PIPESTATUS[0]}"`],
      { encoding: 'utf8' },
    );
    expect(ended.stdout).toBe('0\n');
    expect(ended.stderr).toBe('');
  });

  it('tells of facts and their fields what the sources say, which it has in the schema of rules alone', () => {
    const said = (...words: readonly string[]): unknown =>
      JSON.parse(spawnSync(process.execPath, [PROGRAM, 'rules', 'facts', ...words, '-o', 'json'], { encoding: 'utf8' }).stdout);
    expect(said()).toEqual(Object.entries(FACT_KINDS).map(([kind, { says }]) => ({ kind, says })));
    expect(said('exit')).toMatchObject({ ...FACT_KINDS.exit, implicitFields: IMPLICIT_FIELDS });
  });

  it.runIf(BASH)('completes in bash, colons and all', () => {
    const script = [
      `podcheck() { "${process.execPath}" "${PROGRAM}" "$@"; }`,
      'source <(podcheck completion bash)',
      'try() { COMP_LINE="$1"; COMP_POINT=${#COMP_LINE}; COMPREPLY=(); _podcheck 2>/dev/null; printf "%s\\n" "${COMPREPLY[@]}"; echo --; }',
      'try "podcheck dia"',
      'try "podcheck diagnose --from example:missing-c"',
      'try "podcheck scan -o "',
    ].join('\n');
    const ended = spawnSync('bash', ['-c', script], { encoding: 'utf8', env: { ...process.env, KUBECONFIG: '/nonexistent' } });
    expect(ended.stdout).toBe(
      'diagnose\n--\nmissing-configmap\n--\ntext\nwide\njson\nyaml\nmarkdown\nhtml\nsarif\njunit\ngithub\ngitlab\n--\n',
    );
  });
});
