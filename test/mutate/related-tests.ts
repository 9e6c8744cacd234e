import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A test file that imports a source, however far down. */
export interface RelatedTest {
  readonly test: string;
  /** 0 in the folder of tests that stands for the source's own, 1 about the same folder of src or with a name like it, more elsewhere. */
  readonly distance: number;
}

/**
 * Test files by the source files they import: first those of the same folder, then those of the folder of src around it and those with a
 * name like that of the source or of its folder, last those that walk over everything, and of equals those that need the fewest steps: all tests of commands import all commands.
 */
export class RelatedTests {
  readonly #importers = new Map<string, string[]>();

  /** Reads the sources and tests below `root`. */
  constructor(root: string) {
    for (const file of [...typescriptBelow(root, 'src'), ...typescriptBelow(root, 'test')]) {
      for (const target of importsOf(root, file)) {
        const known = this.#importers.get(target);
        if (known === undefined) this.#importers.set(target, [file]);
        else known.push(file);
      }
    }
  }

  /** Unit tests only: what starts the built program does not see a change of its source. */
  of(file: string): readonly RelatedTest[] {
    const found: string[] = [];
    const folder = `${dirname(file).replace(/^src/, 'test')}/`;
    const top = `${folder.split('/', 2).join('/')}/`;
    const words = wordsOf(file);
    const distance = (test: string): number => {
      if (test.startsWith(folder)) return 0;
      return isLike(basename(test, '.test.ts'), words) || test.startsWith(top) ? 1 : dirname(test) === 'test' ? 3 : 2;
    };
    const seen = new Set([file]);
    for (let step = [file]; step.length > 0;) {
      const next = [...new Set(step.flatMap((one) => this.#importers.get(one) ?? []))].filter((one) => !seen.has(one)).toSorted();
      for (const one of next) seen.add(one);
      found.push(...next.filter((one) => one.endsWith('.test.ts') && !one.endsWith('.e2e.test.ts')));
      step = next;
    }
    return found.map((test) => ({ test, distance: distance(test) })).toSorted((a, b) => a.distance - b.distance);
  }
}

const LEAST_LETTERS = 4;

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/^src\/|\.ts$/g, '')
    .split(/[/-]/)
    .filter((word) => word.length >= LEAST_LETTERS);
}

/** `cert-expiry` is like `certificates`. */
function isLike(test: string, words: readonly string[]): boolean {
  return wordsOf(test).some((one) => words.some((word) => word.startsWith(one) || one.startsWith(word)));
}

/** Paths from `root`, with slashes. */
export function typescriptBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => name.endsWith('.ts'))
    .toSorted();
}

function importsOf(root: string, file: string): readonly string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const { staticImports, dynamicImports } = parseSync(file, source).module;
  const named = staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value);
  const lazy = dynamicImports.map(({ moduleRequest }) => source.slice(moduleRequest.start + 1, moduleRequest.end - 1));
  return [...named, ...lazy].filter((name) => name.startsWith('.')).map((name) => normalize(join(dirname(file), name)));
}
