import { readFile, writeFile } from 'node:fs/promises';
import { minify } from 'oxc-minify';

/**
 * Shortens all names but those of functions and classes, which is an eighth of the packed program: a stack in a bug report has to be
 * readable, and it names nothing else. In `short`, the files that are packages, the simulator, what serves and shows it, or the collectors
 * and the engine for nine tenths, functions lose their names, too: what fails there can be played again from the scenario or the evidence,
 * and a position in the file still tells the place.
 */
export async function shortenNames(files, short) {
  for (const file of files) {
    const keepNames = { function: !short.has(file), class: true };
    const { code, errors } = await minify(file, await readFile(file, 'utf8'), {
      module: true,
      // Statements stay apart: a position in a stack tells which one it was.
      compress: { target: 'node20', keepNames, sequences: false, joinVars: false },
      mangle: { toplevel: true, keepNames },
      codegen: { removeWhitespace: true },
    });
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
    await writeFile(file, code);
  }
}
