import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PodcheckError } from '../base/errors.ts';
import { systemReason } from '../base/system-error.ts';
import { readText } from '../files/read-bounded.ts';

/** A file of a folder of rules; `id` is its path without the ending. */
export interface RuleFile {
  readonly file: string;
  readonly id: string;
  readonly source: string;
}

/** Rules have a few kilobytes. */
const MOST_BYTES = 512 * 1024;

/** All `<stage>/<name>.yaml` below a folder in order. Files with a second dot (`<name>.scenario.yaml`) are something else. */
export async function readRuleFiles(directory: string): Promise<readonly RuleFile[]> {
  const paths = await rulePaths(directory);
  return Promise.all(
    paths.map(async (path) => ({
      file: join(directory, path),
      id: path.replace(/\.yaml$/, ''),
      source: await readText(join(directory, path), 'the rule', 'remove it, or make it a file', MOST_BYTES),
    })),
  );
}

async function rulePaths(directory: string): Promise<readonly string[]> {
  let entries: readonly string[];
  try {
    entries = await readdir(directory, { recursive: true });
  } catch (error) {
    throw new PodcheckError(
      'bad-input',
      `cannot read the rules in ${directory}: ${systemReason(error)}`,
      'give a folder with <stage>/<name>.yaml files',
    );
  }
  return entries
    .map((path) => path.split('\\').join('/'))
    .filter((path) => /(^|\/)[^./]+\.yaml$/.test(path))
    .toSorted();
}
