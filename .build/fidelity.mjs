// Compares the simulator with recordings of a real cluster. npm run fidelity -- DIR [--json] [--only WORD] [--seed N].
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const folder = await mkdtemp(join(ROOT, 'node_modules/.podcheck-fidelity-'));
try {
  const outfile = join(folder, 'fidelity.mjs');
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['test/fidelity/main.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  const { main } = await import(pathToFileURL(outfile).href);
  process.exitCode = main(process.argv.slice(2), join(ROOT, 'test/fidelity/setups.yaml'));
} finally {
  await rm(folder, { recursive: true, force: true });
}
