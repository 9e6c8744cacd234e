import { readFile, writeFile } from 'node:fs/promises';
import { minify } from 'oxc-minify';

/**
 * Shortens the names of what lives within functions, which is a tenth of the packed program. Names of functions and classes, and of all
 * that a module declares, stay: a stack in a bug report has to be readable.
 */
export async function shortenNames(files) {
  for (const file of files) {
    const { code, errors } = await minify(file, await readFile(file, 'utf8'), {
      module: true,
      compress: false,
      mangle: { toplevel: false, keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: true },
    });
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
    await writeFile(file, code);
  }
}
