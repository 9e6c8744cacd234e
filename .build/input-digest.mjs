import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const INPUTS = ['.build', 'playbooks', 'rules', 'src', 'package.json', 'package-lock.json', 'tsconfig.json'];

/** A digest of everything that a build is made of: the same one means the same bytes in dist/. */
export async function inputDigest(root) {
  const hash = createHash('sha256').update(process.version);
  for (const input of INPUTS) {
    for (const file of await filesOf(root, input))
      hash
        .update(`${file}\0`)
        .update(await readFile(join(root, file)))
        .update('\0');
  }
  return hash.digest('hex');
}

async function filesOf(root, path) {
  if (!(await stat(join(root, path))).isDirectory()) return [path];
  const entries = await readdir(join(root, path), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
