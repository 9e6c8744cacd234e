import { PodcheckError } from '../../base/errors.ts';
import { loadRules } from '../../catalog/load-rules.ts';
import { shippedPlaybooks, shippedRules } from '../../catalog/bundled-data.ts';
import { problemLines } from '../../catalog/yaml-problem.ts';
import type { Rule } from '../../model/rule.ts';

/** The shipped rules and those of the folders; of two with one id the later counts, so that a shipped rule can be replaced. */
export async function gatherRules(folders: readonly string[]): Promise<readonly Rule[]> {
  const shipped = await shippedRules();
  if (folders.length === 0) return shipped;
  let rules = shipped;
  for (const folder of folders) rules = mergeRules(rules, await rulesIn(folder));
  return rules;
}

/** In order of their ids; of two with one id that of `own`. */
export function mergeRules(rules: readonly Rule[], own: readonly Rule[]): readonly Rule[] {
  const byId = new Map([...rules, ...own].map((rule) => [rule.id, rule]));
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The rules of a folder, all of them valid, or an error that names every problem's file, line and field. */
export async function rulesIn(folder: string): Promise<readonly Rule[]> {
  const [others, playbooks] = await Promise.all([shippedRules(), shippedPlaybooks()]);
  const { rules, problems } = await loadRules(folder, { others, playbooks: playbooks.map(({ name }) => name) });
  if (problems.length > 0) {
    throw new PodcheckError(
      'bad-input',
      [`${problems.length === 1 ? 'a rule is' : 'rules are'} invalid:`, ...problemLines(problems)].join('\n'),
      'see a valid rule with `podcheck rules show volumes/configmap-not-found -o yaml`',
    );
  }
  if (rules.length === 0)
    throw new PodcheckError('bad-input', `no rules in ${folder}`, 'rules are files named <stage>/<name>.yaml in this folder');
  return rules;
}
