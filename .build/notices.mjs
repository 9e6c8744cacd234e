import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Licences under which a package may be part of the bundle. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);

/** Writes name, version, licence and notice of every package of which code is in the bundle; throws for one that may not be. */
export async function writeNotices(root, metafile, file) {
  const notices = [];
  for (const folder of packagesIn(metafile)) notices.push(await noticeOf(root, folder));
  await writeFile(file, `podcheck contains code of these packages.\n\n${notices.sort().join('\n')}`);
}

/** Folders of packages that the bundle takes bytes of: `node_modules/yaml`. */
function packagesIn({ outputs }) {
  const folders = new Set();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
      if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
    }
  }
  return folders;
}

async function noticeOf(root, folder) {
  const { name, version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
  if (!ALLOWED.has(license))
    throw new Error(`${name}@${version} has the licence ${JSON.stringify(license)}, which .build/notices.mjs does not allow in the bundle`);
  const files = (await readdir(join(root, folder))).filter((entry) => /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i.test(entry)).sort();
  const texts = await Promise.all(files.map((entry) => readFile(join(root, folder, entry), 'utf8')));
  return `${'='.repeat(80)}\n${name}@${version} (${license})\n${'='.repeat(80)}\n${texts.length === 0 ? `Its package has no licence file; its licence is ${license}.\n` : texts.map((text) => `${text.trim()}\n`).join('\n')}`;
}
