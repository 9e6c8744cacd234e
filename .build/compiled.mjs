// Builds dist/compiled/: the program once more as one script, and beside it what V8 made of it when it served a cluster. Serving then
// starts without compiling anything. Another V8 than the one that built it has no use for that, and loads the modules instead.
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The module that runs the program from the script: `runCompiled()` is false where it cannot. */
export const LOADER = `import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

const HERE = new URL('.', import.meta.url);
export const CACHE = \`compiled/\${process.versions.v8}-\${process.platform}-\${process.arch}.cache\`;

export function runCompiled() {
  let cachedData;
  try {
    cachedData = readFileSync(new URL(CACHE, HERE));
  } catch {
    return false;
  }
  const { script, run } = compiled(cachedData);
  if (script.cachedDataRejected) return false;
  run();
  return true;
}

export function compiled(cachedData) {
  const url = new URL('compiled/program.cjs', HERE);
  const filename = fileURLToPath(url);
  const script = new vm.Script(readFileSync(url, 'latin1'), { filename, cachedData, importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER });
  return { script, run: () => script.runInThisContext()(createRequire(url), { exports: {} }, new URL('main.js', HERE).href) };
}
`;

/** Needs the rest of dist/ to be there. */
export async function buildCompiled(root, dist, options) {
  await mkdir(join(dist, 'compiled'), { recursive: true });
  await writeFile(join(dist, 'compiled.js'), LOADER);
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    write: false,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    // Read as Latin-1: nothing else may be in it.
    charset: 'ascii',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
    define: { ...options.define, 'import.meta.url': 'podcheckHere' },
  });
  await writeFile(join(dist, 'compiled/program.cjs'), `(function(require,module,podcheckHere){var exports=module.exports;${outputFiles[0].text}\n})`);
  execFileSync(process.execPath, [fileURLToPath(new URL('warm-up.mjs', import.meta.url)), dist], { stdio: 'inherit', env: { ...process.env, NODE_OPTIONS: '' } });
}

