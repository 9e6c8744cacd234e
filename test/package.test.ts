import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyFolder, isThere, runProgram } from './support/built-program.ts';

const ROOT = resolve('.');
const DESCRIBE = readFileSync('src/catalog/examples/missing-configmap.txt', 'utf8');
const NODES = [process.execPath, ...(process.env['PODCHECK_TEST_NODES'] ?? '').split(':').filter((path) => path !== '')];
const KUBECTL = isThere('kubectl', ['version', '--client']);

const folder = emptyFolder();
const bin = join(folder.path, 'node_modules/.bin');

beforeAll(() => {
  const packed = runProgram('npm', ['pack', '--ignore-scripts', '--pack-destination', folder.path], { cwd: ROOT });
  expect(packed.code, packed.err).toBe(0);
  const tarball = readdirSync(folder.path).find((file) => file.endsWith('.tgz')) ?? '';
  writeFileSync(join(folder.path, 'package.json'), '{"private": true}');
  const installed = runProgram('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder.path });
  expect(installed.code, installed.err).toBe(0);
});
afterAll(folder.remove);

describe('the installed package', () => {
  it('brings nothing but itself', () => {
    expect(readdirSync(join(folder.path, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['podcheck']);
  });

  it('has only what is built, the licence and the README', () => {
    expect(readdirSync(join(folder.path, 'node_modules/podcheck')).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  });

  it('publishes the schemas of its JSON', () => {
    expect(readdirSync(join(folder.path, 'node_modules/podcheck/dist/schemas')).toSorted()).toEqual(readdirSync(join(ROOT, 'src/report/schemas')).toSorted());
  });

  it('can be used as a library', () => {
    const program = "import { shippedRules, diagnose, scan, collect } from 'podcheck'; console.log((await shippedRules()).length > 10, typeof diagnose, typeof scan, typeof collect)";
    expect(runProgram(process.execPath, ['--input-type=module', '-e', program], { cwd: folder.path })).toEqual({ code: 0, out: 'true function function function\n', err: '' });
  });
});

describe.each(NODES.map((node) => [runProgram(node, ['--version'], { cwd: ROOT }).out.trim(), node]))('the program on node %s', (_, node) => {
  function podcheck(args: readonly string[], stdin = ''): ReturnType<typeof runProgram> {
    return runProgram(node, [join(bin, 'podcheck'), ...args], { cwd: folder.path, stdin });
  }

  it('tells its version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(podcheck(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it('names the cause in a pasted describe', () => {
    const { code, out, err } = podcheck(['diagnose', '--from', '-'], DESCRIBE);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toContain('volumes/configmap-not-found');
    expect(out).toContain('web-settings');
  });

  it('names the cause in every example that comes along', () => {
    for (const name of ['missing-configmap', 'crash-loop', 'no-room']) expect(podcheck(['diagnose', '--from', `example:${name}`])).toMatchObject({ code: 1, err: '' });
  });

  it('scans, lists its rules and explains', () => {
    expect(podcheck(['scan', '--from', '-', '-o', 'json'], DESCRIBE)).toMatchObject({ code: 1, err: '' });
    expect(podcheck(['rules', 'list']).out).toContain('volumes/configmap-not-found');
    expect(podcheck(['explain', 'CrashLoopBackOff'])).toMatchObject({ code: 0, err: '' });
  });

  it('reads YAML', () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web-1, namespace: shop, uid: a1, resourceVersion: "5"}\nstatus: {phase: Succeeded}\n';
    expect(podcheck(['diagnose', '--from', '-'], pod)).toMatchObject({ code: 0, err: '' });
  });

  it.each(['text', 'wide', 'json', 'yaml', 'markdown'])('reports as %s', (format) => {
    for (const command of ['diagnose', 'scan']) {
      const { code, out, err } = podcheck([command, '--from', '-', '-o', format], DESCRIBE);
      expect({ code, err }).toEqual({ code: 1, err: '' });
      expect(out).toContain('volumes/configmap-not-found');
    }
  });

  it('completes', () => {
    expect(podcheck(['__complete', 'di']).out).toMatch(/^diagnose\t.*\n:4\n$/);
  });

  it('tries to reach a cluster, and says what is missing', () => {
    const { code, out, err } = podcheck(['diagnose', 'web']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/kubeconfig/);
  });
});

describe.runIf(KUBECTL)('the kubectl plugin', () => {
  function kubectl(args: readonly string[], stdin = ''): ReturnType<typeof runProgram> {
    return runProgram('kubectl', args, { cwd: folder.path, stdin, path: bin });
  }

  it('is found', () => {
    expect(kubectl(['plugin', 'list']).out).toContain('kubectl-podcheck');
  });

  it('diagnoses, with its exit code', () => {
    const { code, out } = kubectl(['podcheck', 'diagnose', '--from', '-'], DESCRIBE);
    expect(code).toBe(1);
    expect(out).toContain('volumes/configmap-not-found');
  });

  it('is completed by kubectl', () => {
    expect(kubectl(['__complete', 'podcheck', 'diag']).out).toMatch(/^diagnose\t/);
    expect(kubectl(['__complete', 'podcheck', 'explain', 'sched']).out).toMatch(/^scheduling\t/);
  });
});

describe('what starts fast', () => {
  /** Files of the program that are loaded for a command line. */
  function loaded(args: readonly string[]): readonly string[] {
    writeFileSync(join(folder.path, 'hook.mjs'), "import { writeSync } from 'node:fs';\nexport async function load(url, context, next) {\n  writeSync(2, `LOADED ${url}\\n`);\n  return next(url, context);\n}\n");
    writeFileSync(join(folder.path, 'register.mjs'), "import { register } from 'node:module';\nregister('./hook.mjs', import.meta.url);\n");
    const { err } = runProgram(process.execPath, ['--import', './register.mjs', join(ROOT, 'dist/podcheck.js'), ...args], { cwd: folder.path });
    return [...new Set([...err.matchAll(/^LOADED file:\/\/(.*\/dist\/.*)$/gm)].map(([, file]) => file ?? ''))];
  }

  it.each([[['--version'], 1, 2], [['--help'], 30, 150], [['__complete', 'di'], 30, 150]])('%j loads little', (args, files, kilobytes) => {
    const found = loaded(args);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(files);
    expect(totalSize(found)).toBeLessThan(kilobytes * 1024);
  });
});

function totalSize(files: readonly string[]): number {
  let size = 0;
  for (const file of files) size += statSync(file).size;
  return size;
}
