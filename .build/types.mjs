// Writes dist/types/: the declarations of the library and of what they name, and nothing else. Run before the package is packed.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TYPES = join(ROOT, 'dist/types');

const folder = await mkdtemp(join(ROOT, 'node_modules/.podcheck-types-'));
try {
  // `npm run types` checks: here only what the library names is read, and written.
  const options = {
    noEmit: false,
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    removeComments: false,
    rootDir: ROOT,
    outDir: folder,
  };
  const project = join(folder, 'tsconfig.json');
  await writeFile(
    project,
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions: options, include: [], files: [join(ROOT, 'src/index.ts')] }),
  );
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['--project', project], { cwd: ROOT, stdio: 'inherit' });
  await rm(TYPES, { recursive: true, force: true });
  for (const file of await reachable(join(folder, 'src'), 'index.d.ts')) {
    const target = join(TYPES, file);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, withoutProse(await readFile(join(folder, 'src', file), 'utf8')));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/**
 * What a constant says to a person is only some text to the compiler, and of the tables of facts and certificates the library names the
 * keys alone: the package has a bound.
 */
function withoutProse(declarations) {
  return declarations
    .replace(/(readonly (?:says|title|breaks): )(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*");/g, '$1string;')
    .replace(/(readonly fields: )\{[^{}]*\};/g, '$1Readonly<Record<string, FieldSpec>>;')
    .replace(/(readonly '?[\w-]+'?: )\{\s*readonly (?:title|says): (?![^{}]* captures: )[^{}]*\};/g, '$1object;');
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
