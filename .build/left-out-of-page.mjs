// Parts of the program that the page does without: each is put into a chunk of its own, and the page has something smaller in its place.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

const IMPORT = /^(?:import|export) (?!type )[^;]*?from '([^']+)';$/gm;

/** Its name, a part of the paths of its files, what it exports, and what the page has instead. */
const PARTS = [
  // The browser's own expressions instead of re2js, which has 47 kB. Elsewhere they could be made to take very long; in a page that hurts
  // nobody but who typed them.
  { name: 're2js', holds: '/re2js/', exports: { RE2JS: 're2js', RE2JSException: 're2js' }, instead: 'src/page/browser/own-patterns.ts' },
  // The programs of Kubernetes' own test image, which no scenario starts.
  {
    name: 'agnhost',
    holds: 'src/simulator/shell/agnhost/',
    exports: { agnhostCommands: './src/simulator/shell/agnhost/agnhost.ts' },
    instead: 'src/simulator/shell/listening-agnhost.ts',
  },
];

/** Where the page has a source, without its ending. */
function fileOf(source) {
  return `page/${basename(source, '.ts')}`;
}

const ENTRY = 'left-out:';
const NEEDS = 'needs-of:';

/** Entries of the build that make the chunks; they themselves are not kept. */
export function entriesOfParts() {
  return Object.fromEntries(
    PARTS.flatMap(({ name, holds, instead }) => [
      [fileOf(instead), instead],
      [`page/${name}`, `${ENTRY}${name}`],
      // A chunk holds what the same entries need: what a part takes from elsewhere is not to be in its chunk.
      ...(holds.startsWith('src/') ? [[`page/needs-${name}`, `${NEEDS}${name}`]] : []),
    ]),
  );
}

/** The files of the entries that are not kept. */
export function filesOfParts(dist) {
  return PARTS.flatMap(({ name, holds }) => [name, ...(holds.startsWith('src/') ? [`needs-${name}`] : [])]).map((name) =>
    join(dist, `page/${name}.js`),
  );
}

export function leftOutParts(root) {
  return {
    name: 'left-out-parts',
    setup(build) {
      build.onResolve({ filter: /^(?:left-out|needs-of):/ }, ({ path }) => ({ path, namespace: 'part-of-page' }));
      build.onLoad({ filter: /.*/, namespace: 'part-of-page' }, ({ path }) => {
        const part = PARTS.find(({ name }) => path.endsWith(`:${name}`));
        const lines = path.startsWith(ENTRY)
          ? Object.entries(part.exports).map(([name, from]) => `export { ${name} } from '${from}';`)
          : needsOf(root, part).map((file, index) => `export * as need${index} from './${file}';`);
        return { contents: lines.join('\n'), resolveDir: root, loader: 'js' };
      });
    },
  };
}

/** What the files of a part import from elsewhere. */
function needsOf(root, { holds }) {
  const folder = join(root, holds);
  const files = readdirSync(folder).map((name) => join(folder, name));
  const needs = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, from]) => relative(root, resolve(dirname(file), from))),
  );
  return [...new Set(needs)].filter((file) => !file.startsWith(holds)).toSorted();
}

/** By the path of each chunk, what the page has in its place. */
export function replacedInPage({ outputs }, dist) {
  const exported = (file) => outputs[file].exports.toSorted().join(' ');
  return Object.fromEntries(
    PARTS.map(({ name, holds, instead }) => {
      const own = `${dist}/${fileOf(instead)}.js`;
      const chunks = Object.keys(outputs).filter((file) => Object.keys(outputs[file].inputs).some((input) => input.includes(holds)));
      const [chunk] = chunks;
      if (chunk === undefined || chunks.length > 1 || exported(chunk) !== exported(own))
        throw new Error(`${name} is not in one chunk of its own with the exports ${exported(own)}: ${chunks} ${chunks.map(exported)}`);
      return [relative(dist, chunk), `${fileOf(instead)}.js`];
    }),
  );
}
