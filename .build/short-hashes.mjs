import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a hash ends with, in names of files that others load. */
const HASHED = /\b[\w.-]{1,100}-[A-Z\d]{8}\.js\b/g;

/** Signs of a hash that are left: as few of these as tell a name from all others. */
const LENGTHS = [3, 4, 5, 8];

/**
 * Leaves three of eight signs of the hashes in names of chunks: each name stands in a dozen files, and does not compress. They tell one
 * build from another; where two files of one would be the same, these two have more.
 */
export async function shortenHashes(dist) {
  const files = await readdir(dist, { recursive: true });
  const chunks = files.filter((file) => file.startsWith('chunks')).flatMap((file) => file.match(HASHED) ?? []);
  const short = new Map(chunks.map((name) => [name, shortened(name, chunks)]));
  for (const file of files.filter((name) => /\.(?:js|json)$/.test(name))) {
    const path = join(dist, file);
    const code = await readFile(path, 'utf8');
    const renamed = code.replaceAll(HASHED, (name) => short.get(name) ?? name);
    if (renamed !== code) await writeFile(path, renamed);
  }
  for (const [name, to] of short) await rename(join(dist, 'chunks', name), join(dist, 'chunks', to));
}

function shortened(name, names) {
  const cut = (one, length) => one.slice(0, one.length - '12345678.js'.length + length);
  const length = LENGTHS.find((signs) => names.filter((one) => cut(one, signs) === cut(name, signs)).length === 1);
  return `${cut(name, length)}.js`;
}
