import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyFolder, runProgram } from './support/built-program.ts';

const ROOT = resolve('.');
const DESCRIBE = readFileSync('src/catalog/examples/missing-configmap.txt', 'utf8');
const folder = emptyFolder();
/** The same sources as here, where the tests' own build lies in dist/. */
const there = join(folder.path, 'elsewhere', 'podcheck');

beforeAll(() => {
  mkdirSync(there, { recursive: true });
  for (const name of ['.build', 'src', 'rules', 'playbooks', 'package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'LICENSE'])
    cpSync(name, join(there, name), { recursive: true });
  const packages = join(there, 'node_modules');
  mkdirSync(packages);
  // Without what builds and tests keep there for themselves. Links are enough, but for a folder on another file system.
  const names = readdirSync('node_modules')
    .filter((name) => !name.startsWith('.'))
    .map((name) => join(ROOT, 'node_modules', name));
  expect(runProgram('sh', ['-c', 'cp -al "$@" 2>/dev/null || cp -a "$@"', 'sh', ...names, packages], { cwd: ROOT }).code).toBe(0);
  writeFileSync(join(folder.path, 'reversed.mjs'), REVERSED);
});
afterAll(folder.remove);

/** Folders are listed the other way round. */
const REVERSED = `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { readdir } = fs.promises;
fs.promises.readdir = async (...args) => (await readdir(...args)).reverse();
const { readdirSync } = fs;
fs.readdirSync = (...args) => readdirSync(...args).reverse();
syncBuiltinESMExports();
`;

function build(root: string, env: Readonly<Record<string, string>>, shell = 'exec "$@"'): void {
  const ended = runProgram('sh', ['-c', shell, 'sh', process.execPath, '.build/bundle.mjs'], { cwd: root, env });
  expect(ended.code, ended.err).toBe(0);
}

/** In the sources there. */
function change(file: string, what: RegExp | string, by: string): void {
  const path = join(there, file);
  const before = readFileSync(path, 'utf8');
  const after = before.replace(what, by);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
}

function filesIn(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .toSorted();
}

/** What the build has made in dist/: not what earlier builds left, nor the declarations, which are made apart. */
function bytesOf(root: string): Readonly<Record<string, string>> {
  const ignore = join(root, 'dist/.npmignore');
  const left = new Set(existsSync(ignore) ? readFileSync(ignore, 'utf8').split('\n') : []);
  const files = filesIn(join(root, 'dist')).filter((file) => !left.has(`/${file}`) && file !== '.npmignore' && !file.startsWith('types/'));
  return Object.fromEntries(
    files.map((file) => [
      file,
      `${(statSync(join(root, 'dist', file)).mode & 0o777).toString(8)} ${readFileSync(join(root, 'dist', file), 'base64')}`,
    ]),
  );
}

describe('the build', () => {
  it('gives the same bytes in another folder, time zone, language, mask and order of files', () => {
    const env = {
      TZ: 'Pacific/Kiritimati',
      LANG: 'ko_KR.UTF-8',
      LC_ALL: 'tr_TR.UTF-8',
      NODE_OPTIONS: `--import ${join(folder.path, 'reversed.mjs')}`,
      NO_COLOR: '1',
    };
    build(there, env, 'umask 077; exec "$@"');
    const [one, other] = [bytesOf(ROOT), bytesOf(there)];
    expect(Object.keys(one).length).toBeGreaterThan(100);
    expect(Object.keys(other)).toEqual(Object.keys(one));
    expect(Object.keys(one).filter((file) => one[file] !== other[file])).toEqual([]);
  });

  it('keeps the paths of the machine that built it to itself', () => {
    expect(filesIn(join(there, 'dist')).filter((file) => readFileSync(join(there, 'dist', file), 'latin1').includes(folder.path))).toEqual(
      [],
    );
  });

  it('leaves dist/ alone where it is up to date', () => {
    const before = statSync(join(there, 'dist/podcheck.js')).mtimeMs;
    build(there, {});
    expect(statSync(join(there, 'dist/podcheck.js')).mtimeMs).toBe(before);
  });

  it('leaves to a program that runs what it will load later, and out of the package', async () => {
    const dist = join(there, 'dist');
    const running = spawn(process.execPath, [join(dist, 'podcheck.js'), 'diagnose', '--from', '-'], {
      cwd: folder.path,
      env: { PATH: process.env['PATH'], HOME: folder.path },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const [out, err] = [running.stdout, running.stderr].map(async (stream) => {
      let text = '';
      for await (const chunk of stream) text += String(chunk);
      return text;
    });
    const ended = new Promise<number | null>((done) => void running.once('exit', done));
    change('package.json', /"version": "[^"]*"/, '"version": "99.0.0"');
    // So that no chunk keeps its name; a rule is data.
    change('.build/bundle.mjs', 'chunks/[name]-[hash]', 'chunks/next-[name]-[hash]');
    change('rules/volumes/configmap-not-found.yaml', /^title: .*$/m, 'title: Another title');
    build(there, {});
    const stale = readFileSync(join(dist, '.npmignore'), 'utf8').trim().split('\n');
    expect(stale.filter((line) => line.startsWith('/chunks/')).length).toBeGreaterThan(100);
    expect(stale.filter((line) => line.startsWith('/data/')).length).toBe(1);
    expect(stale.filter((line) => !existsSync(join(dist, line)))).toEqual([]);
    running.stdin.end(DESCRIBE);
    expect({ code: await ended, err: await err }).toEqual({ code: 1, err: '' });
    expect(await out).toContain('volumes/configmap-not-found');
    const packed = runProgram('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: there });
    const [{ files }] = JSON.parse(packed.out) as [{ files: readonly { path: string }[] }];
    expect(
      files.map(({ path }) => path.replace(/^dist\//, '')).filter((path) => stale.includes(`/${path}`) || path === '.npmignore'),
    ).toEqual([]);
    expect(runProgram(process.execPath, [join(dist, 'podcheck.js'), '--version'], { cwd: folder.path }).out).toBe('99.0.0\n');
  });
});
