import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseRule } from '../src/catalog/parse-rule.ts';
import { emptyFolder, runProgram } from './support/built-program.ts';

const README = readFileSync('README.md', 'utf8');
const COMMANDS = [...README.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block]) => (block ?? '').trim().split('\n'))
  .map((line) => line.replace(/\s+#.*$/, ''));
const [EXAMPLE = '', CHECK = ''] = COMMANDS;
const PROGRAM = resolve('dist/podcheck.js');
const scripts = (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts;

const folder = emptyFolder();
afterAll(() => {
  // A command of the README starts a cluster that outlives it.
  runProgram(process.execPath, [PROGRAM, 'sim', 'stop'], { cwd: folder.path });
  folder.remove();
});

describe('the README', () => {
  it('sets up with `npm ci` and one more command', () => {
    expect(COMMANDS.length).toBeGreaterThan(5);
    expect(EXAMPLE).toMatch(/^npm ci && node dist\/podcheck\.js /);
    expect(CHECK).toMatch(/^npm ci && npm run \w+$/);
  });

  it('has a first command that does the main job', () => {
    const args = EXAMPLE.replace('npm ci && node dist/podcheck.js ', '').split(' ');
    const { code, out, err } = runProgram(process.execPath, [PROGRAM, ...args], { cwd: folder.path });
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(args).toContain('--scenario');
    expect(out).toContain(`Rule     ${args.at(-1) ?? ''}\n`);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('shows the answer of its first command, word for word', () => {
    const [, shown = ''] = /```text\n\$ podcheck ([\s\S]*?)```/.exec(README) ?? [];
    const [line = '', ...answer] = shown.split('\n');
    expect(EXAMPLE).toContain(line);
    expect(runProgram(process.execPath, [PROGRAM, ...line.split(' ')], { cwd: folder.path }).out).toBe(answer.join('\n'));
  });

  it('has a test command that exists, and CI runs the same', () => {
    const script = /npm run (\w+)$/.exec(CHECK)?.[1] ?? '';
    expect(Object.keys(scripts)).toContain(script);
    const ci = readFileSync('.ci/run', 'utf8');
    expect(ci).toContain('\nnpm ci\n');
    expect(ci).toContain(`\nnpm run ${script}\n`);
    expect(statSync('.ci/run').mode & 0o111).not.toBe(0);
  });

  it('names every command and every exit code', () => {
    const { out } = runProgram(process.execPath, [PROGRAM, '--help'], { cwd: folder.path });
    const listed = [...out.matchAll(/^ {2}([a-z][a-z-]*)(?: \[| <| {2})/gm)]
      .map(([, name]) => name ?? '')
      .filter((name) => !['help', 'podcheck', 'kubectl'].includes(name));
    expect(listed.length).toBeGreaterThan(4);
    for (const name of listed) expect(README).toMatch(new RegExp(`^\\| \`${name}[ \`]`, 'm'));
    for (const code of [0, 1, 2, 3, 4, 70, 130]) expect(README).toMatch(new RegExp(`^\\| ${code} \\|`, 'm'));
  });

  it('uses flags and commands that exist', () => {
    const used = COMMANDS.filter((line) => /(^|\| |kubectl )podcheck /.test(line));
    expect(used.length).toBeGreaterThan(3);
    for (const line of used) {
      const args = line
        .replace(/^.*podcheck (?=[a-z])/, '')
        .split(' ')
        .filter((word) => word !== '');
      const { err } = runProgram(process.execPath, [PROGRAM, ...args], { cwd: folder.path });
      expect(err).not.toMatch(/unknown (option|command)/);
    }
  });

  it('shows a rule that is valid', () => {
    const [, source = ''] = /```yaml\n([\s\S]*?)```/.exec(README) ?? [];
    const problems: Parameters<typeof parseRule>[3] = [];
    expect(parseRule('README.md', source, 'volumes/configmap-not-found', problems)).toBeDefined();
    expect(problems).toEqual([]);
  });
});
