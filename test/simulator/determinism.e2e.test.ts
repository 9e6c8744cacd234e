import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyFolder, runProgram } from '../support/built-program.ts';
import { mixedCluster } from './mixed-cluster.ts';

const NODES = [process.execPath, ...(process.env['PODCHECK_TEST_NODES'] ?? '').split(':').filter((path) => path !== '')];
/** Packages in CommonJS ask for Node's own modules, as in the program that is built. */
const REQUIRE = "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);";
const folder = emptyFolder();
const program = join(folder.path, 'mixed.mjs');

beforeAll(async () => {
  const contents = "import { mixedCluster } from './test/simulator/mixed-cluster.ts';\nprocess.stdout.write(mixedCluster(21).digest());";
  await build({
    stdin: { contents, resolveDir: resolve('.'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: program,
    banner: { js: REQUIRE },
    logLevel: 'error',
  });
});
afterAll(folder.remove);

describe.each(NODES.map((node) => [runProgram(node, ['--version'], { cwd: folder.path }).out.trim(), node]))(
  'a seed on node %s',
  (_, node) => {
    it('makes the same trace as here', () => {
      expect(runProgram(node, [program], { cwd: folder.path })).toEqual({ code: 0, out: mixedCluster(21).digest(), err: '' });
    });
  },
);
