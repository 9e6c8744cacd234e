// Starts a real Kubernetes cluster and runs the live suite on it. npm run live -- [--bounded] [FAULT or file of test/live ...]
// --bounded is for CI: what this machine cannot do (build Kubernetes, start the cluster), or not in 18 minutes, is said, and no failure.
// The scripts that start it are in the folder PODCHECK_REAL_CLUSTER names; Kubernetes itself is built from its Go modules, once.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ORACLE = join(ROOT, 'test/oracle');
const scripts = process.env.PODCHECK_REAL_CLUSTER ?? join(ROOT, '../shared/real-cluster');

/** Of a program that was ended because its time was over. */
const CUT_OFF = 124;
const BOUND_MILLISECONDS = 18 * 60_000;
/** Where not even this pod runs, the machine is at fault and not podcheck. */
const FIRST_POD = `for try in $(seq 60); do kubectl run first --image=127.0.0.1:5000/web:1.0 2>/dev/null && break; sleep 1; done
kubectl wait --for=condition=Ready pod/first --timeout=180s && kubectl delete pod first --wait=false`;

process.exitCode = main(process.argv.slice(2));

function main(given) {
  const words = given.filter((word) => word !== '--bounded');
  const bounded = words.length < given.length;
  const until = bounded ? Date.now() + BOUND_MILLISECONDS : undefined;
  const failed = (why) => {
    process.stderr.write(`${why}\n`);
    return bounded ? 0 : 1;
  };
  const files = words.filter((word) => existsSync(join(ROOT, 'test/live', `${word}.ts`)));
  const faults = words.filter((word) => !files.includes(word));
  const lacking = whatIsLacking();
  if (lacking !== undefined) return failed(`the live suite was not run: ${lacking}`);
  const kube = oracle(until);
  if (kube === undefined) return failed('Kubernetes could not be built: see the lines above');
  const state = mkdtempSync(join(tmpdir(), 'podcheck-live-'));
  const env = {
    ...process.env,
    REAL_CLUSTER_STATE: state,
    PODCHECK_LIVE_IMAGE: join(scripts, 'image'),
    PODCHECK_LIVE_FAULTS: faults.join(','),
  };
  const run = (program, words, timeout) =>
    spawnSync(program, words, { cwd: ROOT, env, stdio: 'inherit', timeout, killSignal: 'SIGKILL' }).status ?? CUT_OFF;
  const before = new Set(networks());
  // Ctrl-C ends the child first: then the cluster is taken down here.
  process.on('SIGINT', () => undefined);
  try {
    if (run(join(scripts, 'up'), ['--kube', kube], left(until)) !== 0) return failed('the cluster did not start: see the lines above');
    if (run(join(scripts, 'run'), ['sh', '-c', FIRST_POD], left(until)) !== 0) return failed('a pod does not start on this machine');
    const code = run(
      join(scripts, 'run'),
      [
        process.execPath,
        join(ROOT, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--config',
        '.build/vitest-live.config.ts',
        ...files,
        ...(faults.length > 0 ? ['every-fault'] : words.length === 0 ? ['every-fault', 'healthy-workloads', 'restricted-users'] : []),
      ],
      left(until),
    );
    return code === CUT_OFF ? failed('the live suite was not run to its end: it took too long') : code;
  } finally {
    run(join(scripts, 'down'), []);
    // Sandboxes that were still there leave their networks behind.
    for (const name of networks()) if (!before.has(name)) spawnSync('ip', ['netns', 'delete', name]);
    rmSync(state, { recursive: true, force: true });
  }
}

/** Names of the network namespaces that a CNI plugin has made on this machine. */
function networks() {
  const { stdout } = spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => /^cni-[0-9a-f-]+/.exec(line)?.[0] ?? []);
}

/** Milliseconds that are left; undefined without a bound. */
function left(until) {
  return until === undefined ? undefined : Math.max(1000, until - Date.now());
}

function whatIsLacking() {
  if (!existsSync(join(scripts, 'up'))) return `there are no scripts of a cluster in ${scripts} (PODCHECK_REAL_CLUSTER names their folder)`;
  if (process.getuid?.() !== 0) return 'a network of its own needs root';
  if (!existsSync(join(ROOT, 'dist/podcheck.js'))) return 'podcheck is not built (npm run build)';
  const missing = ['go', 'kubectl', 'openssl', 'python3', 'ip', 'nsenter'].filter((program) => spawnSync('which', [program]).status !== 0);
  return missing.length === 0 ? undefined : `${missing.join(', ')} cannot be found`;
}

/** The program of all components, built once for these versions: ten minutes on two cores. */
function oracle(until) {
  const sums = createHash('sha256');
  for (const file of ['main.go', 'go.mod', 'go.sum']) sums.update(readFileSync(join(ORACLE, file)));
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'podcheck-oracle', sums.digest('hex').slice(0, 16));
  const program = join(folder, 'kube');
  if (existsSync(program)) return program;
  const version = /k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+)/.exec(readFileSync(join(ORACLE, 'go.mod'), 'utf8'));
  process.stderr.write(`Building Kubernetes ${version[1]}, once: this takes ten minutes.\n`);
  mkdirSync(folder, { recursive: true });
  const set = Object.entries({ gitMajor: version[2], gitMinor: version[3], gitVersion: version[1] }).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  );
  const words = ['build', '-trimpath', '-tags', 'providerless', '-ldflags', ['-s', '-w', ...set].join(' '), '-o', `${program}.new`, '.'];
  const { status } = spawnSync('go', words, {
    cwd: ORACLE,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: 'inherit',
    timeout: left(until),
  });
  if (status !== 0) return undefined;
  renameSync(`${program}.new`, program);
  return program;
}
