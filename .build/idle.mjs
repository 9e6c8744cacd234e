// Lists the clauses of rules that no situation needs. npm run idle -- [STAGE or ID].
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
process.chdir(ROOT);

const folder = await mkdtemp(join(ROOT, 'node_modules/.podcheck-idle-'));
try {
  const bundled = async (entry) => {
    const outfile = join(folder, `${createHash('sha256').update(entry).digest('hex')}.mjs`);
    await build({
      absWorkingDir: ROOT,
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      logLevel: 'error',
    });
    return outfile;
  };
  const player = await readFile(await bundled('test/support/scenario-runs.ts'), 'utf8');
  const { listIdleClauses } = await import(pathToFileURL(await bundled('test/support/list-idle-clauses.ts')).href);
  const idle = await listIdleClauses(process.argv[2] ?? '', join(ROOT, 'node_modules/.podcheck-idle'), player);
  console.log([...idle, `${idle.length} idle clauses`].join('\n'));
} finally {
  await rm(folder, { recursive: true, force: true });
}
