import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Larger files are left to those who need them. */
const MOST_CHARACTERS = 8_000;
/** What the page needs: it has a bound of its own, and would have the others for nothing. */
const NEEDED_BY = 'src/page/browser/worker.ts';
const FOLDERS = ['src/base', 'src/model', 'src/report'];
const STATIC_IMPORT = /^(?:import|export) (?!type )[^;]*?from '([^']+)';$/gm;
const IMPORT = new RegExp(String.raw`${STATIC_IMPORT.source}|\bimport\('([^']+)'\)`, 'gm');

/**
 * The small files that nearly every command needs, which import nothing but each other. Whoever needs one gets all: a bundler that splits
 * by who needs what would write a chunk for each of them, and what a chunk costs in packing is more than most of them have. What
 * starts the program alone and completes a command line gets no more than it asks for: it has to be quick.
 */
export function commonModules(root) {
  const texts = new Map(FOLDERS.flatMap((folder) => smallFiles(join(root, folder))).map((file) => [file, readFileSync(file, 'utf8')]));
  for (let before = -1; before !== texts.size;) {
    before = texts.size;
    for (const [file, text] of texts) if (!importsOf(text, file).every((one) => texts.has(one))) texts.delete(file);
  }
  const needed = filesFrom([join(root, NEEDED_BY)], IMPORT);
  const modules = [...texts.keys()].filter((file) => needed.has(file)).toSorted();
  const start = ['src/main.ts', ...readdirSync(join(root, 'src/cli')).map((name) => `src/cli/${name}`)].map((file) => join(root, file));
  const without = new Set([...modules, ...filesFrom(start, STATIC_IMPORT)]);
  return { modules, without };
}

function filesFrom(entries, imports) {
  const seen = new Set();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file) || !file.endsWith('.ts')) continue;
    seen.add(file);
    waiting.push(...importsOf(readFileSync(file, 'utf8'), file, imports));
  }
  return seen;
}

function smallFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.ts'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file, 'utf8').length <= MOST_CHARACTERS);
}

function importsOf(text, file, imports = IMPORT) {
  return Array.from(text.matchAll(imports), ([, from, later]) => from ?? later).map((from) =>
    from.startsWith('.') ? resolve(dirname(file), from) : from,
  );
}
