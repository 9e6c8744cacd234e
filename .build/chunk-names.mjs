import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a hash ends with, in names of files that others load. */
const HASHED = /\b[\w.-]{1,100}-[A-Z\d]{8}\.js\b/g;

/** Signs of a hash that are left: they tell one build from another. */
const SIGNS = 3;

/** How far the packer of the package sees back, in bytes. */
const WINDOW = 30_000;

/**
 * Names the chunks so that alike ones stand together where files are sorted by their names, which is how they are packed: a hundredth of
 * the package. And a name stands in a dozen files, and does not compress: three of eight signs of its hash are left, and no `chunk`.
 */
export async function nameChunks(dist) {
  const files = await readdir(dist, { recursive: true });
  const chunks = files.filter((file) => file.startsWith('chunks')).flatMap((file) => file.match(HASHED) ?? []);
  const texts = await Promise.all(
    chunks.toSorted().map(async (name) => ({ name, text: await readFile(join(dist, 'chunks', name), 'latin1') })),
  );
  const names = new Map(inOrder(texts).map(({ name }, position) => [name, shortName(name, position)]));
  for (const file of files.filter((name) => /\.(?:js|json)$/.test(name))) {
    const path = join(dist, file);
    const code = await readFile(path, 'utf8');
    const renamed = code.replaceAll(HASHED, (name) => names.get(name) ?? name);
    if (renamed !== code) await writeFile(path, renamed);
  }
  for (const [name, to] of names) await rename(join(dist, 'chunks', name), join(dist, 'chunks', to));
}

function shortName(name, position) {
  const [, own, hash] = /^(.+)-([A-Z\d]{8})\.js$/.exec(name);
  return `${position.toString(36).padStart(2, '0')}${hash.slice(0, SIGNS)}${own === 'chunk' ? '' : `-${own}`}.js`;
}

/** The large ones first; then each time the one that has most in common with what stands before it within the window. */
function inOrder(texts) {
  const large = texts.filter(({ text }) => text.length >= WINDOW);
  const left = new Map(texts.filter((one) => !large.includes(one)).map((one) => [one, shingles(one.text)]));
  const placed = [];
  while (left.size > 0) {
    const seen = new Set();
    for (let at = placed.length - 1, bytes = 0; at >= 0 && bytes < WINDOW; at--) {
      for (const shingle of placed[at].shingles) seen.add(shingle);
      bytes += placed[at].one.text.length;
    }
    let [next, most] = [undefined, -1];
    for (const [one, own] of left) {
      let common = 0;
      for (const shingle of own) if (seen.has(shingle)) common++;
      const share = common / Math.sqrt(one.text.length + 200);
      if (share > most) [next, most] = [one, share];
    }
    placed.push({ one: next, shingles: left.get(next) });
    left.delete(next);
  }
  return [...large, ...placed.map(({ one }) => one)];
}

/** Every eighth of the pieces of eight characters, chosen by what they are. */
function shingles(text) {
  const found = new Set();
  for (let at = 0; at + 8 < text.length; at++) {
    let hash = 0;
    for (let index = at; index < at + 8; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
    if ((hash & 7) === 0) found.add(hash);
  }
  return found;
}
