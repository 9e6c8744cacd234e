// The real Kubernetes cluster that podcheck is judged by: what it needs, how its program is built, how a command runs beside it.
// The scripts that start it are in the folder PODCHECK_REAL_CLUSTER names; Kubernetes itself is built from its Go modules, once.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ORACLE = join(ROOT, 'test/oracle');
const scripts = process.env.PODCHECK_REAL_CLUSTER ?? join(ROOT, '../shared/real-cluster');

/** Of a program that was ended because its time was over. */
export const CUT_OFF = 124;

/** What this machine lacks for a real cluster, in words; undefined when it has all. */
export function whatIsLacking() {
  if (!existsSync(join(scripts, 'up'))) return `there are no scripts of a cluster in ${scripts} (PODCHECK_REAL_CLUSTER names their folder)`;
  if (process.getuid?.() !== 0) return 'a network of its own needs root';
  if (!existsSync(join(ROOT, 'dist/podcheck.js'))) return 'podcheck is not built (npm run build)';
  const missing = ['go', 'kubectl', 'openssl', 'python3', 'ip', 'nsenter'].filter((program) => spawnSync('which', [program]).status !== 0);
  if (missing.length > 0) return `${missing.join(', ')} cannot be found`;
  if (networks('real-cluster').length === 0) return undefined;
  return `a real cluster runs on this machine already (network namespace real-cluster); to end it: REAL_CLUSTER_STATE=${stateOfCluster()} ${join(scripts, 'down')}`;
}

/** The folder that the cluster which runs was started with: its etcd tells. */
function stateOfCluster() {
  const { stdout } = spawnSync('pgrep', ['-a', '-x', 'etcd'], { encoding: 'utf8' });
  return /--data-dir (\S+)\/etcd /.exec(stdout ?? '')?.[1] ?? '<folder>';
}

/** The program of all components, built once for these versions: ten minutes on two cores. Undefined when it cannot be built. */
export function oracle(until) {
  return builtOnce('kube', ['build', '-o', BUILT, '.'], until);
}

/** Kubernetes' end-to-end tests and the program that runs them in parallel, each built once. Undefined when they cannot be built. */
export function conformanceTests() {
  const suite = builtOnce('e2e.test', ['test', '-c', '-o', BUILT, 'k8s.io/kubernetes/test/e2e']);
  const runner = suite && builtOnce('ginkgo', ['build', '-o', BUILT, 'github.com/onsi/ginkgo/v2/ginkgo']);
  return runner && { suite, runner };
}

/** In the words of a build, where its program is to be written. */
const BUILT = Symbol('built');

/** A program of the modules of test/oracle, kept in the cache until its sources change. */
function builtOnce(name, [verb, ...words], until) {
  const sums = createHash('sha256');
  for (const file of ['main.go', 'go.mod', 'go.sum']) sums.update(readFileSync(join(ORACLE, file)));
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'podcheck-oracle', sums.digest('hex').slice(0, 16));
  const program = join(folder, name);
  if (existsSync(program)) return program;
  const version = /k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\d+)/.exec(readFileSync(join(ORACLE, 'go.mod'), 'utf8'));
  process.stderr.write(`Building ${name} of Kubernetes ${version[1]}, once: this can take ten minutes.\n`);
  mkdirSync(folder, { recursive: true });
  const set = Object.entries({ gitMajor: version[2], gitMinor: version[3], gitVersion: version[1] }).map(
    ([field, value]) => `-X k8s.io/component-base/version.${field}=${value}`,
  );
  const flags = ['-trimpath', '-tags', 'providerless', '-ldflags', ['-s', '-w', ...set].join(' ')];
  const { status } = spawnSync('go', [verb, ...flags, ...words.map((word) => (word === BUILT ? `${program}.new` : word))], {
    cwd: ORACLE,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: 'inherit',
    timeout: left(until),
  });
  if (status !== 0) return undefined;
  renameSync(`${program}.new`, program);
  return program;
}

/**
 * Starts the cluster, lets `use` work with it and ends it, whatever happens. `use` is given `run`, which runs a program beside the cluster
 * with its kubeconfig in KUBECONFIG and gives the exit code. Gives what `use` gives; undefined when the cluster did not start.
 */
export function withRealCluster({ kube, words = [], env = {}, until }, use) {
  const state = mkdtempSync(join(tmpdir(), 'podcheck-live-'));
  const around = { ...process.env, REAL_CLUSTER_STATE: state, PODCHECK_LIVE_IMAGE: join(scripts, 'image'), ...env };
  const script = (name, given, timeout) =>
    spawnSync(join(scripts, name), given, { cwd: ROOT, env: around, stdio: 'inherit', timeout, killSignal: 'SIGKILL' }).status ?? CUT_OFF;
  const before = new Set(networks('cni-'));
  // Ctrl-C ends the child first: then the cluster is taken down here.
  const ignored = () => undefined;
  process.on('SIGINT', ignored);
  try {
    if (script('up', ['--kube', kube, ...words], left(until)) !== 0) return undefined;
    return use((...command) => script('run', command, left(until)));
  } finally {
    script('down', []);
    // Sandboxes that were still there leave their networks behind.
    for (const name of networks('cni-')) if (!before.has(name)) spawnSync('ip', ['netns', 'delete', name]);
    rmSync(state, { recursive: true, force: true });
    process.off('SIGINT', ignored);
  }
}

/** Names of the network namespaces of this machine that begin so. */
function networks(begin) {
  const { stdout } = spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => (line.startsWith(begin) ? [line.split(' ')[0]] : []));
}

/** Milliseconds that are left; undefined without a bound. */
function left(until) {
  return until === undefined ? undefined : Math.max(1000, until - Date.now());
}
