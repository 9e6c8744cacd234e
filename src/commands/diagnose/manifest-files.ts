import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PodcheckError } from '../../base/errors.ts';
import { systemReason } from '../../base/system-error.ts';
import { readBounded } from '../../files/read-bounded.ts';
import type { CommandContext } from '../context.ts';

export interface ManifestText {
  /** As it is called in messages. */
  readonly file: string;
  readonly text: string;
}

/**
 * The texts of manifests as `kubectl apply -f` takes them: files, folders (their YAML and JSON, with `recursive` also below), and
 * `-` for stdin. Throws a PodcheckError (bad-input, usage) naming what cannot be read. Nothing is fetched.
 */
export async function manifestTexts(
  words: readonly string[],
  { stdin, recursive }: { readonly stdin: CommandContext['stdin']; readonly recursive: boolean },
): Promise<readonly ManifestText[]> {
  const texts: ManifestText[] = [];
  for (const word of words) {
    if (word === '-') texts.push({ file: 'stdin', text: await everything(stdin()) });
    else for (const file of await filesOf(word, recursive)) texts.push({ file, text: await textOf(file) });
  }
  return texts;
}

/** Whether a word is a folder of manifests or stdin, and so no scenario. */
export async function isManifestPlace(word: string): Promise<boolean> {
  return word === '-' || (await stat(word).catch(() => undefined))?.isDirectory() === true;
}

export async function textOf(file: string): Promise<string> {
  try {
    return (await readBounded(file, LIMIT_BYTES)).toString('utf8');
  } catch (error) {
    throw new PodcheckError('bad-input', `cannot read ${file}: ${systemReason(error)}`, '`podcheck sim list` lists the bundled scenarios');
  }
}

async function filesOf(word: string, recursive: boolean): Promise<readonly string[]> {
  if (/^https?:\/\//.test(word))
    throw new PodcheckError(
      'usage',
      `cannot read ${word}: the simulator does not use the network`,
      `curl -fsSL ${word} | podcheck sim try -f -`,
    );
  if (!(await isManifestPlace(word))) return [word];
  const entries = (await readdir(word, { withFileTypes: true, recursive })).filter((entry) => entry.isFile() && EXTENSION.test(entry.name));
  if (entries.length === 0)
    throw new PodcheckError(
      'bad-input',
      `no manifests in ${word}: recognized file extensions are [.json .yaml .yml]`,
      recursive ? undefined : 'use -R to read subfolders',
    );
  return entries.map((entry) => join(entry.parentPath, entry.name)).toSorted();
}

const EXTENSION = /\.(ya?ml|json)$/;
/** More than etcd would take of a hundred objects. */
const LIMIT_BYTES = 64 * 1024 * 1024;

async function everything(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > LIMIT_BYTES) throw new PodcheckError('bad-input', 'stdin: the manifests are larger than 64 MiB', 'give fewer manifests');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
