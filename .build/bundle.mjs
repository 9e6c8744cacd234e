// Builds dist/: the program as a split ESM bundle that needs nothing beside Node, the library, and the published schemas.
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildCompiled } from './compiled.mjs';
import { slimClient } from './slim-client.mjs';
import { shippedData } from './shipped-data.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));

/** CommonJS packages in the bundle ask for Node's own modules with `require`. */
const REQUIRE = "import { createRequire as podcheckRequire } from 'node:module';\nconst require = podcheckRequire(import.meta.url);";

/**
 * The most asked question is answered before anything is loaded; a cluster is served from what is compiled already; Node 22 and
 * later start faster with the compiled code of the last run at hand.
 */
const ENTRY = `#!/usr/bin/env node
if (process.argv.length === 3 && process.argv[2] === '--version') process.stdout.write(${JSON.stringify(`${version}\n`)});
else if (!(process.argv[2] === 'sim' && process.argv[3] === 'serve' && (await import('./compiled.js')).runCompiled())) {
  const { enableCompileCache } = (await import('node:module')).default;
  enableCompileCache?.();
  await import('./main.js');
}
`;

const COMPLETE_ENTRY = `#!/usr/bin/env node
// kubectl asks this program what could come next when somebody types \`kubectl podcheck …\`.
process.argv.splice(2, 0, '__complete');
await import('./podcheck.js');
`;

await rm(DIST, { recursive: true, force: true });
await mkdir(join(DIST, 'schemas'), { recursive: true });
const SHARED = { define: { PODCHECK_VERSION: JSON.stringify(version) }, plugins: [slimClient(), shippedData(ROOT, DIST)] };

await build({
  absWorkingDir: ROOT,
  entryPoints: { main: 'src/main.ts', index: 'src/index.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  keepNames: false,
  legalComments: 'linked',
  chunkNames: 'chunks/[name]-[hash]',
  banner: { js: REQUIRE },
  logLevel: 'warning',
  ...SHARED,
});
for (const [name, text] of [['podcheck.js', ENTRY], ['kubectl_complete-podcheck.js', COMPLETE_ENTRY]]) {
  await writeFile(join(DIST, name), text);
  await chmod(join(DIST, name), 0o755);
}
const schemas = join(ROOT, 'src/report/schemas');
for (const file of await readdir(schemas)) await copyFile(join(schemas, file), join(DIST, 'schemas', file));
await buildCompiled(ROOT, DIST, SHARED);
