// Loads of test/clusters/large-cluster.ts: a snapshot of a large cluster, read and judged by the built program, and parsed by nothing but
// JSON.parse, line by line, for comparison.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * How many pods, what is asked, and what it may take: seconds by the clock, megabytes, and how many times as long as parsing alone.
 * `kinds`: what was saved of the cluster, where that is not all.
 */
export const LARGE_LOADS = [
  { name: 'scan-large-tenth', pods: 10_000, verb: 'scan', seconds: 3, megabytes: 400, times: 2.5 },
  { name: 'scan-large', pods: 100_000, verb: 'scan', seconds: 12, megabytes: 900, times: 2.5 },
  { name: 'scan-large-pods', pods: 100_000, kinds: ['Pod'], verb: 'scan', seconds: 12, megabytes: 900, times: 2.5 },
  { name: 'diagnose-large', pods: 100_000, verb: 'diagnose', seconds: 3, megabytes: 900 },
];

const PARSE = `
const { openSync, readSync } = require('node:fs');
const file = openSync(process.argv[1], 'r');
const piece = Buffer.allocUnsafe(1024 * 1024);
let [rest, parsed] = [Buffer.alloc(0), 0];
for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
  const bytes = Buffer.concat([rest, piece.subarray(0, read)]);
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    const last = bytes[end - 1] === 44 ? end - 1 : end;
    if (bytes[start] === 123 && bytes[last - 1] === 125) {
      JSON.parse(bytes.toString('utf8', start, last));
      parsed++;
    }
    start = end + 1;
  }
  rest = Buffer.from(bytes.subarray(start));
}
if (parsed < 1000) throw new Error('too few objects were parsed');
`;

/** Writes each cluster once, and measures every load of it in a Node of its own. */
export async function measuredLarge(loads, { root, program, folder, fail }) {
  if (loads.length === 0) return [];
  const make = await makerOf(root, folder);
  const [clusters, results] = [new Map(), []];
  for (const { name, pods, kinds = [], verb, seconds, megabytes, times } of loads) {
    const path = join(folder, `cluster-${[pods, ...kinds].join('-')}.json`);
    if (!clusters.has(path)) {
      const made = JSON.parse(execFileSync(process.execPath, [make, path, String(pods), ...kinds], { encoding: 'utf8' }));
      clusters.set(path, { ...made, parse: times === undefined ? undefined : used(['-e', PARSE, path], folder, [0], fail) });
    }
    const cluster = clusters.get(path);
    const { failing, parse } = cluster;
    const asked = verb === 'scan' ? ['scan'] : ['diagnose', `pod/${failing.name}`, '-n', failing.namespace];
    const run = used([program, ...asked, '--from', path, '-o', 'json'], folder, [1], fail);
    check({ name, verb, isWhole: kinds.length === 0 }, JSON.parse(run.output), cluster, fail);
    const ratio = times === undefined ? undefined : run.clock / parse.clock;
    results.push({
      name,
      value: round(run.clock),
      unit: 's',
      processor: round(run.seconds),
      bound: seconds,
      memory: Math.round(run.megabytes),
      memoryBound: megabytes,
      ...(ratio === undefined ? {} : { ratio: round(ratio), ratioBound: times, ratioOf: 'JSON.parse' }),
      holds: run.clock <= seconds && run.megabytes <= megabytes && (ratio ?? 0) <= (times ?? 0),
    });
  }
  return results;
}

function check({ name, verb, isWhole }, answer, { causes, failing: { pods } }, fail) {
  if (!isWhole && answer.counts.unhealthy !== pods) fail(`${name} counts ${answer.counts.unhealthy} unhealthy pods, not ${pods}`);
  if (!isWhole) return;
  const found = answer.causes.length;
  const wanted = verb === 'scan' ? causes : 1;
  if (found !== wanted) fail(`${name} names ${found} causes, not ${wanted}`);
}

/** The program that writes a cluster into a file, and prints what fails in it. */
export async function makerOf(root, folder) {
  const maker = join(folder, 'make-cluster.mjs');
  const contents =
    "import { failingPod, writeLargeCluster } from './test/clusters/large-cluster.ts';\nconst [, , path, count, ...kinds] = process.argv;\nconst { causes, failing: pods } = writeLargeCluster(path, Number(count), kinds.length === 0 ? undefined : kinds);\nprocess.stdout.write(JSON.stringify({ causes, failing: { ...failingPod(), pods } }));";
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: maker,
    logLevel: 'error',
  });
  return maker;
}

/** Runs Node, which tells at its end what it took. */
export function used(args, folder, exits, fail, input = '') {
  const [hook, report] = [join(folder, 'used.cjs'), join(folder, 'used.json')];
  writeFileSync(
    hook,
    `process.on('exit', () => { const used = process.resourceUsage(); require('node:fs').writeFileSync(${JSON.stringify(report)}, JSON.stringify({ seconds: (used.userCPUTime + used.systemCPUTime) / 1e6, megabytes: used.maxRSS / 1024 })); });`,
  );
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', hook, ...args], {
    encoding: 'utf8',
    maxBuffer: 1e9,
    input,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const clock = (performance.now() - start) / 1000;
  if (!exits.includes(status)) fail(`node ${args.slice(0, 3).join(' ')} exited with ${status}: ${stderr.slice(0, 2000)}`);
  return { clock, output: stdout, ...JSON.parse(readFileSync(report, 'utf8')) };
}

export function round(value) {
  return Math.round(value * 100) / 100;
}
