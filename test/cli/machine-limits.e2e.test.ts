import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Ended } from '../support/built-program.ts';
import { isThere, runProgram } from '../support/built-program.ts';
import { folderWith } from '../support/folder.ts';

const PROGRAM = resolve('dist/podcheck.js');
const IS_LINUX = process.platform === 'linux' && isThere('bash', ['--version']);
/** Whether a file system can be mounted here, in a namespace of its own. */
const MOUNTS =
  IS_LINUX &&
  spawnSync('unshare', ['--mount', '--map-root-user', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' }).status === 0;

/** Runs a script of bash in a folder of its own, in which `podcheck` is the built program. */
function inShell(script: string, env: Readonly<Record<string, string>> = {}, folder = folderWith()): Ended {
  return runProgram('bash', ['-c', `podcheck() { "${process.execPath}" "${PROGRAM}" "$@"; }\n${script}`], { cwd: folder, env });
}

/** One line that says what is wrong and at most one that says what to do, and the exit code of bad input. */
function expectOneLine({ code, err }: Ended, message: RegExp): void {
  const [first = '', ...others] = err.trimEnd().split('\n');
  expect(first).toMatch(/^error: /);
  expect(first).toMatch(message);
  expect(others.filter((line) => !line.startsWith('hint: '))).toEqual([]);
  expect(others.length).toBeLessThan(2);
  expect(code).toBe(2);
}

/** Every command that writes files, in a shell whose state folder is `$STATE` and whose other files lie in `$FILES`. */
const WRITERS: readonly (readonly [what: string, command: string])[] = [
  ['the files of a served cluster', 'podcheck sim serve'],
  ['those of one that is detached', 'podcheck sim serve --detach'],
  ['a kubeconfig', 'XDG_STATE_HOME=$PWD/state podcheck sim serve --kubeconfig "$FILES/kubeconfig"'],
  ['the files of a drill', 'podcheck drill start --random --seed 3 --detach'],
  ['the journal of a run', 'podcheck runbook run missing-config --auto read --from example:missing-configmap'],
  [
    'a journal elsewhere',
    'XDG_STATE_HOME=$PWD/state podcheck runbook run missing-config --auto read --from example:missing-configmap --journal "$FILES/journal"',
  ],
  ['a trace', 'podcheck sim run volumes/configmap-not-found --trace "$FILES/trace.jsonl"'],
  ['a new playbook', 'cd "$FILES" && podcheck runbook new slow-disk'],
];

describe.runIf(IS_LINUX)('podcheck on a machine that refuses something', () => {
  it.each(WRITERS)('says in one line that %s cannot be written, and which file', (_what, command) => {
    // As on a full disk, every write to a file fails, whoever podcheck is run by.
    const ended = inShell(`export XDG_STATE_HOME=$PWD/podcheck-state FILES=$PWD; ulimit -f 0; ${command}`);
    expectOneLine(ended, /: file too large$/);
    expect(ended.err).toMatch(/ \/?[\w./-]*podcheck-|slow-disk\.yaml/);
  });

  it.runIf(MOUNTS).each(WRITERS)('says in one line that the disk is full or read-only: %s', (_what, command) => {
    const on = (options: string, fill: string): Ended =>
      inShell(
        `cat > on-disk.sh <<'END'\nmount -t tmpfs -o ${options} tmpfs /mnt && ${fill}; export XDG_STATE_HOME=/mnt FILES=/mnt; ${command}\nEND\nexport -f podcheck; unshare --mount --map-root-user bash on-disk.sh`,
      );
    expectOneLine(on('ro,size=16k', 'true'), /read-only file system$/);
    // A command may be content with the few bytes that are left.
    expectOneLine(on('size=8k', 'head -c 8192 /dev/zero > /mnt/fill'), /no space left on device$/);
  });

  it.each(['sim serve', 'drill start --random --detach', 'runbook run missing-config --auto read --from example:missing-configmap'])(
    'ends at once where the home is no place for files: %s',
    (command) => {
      expectOneLine(
        inShell(`podcheck ${command}`, { HOME: '/proc' }),
        /\/proc.*: (?:no such file or directory|permission denied|operation not permitted)$/,
      );
    },
  );

  it.each(['rules list', 'rules list -o json', 'diagnose --from example:missing-configmap', '--help', '--version'])(
    'says that stdout cannot be written, and does not exit as if it could: %s',
    (command) => {
      expectOneLine(inShell(`podcheck ${command} > /dev/full`), /cannot write to stdout: no space left on device$/);
    },
  );

  it('says that stdin cannot be read', () => {
    expectOneLine(inShell('podcheck diagnose --from - < .'), /stdin cannot be read: is a directory$/);
    expectOneLine(inShell('podcheck diagnose --from - 0> written'), /stdin cannot be read: bad file descriptor$/);
  });

  it.each([20, 32, 48, 64])('starts, or says in one line that %i open files are too few', (limit) => {
    for (const command of ['rules list', 'sim run volumes/configmap-not-found']) {
      const ended = inShell(`ulimit -n ${String(limit)}; podcheck ${command}`);
      if (ended.code === 2) expectOneLine(ended, /^error: too many open files$/);
      else expect([ended.code === 0 || ended.code === 1, ended.err]).toEqual([true, '']);
    }
  });

  it('starts with 256 open files, which some systems have for a default', () => {
    expect(inShell('ulimit -n 256; podcheck sim run volumes/configmap-not-found').code).toBe(1);
  });

  it('says that a credential plugin is not installed', () => {
    const kubeconfig = [
      'current-context: shop',
      'contexts: [{ name: shop, context: { cluster: shop, user: anna } }]',
      'clusters: [{ name: shop, cluster: { server: "https://127.0.0.1:1" } }]',
      'users: [{ name: anna, user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: shop-login, interactiveMode: Never } } }]',
    ].join('\n');
    const { code, out, err } = inShell('unset PATH; podcheck scan --kubeconfig kubeconfig -o json', {}, folderWith({ kubeconfig }));
    expect(out).toContain('The credential plugin shop-login returned no credentials: executable not found');
    expect([code, err]).toEqual([1, '']);
  });
});
