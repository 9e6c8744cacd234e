import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { commonModules } from './common-modules.mjs';

const DOOR = 'src/simulator/index.ts';
const REEXPORT = /^export (type )?\{([^}]*)\} from '([^']+)';$/gm;
const THROUGH_DOOR = /^(import|export) \{([^}]*)\} from '([^']*simulator\/index\.ts)';$/gm;

/**
 * Whoever takes a name from the door of the simulator takes it from the file behind it in the bundle. Otherwise the page would have all
 * that the door leads to, the numbers of protobuf's fields among it, as the program that shares its chunks needs them. And whoever needs a
 * common module gets them all (`commonModules`).
 */
export function directImports(root) {
  const door = join(root, DOOR);
  const files = filesBehind(door);
  const common = commonModules(root);
  return {
    name: 'direct-imports',
    setup(build) {
      build.onResolve({ filter: /^common-modules$/ }, ({ path }) => ({ path, namespace: 'common', sideEffects: true }));
      build.onLoad({ filter: /.*/, namespace: 'common' }, () => ({
        contents: common.modules.map((file) => `import './${relative(root, file)}';`).join('\n'),
        resolveDir: root,
        loader: 'js',
      }));
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const contents = source.replace(THROUGH_DOOR, (statement, verb, names, from) =>
          resolve(dirname(path), from) === door
            ? namesOf(names)
                .map((name) => direct(verb, name, path, files))
                .join('')
            : statement,
        );
        return { contents: common.without.has(path) ? contents : `import 'common-modules';${contents}`, loader: 'ts' };
      });
    },
  };
}

/** The file that has each name behind the door. */
function filesBehind(door) {
  const source = readFileSync(door, 'utf8');
  const files = new Map();
  const rest = source.replace(REEXPORT, (_, isType, names, from) => {
    for (const name of isType === undefined ? namesOf(names) : []) files.set(name, join(dirname(door), from));
    return '';
  });
  if (/^\s*(export|import|const|function|class)\b/m.test(rest)) throw new Error(`${DOOR} does more than to hand on names`);
  return files;
}

function namesOf(list) {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}

function direct(verb, name, path, files) {
  const file = files.get(name.split(' as ')[0]);
  if (file === undefined) throw new Error(`${path}: ${DOOR} does not hand on ${name}`);
  const from = relative(dirname(path), file);
  return `${verb} { ${name} } from '${from.startsWith('.') ? from : `./${from}`}';`;
}
