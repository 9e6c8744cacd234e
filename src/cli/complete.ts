import type { Command, Option } from 'commander';
import { printable } from '../base/text.ts';
import type { CommandContext } from '../commands/context.ts';
import { hasFlag, pathOf } from './command-flags.ts';
import type { Proposal, Values } from './complete-values.ts';

/** What a shell may do besides the proposals. Cobra's numbers, which kubectl's completion understands of a plugin. */
const DIRECTIVE = { files: 0, nothing: 4, folders: 16 } as const;

/**
 * Proposals for the last of the words, one a line (`value<TAB>description`), and last the directive: `:4`.
 * Source of the protocol: spf13/cobra completions.go (ShellCompDirective), kubectl pkg/cmd/plugin/plugin_completion.go.
 */
export async function completions(program: Command, words: readonly string[], context: CommandContext): Promise<string> {
  // PowerShell cannot pass an empty word and writes it quoted.
  const typed = words.at(-1) === '""' ? '' : (words.at(-1) ?? '');
  const place = placeOf(program, words.slice(0, -1));
  const { proposals, besides } = await valuesFor(place, typed, words, context);
  const fitting = proposals.filter(({ value }) => value.startsWith(typed));
  return [...fitting.map(({ value, says }) => `${line(value)}\t${line(says)}`), `:${DIRECTIVE[besides]}`, ''].join('\n');
}

/** Where on the command line the word stands that is being typed. */
interface Place {
  readonly command: Command;
  readonly path: string;
  /** Arguments of the command before it. */
  readonly given: readonly string[];
  /** The option whose value it is. */
  readonly option?: Option;
}

function placeOf(program: Command, before: readonly string[]): Place {
  let command = program;
  let pending: Option | undefined;
  const given: string[] = [];
  for (const word of before) {
    if (pending !== undefined) pending = undefined;
    else if (word.startsWith('-')) pending = word.includes('=') ? undefined : valueOption(optionsOf(command, program), word);
    else {
      const next = given.length === 0 ? command.commands.find((candidate) => candidate.name() === word) : undefined;
      if (next === undefined) given.push(word);
      else command = next;
    }
  }
  return { command, path: pathOf(command), given, ...(pending === undefined ? {} : { option: pending }) };
}

function valueOption(options: readonly Option[], word: string): Option | undefined {
  const option = options.find(({ long, short }) => long === word || short === word);
  return option?.required === true || option?.optional === true ? option : undefined;
}

async function valuesFor(
  { command, path, given, option }: Place,
  typed: string,
  words: readonly string[],
  context: CommandContext,
): Promise<Values> {
  const equals = typed.startsWith('--') ? typed.indexOf('=') : -1;
  const program = rootOf(command);
  const options = optionsOf(command, program);
  if (equals > 0) {
    const named = valueOption(options, typed.slice(0, equals));
    const { proposals, besides } =
      named === undefined ? NOTHING : await (await values()).optionValues(named.attributeName(), path, words, context);
    return { proposals: proposals.map(({ value, says }) => ({ value: `${typed.slice(0, equals + 1)}${value}`, says })), besides };
  }
  if (option !== undefined) return (await values()).optionValues(option.attributeName(), path, words, context);
  if (typed.startsWith('-')) return { proposals: options.map(proposalOf), besides: 'nothing' };
  if (command.commands.length > 0 && given.length === 0) {
    return { proposals: command.commands.map((one) => ({ value: one.name(), says: one.description() })), besides: 'nothing' };
  }
  return (await values()).argumentValues(path, given, words, context);
}

const NOTHING: Values = { proposals: [], besides: 'nothing' };

function optionsOf(command: Command, program: Command): readonly Option[] {
  const path = pathOf(command);
  return command === program
    ? program.options
    : [...command.options, ...program.options.filter((option) => hasFlag(path, option.attributeName()))];
}

function proposalOf({ long, short, description }: Option): Proposal {
  return { value: long ?? short ?? '', says: description };
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

function line(text: string): string {
  return printable(text).replaceAll(/[\t\n]/g, ' ');
}

/** What values there are is not needed for the names of commands and flags. */
function values() {
  return import('./complete-values.ts');
}
