import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a hash ends with, in names of files that others load. */
const HASHED = /\b[\w.-]{1,100}-[A-Z\d]{8}\.js\b/g;

/**
 * Leaves four of eight signs of the hashes in names of chunks: each name stands in a dozen files, and does not compress. Four signs tell
 * one build from another; where two files of one would be the same, all names stay.
 */
export async function shortenHashes(dist) {
  const files = await readdir(dist, { recursive: true });
  const chunks = files.filter((file) => file.startsWith('chunks')).flatMap((file) => file.match(HASHED) ?? []);
  const short = new Map(chunks.map((name) => [name, name.replace(/....\.js$/, '.js')]));
  if (new Set(short.values()).size < short.size) return;
  for (const file of files.filter((name) => /\.(?:js|json)$/.test(name))) {
    const path = join(dist, file);
    const code = await readFile(path, 'utf8');
    const shortened = code.replaceAll(HASHED, (name) => short.get(name) ?? name);
    if (shortened !== code) await writeFile(path, shortened);
  }
  for (const [name, to] of short) await rename(join(dist, 'chunks', name), join(dist, 'chunks', to));
}
