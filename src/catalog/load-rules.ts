import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PodcheckError, reasonOf } from '../base/errors.ts';
import type { Rule } from '../model/rule.ts';
import { parseRule } from './parse-rule.ts';
import type { Problem } from './yaml-cursor.ts';

export interface LoadedRules {
  /** In order of their ids; only those without a problem. */
  readonly rules: readonly Rule[];
  readonly problems: readonly Problem[];
}

/** Reads all rules below a folder: `<stage>/<name>.yaml`. Files with a second dot (`<name>.scenario.yaml`) are something else. */
export async function loadRules(directory: string): Promise<LoadedRules> {
  const problems: Problem[] = [];
  const rules: Rule[] = [];
  for (const path of await ruleFiles(directory)) {
    const file = join(directory, path);
    const rule = parseRule(file, await readFile(file, 'utf8'), path.replace(/\.yaml$/, ''), problems);
    if (rule !== undefined) rules.push(rule);
  }
  return { rules, problems };
}

async function ruleFiles(directory: string): Promise<readonly string[]> {
  let entries: readonly string[];
  try {
    entries = await readdir(directory, { recursive: true });
  } catch (error) {
    throw new PodcheckError('bad-input', `cannot read the rules in ${directory}: ${reasonOf(error)}`, 'name a folder with <stage>/<name>.yaml files');
  }
  return entries.map((path) => path.split('\\').join('/')).filter((path) => /(^|\/)[^./]+\.yaml$/.test(path)).toSorted();
}
