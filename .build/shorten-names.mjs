import { readFile, writeFile } from 'node:fs/promises';
import { minify } from 'oxc-minify';

/**
 * Shortens all names but those of functions and classes, which is an eighth of the packed program: a stack in a bug report has to be
 * readable, and it names nothing else.
 */
export async function shortenNames(files) {
  for (const file of files) {
    const { code, errors } = await minify(file, await readFile(file, 'utf8'), {
      module: true,
      // Statements stay apart: a position in a stack tells which one it was.
      compress: { target: 'node20', keepNames: { function: true, class: true }, sequences: false, joinVars: false },
      mangle: { toplevel: true, keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: true },
    });
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
    await writeFile(file, code);
  }
}
