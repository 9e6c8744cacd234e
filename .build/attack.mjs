// Tries hostile inputs on the program and checks that its promises hold. npm run attack -- --minutes N [--seed S].
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundledData } from './bundled-data.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

process.chdir(ROOT);
await mkdir(join(ROOT, 'node_modules'), { recursive: true });
const folder = await mkdtemp(join(ROOT, 'node_modules/.podcheck-attack-'));
try {
  await build({
    absWorkingDir: ROOT,
    entryPoints: { main: 'test/attack/main.ts', worker: 'test/attack/worker.ts', killed: 'test/attack/killed.ts' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    define: { PODCHECK_VERSION: '"attacked"' },
    plugins: [bundledData(ROOT, folder)],
    logLevel: 'error',
  });
  const { main } = await import(pathToFileURL(join(folder, 'main.mjs')).href);
  process.exitCode = await main(process.argv.slice(2), pathToFileURL(join(folder, 'worker.mjs')), (text) => process.stdout.write(text));
} finally {
  await rm(folder, { recursive: true, force: true });
}
