// Builds dist/: the program as a split ESM bundle that needs nothing beside Node, the library, the schemas, the data and the notices.
// The build goes into a folder of its own and is then put in place file by file, and is left out where dist/ is up to date: a program
// that runs from dist/ keeps its files. `--force` builds anyway.
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { inputDigest } from './input-digest.mjs';
import { writeNotices } from './notices.mjs';
import { publish } from './publish.mjs';
import { nameChunks } from './chunk-names.mjs';
import { shortenExports } from './short-exports.mjs';
import { shortenNames } from './shorten-names.mjs';
import { slimClient } from './slim-client.mjs';
import { bundledData, compiled } from './bundled-data.mjs';
import { directImports } from './direct-imports.mjs';
import { entriesOfParts, filesOfParts, leftOutParts, replacedInPage } from './left-out-of-page.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const DIST = join(ROOT, 'dist');
const NEXT = join(ROOT, `node_modules/.podcheck-build-${process.pid}`);
const STAMP = join(ROOT, 'node_modules/.podcheck-built');
const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));

/** CommonJS packages in the bundle ask for Node's own modules with `require`: for the files that name it. */
const REQUIRE = "import{createRequire as podcheckRequire}from'node:module';const require=podcheckRequire(import.meta.url);\n";

/** The page of `sim page`: it shares its chunks with the program. */
const PAGE = {
  'page/ui': 'src/page/browser/ui.ts',
  'page/worker': 'src/page/browser/worker.ts',
  ...entriesOfParts(),
};

/**
 * The version is told before anything is loaded; Node 22 and later start faster with the compiled code of the last run at hand. Node
 * opens all files of a program at once: with a low limit of open files nothing of podcheck is there to say so.
 */
const ENTRY = `#!/usr/bin/env node
if (process.argv.length === 3 && process.argv[2] === '--version') {
  process.stdout.on('error', (error) => refused(error, 'ENOSPC', 'cannot write to stdout: no space left on device', 'Free some disk space.'));
  process.stdout.write(${JSON.stringify(`${version}\n`)});
} else {
  const { enableCompileCache } = (await import('node:module')).default;
  enableCompileCache?.();
  await import('./main.js').catch((error) => refused(error, 'EMFILE', 'too many open files', 'Raise the limit of open files: ulimit -n 1024.'));
}

function refused(error, code, message, hint) {
  if (error.code === 'EPIPE') return;
  if (error.code !== code) throw error;
  process.stderr.write(\`error: \${message}\\nhint: \${hint}\\n\`);
  process.exitCode = 2;
}
`;

const COMPLETE_ENTRY = `#!/usr/bin/env node
// kubectl asks this program what could come next when somebody types \`kubectl podcheck …\`.
process.argv.splice(2, 0, '__complete');
await import('./podcheck.js');
`;

const digest = await inputDigest(ROOT);
if (process.argv.includes('--force') || !(await isBuilt(digest))) {
  await rm(NEXT, { recursive: true, force: true });
  try {
    await buildInto(NEXT);
    await publish(NEXT, DIST);
  } finally {
    await rm(NEXT, { recursive: true, force: true });
  }
  await writeFile(STAMP, digest);
}

async function buildInto(dist) {
  await mkdir(join(dist, 'schemas'), { recursive: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { main: 'src/main.ts', index: 'src/index.ts', ...PAGE },
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    // Modules are known by their paths: those of packages must not tell where node_modules really lies.
    preserveSymlinks: true,
    chunkNames: 'chunks/[name]-[hash]',
    logLevel: 'warning',
    metafile: true,
    define: { PODCHECK_VERSION: JSON.stringify(version) },
    // Its modules for browsers ask for nothing of Node, which the page has not, and only what is used of them is taken.
    alias: { yaml: join(ROOT, 'node_modules/yaml/browser/dist/index.js') },
    // The first that reads a file has it: what reads all of src comes last.
    plugins: [leftOutParts(ROOT), slimClient(), bundledData(ROOT, dist), directImports(ROOT)],
  });
  const outputs = Object.keys(metafile.outputs).map((file) => join(ROOT, file));
  const hasShortNames = ({ inputs }) => {
    const bytes = (of) => of.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
    const named = Object.entries(inputs).filter(
      ([input]) => !/^(?:node_modules|src\/(?:collect|drill|engine|page|server|simulator))\//.test(input),
    );
    return bytes(named) < bytes(Object.entries(inputs)) / 10;
  };
  const short = Object.entries(metafile.outputs).filter(([, output]) => hasShortNames(output));
  await shortenNames(outputs, new Set(short.map(([file]) => join(ROOT, file))));
  for (const file of outputs) {
    const code = await readFile(file, 'utf8');
    if (/\brequire\b/.test(code)) await writeFile(file, REQUIRE + code);
  }
  await writeFile(join(dist, 'page/replaced.json'), JSON.stringify(replacedInPage(metafile, relative(ROOT, dist))));
  for (const file of filesOfParts(dist)) await rm(file);
  await shortenExports(dist);
  await nameChunks(dist);
  for (const [name, text] of [
    ['podcheck.js', ENTRY],
    ['kubectl_complete-podcheck.js', COMPLETE_ENTRY],
  ]) {
    await writeFile(join(dist, name), text);
    await chmod(join(dist, name), 0o755);
  }
  const schemas = join(ROOT, 'src/report/schemas');
  for (const file of await readdir(schemas)) {
    const schema = JSON.parse(await readFile(join(schemas, file), 'utf8'));
    await writeFile(join(dist, 'schemas', file), `${JSON.stringify(schema)}\n`);
  }
  const { fileSchemas } = await compiled(ROOT, 'src/catalog/schemas/file-schemas.ts');
  for (const [file, schema] of Object.entries(fileSchemas())) await writeFile(join(dist, 'schemas', file), `${JSON.stringify(schema)}\n`);
  await writeNotices(ROOT, metafile, join(dist, 'THIRD-PARTY-LICENSES.txt'));
}

async function isBuilt(wanted) {
  const [stamp, entry] = await Promise.all([STAMP, join(DIST, 'podcheck.js')].map((file) => readFile(file, 'utf8').catch(() => undefined)));
  return entry !== undefined && stamp === wanted;
}
