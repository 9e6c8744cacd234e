import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/**
 * Puts what was built into its place while others may run what lies there. What a program loads later has its content's hash in its
 * name, so it comes first; the files by which a program begins come after it, each replaced at once. What the build no longer has stays
 * for a week, for programs that began before, and `.npmignore` keeps it out of the package.
 */
export async function publish(from, to) {
  const files = (await filesIn(from)).toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  for (const file of files) await place(join(from, file), join(to, file));
  const built = new Set(files);
  const left = (await filesIn(to)).filter((file) => !built.has(file) && file !== IGNORE && !file.startsWith(DECLARATIONS));
  const known = new Set((await readFile(join(to, IGNORE), 'utf8').catch(() => '')).split('\n'));
  const kept = [];
  for (const file of left) {
    const path = join(to, file);
    const line = `/${file}`;
    if (!known.has(line)) await utimes(path, new Date(), new Date());
    if (Date.now() - (await stat(path)).mtimeMs > KEPT_MILLISECONDS) await rm(path);
    else kept.push(line);
  }
  if (kept.length === 0) await rm(join(to, IGNORE), { force: true });
  else await writeFile(join(to, IGNORE), `${kept.toSorted().join('\n')}\n`);
}

const IGNORE = '.npmignore';
/** They are made apart from the program (types.mjs). */
const DECLARATIONS = 'types/';
const KEPT_MILLISECONDS = 7 * 86_400_000;

/** What lies in a folder has a hash in its name and comes first; what is begun with comes last. */
function rank(file) {
  return file.includes('/') ? 0 : file.endsWith('podcheck.js') ? 2 : 1;
}

/** Nothing is done where the same lies there already. Others may read it, whatever the umask says. */
async function place(from, to) {
  const [content, before] = [await readFile(from), await readFile(to).catch(() => undefined)];
  const mode = ((await stat(from)).mode & 0o100) === 0 ? 0o644 : 0o755;
  if (before !== undefined && content.equals(before)) return chmod(to, mode);
  await mkdir(dirname(to), { recursive: true, mode: 0o755 });
  const beside = `${to}.${process.pid}`;
  await copyFile(from, beside);
  await chmod(beside, mode);
  await rename(beside, to);
}

async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
}
