import { didYouMean } from '../base/text.ts';
import { NO_FRAMES } from '../model/frames.ts';
import type { Fix, Frames, Rule } from '../model/rule.ts';
import { FIX_ROLES } from '../model/rule.ts';
import { STAGE_IDS } from '../model/stage.ts';
import type { Hearing } from './parse-pattern.ts';
import { heard, parsePatterns, parseWhen } from './parse-pattern.ts';
import { parseWordings } from './parse-wording.ts';
import { checkVariables } from './rule-variables.ts';
import type { RuleWordings } from './rule-wordings.ts';
import type { YamlCursor } from './yaml-cursor.ts';
import type { Problem } from './yaml-problem.ts';
import { openYaml } from './yaml-cursor.ts';

export const RULE_FIELDS = [
  'id',
  'stage',
  'title',
  'kind',
  'says',
  'when',
  'support',
  'object',
  'shared',
  'params',
  'what',
  'why',
  'fix',
  'explains',
  'before',
  'playbook',
  'references',
] as const;
export const RULE_REQUIRED = ['id', 'stage', 'title', 'what', 'why', 'fix'] as const;
export const RULE_KINDS = ['cause', 'symptom'] as const;
export const FIX_FIELDS = ['say', 'run', 'by', 'needs'] as const;

/** What a rule may refer to: the frames of its stage, the wordings of other rules by their ids, rules and playbooks. */
export interface Around {
  readonly frames: Frames;
  readonly spoken: ReadonlyMap<string, RuleWordings>;
  /** Ids of all rules, and names of all playbooks; without them a rule may name any. */
  readonly ids?: ReadonlySet<string> | undefined;
  readonly playbooks?: readonly string[] | undefined;
}

const ALONE: Around = { frames: NO_FRAMES, spoken: new Map() };

/** Reads one rule; undefined when anything is wrong, with a problem for each thing that is. `expectedId` is what its path says. */
export function parseRule(file: string, source: string, expectedId: string, problems: Problem[], around: Around = ALONE): Rule | undefined {
  const before = problems.length;
  const root = openYaml(file, source, problems);
  if (problems.length > before) return undefined;
  const fields = root.fields(RULE_FIELDS, RULE_REQUIRED);
  const wordings = parseWordings(fields.get('says'));
  const says = wordings.filter(({ fact }) => fact === undefined);
  if (!fields.has('when')) checkSaysAlone(root, fields.get('says'), says.length < wordings.length);
  const hearing: Hearing = {
    rule: expectedId,
    own: { says, frames: around.frames },
    ofRule: (id) => around.spoken.get(id),
    rules: around.spoken.keys(),
  };
  const rule: Rule = {
    id: textOf('id', fields),
    stage: fields.get('stage')?.oneOf(STAGE_IDS) ?? 'apply',
    title: textOf('title', fields),
    kind: fields.get('kind')?.oneOf(RULE_KINDS) ?? 'cause',
    says,
    tells: wordings.filter(({ fact }) => fact !== undefined),
    frames: wordings.length === 0 ? NO_FRAMES : around.frames,
    when: parseWhen(fields.get('when'), hearing),
    support: [...parsePatterns(fields.get('support'), hearing), ...(says.length === 0 ? [] : [heard(expectedId, hearing.own, {})])],
    ...optionalText('object', fields.get('object')),
    ...optionalText('shared', fields.get('shared')),
    ...(fields.has('params') ? { params: texts(fields.get('params')) } : {}),
    what: textOf('what', fields),
    why: textOf('why', fields),
    fix: parseFixes(fields.get('fix')),
    explains: texts(fields.get('explains')),
    before: texts(fields.get('before')),
    ...optionalText('playbook', fields.get('playbook')),
    references: texts(fields.get('references')),
  };
  checkId(rule, expectedId, fields);
  if (rule.fix.length === 0) fields.get('fix')?.problem('expected at least one fix');
  checkNames(fields, around);
  checkVariables(rule, fields);
  return problems.length > before ? undefined : rule;
}

function checkSaysAlone(root: YamlCursor, says: YamlCursor | undefined, namesFacts: boolean): void {
  if (says === undefined) root.problem('"when" or "says" is missing: a rule needs facts, wordings or both');
  if (namesFacts) says?.problem('a wording of a fact needs a `when` with that fact');
}

function checkId({ id, stage }: Rule, expected: string, fields: ReadonlyMap<string, YamlCursor>): void {
  if (id !== expected) fields.get('id')?.problem(`${JSON.stringify(id)} does not match the path: expected ${JSON.stringify(expected)}`);
  if (!id.startsWith(`${stage}/`)) fields.get('stage')?.problem(`the ID ${JSON.stringify(id)} belongs to another stage`);
}

/** `explains` and `before` name an id, `<stage>/*` of a stage that has rules, or `*`. */
function checkNames(fields: ReadonlyMap<string, YamlCursor>, { ids, playbooks }: Around): void {
  if (ids !== undefined)
    for (const item of ['explains', 'before'].flatMap((field) => fields.get(field)?.items() ?? [])) {
      const id = item.textIfAny();
      if (id !== undefined && !namesRules(id, ids)) item.problem(`unknown rule ${JSON.stringify(id)}${didYouMean(id, ids)}`);
    }
  const playbook = fields.get('playbook');
  const name = playbooks === undefined ? undefined : playbook?.textIfAny();
  if (name !== undefined && playbooks?.includes(name) === false)
    playbook?.problem(`unknown playbook ${JSON.stringify(name)}${didYouMean(name, playbooks)}`);
}

function namesRules(id: string, ids: ReadonlySet<string>): boolean {
  if (id === '*' || ids.has(id)) return true;
  return id.endsWith('/*') && [...ids].some((other) => other.startsWith(id.slice(0, -1)));
}

function parseFixes(cursor: YamlCursor | undefined): readonly Fix[] {
  return cursor?.items().map(parseFix) ?? [];
}

function parseFix(cursor: YamlCursor): Fix {
  const fields = cursor.fields(FIX_FIELDS, ['say']);
  const run = fields.get('run')?.text();
  const by = fields.get('by')?.oneOf(FIX_ROLES);
  return {
    say: textOf('say', fields),
    ...(run === undefined ? {} : { run }),
    ...(by === undefined ? {} : { by }),
    ...(fields.has('needs') ? { needs: texts(fields.get('needs')) } : {}),
  };
}

function texts(cursor: YamlCursor | undefined): readonly string[] {
  return (
    cursor
      ?.items()
      .map((item) => item.text())
      .filter((text) => text !== undefined) ?? []
  );
}

/** Empty where it is missing: then there is a problem already. */
function textOf(name: string, fields: ReadonlyMap<string, YamlCursor>): string {
  return fields.get(name)?.text() ?? '';
}

function optionalText<K extends string>(name: K, cursor: YamlCursor | undefined): { readonly [key in K]?: string } {
  const text = cursor?.text();
  return text === undefined ? {} : ({ [name]: text } as { readonly [key in K]?: string });
}
