// Writes dist/types/: the declarations of the library and of what they name, and nothing else. Run before the package is packed.
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TYPES = join(ROOT, 'dist/types');

const folder = await mkdtemp(join(ROOT, 'node_modules/.podcheck-types-'));
try {
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  execFileSync(tsc, ['--project', join(ROOT, 'tsconfig.json'), '--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--removeComments', 'false', '--outDir', folder], { cwd: ROOT, stdio: 'inherit' });
  await rm(TYPES, { recursive: true, force: true });
  for (const file of await reachable(join(folder, 'src'), 'index.d.ts')) {
    const target = join(TYPES, file);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(folder, 'src', file), target);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** A declaration and those it imports, as paths below the folder. */
async function reachable(from, entry) {
  const seen = new Set();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = await readFile(join(from, file), 'utf8');
    for (const [, path] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g)) waiting.push(join(dirname(file), `${path}.d.ts`));
  }
  return seen;
}
