// Changes the sources one place at a time and tells which changes no test notices. npm run mutate -- [FOLDER] [--count N] [--seed S] [--near].
import { rmSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The sources that are changed: those of the folder that npm runs this in. */
const SUBJECT = process.cwd();
const LEFT_OUT = ['.git', 'node_modules', 'dist', 'coverage'];
const folders = [];

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.once('exit', () => {
  // The tests' process may still be writing: it ends when it sees that this one has.
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

const program = await mkdtemp(join(ROOT, 'node_modules/.podcheck-mutate-'));
folders.push(program);
await build({
  absWorkingDir: ROOT,
  entryPoints: { main: 'test/mutate/main.ts', session: 'test/mutate/session.ts', 'record-executed': 'test/mutate/record-executed.ts' },
  outdir: program,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'error',
});
const { main } = await import(pathToFileURL(join(program, 'main.mjs')).href);
process.exitCode = await main(process.argv.slice(2), {
  root: SUBJECT,
  copied,
  session: pathToFileURL(join(program, 'session.mjs')),
  kept: join(SUBJECT, 'node_modules/.podcheck-executions'),
  write: (text) => process.stdout.write(text),
});
await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));

/** Changes are written to a copy: tests may start programs that read the sources, and nobody's work is ever touched. */
async function copied() {
  const copy = await mkdtemp(join(tmpdir(), 'podcheck-mutate-'));
  folders.push(copy);
  for (const name of await readdir(SUBJECT))
    if (!LEFT_OUT.includes(name)) await cp(join(SUBJECT, name), join(copy, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
  return copy;
}
