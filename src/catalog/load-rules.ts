import { isEmpty, joinFrames, NO_FRAMES } from '../model/frames.ts';
import type { Frames, Rule } from '../model/rule.ts';
import { checkWordings } from './check-wordings.ts';
import { parseRule } from './parse-rule.ts';
import { parseFrames } from './parse-frames.ts';
import { parseWordings } from './parse-wording.ts';
import type { RuleFile } from './rule-files.ts';
import { readRuleFiles } from './rule-files.ts';
import type { RuleWordings } from './rule-wordings.ts';
import type { Problem } from './yaml-problem.ts';
import { openYaml } from './yaml-cursor.ts';

export interface LoadedRules {
  /** In order of their ids; only those without a problem. */
  readonly rules: readonly Rule[];
  readonly problems: readonly Problem[];
}

/** What the rules of a folder may name beside each other: other rules, and the playbooks there are (without them: any). */
export interface RuleSurroundings {
  readonly others?: readonly Rule[];
  readonly playbooks?: readonly string[];
}

/**
 * Reads all rules below a folder: `<stage>/<name>.yaml`. `<stage>/_frames.yaml` has the wordings that stand around those of the stage's
 * rules. The rules may refer to what surrounds them, and to nothing that is not there.
 */
export async function loadRules(directory: string, { others = [], playbooks }: RuleSurroundings = {}): Promise<LoadedRules> {
  const problems: Problem[] = [];
  const files = await readRuleFiles(directory);
  const frames = framesOf(files, others, problems);
  const own = files.filter(({ id }) => !isFrames(id));
  const spoken = spokenBy(own, frames, others);
  const ids = new Set([...own, ...others].map(({ id }) => id));
  const rules = own.flatMap(
    ({ file, id, source }) =>
      parseRule(file, source, id, problems, { frames: frames.get(stageOf(id)) ?? NO_FRAMES, spoken, ids, playbooks }) ?? [],
  );
  checkWordings(rules, own, others, problems);
  return { rules, problems };
}

function isFrames(id: string): boolean {
  return id.endsWith('/_frames');
}

function stageOf(id: string): string {
  return id.split('/')[0] ?? '';
}

/** Frames by stage; a folder's own stand before those of the other rules. */
function framesOf(files: readonly RuleFile[], others: readonly Rule[], problems: Problem[]): ReadonlyMap<string, Frames> {
  const frames = new Map<string, Frames>();
  // Rules without wordings have none.
  for (const { stage, frames: known } of others) if (!isEmpty(known)) frames.set(stage, known);
  for (const { file, id, source } of files.filter((each) => isFrames(each.id))) {
    const fields = openYaml(file, source, problems).fields(['frames'], ['frames']);
    frames.set(stageOf(id), joinFrames(parseFrames(fields.get('frames')), frames.get(stageOf(id)) ?? NO_FRAMES));
  }
  return frames;
}

/** The wordings of all rules by their ids: what is wrong with one is told where its rule is parsed. */
function spokenBy(
  files: readonly RuleFile[],
  frames: ReadonlyMap<string, Frames>,
  others: readonly Rule[],
): ReadonlyMap<string, RuleWordings> {
  const spoken = new Map<string, RuleWordings>(others.filter(({ says }) => says.length > 0).map((rule) => [rule.id, rule]));
  for (const { file, id, source } of files) {
    if (!/^says:/m.test(source)) continue;
    const says = openYaml(file, source, []).entries().get('says');
    spoken.set(id, { says: parseWordings(says).filter(({ fact }) => fact === undefined), frames: frames.get(stageOf(id)) ?? NO_FRAMES });
  }
  return spoken;
}
