// Loads of test/commands/preflight/loads.ts: manifests against a large snapshot by the built program, and many findings as SARIF.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { round, used } from './bench-large.mjs';

/** What each may take: seconds by the clock, and megabytes. */
export const PREFLIGHT_LOADS = [{ name: 'preflight-large', seconds: 3, megabytes: 900 }];
export const SARIF_LOADS = [{ name: 'sarif-thousand', bound: 1, unit: 's' }];

export async function measuredPreflight(loads, { program, folder, bundled, fail }) {
  if (loads.length === 0) return [];
  const maker = await bundled(
    'preflight-load',
    "import { writePreflightLoad } from './test/commands/preflight/loads.ts';\nprocess.stdout.write(JSON.stringify(writePreflightLoad(process.argv[2])));",
  );
  const place = join(folder, 'preflight');
  mkdirSync(place);
  const { snapshot, manifests, blocked } = JSON.parse(execFileSync(process.execPath, [maker, place], { encoding: 'utf8' }));
  return loads.map(({ name, seconds, megabytes }) => {
    const run = used([program, 'preflight', '-f', manifests, '--from', snapshot, '-o', 'json'], folder, [1], fail);
    const { workloads } = JSON.parse(run.output);
    const found = workloads.filter(({ verdict }) => verdict === 'blocked').length;
    if (found !== blocked) fail(`${name}: ${found} of ${workloads.length} workloads are blocked, not ${blocked}`);
    return {
      name,
      value: round(run.clock),
      unit: 's',
      processor: round(run.seconds),
      bound: seconds,
      memory: Math.round(run.megabytes),
      memoryBound: megabytes,
      holds: run.clock <= seconds && run.megabytes <= megabytes,
    };
  });
}

export async function measuredSarif(loads, { bundled, fail }) {
  if (loads.length === 0) return [];
  const program = await bundled(
    'sarif-load',
    "import { sarifSeconds } from './test/commands/preflight/loads.ts';\nprocess.stdout.write(JSON.stringify(sarifSeconds()));",
  );
  const { seconds, results } = JSON.parse(execFileSync(process.execPath, [program], { encoding: 'utf8' }));
  if (results !== 1000) fail(`sarif-thousand has ${results} results`);
  return loads.map(({ name, bound, unit }) => ({ name, value: round(seconds), unit, bound, beside: '', holds: seconds <= bound }));
}
