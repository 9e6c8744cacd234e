import type { Playbook, PlaybookStep } from '../../model/playbook.ts';
import type { ChangeAction } from '../../model/playbook-change.ts';
import { asText, dig } from '../../base/json.ts';
import { largest } from '../../base/lists.ts';
import { withPlaceholders } from '../../model/placeholders.ts';
import { hanging } from '../diagnosis/cause-lines.ts';
import { changeCommand, commandLine, showCommand } from '../format/kubectl-words.ts';
import { leafLine, leavesOf } from '../format/leaf-lines.ts';
import type { Look } from '../format/text-style.ts';
import { paint, shown } from '../format/text-style.ts';

/** Why a command is not known to only read; undefined for one that is. */
export type Judge = (argv: readonly string[]) => string | undefined;

interface Ability {
  readonly verb: string;
  readonly words: string;
}

/** What a playbook can do, with all it includes: what it reads, changes, runs on this machine, shows to be run, and asks for. */
export function abilitiesText({ name, steps, rollback, params, limits }: Playbook, judge: Judge, look: Look): string {
  const abilities = [...steps, ...rollback].flatMap((step) => abilitiesOf(step, judge));
  const secrets = [
    ...params.filter(({ secret }) => secret).map(({ name: param }) => param),
    ...steps.flatMap(({ action }) => (action.kind === 'ask' && action.question.secret ? [action.variable] : [])),
  ];
  const all: readonly Ability[] = [
    { verb: 'read', words: 'everything a diagnosis of its target needs' },
    ...ofVerb('read', abilities),
    ...ofVerb('change', abilities),
    ...ofVerb('undo', abilities),
    ...ofVerb('run', abilities),
    ...ofVerb('show', abilities),
    ...secrets.map((secret) => ({ verb: 'ask', words: `for a secret: ${secret}` })),
    { verb: 'touch', words: touchWords([...steps, ...rollback], limits.objects) },
  ];
  const width = largest(all.map(({ verb }) => verb.length));
  return shown(look, [
    paint(look, 'bold', `${name} can`),
    ...all.flatMap(({ verb, words }) =>
      words.split('\n').flatMap((line, index) => hanging(`  ${(index === 0 ? verb : '').padEnd(width)}  `, line, look)),
    ),
  ]);
}

/** Each once, in the order of the steps. */
function ofVerb(verb: string, abilities: readonly Ability[]): readonly Ability[] {
  return [...new Set(abilities.filter((one) => one.verb === verb).map(({ words }) => words))].map((words) => ({ verb, words }));
}

function abilitiesOf({ id, action }: PlaybookStep, judge: Judge): readonly Ability[] {
  switch (action.kind) {
    case 'show':
      return [{ verb: 'read', words: commandLine(showCommand(action.show)) }];
    case 'diagnose':
      return action.object === undefined
        ? []
        : [{ verb: 'read', words: `everything a diagnosis of ${withPlaceholders(action.object)} needs` }];
    case 'run': {
      const command = commandLine(action.argv);
      if (action.node !== undefined) return [{ verb: 'show', words: `for node ${withPlaceholders(action.node)}: ${command}` }];
      const why = judge(action.argv.map(withPlaceholders));
      return [
        {
          verb: 'run',
          words: `on this machine: ${command}${why === undefined ? ' (only reads: runs without confirmation)' : ` (runs after you confirm it: ${why})`}`,
        },
      ];
    }
    case 'manual':
      return action.commands.map((command) => ({ verb: 'show', words: `for you to run: ${withPlaceholders(command)}` }));
    case 'change':
      return [
        { verb: 'change', words: `${id}: ${changeWords(action.change)}${action.effect === 'destructive' ? ' (destructive)' : ''}` },
        ...(action.undo.undo === 'change' ? [{ verb: 'undo', words: `${id}: ${changeWords(action.undo.change)}` }] : []),
      ];
    case 'check':
    case 'decide':
    case 'ask':
    case 'wait':
    case 'include':
    case 'note':
    case 'escalate':
      return [];
  }
}

const LONGEST = 2000;

/** The command; of a new object all that is in it, for the command names only a file. */
function changeWords(change: ChangeAction): string {
  const command = commandLine(changeCommand(change));
  return change.change === 'create'
    ? [command, ...leavesOf(change.manifest).map((leaf) => `  ${withPlaceholders(leafLine(leaf, LONGEST))}`)].join('\n')
    : command;
}

function touchWords(steps: readonly PlaybookStep[], limit: number): string {
  const objects = [
    ...new Set(
      steps.flatMap(({ action }) =>
        action.kind === 'change'
          ? [objectWords(action.change), ...(action.undo.undo === 'change' ? [objectWords(action.undo.change)] : [])]
          : [],
      ),
    ),
  ];
  return objects.length === 0 ? 'no object' : `at most ${limit} ${limit === 1 ? 'object' : 'objects'}: ${objects.join(', ')}`;
}

function objectWords(change: ChangeAction): string {
  if (change.change === 'fix') return 'the object that the fix of the cause changes';
  if (change.change === 'allow-clients') return withPlaceholders(`NetworkPolicy for ${change.object}`);
  const object =
    change.change === 'create'
      ? `${asText(change.manifest['kind']) ?? ''}/${asText(dig(change.manifest, 'metadata', 'name')) ?? ''}`
      : change.object;
  return change.change === 'drain' ? `${withPlaceholders(object)} and its pods` : withPlaceholders(object);
}
