// Runs Kubernetes' own tests of kubectl (test/cmd of k8s.io/kubernetes) on served simulated clusters and prints what holds.
// npm run testcmd -- [FUNCTION ...] [--procs N] [--speed N] [--seconds N] [--keep FOLDER]
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { parse, stringify } from 'yaml';
import { ROOT } from './real-cluster.mjs';

const LIST = parse(readFileSync(join(ROOT, 'test/oracle/test-cmd.yaml'), 'utf8'));
const START_MILLISECONDS = 30_000;
/** Its name in the table: what the driver itself asserts between its functions. */
const DRIVER = 'runTests';
/** What is printed when the driver's own trial of a command that fails is over. */
const BEGIN = 'Checking kubectl version';
/** What the functions read of a checkout of Kubernetes. */
const FOLDERS = ['hack', 'test/cmd', 'test/fixtures', 'test/e2e/testing-manifests', 'third_party/forked/shell2junit'];

process.exitCode = await main();

async function main() {
  let asked;
  try {
    asked = parseArgs({
      allowPositionals: true,
      options: {
        procs: { type: 'string', default: '2' },
        speed: { type: 'string', default: '5' },
        seconds: { type: 'string', default: '240' },
        keep: { type: 'string' },
      },
    });
  } catch (error) {
    return failed(error.message);
  }
  const kubectl = findKubectl();
  const lacking = whatIsLacking(kubectl);
  if (lacking !== undefined) return failed(`the tests of kubectl were not run: ${lacking}`);
  const module = moduleFolder();
  if (module === undefined)
    return failed('the tests of kubectl were not run: the module k8s.io/kubernetes cannot be had (see the lines above)');
  const known = functionsOf(module);
  const unknown = asked.positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) return failed(`there is no function ${unknown}; functions: ${known.join(', ')}`);
  const impossible = new Map(LIST.cannot.flatMap(({ because, functions }) => functions.map((name) => [name, because])));
  const chosen = asked.positionals.length > 0 ? asked.positionals : known;
  const home = await mkdtemp(join(tmpdir(), 'podcheck-testcmd-'));
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort());
  try {
    const results = await runAll(chosen, { module, home, kubectl, ...asked.values }, interrupted.signal);
    if (interrupted.signal.aborted) return 130;
    return print(results, impossible);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** The kubectl of the tests' own release, which CI installs, or the one of the machine. */
function findKubectl() {
  const installed = join(process.env.PODCHECK_TEST_KUBECTLS ?? join(ROOT, 'node_modules/.kubectl'), '36/kubectl/kubectl');
  if (existsSync(installed)) return installed;
  return spawnSync('which', ['kubectl'], { encoding: 'utf8' }).stdout.trim() || undefined;
}

/** What this machine lacks for the tests, in words; undefined when it has all. */
function whatIsLacking(kubectl) {
  if (!existsSync(join(ROOT, 'dist/podcheck.js'))) return 'podcheck is not built (npm run build)';
  if (kubectl === undefined) return 'kubectl cannot be found';
  const missing = ['go', 'bash', 'curl', 'jq', 'openssl'].filter((program) => spawnSync('which', [program]).status !== 0);
  return missing.length > 0 ? `${missing.join(', ')} cannot be found` : undefined;
}

/** Where Go keeps the sources of Kubernetes; they are downloaded when they are not there. */
function moduleFolder() {
  const { stdout, status } = spawnSync('go', ['mod', 'download', '-json', 'k8s.io/kubernetes'], {
    cwd: join(ROOT, 'test/oracle'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return status === 0 ? JSON.parse(stdout).Dir : undefined;
}

/** The functions that the driver records, in its order. */
function functionsOf(module) {
  const driver = readFileSync(join(module, 'test/cmd/legacy-script.sh'), 'utf8');
  return [DRIVER, ...new Set([...driver.matchAll(/^ *record_command (run_\w+)$/gm)].map(([, name]) => name))];
}

async function runAll(chosen, options, signal) {
  const results = new Map();
  const waiting = [...chosen];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined && !signal.aborted; name = waiting.shift()) {
      results.set(name, await runOne(name, options, signal));
      if (process.stderr.isTTY) process.stderr.write(`\r${results.size} of ${chosen.length} functions done`);
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: Number(options.procs) }, work));
  const broken = workers.find(({ status }) => status === 'rejected');
  if (broken !== undefined) throw broken.reason;
  return new Map(chosen.map((name) => [name, results.get(name)]));
}

/** Runs one function on a cluster of its own and gives what it printed. */
async function runOne(name, { module, home, kubectl, speed, seconds, keep }, signal) {
  const folder = join(home, name);
  mkdirSync(folder);
  const began = Date.now();
  const text = await withServedCluster(folder, speed, signal, ({ kubeconfig, port, authority }) => {
    const root = copyOf(module, folder, kubectl, { kubeconfig, port });
    const env = surroundings(folder, port);
    writeFileSync(join(env.TMPDIR, 'apiserver.crt'), authority);
    return outputOf(join(root, 'function.sh'), [name], { cwd: root, env, seconds }, signal);
  });
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  if (keep !== undefined) {
    mkdirSync(resolve(keep), { recursive: true });
    writeFileSync(join(resolve(keep), `${name}.txt`), text);
  }
  return resultOf(text, (Date.now() - began) / 1000);
}

/** Serves a simulated cluster while `use` works with it. Gives what `use` gives, or why the cluster did not start. */
async function withServedCluster(folder, speed, signal, use) {
  const kubeconfig = join(folder, 'kubeconfig');
  const scenario = join(folder, 'cluster.yaml');
  writeFileSync(scenario, stringify(LIST.scenario));
  const words = [join(ROOT, 'dist/podcheck.js'), '--kubeconfig', kubeconfig, 'sim', 'serve', scenario, '--seed', '1', '--speed', speed];
  const served = spawn(process.execPath, words, { env: { ...process.env, HOME: folder }, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((resolved) => served.once('exit', resolved));
  try {
    let given;
    for (let waited = 0; given === undefined; waited += 50) {
      if (served.exitCode !== null || waited > START_MILLISECONDS) return 'the simulated cluster did not start: see the lines above';
      if (signal.aborted) return 'interrupted';
      await pause(50);
      given = existsSync(kubeconfig) ? (parse(readFileSync(kubeconfig, 'utf8'))?.clusters?.[0]?.cluster ?? undefined) : undefined;
    }
    const authority = Buffer.from(given['certificate-authority-data'], 'base64').toString();
    return await use({ kubeconfig, port: new URL(given.server).port, authority });
  } finally {
    served.kill('SIGTERM');
    await ended;
  }
}

/** A copy of the scripts that may be written to, with what differs from the cluster that their driver starts. */
function copyOf(module, folder, kubectl, { kubeconfig, port }) {
  const root = join(folder, 'kubernetes');
  for (const part of FOLDERS) cpSync(join(module, part), join(root, part), { recursive: true });
  makeWritable(root);
  mkdirSync(join(root, '_output/bin'), { recursive: true });
  symlinkSync(kubectl, join(root, '_output/bin/kubectl'));
  const asked = ['--kubeconfig', kubeconfig, 'create', 'token', 'default', '-n', 'default', '--duration=24h'];
  const token = spawnSync(kubectl, asked, { encoding: 'utf8' }).stdout.trim();
  const edit = (path, from, to) => writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to));
  for (const file of readdirSync(join(root, 'test/cmd'))) edit(join(root, 'test/cmd', file), 'admin-token', token);
  // The name of the authority that signs clients' certificates.
  edit(join(root, 'hack/lib/util.sh'), 'CN=127.0.0.1', 'CN=kubernetes');
  edit(join(root, 'hack/lib/util.sh'), 'CN = 127.0.0.1', 'CN = kubernetes');
  // Two functions at a time would write into each other's files.
  edit(join(root, 'third_party/forked/shell2junit/sh2ju.sh'), /\/(?:var\/)?tmp\//g, `${folder}/tmp/`);
  writeFileSync(join(root, 'function.sh'), script(token, port));
  return root;
}

function makeWritable(path) {
  chmodSync(path, 0o755);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(join(path, entry.name));
    else if (entry.isFile()) chmodSync(join(path, entry.name), 0o755);
  }
}

/** What test-cmd.sh does before and after it starts a cluster, for the function that is its first word. */
function script(token, port) {
  return `
set -o errexit -o nounset -o pipefail
source hack/lib/init.sh
source hack/lib/test.sh
source test/cmd/legacy-script.sh
chosen=$1
kube::util::ensure-temp-dir
export HOME="\${KUBE_TEMP}"
# It pipes into a grep that may end first.
set +o pipefail
kube::util::ensure-gnu-sed
set -o pipefail
CONTEXT=test
kubectl config set-credentials test-admin --token ${token} >/dev/null
kubectl config set-cluster local --insecure-skip-tls-verify --server https://127.0.0.1:${port} >/dev/null
kubectl config set-context test --user test-admin --cluster local >/dev/null
kubectl config use-context test >/dev/null
SUPPORTED_RESOURCES=("*")
if [[ "\${chosen}" == ${DRIVER} ]]; then
  record_command() { :; }
else
  run_chosen_tests() { "\${chosen}"; }
  WHAT=chosen
fi
create_and_use_new_namespace
runTests
echo 'TESTS PASSED'
`;
}

function surroundings(folder, port) {
  mkdirSync(join(folder, 'tmp'));
  return {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: join(folder, 'tmp'),
    TERM: 'xterm',
    SECURE_API_PORT: port,
    KUBE_JUNIT_REPORT_DIR: join(folder, 'junit'),
    ALLOW_SKEW: 'y',
  };
}

/** Runs a script in a process group of its own, which ends with it: it starts proxies and watches. */
async function outputOf(path, words, { cwd, env, seconds }, signal) {
  const child = spawn('bash', [path, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part) => (text += part));
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of it has ended already.
    }
  };
  const late = setTimeout(
    () => {
      text += `\nFAIL! not done after ${seconds} seconds\n`;
      end();
    },
    Number(seconds) * 1000,
  );
  signal.addEventListener('abort', end, { once: true });
  await new Promise((resolved) => child.once('exit', resolved));
  end();
  await new Promise((resolved) => (child.stdout.destroyed ? resolved() : child.once('close', resolved)));
  clearTimeout(late);
  signal.removeEventListener('abort', end);
  return stripVTControlCharacters(text);
}

/** How many assertions held, and of a function that failed the first lines that say why. */
function resultOf(text, seconds) {
  const lines = text.split('\n').map((line) => line.trim());
  const held = lines.filter((line) => /^(?:\S+\.sh:\d+: )?Successful\b/.test(line)).length;
  const missed = lines.filter((line) => /^(?:\S+\.sh:\d+: )?FAIL\b/.test(line)).length;
  const passed = lines.includes('TESTS PASSED');
  return { held, missed, passed, seconds, reason: passed ? '' : reasonOf(lines) };
}

/** The first assertion that failed; without one, what was printed before the first call tree of the shell. */
function reasonOf(all) {
  const lines = all.slice(all.findIndex((line) => line.endsWith(BEGIN)) + 1);
  const first = lines.findIndex((line) => /^(?:\S+\.sh:\d+: )?FAIL\b/.test(line));
  if (first >= 0)
    return spoken(lines.slice(first, first + 8))
      .slice(0, 6)
      .join(' | ');
  const tree = lines.findIndex((line) => /^!!! |^\+\+\+ exit code: [^0]/.test(line));
  const end = tree >= 0 ? tree : lines.length;
  const call = lines.slice(end).find((line) => /test\/cmd\/\S+\.sh:\d+ run_/.test(line)) ?? '';
  return [...spoken(lines.slice(Math.max(0, end - 12), end)).slice(-3), call].filter((line) => line !== '').join(' | ');
}

function spoken(lines) {
  return lines.filter((line) => line !== '');
}

function print(results, impossible) {
  const lines = [];
  for (const [name, { held, missed, passed, seconds, reason }] of results) {
    const marks = [passed ? 'pass' : 'FAIL', String(held).padStart(4), String(missed).padStart(3), `${seconds.toFixed(0)}s`.padStart(5)];
    lines.push(`${marks.join(' ')}  ${name}`);
    if (passed) continue;
    lines.push(`       ${reason.slice(0, 600)}`);
    if (impossible.has(name)) lines.push(`       known: ${impossible.get(name)}`);
  }
  const all = [...results.values()];
  const failures = all.filter(({ passed }) => !passed).length;
  const held = all.reduce((sum, result) => sum + result.held, 0);
  const missed = all.reduce((sum, result) => sum + result.missed, 0);
  lines.push('', `${held} assertions hold, ${missed} do not; ${all.length - failures} of ${all.length} functions pass`);
  process.stdout.write(`${lines.join('\n')}\n`);
  return failures > 0 ? 1 : 0;
}

function failed(why) {
  process.stderr.write(`${why}\n`);
  return 2;
}
