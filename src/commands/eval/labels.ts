import { PodcheckError } from '../../base/errors.ts';
import { readText } from '../../files/read-bounded.ts';
import type { YamlCursor } from '../../catalog/yaml-cursor.ts';
import type { Problem } from '../../catalog/yaml-problem.ts';
import { openYaml } from '../../catalog/yaml-cursor.ts';
import type { Label } from './score.ts';

/**
 * Reads a labels file: `labels: {<rootCause>: {rule: <id or list of ids>, params?} | {none: true} | {outside: true}}`.
 * Throws a PodcheckError (bad-input) that names file, line and field of everything wrong in it.
 */
export async function loadLabels(file: string): Promise<ReadonlyMap<string, Label>> {
  return parseLabels(file, await readText(file, 'the labels file', 'Give it with --labels.'));
}

/** Like `loadLabels`, of a text. */
export function parseLabels(file: string, source: string): ReadonlyMap<string, Label> {
  const problems: Problem[] = [];
  const root = openYaml(file, source, problems);
  const labels = new Map<string, Label>();
  if (problems.length === 0) {
    for (const [name, cursor] of root.fields(['labels'], ['labels']).get('labels')?.entries() ?? []) {
      const label = labelAt(cursor);
      if (label !== undefined) labels.set(name, label);
    }
  }
  if (problems.length === 0) return labels;
  const lines = problems.map(({ line, field, message }) => `${file}:${String(line)}: ${field === '' ? '' : `${field}: `}${message}`);
  throw new PodcheckError(
    'bad-input',
    lines.join('\n'),
    'A label is {rule: <id or list of ids>, params?: {…}}, {none: true} or {outside: true}.',
  );
}

function labelAt(cursor: YamlCursor): Label | undefined {
  if (!cursor.isMap()) return cursor.problem('expected a map with rule, none or outside');
  const fields = cursor.fields(['rule', 'params', 'none', 'outside']);
  const given = ['rule', 'none', 'outside'].filter((name) => fields.has(name));
  if (given.length !== 1) return cursor.problem('expected exactly one of rule, none and outside');
  const [rule, params] = [fields.get('rule'), fields.get('params')];
  if (rule === undefined) {
    if (params !== undefined) return params.problem('params needs a rule');
    const kind = fields.has('none') ? 'none' : 'outside';
    const flag = fields.get(kind);
    return flag?.scalar() === true ? { kind } : flag?.problem('the only valid value is true');
  }
  const rules = (rule.isList() ? rule.items() : [rule]).map(ruleId).filter((id) => id !== undefined);
  if (rule.isList() && rule.items().length === 0) return rule.problem('expected at least one rule ID');
  return { kind: 'rule', rules, params: paramsAt(params) };
}

function ruleId(cursor: YamlCursor): string | undefined {
  const id = cursor.text();
  if (id === undefined) return undefined;
  return /^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/.test(id)
    ? id
    : cursor.problem(`${JSON.stringify(id)} is not a valid rule ID: write <stage>/<name>`);
}

function paramsAt(cursor: YamlCursor | undefined): Readonly<Record<string, string>> {
  const params: Record<string, string> = {};
  for (const [name, value] of cursor?.entries() ?? []) params[name] = String(value.scalar());
  return params;
}
