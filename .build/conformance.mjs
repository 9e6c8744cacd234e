// Runs Kubernetes' own conformance tests on the served simulator and prints how many pass.
// npm run conformance -- [GROUP ...] [--focus REGEX] [--procs N] [--speed N] [--preset NAME] [--keep FOLDER]
import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { conformanceTests, ROOT } from './real-cluster.mjs';

const LIST = parse(readFileSync(join(ROOT, 'test/oracle/conformance.yaml'), 'utf8'));
const GROUPS = ['api-server', 'controllers', 'containers'];
const START_MILLISECONDS = 30_000;

process.exitCode = await main();

async function main() {
  const asked = askedFor();
  if (typeof asked === 'string') return failed(asked);
  const lacking = whatIsLacking();
  if (lacking !== undefined) return failed(`the conformance tests were not run: ${lacking}`);
  const programs = conformanceTests();
  if (programs === undefined) return failed('the conformance tests were not run: they could not be built (see the lines above)');
  const home = await mkdtemp(join(tmpdir(), 'podcheck-conformance-'));
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort());
  try {
    const report = await withServedCluster(home, asked, interrupted.signal, (kubeconfig) =>
      runTests({ ...programs, kubeconfig, home, ...asked }, interrupted.signal),
    );
    if (interrupted.signal.aborted) return 130;
    if (typeof report === 'string') return failed(report);
    return print(resultsOf(report), asked.tests);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** The tests that the words of the command choose, each name with its group; in words when they choose none. */
function askedFor() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        focus: { type: 'string', default: '' },
        procs: { type: 'string', default: '12' },
        speed: { type: 'string', default: '15' },
        preset: { type: 'string', default: 'three-nodes' },
        keep: { type: 'string' },
      },
    });
    const unknown = positionals.find((word) => !GROUPS.includes(word));
    if (unknown !== undefined) return `there is no group ${unknown}; groups: ${GROUPS.join(', ')}`;
    const focus = new RegExp(values.focus, 'iu');
    const chosen = GROUPS.filter((group) => positionals.length === 0 || positionals.includes(group));
    const tests = new Map(chosen.flatMap((group) => LIST[group].filter((name) => focus.test(name)).map((name) => [name, group])));
    return tests.size === 0 ? `no test of ${chosen.join(', ')} matches --focus ${values.focus}` : { ...values, tests };
  } catch (error) {
    return error.message;
  }
}

/** What this machine lacks for the tests, in words; undefined when it has all. */
function whatIsLacking() {
  if (!existsSync(join(ROOT, 'dist/podcheck.js'))) return 'podcheck is not built (npm run build)';
  const missing = ['go', 'kubectl'].filter((program) => spawnSync('which', [program]).status !== 0);
  return missing.length > 0 ? `${missing.join(', ')} cannot be found` : undefined;
}

/** Serves a simulated cluster while `use` works with its kubeconfig. Gives what `use` gives, or why the cluster did not start. */
async function withServedCluster(home, { preset, speed }, signal, use) {
  const kubeconfig = join(home, 'kubeconfig');
  const words = [
    join(ROOT, 'dist/podcheck.js'),
    '--kubeconfig',
    kubeconfig,
    'sim',
    'serve',
    preset,
    '--seed',
    '1',
    '--speed',
    speed,
    '--steady-times',
  ];
  const served = spawn(process.execPath, words, { env: { ...process.env, HOME: home }, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise((resolved) => served.once('exit', resolved));
  try {
    for (let waited = 0; !existsSync(kubeconfig); waited += 50) {
      if (served.exitCode !== null || waited > START_MILLISECONDS) return 'the simulated cluster did not start: see the lines above';
      if (signal.aborted) return 'interrupted';
      await pause(50);
    }
    return await use(kubeconfig);
  } finally {
    served.kill('SIGTERM');
    await ended;
  }
}

/** Runs the tests in parallel, as upstream does, and gives the report of Ginkgo. */
async function runTests({ suite, runner, kubeconfig, home, tests: chosen, procs, keep }, signal) {
  const folder = keep === undefined ? home : resolve(keep);
  mkdirSync(folder, { recursive: true });
  const focus = [...chosen.keys()].map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  const ginkgo = [
    '--no-color',
    '--silence-skips',
    '--timeout=4h',
    `--procs=${procs}`,
    `--output-dir=${folder}`,
    '--json-report=report.json',
  ];
  const own = [
    `--kubeconfig=${kubeconfig}`,
    '--provider=skeleton',
    '--disable-log-dump',
    `--kubectl-path=kubectl`,
    '--allowed-not-ready-nodes=-1',
  ];
  // A process group of its own: one signal then ends the runner and every process of the tests.
  const child = spawn(runner, ['run', ...ginkgo, `--focus=(${focus})$`, suite, '--', ...own], {
    cwd: home,
    env: { ...process.env, HOME: home, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const log = keep === undefined ? undefined : createWriteStream(join(folder, 'output.txt'));
  let done = 0;
  child.stdout.setEncoding('utf8').on('data', (text) => {
    log?.write(text);
    done += text.match(/^(?:\S+ )?• /gm)?.length ?? 0;
    if (process.stderr.isTTY) process.stderr.write(`\r${Math.min(done, chosen.size)} of ${chosen.size} tests done`);
  });
  const end = () => child.pid === undefined || process.kill(-child.pid, 'SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  await new Promise((resolved) => child.once('close', resolved));
  signal.removeEventListener('abort', end);
  const report = join(folder, 'report.json');
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : 'the tests ended without a report: see the lines above';
}

/** By the name of a test, its state and, of one that failed, the first line of the reason. */
function resultsOf(report) {
  const results = new Map();
  for (const spec of report.flatMap((suite) => suite.SpecReports ?? [])) {
    if (spec.LeafNodeType !== 'It' || (spec.State === 'skipped' && !spec.Failure?.Message)) continue;
    const name = [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' ');
    const lines = (spec.Failure?.Message ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    results.set(name, { passed: spec.State === 'passed', reason: lines.slice(0, 2).join(' ') || spec.State });
  }
  return results;
}

function print(results, chosen) {
  const lines = [];
  let failures = 0;
  for (const group of GROUPS) {
    const names = [...chosen].flatMap(([name, of]) => (of === group ? [name] : []));
    if (names.length === 0) continue;
    const passed = names.filter((name) => results.get(name)?.passed === true);
    failures += names.length - passed.length;
    lines.push(`${group.padEnd(12)}${String(passed.length).padStart(4)} of ${names.length} pass`);
  }
  if (lines.length > 1) lines.push(`${'all'.padEnd(12)}${String(chosen.size - failures).padStart(4)} of ${chosen.size} pass`);
  for (const [name, group] of chosen) {
    const result = results.get(name) ?? { passed: false, reason: 'not run' };
    if (result.passed) continue;
    const known = LIST.cannot.find(({ tests }) => tests.some((part) => name.includes(part)));
    lines.push('', `${group}: ${name}`, `  ${result.reason.slice(0, 400)}`);
    if (known !== undefined) lines.push(`  known: ${known.because}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  return failures > 0 ? 1 : 0;
}

function failed(why) {
  process.stderr.write(`${why}\n`);
  return 2;
}
