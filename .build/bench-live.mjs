// `podcheck scan -A` of a large cluster through a local server, beside the time in which one connection downloads the same: its own requests,
// sent again one after the other by a program that reads nothing of what comes.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makerOf, round, used } from './bench-large.mjs';
import { served } from './bench-watch.mjs';

/** How many times as long as the download, megabytes, and requests beside pages and those about what fails. */
export const LIVE_LOADS = [
  { name: 'scan-live-tenth', pods: 10_000, times: 1.5, megabytes: 400, requests: 40 },
  { name: 'scan-live', pods: 100_000, times: 1.5, megabytes: 900, requests: 40 },
];

/** So many more for each workload that fails. */
const REQUESTS_A_FAILURE = 5;

const DOWNLOAD = `
const { Agent, get } = require('node:http');
const [, server] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const bytesAt = (path) => new Promise((resolve, reject) => {
  get(server + path, { agent }, (response) => {
    let bytes = 0;
    response.on('data', (piece) => { bytes += piece.length; });
    response.on('end', () => resolve(bytes));
  }).on('error', reject);
});
(async () => {
  let [text, bytes] = ['', 0];
  for await (const piece of process.stdin) text += piece;
  for (const path of JSON.parse(text)) bytes += await bytesAt(path);
  agent.destroy();
  process.stdout.write(String(bytes));
})();
`;

/** Measures each load against a server in another process. */
export async function measuredLive(loads, { root, program, folder, fail }) {
  if (loads.length === 0) return [];
  const make = await makerOf(root, folder);
  const results = [];
  for (const { name, pods, times, megabytes, requests: few } of loads) {
    const path = join(folder, `served-${pods}.json`);
    const { causes } = JSON.parse(execFileSync(process.execPath, [make, path, String(pods)], { encoding: 'utf8' }));
    const server = await served(path, folder);
    try {
      const run = used([program, 'scan', '-A', '-o', 'json', '--kubeconfig', server.kubeconfig], folder, [1], fail);
      const found = JSON.parse(run.output).causes.length;
      if (found !== causes) fail(`${name} names ${found} causes, not ${causes}`);
      const { requests, connections } = await (await fetch(`${server.url}/asked`)).json();
      const download = used(['-e', DOWNLOAD, server.url], folder, [0], fail, JSON.stringify(requests));
      const [pages, ratio] = [requests.filter((one) => one.includes('continue=')).length, run.clock / download.clock];
      const most = few + pages + REQUESTS_A_FAILURE * causes;
      results.push({
        name,
        value: round(run.clock),
        unit: 's',
        processor: round(run.seconds),
        bound: round(download.clock * times),
        memory: Math.round(run.megabytes),
        memoryBound: megabytes,
        ratio: round(ratio),
        ratioBound: times,
        ratioOf: 'its download',
        holds: ratio <= times && run.megabytes <= megabytes && requests.length <= most,
      });
      console.error(
        `${name}: ${Math.round(Number(download.output) / 1e6)} MB downloaded in ${round(download.clock)} s; ${requests.length} requests of at most ${most} (${pages} pages) over ${connections} connections`,
      );
    } finally {
      server.end();
    }
  }
  return results;
}
