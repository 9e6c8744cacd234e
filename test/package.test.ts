import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyFolder, isThere, runProgram } from './support/built-program.ts';

const ROOT = resolve('.');
const DESCRIBE = readFileSync('src/catalog/examples/missing-configmap.txt', 'utf8');
const NODES = [process.execPath, ...(process.env['PODCHECK_TEST_NODES'] ?? '').split(':').filter((path) => path !== '')];
const KUBECTL = isThere('kubectl', ['version', '--client']);

const folder = emptyFolder();
const bin = join(folder.path, 'node_modules/.bin');

let sizes: { readonly size: number; readonly unpackedSize: number };

beforeAll(() => {
  const types = runProgram(process.execPath, ['.build/types.mjs'], { cwd: ROOT });
  expect(types.code, types.err).toBe(0);
  const packed = runProgram('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder.path], { cwd: ROOT });
  expect(packed.code, packed.err).toBe(0);
  const [told] = JSON.parse(packed.out) as readonly [typeof sizes];
  sizes = told;
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

  it('is at most 1.5 MB packed and 6 MB unpacked', () => {
    expect(sizes.size).toBeLessThan(1.5 * 1024 * 1024);
    expect(sizes.unpackedSize).toBeLessThan(6 * 1024 * 1024);
  });

  it('has the licence notice of every package in the bundle', () => {
    const notices = readFileSync(join(folder.path, 'node_modules/podcheck/dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
      .split(/^={80}$/m)
      .slice(1);
    const named = notices.filter((_, index) => index % 2 === 0).map((head) => head.trim());
    for (const name of ['@kubernetes/client-node', 'cli-table3', 'commander', 'listr2', 're2js', 'yaml'])
      expect(
        named.some((head) => head.startsWith(`${name}@`)),
        name,
      ).toBe(true);
    for (const head of named) expect(head).toMatch(/^\S+@\d\S* \([\w.-]+\)$/);
    expect(
      notices
        .filter((_, index) => index % 2 === 1)
        .every((text) => /permission is hereby granted|apache license|licence is|redistribution|permission to use/i.test(text)),
    ).toBe(true);
  });

  it('gives its schemas identifiers that stay', () => {
    const files = readdirSync(join(ROOT, 'dist/schemas'));
    expect(files.length).toBeGreaterThan(8);
    for (const file of files) {
      const { $id } = JSON.parse(readFileSync(join(ROOT, 'dist/schemas', file), 'utf8')) as { readonly $id?: string };
      expect($id).toBe(`podcheck.${file.replace('.v1.json', '')}/v1`);
    }
  });

  it('has types against which the examples of its texts compile', () => {
    const examples = ['README.md', 'src/README.md'].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code ?? ''),
    );
    expect(examples).toHaveLength(2);
    for (const [index, code] of examples.entries())
      writeFileSync(
        join(folder.path, `example-${index}.mts`),
        code.includes('const text') ? code : `declare const text: string;\n${code}\nexport {};\n`,
      );
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    const { code, out, err } = runProgram(
      tsc,
      [
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2023',
        '--lib',
        'es2023,dom',
        ...examples.map((_, index) => `example-${index}.mts`),
      ],
      { cwd: folder.path },
    );
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' });
  });

  it('publishes the schemas of its JSON, and of the files that people write', () => {
    expect(readdirSync(join(folder.path, 'node_modules/podcheck/dist/schemas')).toSorted()).toEqual(
      [...readdirSync(join(ROOT, 'src/report/schemas')), 'rule.v1.json', 'scenario.v1.json'].toSorted(),
    );
  });

  it('can be used as a library', () => {
    const program = `import { diagnose, readerFromText, scan, shippedRules, simulate } from 'podcheck';
      const rules = await shippedRules();
      const text = ${JSON.stringify(DESCRIBE)};
      const { causes } = await scan(await readerFromText(text), rules);
      const web = await diagnose(await readerFromText(text), rules, causes[0].affected.find(({ kind }) => kind === 'Pod'));
      const cluster = simulate({ seed: 7 });
      const said = cluster.apply([{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'till', namespace: 'default' }, spec: { containers: [{ name: 'till', image: 'nginx:1.27' }] } }]);
      cluster.advance(60_000);
      const till = await diagnose(cluster.reader(), rules, { kind: 'Pod', namespace: 'default', name: 'till' });
      console.log(web.outcome, web.causes[0].rule, said.trim(), till.outcome);`;
    expect(runProgram(process.execPath, ['--input-type=module', '-e', program], { cwd: folder.path })).toEqual({
      code: 0,
      out: 'explained volumes/configmap-not-found pod/till created healthy\n',
      err: '',
    });
  });
});

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly { readonly id: string; readonly env: Readonly<Record<string, string>>; readonly run: string }[];
  };
}

describe('a release', () => {
  let action: Action;

  /** Runs the step of the Action as a runner does. */
  function inRunner(
    inputs: Readonly<Record<string, string>>,
  ): ReturnType<typeof runProgram> & { readonly output: string; readonly summary: string } {
    const [step] = action.runs.steps;
    const given = (expression: string): string => {
      const [, name = ''] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression) ?? [];
      return inputs[name] ?? action.inputs[name]?.default ?? '';
    };
    const env = Object.fromEntries(Object.entries(step?.env ?? {}).map(([name, value]) => [name, given(value)]));
    const [script, output, summary] = ['step.sh', 'output', 'summary'].map((file) => join(folder.path, file)) as [string, string, string];
    writeFileSync(script, step?.run ?? '');
    for (const file of [output, summary]) writeFileSync(file, '');
    const ended = runProgram('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: folder.path,
      env: { ...env, GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, npm_config_offline: 'true' },
    });
    return { ...ended, output: readFileSync(output, 'utf8'), summary: readFileSync(summary, 'utf8') };
  }

  it('is made from one tarball, whose digest stands in the krew manifest, and is only printed when it is dry', () => {
    const { code, out, err } = runProgram(
      process.execPath,
      ['.build/release.mjs', '--dry-run', '--url', 'https://shop.example/podcheck.tgz'],
      { cwd: ROOT },
    );
    expect(code, err).toBe(0);
    const parts = Object.fromEntries(
      out
        .split(/^--- /m)
        .slice(1)
        .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
    );
    const [, digest = ''] = /^([0-9a-f]{64}) {2}podcheck-\S+\.tgz$/m.exec(parts['SHA256SUMS'] ?? '') ?? [];
    expect(parse(parts['krew/podcheck.yaml'] ?? '')).toMatchObject({
      kind: 'Plugin',
      spec: { platforms: [{ sha256: digest, uri: 'https://shop.example/podcheck.tgz', bin: 'podcheck.js' }, { sha256: digest }] },
    });
    action = parse(parts['action.yml'] ?? '') as Action;
    expect(action.runs.using).toBe('composite');
    expect(parts['Containerfile']).toContain('USER 65532');
    expect(out).toContain('Nothing was written or published.');
  });

  it('has an Action that reports a cause in the log, the summary and its output, whatever the text and its name hold', () => {
    const hostile = '$(touch injected) "case".txt';
    writeFileSync(join(folder.path, hostile), `${DESCRIBE}\n::error::injected\n`);
    const { code, out, output, summary } = inRunner({ command: 'diagnose', from: hostile });
    expect([code, output]).toEqual([1, 'exit-code=1\n']);
    expect(action.outputs['exit-code']?.value).toBe(`\${{ steps.${action.runs.steps[0]?.id ?? ''}.outputs.exit-code }}`);
    const [, pause = '', report] = /^::stop-commands::(\S{36})\n([^]*)\n::\1::\n$/.exec(out) ?? [];
    expect(pause).not.toBe('');
    expect(report).toContain('volumes/configmap-not-found');
    expect(summary).toMatch(/^# Pod shop\/web[^]*web-settings/);
    expect(readdirSync(folder.path)).not.toContain('injected');
  });

  it('has an Action that refuses a command that reads no files', () => {
    expect(inRunner({ command: 'sim', from: 'pods.txt' })).toMatchObject({
      code: 2,
      output: '',
      err: expect.stringContaining('scan, diagnose or cert-expiry') as string,
    });
  });

  it('needs to know where the tarball will be, or that it is dry', () => {
    expect(runProgram(process.execPath, ['.build/release.mjs'], { cwd: ROOT })).toMatchObject({
      code: 2,
      err: expect.stringContaining('--dry-run') as string,
    });
  });
});

describe.each(NODES.map((node) => [runProgram(node, ['--version'], { cwd: ROOT }).out.trim(), node]))(
  'the program on node %s',
  (_, node) => {
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
      for (const name of ['missing-configmap', 'crash-loop', 'no-room'])
        expect(podcheck(['diagnose', '--from', `example:${name}`])).toMatchObject({ code: 1, err: '' });
    });

    it('scans, lists its rules and explains', () => {
      expect(podcheck(['scan', '--from', '-', '-o', 'json'], DESCRIBE)).toMatchObject({ code: 1, err: '' });
      expect(podcheck(['rules', 'list']).out).toMatch(/^volumes\/\n(?:.*\n)*? {2}configmap-not-found /m);
      expect(podcheck(['explain', 'CrashLoopBackOff'])).toMatchObject({ code: 0, err: '' });
    });

    it('reads YAML', () => {
      const pod =
        'apiVersion: v1\nkind: Pod\nmetadata: {name: web-1, namespace: shop, uid: a1, resourceVersion: "5"}\nstatus: {phase: Succeeded}\n';
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
  },
);

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
    writeFileSync(
      join(folder.path, 'hook.mjs'),
      "import { writeSync } from 'node:fs';\nexport async function load(url, context, next) {\n  writeSync(2, `LOADED ${url}\\n`);\n  return next(url, context);\n}\n",
    );
    writeFileSync(join(folder.path, 'register.mjs'), "import { register } from 'node:module';\nregister('./hook.mjs', import.meta.url);\n");
    const { err } = runProgram(process.execPath, ['--import', './register.mjs', join(ROOT, 'dist/podcheck.js'), ...args], {
      cwd: folder.path,
    });
    return [...new Set([...err.matchAll(/^LOADED file:\/\/(.*\/dist\/.*)$/gm)].map(([, file]) => file ?? ''))];
  }

  it.each([
    [['--version'], 1, 2],
    [['--help'], 30, 150],
    [['__complete', 'di'], 30, 150],
  ])('%j loads little', (args, files, kilobytes) => {
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
