import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Everything of the repository: what is built or installed is not ours. */
const FILES = walk('').toSorted();
const SOURCES = FILES.filter((file) => /^(src|test|\.build)\/.*\.(ts|mjs)$/.test(file));
const SHIPPED = FILES.filter((file) => /^(src|rules|playbooks)\//.test(file));
const TEXTS = FILES.filter(
  (file) => file !== 'package-lock.json' && file !== 'LICENSE' && /\.(ts|mjs|json|yaml|md|txt)$|^\.(npmrc|gitignore|ci\/run)$/.test(file),
);

const VISIBLE = ['LICENSE', 'README.md', 'package-lock.json', 'package.json', 'playbooks', 'rules', 'src', 'test', 'tsconfig.json'];
const LAYERS = [
  ['main', 'index'],
  ['cli'],
  ['commands'],
  ['page'],
  ['runbook', 'drill', 'server', 'watch'],
  ['library'],
  ['catalog', 'engine', 'collect', 'clusters', 'certificates', 'simulator', 'report'],
  ['files'],
  ['model'],
  ['base'],
];
/** The only files that name what others make. */
const DOORS = ['src/index.ts', 'src/simulator/index.ts'];
const PURE = ['base', 'model', 'engine', 'simulator', 'report', 'watch'];

describe('the walk over the repository', () => {
  it('finds sources, tests, rules and texts', () => {
    expect(SOURCES.filter((file) => file.startsWith('src/')).length).toBeGreaterThan(50);
    expect(SOURCES.filter((file) => file.endsWith('.test.ts')).length).toBeGreaterThan(5);
    expect(SHIPPED.filter((file) => file.startsWith('rules/')).length).toBeGreaterThan(5);
    expect(TEXTS.length).toBeGreaterThan(100);
  });
});

describe('the root of the repository', () => {
  it('shows nothing but what every newcomer needs', () => {
    const visible = new Set(FILES.map((file) => file.split('/')[0] ?? '').filter((name) => !name.startsWith('.')));
    expect(
      [...visible].filter((name) => !VISIBLE.includes(name)),
      'put it below src, test or a dotfolder',
    ).toEqual([]);
  });
});

describe('the lock file', () => {
  it('has every optional package that another names, or `npm ci` refuses it', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const wanted = Object.values(packages).flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}));
    expect(wanted.length).toBeGreaterThan(20);
    expect(wanted.filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)))).toEqual([]);
  });
});

describe('a source file', () => {
  it('has a name in kebab-case', () => {
    expect(SOURCES.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|e2e\.test|config))?\.(ts|mjs)$/.test(basename(file)))).toEqual([]);
  });

  it('is named after its one idea, not after being useful', () => {
    expect(
      SOURCES.filter((file) => /(^|\/)(utils?|helpers?|common|misc|shared|stuff)(\.|\/|$)/.test(file)),
      'name it after what it does',
    ).toEqual([]);
  });

  it('ends before four hundred lines', () => {
    expect(
      SOURCES.filter((file) => read(file).split('\n').length > 400),
      'split it by ideas',
    ).toEqual([]);
  });

  it('has lines of at most 140 columns, texts and expressions aside', () => {
    const tooLong = (line: string): boolean =>
      line.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\/(?:[^/\\\n]|\\.)+\/[a-z]*/g, "''").length > 140;
    expect(
      SOURCES.filter((file) => file.startsWith('src/') && !/\/(?:schema|table)\//.test(file) && read(file).split('\n').some(tooLong)),
      'take the statement apart',
    ).toEqual([]);
  });

  it('exports by name', () => {
    expect(SOURCES.filter((file) => file.startsWith('src/') && /^export default\b/m.test(read(file)))).toEqual([]);
  });

  it('re-exports nothing, but for index.ts', () => {
    expect(
      SOURCES.filter(
        (file) => file.startsWith('src/') && !DOORS.includes(file) && /^export (type )?(\*|\{[^}]*\}) from\b/m.test(read(file)),
      ),
      'import from where it is made',
    ).toEqual([]);
  });

  // The workers share modules: a hook of one is registered for the first test file only.
  it('cleans up for each test, where tests share it', () => {
    expect(
      SOURCES.filter((file) => file.startsWith('test/support/') && /^(?:after|before)(?:All|Each)\(/m.test(read(file))),
      'call onTestFinished in the function',
    ).toEqual([]);
  });

  it('has no enum, no suppressed error and no skipped or lonely test', () => {
    const banned = /^\s*(export )?(const )?enum \w|@ts-(ignore|nocheck)|(oxlint|eslint)-disable|\b(it|test|describe)\.(only|todo|skip)\(/m;
    expect(SOURCES.filter((file) => file !== 'test/tidy.test.ts' && banned.test(read(file)))).toEqual([]);
  });
});

describe('the layers', () => {
  it('are imported downwards only, lazily or not, and siblings do not import one another', () => {
    const wrong = SOURCES.filter((file) => file.startsWith('src/')).flatMap((file) =>
      importsOf(file)
        .filter((target) => !allowed(folderOf(file), folderOf(target)))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong, 'hand the value in, share the shape through model, or let commands join the two').toEqual([]);
  });

  it('enter the simulator by its one door', () => {
    const entries = SOURCES.filter((file) => file.startsWith('src/') && folderOf(file) !== 'simulator').flatMap((file) =>
      importsOf(file)
        .filter((target) => folderOf(target) === 'simulator')
        .map((target) => ({ file, target })),
    );
    expect(entries.filter(({ target }) => target === 'src/simulator/index.ts').length).toBeGreaterThan(20);
    expect(
      entries.filter(({ target }) => target !== 'src/simulator/index.ts').map(({ file, target }) => `${file} imports ${target}`),
      'add what is missing to src/simulator/index.ts',
    ).toEqual([]);
  });

  it('let nobody in the simulator know of fast-forwarding but the cluster and the list of components', () => {
    const inside = (file: string): boolean => file.startsWith('src/simulator/fast-forward/');
    const knowing = SOURCES.filter((file) => file.startsWith('src/simulator/') && !inside(file) && importsOf(file).some(inside));
    expect(knowing, 'ask World.unwritten, in the words of who asks').toEqual([
      'src/simulator/cluster.ts',
      'src/simulator/components/components.ts',
    ]);
  });

  it('are joined to a diagnosis in one place', () => {
    const joins = (file: string): boolean =>
      importsOf(file).includes('src/collect/collect.ts') &&
      importsOf(file).some((target) => ['src/engine/diagnose.ts', 'src/engine/scan.ts'].includes(target));
    const files = SOURCES.filter((file) => file.startsWith('src/') && file !== 'src/index.ts' && joins(file));
    expect(files, 'use examine of src/library/examine.ts').toEqual(['src/library/examine.ts']);
  });

  it('have a place for every folder of src', () => {
    const folders = new Set(SOURCES.filter((file) => file.startsWith('src/')).map(folderOf));
    expect(
      [...folders].filter((folder) => !LAYERS.flat().includes(folder)),
      'design the folder into a layer first',
    ).toEqual([]);
  });

  it('keep files out of what is pure', () => {
    expect(
      SOURCES.filter(
        (file) =>
          file.startsWith('src/') && PURE.includes(folderOf(file)) && importsOf(file).some((target) => folderOf(target) === 'files'),
      ),
      'read it above, and hand the text in',
    ).toEqual([]);
  });

  it('keep clock, randomness and process out of what is pure', () => {
    const banned = /\bnew Date\(\)|\bDate\.now\b|\bMath\.random\b|\bconsole\.|from 'node:|import\('node:/;
    // In the simulator a process is a simulated one: there only the linter, which knows what a name stands for, can tell Node's.
    const ofNode = (file: string): boolean => folderOf(file) !== 'simulator' && /\bprocess\./.test(withoutComments(read(file)));
    expect(
      SOURCES.filter(
        (file) => PURE.includes(folderOf(file)) && file.startsWith('src/') && (banned.test(withoutComments(read(file))) || ofNode(file)),
      ),
      'take it as an argument',
    ).toEqual([]);
  });
});

describe('a file that somebody else wrote', () => {
  it('is read up to a bound, for it may be a device without an end', () => {
    // What podcheck wrote by itself or comes with it; and how the bound is held.
    const own = /^src\/(?:files\/|runbook\/(?:trust|journal-head|journal-file|lock)\.ts|catalog\/bundled-data\.ts)/;
    const unbounded = /import \{[^}]*\b(?:readFile|readFileSync|createReadStream)\b[^}]*\} from 'node:fs/;
    expect(SOURCES.filter((file) => unbounded.test(read(file)) && own.test(file)).length).toBeGreaterThan(3);
    expect(
      SOURCES.filter((file) => file.startsWith('src/') && !own.test(file) && unbounded.test(read(file))),
      'use readBounded or readText of src/files/read-bounded.ts',
    ).toEqual([]);
  });
});

describe('a value from outside', () => {
  // Each throws, or gives NaN or Infinity, for some text or number.
  const ways: readonly (readonly [name: string, pattern: RegExp, home: string, instead: string])[] = [
    [
      'a time',
      /\bnew Date\(|\bDate\.(?:parse|UTC)\b|\.to(?:ISO|UTC|JSON|GMT)String\(/,
      'src/base/instant.ts',
      'parseInstant, parseDate, instantOf, formatInstant',
    ],
    [
      'a number',
      /(?<![\w.])(?:Number|BigInt)\s*[(),]|\bparse(?:Int|Float)\b/,
      'src/base/number.ts',
      'parseInteger, parseDecimal, parseDigits, parseBigint, numberOf, bigintOf',
    ],
    ['a count of repetitions', /\.repeat\((?!(?:[A-Z_]+|\d+)(?: [-+*] \d+)?\))/, 'src/base/text.ts', 'repeated'],
  ];

  it.each(ways)('becomes %s in one place, which checks it', (_, pattern, home, instead) => {
    const checked = ['src/base/quantity.ts', 'src/base/yaml/kube-scalar.ts', home];
    const wrong = SOURCES.filter((file) => file.startsWith('src/') && !checked.includes(file) && pattern.test(withoutComments(read(file))));
    expect(pattern.test(read(home))).toBe(true);
    expect(wrong, `use ${instead} of ${home}`).toEqual([]);
  });
});

describe('every text', () => {
  it('names no path of the machine it was written on', () => {
    // Root's home is the same everywhere, and rules speak of files in it.
    const paths = [homedir(), process.cwd()].filter((path) => path !== '/' && path !== '/root').map((path) => `${path}/`);
    expect(paths).not.toEqual([]);
    expect(TEXTS.filter((file) => paths.some((path) => read(file).includes(path)))).toEqual([]);
  });

  it('names no package registry', () => {
    const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    const host = new URL(registry).host;
    expect(
      [...TEXTS, 'package-lock.json'].filter(
        (file) => read(file).includes(host) || /"resolved"/.test(file === 'package-lock.json' ? read(file) : ''),
      ),
    ).toEqual([]);
  });

  it('ends with a newline, and has no blanks at line ends in code', () => {
    expect(SOURCES.filter((file) => !read(file).endsWith('\n') || (file.startsWith('src/') && /[ \t]$/m.test(read(file))))).toEqual([]);
  });

  it('has no unfinished work that is shipped', () => {
    const marks = /\b(TODO|FIXME|XXX)\b|throw .*not implemented|(\/\/|\*|#) .*not implemented/;
    expect(SHIPPED.filter((file) => marks.test(read(file)))).toEqual([]);
  });
});

function walk(folder: string): readonly string[] {
  return readdirSync(folder === '' ? '.' : folder, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', 'coverage', '.git'].includes(entry.name) || entry.name.endsWith('.tgz')) return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? walk(path) : [path];
  });
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

/** `engine` of `src/engine/bind-variables.ts`, `main` of `src/main.ts`. */
function folderOf(file: string): string {
  return file.split('/')[1]?.replace(/\.ts$/, '') ?? '';
}

/** Files of src that a file of src imports, statically, lazily or for their types. */
function importsOf(file: string): readonly string[] {
  const targets = [...read(file).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target]) => target ?? '');
  return targets.map((target) => new URL(target, `file:///${file}`).pathname.slice(1)).filter((target) => target.startsWith('src/'));
}

function allowed(from: string, to: string): boolean {
  if (from === to) return true;
  const [above, below] = [from, to].map((folder) => LAYERS.findIndex((layer) => layer.includes(folder)));
  return above !== undefined && below !== undefined && above < below;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
