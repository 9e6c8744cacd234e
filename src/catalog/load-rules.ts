import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PodcheckError } from '../base/errors.ts';
import { systemReason } from '../base/system-error.ts';
import { readText } from '../files/read-bounded.ts';
import type { Rule, Wording } from '../model/rule.ts';
import { parseRule } from './parse-rule.ts';
import { parseWordings } from './parse-wording.ts';
import type { RuleWordings } from './rule-wordings.ts';
import type { Problem } from './yaml-problem.ts';
import { openYaml } from './yaml-cursor.ts';

export interface LoadedRules {
  /** In order of their ids; only those without a problem. */
  readonly rules: readonly Rule[];
  readonly problems: readonly Problem[];
}

/**
 * Reads all rules below a folder: `<stage>/<name>.yaml`. Files with a second dot (`<name>.scenario.yaml`) are something else;
 * `<stage>/_frames.yaml` has the wordings that stand around those of the stage's rules. `others` are rules that these may refer to.
 */
export async function loadRules(directory: string, others: readonly Rule[] = []): Promise<LoadedRules> {
  const problems: Problem[] = [];
  const files = await Promise.all((await ruleFiles(directory)).map(async (path) => ({ file: join(directory, path), id: path.replace(/\.yaml$/, ''), source: await readText(join(directory, path), 'the rule', 'remove it, or make it a file', MOST_BYTES) })));
  const frames = framesOf(files, others, problems);
  const own = files.filter(({ id }) => !isFrames(id));
  const spoken = spokenBy(own, frames, others);
  const rules = own.flatMap(({ file, id, source }) => parseRule(file, source, id, problems, { frames: frames.get(stageOf(id)) ?? [], spoken }) ?? []);
  return { rules, problems };
}

/** Rules have a few kilobytes. */
const MOST_BYTES = 512 * 1024;

interface RuleFile {
  readonly file: string;
  readonly id: string;
  readonly source: string;
}

function isFrames(id: string): boolean {
  return id.endsWith('/_frames');
}

function stageOf(id: string): string {
  return id.split('/')[0] ?? '';
}

/** Frames by stage; a folder's own stand before those of the other rules. */
function framesOf(files: readonly RuleFile[], others: readonly Rule[], problems: Problem[]): ReadonlyMap<string, readonly Wording[]> {
  const frames = new Map(others.map(({ stage, frames: known }) => [stage as string, known]));
  for (const { file, id, source } of files.filter((each) => isFrames(each.id))) {
    const fields = openYaml(file, source, problems).fields(['frames'], ['frames']);
    frames.set(stageOf(id), [...parseWordings(fields.get('frames')), ...(frames.get(stageOf(id)) ?? [])]);
  }
  return frames;
}

/** The wordings of all rules by their ids: what is wrong with one is told where its rule is parsed. */
function spokenBy(files: readonly RuleFile[], frames: ReadonlyMap<string, readonly Wording[]>, others: readonly Rule[]): ReadonlyMap<string, RuleWordings> {
  const spoken = new Map<string, RuleWordings>(others.filter(({ says }) => says.length > 0).map((rule) => [rule.id, rule]));
  for (const { file, id, source } of files) {
    if (!/^says:/m.test(source)) continue;
    const says = openYaml(file, source, []).entries().get('says');
    spoken.set(id, { says: parseWordings(says), frames: frames.get(stageOf(id)) ?? [] });
  }
  return spoken;
}

async function ruleFiles(directory: string): Promise<readonly string[]> {
  let entries: readonly string[];
  try {
    entries = await readdir(directory, { recursive: true });
  } catch (error) {
    throw new PodcheckError('bad-input', `cannot read the rules in ${directory}: ${systemReason(error)}`, 'give a folder with <stage>/<name>.yaml files');
  }
  return entries.map((path) => path.split('\\').join('/')).filter((path) => /(^|\/)[^./]+\.yaml$/.test(path)).toSorted();
}
