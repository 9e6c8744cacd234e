// `podcheck watch -A` of a large cluster: the time until everything is listed and until the first cause is told, and the memory after that.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Seconds to the first full picture, and megabytes then: diagnoses read whole objects, and take more for a while. */
export const WATCH_LOADS = [
  { name: 'watch-large-tenth', pods: 10_000, seconds: 10, megabytes: 200 },
  { name: 'watch-large', pods: 100_000, seconds: 30, megabytes: 250 },
];

const SERVER = fileURLToPath(new URL('watch-server.mjs', import.meta.url));

/** Measures each load in a process of its own, against a server in another one. `make` writes a cluster of so many pods into a file. */
export async function measuredWatch(loads, { program, folder, make, fail }) {
  const results = [];
  for (const { name, pods, seconds, megabytes } of loads) {
    const path = join(folder, `watched-${pods}.json`);
    const { causes } = JSON.parse(execFileSync(process.execPath, [make, path, String(pods)], { encoding: 'utf8' }));
    const server = await served(path, folder);
    try {
      const run = await watched(program, server.kubeconfig, causes, fail);
      results.push({
        name,
        value: round(run.listed),
        unit: 's',
        processor: round(run.processor),
        bound: seconds,
        memory: Math.round(run.megabytes),
        memoryBound: megabytes,
        holds: run.listed <= seconds && run.megabytes <= megabytes,
      });
      console.error(
        `${name}: first cause after ${round(run.first)} s, all ${causes} after ${round(run.all)} s; ${Math.round(run.highest)} MB at most, ${Math.round(run.after)} MB after 10 s`,
      );
    } finally {
      server.end();
    }
  }
  return results;
}

/** The server of a cluster in a process of its own, with a kubeconfig for it. */
export async function served(path, folder) {
  const server = spawn(process.execPath, ['--max-old-space-size=2000', SERVER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(server.stdout, 'data');
  const kubeconfig = join(folder, `served-${Number(port)}.kubeconfig`);
  writeFileSync(kubeconfig, kubeconfigOf(Number(port)));
  return { url: `http://127.0.0.1:${Number(port)}`, kubeconfig, end: () => server.kill() };
}

/** Waits for the full picture and for all causes, and reads what the system says of the process. */
async function watched(program, config, causes, fail) {
  const start = performance.now();
  const since = () => (performance.now() - start) / 1000;
  const child = spawn(process.execPath, [program, 'watch', '-A', '-o', 'json', '--serve', '127.0.0.1:0', '--kubeconfig', config], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  let [out, said, first] = ['', '', undefined];
  child.stdout.on('data', (part) => {
    first ??= since();
    out += part;
  });
  child.stderr.on('data', (part) => (said += part));
  const found = () => out.split('\n').filter((line) => line.includes('"type":"found"')).length;
  try {
    const url = await until(
      () => /http:\/\/[\d.]+:\d+/.exec(said)?.[0],
      () => fail(`the watch does not serve: ${said}`),
    );
    await until(
      async () => (await fetch(`${url}/readyz`)).status === 200,
      () => fail('the watch is not ready after ten minutes'),
    );
    const listed = since();
    const megabytes = memory(child.pid, 'VmRSS');
    await until(
      () => found() >= causes,
      () => fail(`the watch names ${found()} causes, not ${causes}: ${out.slice(0, 2000)}`),
    );
    const all = since();
    await pause(10_000);
    const [after, highest] = ['VmRSS', 'VmHWM'].map((name) => memory(child.pid, name));
    return { listed, first, all, megabytes, after, highest, processor: processorSeconds(child.pid) };
  } finally {
    child.kill('SIGINT');
    await once(child, 'close');
  }
}

async function until(done, late) {
  for (let round = 0; round < 6000; round++) {
    const value = await done();
    if (value !== undefined && value !== false) return value;
    await pause(100);
  }
  late();
  return undefined;
}

/** Megabytes, as Linux counts them. */
function memory(pid, name) {
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** User and system time; the kernel counts in hundredths of a second. */
function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function kubeconfigOf(port) {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'large', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'me', user: {} }],
    contexts: [{ name: 'large', context: { cluster: 'large', user: 'me' } }],
    'current-context': 'large',
  });
}

function round(value) {
  return Math.round(value * 100) / 100;
}
