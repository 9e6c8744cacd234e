// Starts a real Kubernetes cluster and runs the live suite on it. npm run live -- [--bounded] [FAULT or file of test/live ...]
// --bounded is for CI: what this machine cannot do (build Kubernetes, start the cluster), or not in 18 minutes, is said, and no failure.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CUT_OFF, oracle, ROOT, whatIsLacking, withRealCluster } from './real-cluster.mjs';

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
  const code = withRealCluster({ kube, until, env: { PODCHECK_LIVE_FAULTS: faults.join(',') } }, (run) => {
    if (run('sh', '-c', FIRST_POD) !== 0) return failed('a pod does not start on this machine');
    const chosen = [
      ...files,
      ...(faults.length > 0
        ? ['every-fault']
        : words.length === 0
          ? ['every-fault', 'healthy-workloads', 'killed-runbook', 'restricted-users', 'watched-cluster']
          : []),
    ];
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const code = run(process.execPath, vitest, 'run', '--config', '.build/vitest-live.config.ts', ...chosen);
    return code === CUT_OFF ? failed('the live suite was not run to its end: it took too long') : code;
  });
  return code ?? failed('the cluster did not start: see the lines above');
}
