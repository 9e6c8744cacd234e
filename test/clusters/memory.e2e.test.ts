import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { tarOf, zipOf } from '../support/archives.ts';
import { folderWith } from '../support/folder.ts';

const PROGRAM = resolve('dist/podcheck.js');
/** The program needs about 60 MiB for itself, and the largest of these inputs is 100 MB, which is held twice while it is looked at. */
const MOST_MEBIBYTES = 400;
const TIMEOUT_MILLISECONDS = 60_000;
/** Tells how much memory the process had at most, when it ends. */
const TELL_PEAK = "import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)));";

interface Measured {
  readonly code: number | null;
  readonly err: string;
  readonly mebibytes: number;
}

function podcheck(args: readonly string[], folder: string, env: Readonly<Record<string, string>> = {}): Measured {
  const tell = `data:text/javascript,${encodeURIComponent(TELL_PEAK)}`;
  const ended = spawnSync(process.execPath, ['--import', tell, PROGRAM, ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: TIMEOUT_MILLISECONDS,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: join(folder, 'none'), ...env },
  });
  return { code: ended.status, err: ended.stderr, mebibytes: Number(ended.output[3]) / 1024 };
}

function expectRefused({ code, err, mebibytes }: Measured, message: RegExp): void {
  expect(err).toMatch(message);
  expect(err).toMatch(/^error: [^\n]*\n(?:hint: [^\n]*\n)?$/);
  expect(code).toBe(2);
  expect(mebibytes).toBeGreaterThan(10);
  expect(mebibytes).toBeLessThan(MOST_MEBIBYTES);
}

const OBJECTS = `[${'{},'.repeat(30_000_000)}{}]`;
/** Numbers that a compressor cannot foresee, so that it grows by less than what is refused for that alone. */
const MIXED = `[${Array.from({ length: 150_000 }, (_, index) => `${'{},'.repeat(40)}${String((index * 7919 * 104_729) % 1_000_003)}`).join(',')}]`;
/** Nine levels of lists, each of nine aliases of the one before. */
const ALIASES = Array.from(
  'abcdefghi',
  (name, level) =>
    `${name}: &${name} [${Array.from({ length: 9 }, () => (level === 0 ? 'web' : `*${'abcdefghi'.charAt(level - 1)}`)).join(', ')}]`,
).join('\n');

const BOMBS: readonly (readonly [what: string, file: string, content: () => string | Buffer, message: RegExp])[] = [
  ['millions of empty objects', 'pods.json', () => OBJECTS, /more objects, lists and values than \d+/],
  [
    'the same in a zip',
    'pods.zip',
    () => zipOf([{ path: 'pods.json', text: OBJECTS }]),
    /pods\.zip: pods\.json, not read: the unpacked file is too large/,
  ],
  ['the same, compressed', 'pods.json.gz', () => gzipSync(OBJECTS), /grows by more than a factor of 200/],
  ['as many, less well compressed', 'pods.json.gz', () => gzipSync(MIXED), /more objects, lists and values than \d+/],
  [
    'as many in a zip, less well compressed',
    'pods.zip',
    () => zipOf([{ path: 'pods.json', text: MIXED }]),
    /more objects, lists and values than \d+/,
  ],
  [
    'brackets that are never closed',
    'pods.json',
    () => '['.repeat(100_000_000),
    /more objects, lists and values than \d+|nested more than 1000 levels deep/,
  ],
  ['nested brackets', 'pods.json', () => `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`, /nested more than 1000 levels deep/],
  ['nested brackets of YAML', 'pods.yaml', () => `items: ${'['.repeat(200_000)}`, /nested too deeply/],
  ['lines of YAML', 'pods.yaml', () => '-\n'.repeat(30_000_000), /more objects, lists and values than \d+/],
  ['aliases of aliases', 'pods.yaml', () => ALIASES, /alias/],
  [
    'zeros, compressed',
    'pods.tar.gz',
    () => gzipSync(Buffer.concat([tarOf([{ path: 'pods.json', text: '{}' }]).subarray(0, 1024), Buffer.alloc(300_000_000)])),
    /grows by more than a factor of 200/,
  ],
];

describe('the memory that podcheck takes', () => {
  it.each(BOMBS)('is bounded by what comes of an input: %s', (_, file, content, message) => {
    const folder = folderWith();
    writeFileSync(join(folder, file), content());
    expectRefused(podcheck(['diagnose', '--from', file], folder), message);
  });

  it.runIf(process.platform === 'linux')('is not that of a device without an end, wherever a file is read', () => {
    const folder = folderWith({ 'rules/volumes/web.yaml': '' });
    symlinkSync('/dev/zero', join(folder, 'rules/volumes/zero.yaml'));
    expectRefused(podcheck(['diagnose', '--from', '/dev/zero'], folder), /zero is not text/);
    expectRefused(
      podcheck(['scan'], folder, { KUBECONFIG: '/dev/zero' }),
      /kubeconfig \/dev\/zero cannot be read: it is larger than 16 MiB/,
    );
    for (const [args, message] of [
      [['rules', 'test', 'rules'], /cannot read the rule .*zero\.yaml: it is larger than/],
      [['rules', 'test', '/dev/zero'], /"\/dev\/zero" is neither a folder nor a rule/],
      [['runbook', 'lint', '/dev/zero'], /cannot read the playbook \/dev\/zero: it is larger than/],
      [['sim', 'try', '-f', '/dev/zero'], /cannot read \/dev\/zero: it is larger than/],
      [['sim', 'replay', '/dev/zero'], /cannot read the trace \/dev\/zero: it is larger than/],
    ] as const)
      expectRefused(podcheck(args, folder), message);
  });

  it.runIf(process.platform !== 'win32')('is not needed for a pipe to which nobody writes', () => {
    const folder = folderWith();
    expect(spawnSync('mkfifo', [join(folder, 'pipe')]).status).toBe(0);
    for (const args of [
      ['diagnose', '--from', 'pipe'],
      ['runbook', 'lint', 'pipe'],
    ])
      expectRefused(podcheck(args, folder), /it is a pipe, and nothing writes to it/);
  });

  it('is no more than Node may use: a source beyond it is an error that says so', () => {
    const pod = (index: number): string =>
      `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-${String(index)}","namespace":"shop","labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"web:1"}]},"status":{"phase":"Running"}}`;
    const folder = folderWith({
      'pods.json': `{"kind":"List","apiVersion":"v1","items":[${Array.from({ length: 60_000 }, (_, index) => pod(index)).join(',\n')}]}`,
    });
    const { code, err } = podcheck(['scan', '--from', 'pods.json'], folder, { NODE_OPTIONS: '--max-old-space-size=80' });
    expect(err).toMatch(/^error: pods\.json.*more objects, lists and values than \d+\nhint: .*--max-old-space-size/);
    expect(code).toBe(2);
  });

  it('is left for judging where a folder has a file for each object: later files are not read, and that is told', () => {
    const pod = (index: number): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: web-${String(index)}, namespace: shop, annotations: { note: "${String(index).repeat(10_000)}" } }\nspec: { containers: [{ name: web, image: "web:1" }] }\n`;
    const folder = folderWith(
      Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`dump/namespaces/shop/pods/web-${String(index)}.yaml`, pod(index)])),
    );
    const { code, err } = podcheck(['scan', '--from', 'dump'], folder, { NODE_OPTIONS: '--max-old-space-size=100' });
    expect(err).toMatch(/^note: \S*web-\d+\.yaml: this and later files were not read: memory is full$/m);
    expect(err.match(/memory is full/g)).toHaveLength(1);
    expect(code).toBe(3);
  });
});
