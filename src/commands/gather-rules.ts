import { PodcheckError } from '../base/errors.ts';
import { loadRules } from '../catalog/load-rules.ts';
import { shippedRules } from '../catalog/bundled-data.ts';
import type { Rule } from '../model/rule.ts';

const PROBLEMS = 20;

/** The shipped rules and those of the folders; of two with one id the later counts, so that a shipped rule can be replaced. */
export async function gatherRules(folders: readonly string[]): Promise<readonly Rule[]> {
  const shipped = await shippedRules();
  if (folders.length === 0) return shipped;
  const byId = new Map(shipped.map((rule) => [rule.id, rule]));
  for (const folder of folders) for (const rule of await rulesIn(folder)) byId.set(rule.id, rule);
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The rules of a folder, all of them valid, or an error that names every problem's file, line and field. */
export async function rulesIn(folder: string): Promise<readonly Rule[]> {
  const { rules, problems } = await loadRules(folder);
  if (problems.length > 0) {
    const lines = problems.slice(0, PROBLEMS).map(({ file, line, field, message }) => `  ${file}:${line}: ${field === '' ? '' : `${field}: `}${message}`);
    const more = problems.length > PROBLEMS ? [`  and ${problems.length - PROBLEMS} more`] : [];
    throw new PodcheckError('bad-input', [`${problems.length === 1 ? 'a rule is' : 'rules are'} invalid:`, ...lines, ...more].join('\n'), 'see a valid rule with `podcheck rules show volumes/configmap-not-found -o yaml`');
  }
  if (rules.length === 0) throw new PodcheckError('bad-input', `no rules in ${folder}`, 'rules are files named <stage>/<name>.yaml in this folder');
  return rules;
}
