// Plays seeded operations on a real cluster and on the served simulator, and prints what differs. npm run differ -- --seed N --count M.
// `--beside` is for a real cluster that runs already: KUBECONFIG names it, and this process reaches it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compiled } from './bundled-data.mjs';
import { oracle, ROOT, whatIsLacking, withRealCluster } from './real-cluster.mjs';

const words = process.argv.slice(2);
const START_MILLISECONDS = 30_000;

process.exitCode = words[0] === '--beside' ? await beside(words.slice(1)) : whole(words);

function whole(given) {
  const lacking = whatIsLacking();
  if (lacking !== undefined) return failed(`nothing was compared: ${lacking}`);
  const kube = oracle();
  if (kube === undefined) return failed('Kubernetes could not be built: see the lines above');
  const code = withRealCluster({ kube, words: ['--control-plane'] }, (run) =>
    run(process.execPath, fileURLToPath(import.meta.url), '--beside', ...given),
  );
  return code ?? failed('the cluster did not start: see the lines above');
}

/** Serves a simulated cluster and compares it with the one of KUBECONFIG. */
async function beside(given) {
  const home = await mkdtemp(join(tmpdir(), 'podcheck-differ-'));
  const kubeconfig = join(home, 'kubeconfig');
  const served = spawn(
    process.execPath,
    [join(ROOT, 'dist/podcheck.js'), '--kubeconfig', kubeconfig, 'sim', 'serve', 'no-nodes', '--seed', '1'],
    { env: { ...process.env, HOME: home }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const interrupted = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve(130));
  });
  try {
    for (let waited = 0; !existsSync(kubeconfig); waited += 50) {
      if (served.exitCode !== null || waited > START_MILLISECONDS)
        return failed('the simulated cluster did not start: see the lines above');
      await pause(50);
    }
    const { main } = await compiled(ROOT, 'test/differ/main.ts');
    const compared = main(given, {
      folder: join(ROOT, 'test/differ'),
      kubeconfigs: { real: process.env.KUBECONFIG ?? '', simulated: kubeconfig },
      write: (text) => process.stdout.write(text),
    });
    return await Promise.race([compared, interrupted]);
  } finally {
    served.kill('SIGTERM');
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

function failed(why) {
  process.stderr.write(`${why}\n`);
  return 2;
}
