// Measures how fast the built program is against a Node that does nothing, in the same minute on the same machine.
// A simulated load is measured in seconds and megabytes. npm run bench [-- NAME…] [--json]. Exits with 1 when a bound is broken.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LARGE_LOADS, makerOf, measuredLarge } from './bench-large.mjs';
import { measuredPage, PAGE_LOADS } from './bench-page.mjs';
import { measuredPreflight, measuredSarif, PREFLIGHT_LOADS, SARIF_LOADS } from './bench-preflight.mjs';
import { LIVE_LOADS, measuredLive } from './bench-live.mjs';
import { measuredWatch, WATCH_LOADS } from './bench-watch.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = join(ROOT, 'dist/podcheck.js');
const DESCRIBE = join(ROOT, 'src/catalog/examples/missing-configmap.txt');
const RUNS = 21;
/** CommonJS packages in the bundle ask for Node's own modules with `require`. */
const REQUIRE = "import { createRequire as podcheckRequire } from 'node:module';\nconst require = podcheckRequire(import.meta.url);";

/** What is run, what Node is run with for comparison, and how many times as long it may take. */
const BENCHES = [
  { name: 'version', args: [PROGRAM, '--version'], bound: 1.5, exit: 0 },
  { name: 'help', args: [PROGRAM, '--help'], bound: 2.5, exit: 0 },
  { name: 'complete', args: [PROGRAM, '__complete', 'di'], bound: 2.5, exit: 0 },
  { name: 'diagnose', args: [PROGRAM, 'diagnose', '--from', DESCRIBE], bound: 4, exit: 1 },
];
const BASELINE = ['-e', '0'];

/** Loads of test/simulator/loads.ts: how many seconds by the clock and megabytes each may take. */
const LOADS = [
  { name: 'sim-rollout', seconds: 20, megabytes: 700 },
  { name: 'sim-rollout-small', seconds: 2, megabytes: 300 },
  { name: 'sim-rollout-quarter', seconds: 5, megabytes: 400 },
  { name: 'sim-day', seconds: 1, megabytes: 300 },
  // A thousand plays of one script: minutes, so only when it is named.
  { name: 'sim-determinism', seconds: 600, megabytes: 500, named: true },
  { name: 'sim-services', seconds: 15, megabytes: 500 },
  { name: 'sim-services-quarter', seconds: 5, megabytes: 400 },
  { name: 'sim-update', seconds: 30, megabytes: 1300 },
  { name: 'sim-node-loss', seconds: 2, megabytes: 2000 },
  { name: 'sim-zone-loss', seconds: 15, megabytes: 500 },
  { name: 'sim-large', seconds: 300, megabytes: 6000, named: true },
];
/** Loads of test/certificates/loads.ts: what the built program may take to read them, start included. */
const CERTIFICATE_LOADS = [
  { name: 'cert-snapshot', flag: '--from', seconds: 3, megabytes: 300 },
  { name: 'cert-snapshot-wide', load: 'cert-snapshot', flag: '--from', output: 'wide', seconds: 3, megabytes: 300 },
  { name: 'cert-files', flag: '--dir', seconds: 5, megabytes: 300 },
];
/** How much more a pod may cost in a cluster that is so many times as large: nothing may grow faster than the cluster does. */
const GROWTHS = [
  { of: 'sim-rollout', over: 'sim-rollout-quarter', times: 4, bound: 1.3 },
  { of: 'sim-services', over: 'sim-services-quarter', times: 4, bound: 1.3 },
  { of: 'sim-large', over: 'sim-services', times: 15, bound: 1.3 },
  // What a Service costs beside a pod.
  { of: 'sim-services', over: 'sim-rollout', times: 1, bound: 1.2 },
];

/**
 * A served cluster: from the start of the process to kubectl's first answer, kubectl's list of 10,000 pods, 500 watches while 5,000 pods
 * start.
 */
const SERVED = [
  { name: 'serve-first', bound: 500, unit: 'ms' },
  { name: 'serve-list', bound: 2, unit: 'times' },
  { name: 'serve-watches', bound: 600, unit: 'MB' },
];

/** Loads of test/engine/rule-loads.ts: all wordings against 100,000 lines of a log, and the rules on one workload that was read. */
const RULES = [
  { name: 'rules-log', bound: 1, unit: 's' },
  { name: 'rules-workload', bound: 5, unit: 'ms' },
];

const words = process.argv.slice(2);
const json = words.includes('--json');
const names = words.filter((word) => !word.startsWith('-'));
/** Those that run the built program. */
const OF_PROGRAM = [BENCHES, CERTIFICATE_LOADS, LARGE_LOADS, PREFLIGHT_LOADS, WATCH_LOADS, LIVE_LOADS, PAGE_LOADS].flat();
const ALL = [...OF_PROGRAM, ...LOADS, ...SERVED, ...RULES, ...SARIF_LOADS];
if (words.some((word) => ['-h', '--help'].includes(word))) {
  const listed = (named) => ALL.flatMap((bench) => ((bench.named === true) === named ? [bench.name] : [])).join(' ');
  console.log(`npm run bench [-- NAME...] [--json]\n\nMeasures these: ${listed(false)}\nOnly when named: ${listed(true)}`);
  process.exit();
}
const flags = words.filter((word) => word.startsWith('-') && word !== '--json');
if (flags.length > 0) fail(`unknown option ${flags.join(', ')}; npm run bench -- --help lists all`);
const unknown = names.filter((name) => !ALL.some((bench) => bench.name === name));
if (unknown.length > 0) fail(`no bench called ${unknown.join(', ')}; there are ${ALL.map(({ name }) => name).join(', ')}`);
const chosen = (benches) => benches.filter(({ name, named }) => (names.length === 0 ? named !== true : names.includes(name)));
if ((chosen(OF_PROGRAM).length > 0 || chosen(SERVED).some(({ name }) => name === 'serve-first')) && !existsSync(PROGRAM))
  fail('dist/ is not built: npm run build');

const folder = mkdtempSync(join(tmpdir(), 'podcheck-bench-'));
try {
  const results = chosen(BENCHES).map(measured);
  const loads = [...(await loaded(chosen(LOADS))), ...(await readCertificates(chosen(CERTIFICATE_LOADS)))];
  loads.push(...(await measuredLarge(chosen(LARGE_LOADS), { root: ROOT, program: PROGRAM, folder, fail })));
  loads.push(...(await measuredPreflight(chosen(PREFLIGHT_LOADS), { program: PROGRAM, folder, bundled, fail })));
  const watches = chosen(WATCH_LOADS);
  if (watches.length > 0)
    loads.push(...(await measuredWatch(watches, { program: PROGRAM, folder, make: await makerOf(ROOT, folder), fail })));
  loads.push(...(await measuredLive(chosen(LIVE_LOADS), { root: ROOT, program: PROGRAM, folder, fail })));
  const served = [...(await measuredServed(chosen(SERVED))), ...(await measuredRules(chosen(RULES)))];
  served.push(...(await measuredSarif(chosen(SARIF_LOADS), { bundled, fail })));
  served.push(...(await measuredPage(chosen(PAGE_LOADS), { program: PROGRAM, folder, bundled })));
  if (json) console.log(JSON.stringify([...results, ...loads, ...served], null, 2));
  else print(results, loads, served);
  if ([...results, ...loads, ...served].some(({ holds }) => !holds) || growthsOf(loads).some(({ holds }) => !holds)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs both in turns, so that whatever else the machine does meets both; the median of each counts. */
function measured({ name, args, bound, exit }) {
  const [own, base] = [[], []];
  timed(args, exit);
  timed(BASELINE, 0);
  for (let run = 0; run < RUNS; run++) {
    base.push(timed(BASELINE, 0));
    own.push(timed(args, exit));
  }
  const [value, baseline] = [median(own), median(base)];
  const ratio = value / baseline;
  return { name, value: round(value), unit: 'ms', baseline: round(baseline), ratio: round(ratio), bound, holds: ratio <= bound };
}

/** Plays each load once in a Node of its own: long enough that one run is telling. The simulator needs no built program. */
async function loaded(loads) {
  if (loads.length === 0) return [];
  const { build } = await import('esbuild');
  const program = join(folder, 'load.mjs');
  const contents =
    "import { runLoad } from './test/simulator/run-load.ts';\nprocess.stdout.write(JSON.stringify(runLoad(process.argv[2])));";
  await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: program,
    banner: { js: REQUIRE },
    logLevel: 'error',
  });
  return loads.map(({ name, seconds, megabytes }) => {
    // Node gives a heap 4 GB by itself.
    const heap = megabytes > 4000 ? [`--max-old-space-size=${megabytes - 600}`] : [];
    const run = JSON.parse(
      execFileSync(process.execPath, [...heap, program, name], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, NODE_OPTIONS: '' },
      }),
    );
    if (run.result !== run.expected) fail(`${name} came to ${run.result}, not ${run.expected}`);
    const [value, processor, memory] = [round(run.seconds), round(run.processorSeconds), Math.round(run.megabytes)];
    return {
      name,
      value,
      unit: 's',
      processor,
      bound: seconds,
      memory,
      memoryBound: megabytes,
      holds: value <= seconds && memory <= megabytes,
    };
  });
}

async function measuredServed(benches) {
  const results = [];
  for (const { name, bound, unit } of benches) {
    if (name !== 'serve-watches' && !hasKubectl()) {
      console.error(`${name} was not run: there is no kubectl on this machine`);
      continue;
    }
    const [value, beside] = await { 'serve-first': firstAnswer, 'serve-list': listRatio, 'serve-watches': watchMegabytes }[name]();
    results.push({ name, value: round(value), unit, bound, beside, holds: value <= bound });
  }
  return results;
}

async function measuredRules(benches) {
  if (benches.length === 0) return [];
  const program = await bundled(
    'rules',
    "import { logSeconds, workloadMilliseconds } from './test/engine/rule-loads.ts';\nprocess.stdout.write(JSON.stringify({ log: await logSeconds(), workload: await workloadMilliseconds() }));",
  );
  const { log, workload } = JSON.parse(
    execFileSync(process.execPath, [program], { cwd: ROOT, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } }),
  );
  if (log.heard !== 1000) fail(`rules-log: ${log.heard} of 100,000 lines say something, not 1,000`);
  if (workload.cause !== 'volumes/configmap-not-found') fail(`rules-workload names ${workload.cause}`);
  const values = { 'rules-log': log.seconds, 'rules-workload': workload.milliseconds };
  return benches.map(({ name, bound, unit }) => ({
    name,
    value: round(values[name]),
    unit,
    bound,
    beside: '',
    holds: values[name] <= bound,
  }));
}

/** The whole way somebody goes: the program is started, says where it serves, and kubectl answers. */
async function firstAnswer() {
  const times = [];
  for (let run = 0; run < 7; run++) {
    const kubeconfig = join(folder, 'kubeconfig');
    const start = process.hrtime.bigint();
    const child = spawn(process.execPath, [PROGRAM, 'sim', 'serve', 'volumes/configmap-not-found', '--kubeconfig', kubeconfig], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '', XDG_STATE_HOME: folder },
    });
    await once(child.stdout, 'data');
    execFileSync('kubectl', ['get', 'pods', '-A', '--kubeconfig', kubeconfig, '--cache-dir', join(folder, `cache-${run}`)], {
      stdio: 'ignore',
    });
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
    child.kill('SIGINT');
    await once(child, 'exit');
  }
  return [median(times), ''];
}

async function listRatio() {
  const { milliseconds, staticMilliseconds, rows } = await ranServed('runList(10_000)');
  if (rows !== 10_000) fail(`serve-list printed ${rows} rows`);
  return [milliseconds / staticMilliseconds, `${Math.round(milliseconds)} ms, static ${Math.round(staticMilliseconds)} ms`];
}

async function watchMegabytes() {
  const client = join(folder, 'watch-client.mjs');
  const { WATCH_CLIENT } = await bundled('client', "export { WATCH_CLIENT } from './test/server/serve-loads.ts';").then(
    (file) => import(file),
  );
  await bundled('watch-client', WATCH_CLIENT);
  const { events, faithful, ready, seconds, megabytes } = await ranServed(`runWatches(500, 5000, ${JSON.stringify(client)})`);
  if (ready !== 5000 || faithful !== 500)
    fail(`serve-watches: ${faithful} of 500 watches heard all ${events} events in order, ${ready} of 5000 pods are ready`);
  return [megabytes, `${events} events each, ${Math.round(seconds)} s`];
}

/** Runs in a Node of its own, whose memory is the served cluster's. */
async function ranServed(call) {
  const program = await bundled(
    'served',
    `import { runList, runWatches } from './test/server/serve-loads.ts';\nprocess.stdout.write(JSON.stringify(await ${call}));\nvoid runList, runWatches;`,
  );
  return JSON.parse(
    execFileSync(process.execPath, [program], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 1e9,
    }),
  );
}

async function bundled(name, contents) {
  const { build } = await import('esbuild');
  const outfile = join(folder, `${name}.mjs`);
  await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
  });
  return outfile;
}

function hasKubectl() {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Makes each load, and lets the built program read it in a Node of its own, which tells at its end what it took. */
async function readCertificates(loads) {
  if (loads.length === 0) return [];
  const { build } = await import('esbuild');
  const maker = join(folder, 'make-certificates.mjs');
  const contents =
    "import { CERTIFICATE_LOADS } from './test/certificates/loads.ts';\nconst [, , name, folder] = process.argv;\nprocess.stdout.write(JSON.stringify(CERTIFICATE_LOADS[name](folder)));";
  await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: maker,
    logLevel: 'error',
  });
  return loads.map(({ name, load = name, flag, output = 'json', seconds, megabytes }) => {
    const place = join(folder, name);
    const { unique, occurrences } = JSON.parse(execFileSync(process.execPath, [maker, load, place], { encoding: 'utf8' }));
    const report = join(folder, `${name}.json`);
    const took = `process.on('exit', () => { const used = process.resourceUsage(); require('node:fs').writeFileSync(${JSON.stringify(report)}, JSON.stringify({ seconds: (used.userCPUTime + used.systemCPUTime) / 1e6, megabytes: used.maxRSS / 1024 })); });`;
    const hook = join(folder, 'took.cjs');
    writeFileSync(hook, took);
    const start = performance.now();
    const { status, stdout } = spawnSync(process.execPath, ['--require', hook, PROGRAM, 'cert-expiry', flag, place, '-o', output], {
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const clock = (performance.now() - start) / 1000;
    if (status !== 0) fail(`${name} exited with ${status}, not 0`);
    if (output === 'json') {
      const { certificates } = JSON.parse(stdout);
      if (certificates.length !== unique) fail(`${name}: ${certificates.length} of ${unique} certificates were found`);
      if (certificates.flatMap(({ places }) => places).length !== occurrences) fail(`${name}: not all of ${occurrences} places were found`);
    } else if (stdout.split('\n').length < occurrences) fail(`${name}: not all of ${occurrences} places are told`);
    const run = JSON.parse(readFileSync(report, 'utf8'));
    const [value, processor, memory] = [round(clock), round(run.seconds), Math.round(run.megabytes)];
    return {
      name,
      value,
      unit: 's',
      processor,
      bound: seconds,
      memory,
      memoryBound: megabytes,
      holds: value <= seconds && memory <= megabytes,
    };
  });
}

function timed(args, exit) {
  const start = process.hrtime.bigint();
  try {
    execFileSync(process.execPath, args, { cwd: folder, stdio: 'ignore', env: { ...process.env, NODE_OPTIONS: '' } });
    if (exit !== 0) throw Object.assign(new Error('it ended well'), { status: 0 });
  } catch (error) {
    if (error.status !== exit) fail(`node ${args.join(' ')} exited with ${error.status}, not ${exit}`);
  }
  return Number(process.hrtime.bigint() - start) / 1e6;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function round(value) {
  return Math.round(value * 100) / 100;
}

function print(results, loads, served) {
  if (served.length > 0) console.log('what           measured    bound');
  for (const { name, value, unit, bound, beside, holds } of served)
    console.log(
      `${name.padEnd(14)} ${`${value.toFixed({ times: 2, s: 2 }[unit] ?? 0)} ${unit}`.padEnd(11)} ${`${bound} ${unit}`.padEnd(10)} ${holds ? 'ok' : 'BROKEN'}${beside === '' ? '' : ` (${beside})`}`,
    );
  if (loads.length > 0) console.log('load                 clock      bound   processor  memory   bound');
  for (const { name, value, bound, processor, memory, memoryBound, ratio, ratioBound, ratioOf, holds } of loads) {
    console.log(
      `${name.padEnd(20)} ${`${value.toFixed(1)} s`.padEnd(10)} ${`${bound} s`.padEnd(7)} ${`${processor.toFixed(1)} s`.padEnd(10)} ${`${memory} MB`.padEnd(8)} ${memoryBound} MB ${holds ? 'ok' : 'BROKEN'}${ratio === undefined ? '' : ` (${ratio.toFixed(1)} times ${ratioOf}, bound ${ratioBound})`}`,
    );
  }
  printGrowth(loads);
  if (results.length === 0) return;
  console.log('name       value      baseline   ratio  bound');
  for (const { name, value, unit, baseline, ratio, bound, holds } of results) {
    console.log(
      `${name.padEnd(10)} ${`${value.toFixed(1)} ${unit}`.padEnd(10)} ${`${baseline.toFixed(1)} ${unit}`.padEnd(10)} ${ratio.toFixed(2).padEnd(6)} ${bound.toFixed(1)} ${holds ? 'ok' : 'BROKEN'}`,
    );
  }
}

function printGrowth(loads) {
  for (const { of, over, ratio, bound, holds } of growthsOf(loads))
    console.log(`a pod of ${of} costs ${ratio.toFixed(2)} times as much as one of ${over} (bound ${bound}) ${holds ? 'ok' : 'BROKEN'}`);
}

/** Of those whose two loads were measured. */
function growthsOf(loads) {
  return GROWTHS.flatMap((growth) => {
    const [large, small] = [growth.of, growth.over].map((name) => loads.find((load) => load.name === name));
    if (large === undefined || small === undefined) return [];
    const ratio = large.processor / small.processor / growth.times;
    return [{ ...growth, ratio, holds: ratio <= growth.bound }];
  });
}

function fail(words) {
  console.error(words);
  process.exit(2);
}
