import { formatInstant } from '../../base/instant.ts';
import { parseDecimal, parseInteger } from '../../base/number.ts';
import type { Routine } from '../time/routine.ts';
import type { Behaviour, Listening } from '../programs/behaviour.ts';
import { programOf } from '../programs/behaviour.ts';
import type { Program, ProcessContext } from '../programs/program.ts';
import { agnhostCommands } from './agnhost/agnhost.ts';
import { fileCommands } from './file-commands.ts';
import { lookCommands } from './look-commands.ts';
import { netCommands } from './net-commands.ts';
import type { CommandRun, Result, Shell, ShellSurroundings } from './shell-state.ts';
import { parsed, resolvePath, runCommand } from './shell.ts';
import { store } from './storing.ts';
import { test, isExecutable } from './test-command.ts';
import { stateCommands } from './state-commands.ts';
import { textCommands } from './text-commands.ts';

export interface CommandOptions {
  readonly workingDir: string;
  readonly programs: readonly string[] | undefined;
  readonly ports: readonly Listening[] | 'every';
  readonly main: boolean;
  /** The container as `ps` and `mount` show it. */
  readonly container?: ShellSurroundings['container'];
}

/** Whether the command is one that is carried out here, and not an application of which nothing is known. */
export function isKnownCommand(argv: readonly string[]): boolean {
  const name = nameOf(argv[0] ?? '');
  if (!SHELLS.has(name)) return COMMANDS.has(name);
  const script = scriptOf(argv);
  return script === undefined || parsed(script.text) !== undefined;
}

/** Where a command writes; into its container's log when nothing is said. */
export type Streams = Pick<Shell, 'output' | 'errors'>;

/** A command line as a program. */
export function commandProgram(argv: readonly string[], options: CommandOptions, streams?: Streams): Program {
  return function* command(process): Routine<number> {
    if (options.main) yield* process.sleep(INTERPRETER_MILLISECONDS);
    const surroundings: ShellSurroundings = {
      programs: options.programs,
      ports: options.ports,
      main: options.main,
      run: runWords,
      evaluate,
    };
    const shell = { ...shellOf(process, surroundings, options.workingDir), ...streams };
    const result = yield* runWords(argv, shell, true);
    return result.code & 255;
  };
}

/** A shell whose streams are others than the container's log. */
export function shellFor(process: ProcessContext, options: CommandOptions, { output, errors }: Streams): Shell {
  const surroundings: ShellSurroundings = {
    programs: options.programs,
    ports: options.ports,
    main: options.main,
    run: runWords,
    evaluate,
    typed: true,
    ...(options.container === undefined ? {} : { container: options.container }),
  };
  return { ...shellOf(process, surroundings, options.workingDir), output, errors };
}

/** `sh`, `bash -l`: a shell that takes what is typed. */
export function isShellWithoutScript(argv: readonly string[]): boolean {
  return SHELLS.has(nameOf(argv[0] ?? '')) && argv.slice(1).every((word) => /^-[il]+$|^--(login|norc)$/.test(word));
}

function* evaluate(script: string, shell: Shell): Routine<Result> {
  const command = parsed(script);
  return command === undefined ? { code: 2 } : yield* runCommand(command, shell);
}

function shellOf(process: ProcessContext, surroundings: ShellSurroundings, folder: string): Shell {
  const output = lines((line) => process.log(line));
  const state = { folder, status: 0, exitOnError: false, unsetIsError: false, pipeFails: false, trap: undefined };
  return {
    process,
    surroundings,
    variables: new Map(process.env),
    functions: new Map(),
    positional: ['sh'],
    state,
    budget: { steps: 0, jobs: 0 },
    depth: 0,
    input: '',
    output,
    errors: output,
  };
}

/** Cuts what is written into lines; what is left without an end of line is a line at once. */
function lines(log: (line: string) => void): (text: string) => void {
  return (text) => {
    const parts = text.split('\n');
    if (parts.at(-1) === '') parts.pop();
    for (const part of parts) log(part);
  };
}

export function* runWords(words: readonly string[], shell: Shell, last: boolean): Routine<Result> {
  const [word = '', ...args] = words;
  const name = nameOf(word);
  if (SHELLS.has(name)) return yield* runShell(words, shell, last);
  const command = COMMANDS.get(name);
  const isThere = BUILT_IN.has(name) || isInstalled(name, shell);
  if (command !== undefined && isThere) return yield* command(args, shell, last);
  const script = word.includes('/') ? shell.process.files.read(resolvePath(shell, word), shell.process.user) : undefined;
  if (typeof script === 'string') {
    if (!isExecutable(word, shell)) return refused(shell, `sh: ${word}: Permission denied\n`, 126);
    if (script.startsWith('#!')) return yield* runText(script, [word, ...args], shell, last);
  }
  // Somebody who looks is told of what is not modelled; a program that is on its way is taken to succeed.
  if (!isThere || isUnknownToTypist(word, shell)) return refused(shell, `sh: ${word}: not found\n`, 127);
  if (!shell.surroundings.main || !last) return { code: 0 };
  const application: Behaviour = {};
  return { code: yield* programOf(application, shell.surroundings.ports)(shell.process) };
}

function isInstalled(name: string, { surroundings }: Shell): boolean {
  return surroundings.programs?.includes(name) ?? true;
}

function refused(shell: Shell, message: string, code: number): Result {
  shell.errors(message);
  return { code };
}

/** Whether somebody typed it, and it is not a program of the image. */
function isUnknownToTypist(word: string, { surroundings }: Shell): boolean {
  return surroundings.typed === true && surroundings.programs?.includes(nameOf(word)) !== true;
}

function* runShell(words: readonly string[], shell: Shell, last: boolean): Routine<Result> {
  const script = scriptOf(words);
  if (script === undefined) {
    const file = words.slice(1).find((word) => !word.startsWith('-'));
    if (file === undefined) return { code: 0 };
    const read = shell.process.files.read(resolvePath(shell, file), shell.process.user);
    if (typeof read === 'string') return yield* runText(read, words.slice(words.indexOf(file)), shell, last);
    shell.errors(`sh: can't open '${file}': ${read.trouble}\n`);
    return { code: 2 };
  }
  return yield* runText(script.text, [script.args[0] ?? 'sh', ...script.args.slice(1)], shell, last, script.flags);
}

function* runText(text: string, positional: readonly string[], shell: Shell, last: boolean, flags = ''): Routine<Result> {
  const command = parsed(text);
  if (command === undefined) return { code: 2 };
  const inner: Shell = {
    ...shell,
    positional,
    state: { ...shell.state, exitOnError: flags.includes('e'), unsetIsError: flags.includes('u'), pipeFails: false, trap: undefined },
  };
  const result = yield* runCommand(command, inner, last);
  return { code: result.code };
}

/** The script of `sh -c`, and what follows it as $0, $1, …. */
function scriptOf(
  words: readonly string[],
): { readonly text: string; readonly args: readonly string[]; readonly flags: string } | undefined {
  const at = words.findIndex((word, index) => index > 0 && /^-[a-z]+$/.test(word) && word.includes('c'));
  const text = words[at + 1];
  if (at < 0 || text === undefined) return undefined;
  return { text, args: words.slice(at + 2), flags: words.slice(1, at + 1).join('') };
}

function nameOf(word: string): string {
  return word.split('/').at(-1) ?? word;
}

function* succeed(): Routine<Result> {
  return { code: 0 };
}

function* fail(): Routine<Result> {
  return { code: 1 };
}

function* sleepFor(args: readonly string[], shell: Shell): Routine<Result> {
  let seconds = 0;
  for (const arg of args) {
    const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(arg);
    if (match === null && arg !== 'infinity') {
      shell.errors(`sleep: invalid number '${arg}'\n`);
      return { code: 1 };
    }
    seconds += match === null ? FAR_OFF_SECONDS : (parseDecimal(match[1]) ?? FAR_OFF_SECONDS) * (SECONDS[match[2] ?? ''] ?? 1);
  }
  yield* shell.process.sleep(seconds * 1000, seconds > BACKGROUND_SECONDS);
  return { code: 0 };
}

function* exit(args: readonly string[], shell: Shell): Routine<Result> {
  return { code: args[0] === undefined ? shell.state.status : (parseInteger(args[0]) ?? 0) & 255, flow: 'exit' };
}

function* touch(args: readonly string[], shell: Shell): Routine<Result> {
  return write(args, shell, 'touch', (content) => ({ type: 'file', content, owner: shell.process.user }));
}

function* makeFolder(args: readonly string[], shell: Shell): Routine<Result> {
  return write(args, shell, 'mkdir', () => ({ type: 'directory', owner: shell.process.user }));
}

function write(
  args: readonly string[],
  shell: Shell,
  name: string,
  entry: (content: string) => Parameters<ProcessContext['files']['write']>[1],
): Result {
  for (const path of args.filter((arg) => !arg.startsWith('-'))) {
    const full = resolvePath(shell, path);
    const before = shell.process.files.read(full, 0);
    const trouble = store(shell, full, entry(typeof before === 'string' ? before : ''));
    if (trouble === undefined) continue;
    shell.errors(name === 'mkdir' ? `mkdir: can't create directory '${path}': ${trouble}\n` : `touch: ${path}: ${trouble}\n`);
    return { code: 1 };
  }
  return { code: 0 };
}

function* waitForJobs(_args: readonly string[], shell: Shell): Routine<Result> {
  yield* shell.process.idle(0);
  return { code: 143 };
}

function* execute(args: readonly string[], shell: Shell): Routine<Result> {
  if (args.length === 0) return { code: 0 };
  shell.process.onTerminate({ kind: 'ignore' });
  const result = yield* runWords(args, shell, true);
  return { code: result.code, flow: 'exit' };
}

function* within(args: readonly string[], shell: Shell, last: boolean): Routine<Result> {
  const at = args.findIndex((arg) => /^\d+s?$/.test(arg));
  return yield* runWords(args.slice(at + 1), shell, last);
}

/** Source: busybox coreutils/id.c. */
function* identity(args: readonly string[], shell: Shell): Routine<Result> {
  const { user, groups } = shell.process;
  const named = (number: number): string => (number === 0 ? '0(root)' : String(number));
  const [group = 0] = groups;
  if (args.includes('-u')) shell.output(`${user}\n`);
  else if (args.includes('-g')) shell.output(`${group}\n`);
  else if (args.includes('-G')) shell.output(`${groups.join(' ')}\n`);
  else shell.output(`uid=${named(user)} gid=${named(group)} groups=${groups.map(named).join(',')}\n`);
  yield* shell.process.sleep(0);
  return { code: 0 };
}

function saying(text: (shell: Shell) => string): CommandRun {
  return function* say(_args, shell) {
    shell.output(`${text(shell)}\n`);
    yield* shell.process.sleep(0);
    return { code: 0 };
  };
}

function flowing(flow: 'break' | 'continue' | 'return'): CommandRun {
  return function* flow_(args) {
    return { code: parseInteger(args[0]) ?? 0, flow };
  };
}

/** What a shell takes to begin. */
const INTERPRETER_MILLISECONDS = 4;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const FAR_OFF_SECONDS = 10 * 365 * 86_400;
/** A sleep that is longer is what a container does for a living. */
const BACKGROUND_SECONDS = 300;
const SHELLS: ReadonlySet<string> = new Set(['sh', 'ash', 'bash', 'dash']);
const BUILT_IN: ReadonlySet<string> = new Set([
  ':',
  'true',
  'false',
  'echo',
  'printf',
  'exit',
  'test',
  '[',
  '[[',
  'cd',
  'export',
  'readonly',
  'local',
  'set',
  'trap',
  'wait',
  'exec',
  'break',
  'continue',
  'return',
  'unset',
  'read',
  'kill',
  'umask',
  'command',
  'pwd',
  'ulimit',
]);

const COMMANDS: ReadonlyMap<string, CommandRun> = new Map<string, CommandRun>([
  [':', succeed],
  ['true', succeed],
  ['sleep', sleepFor],
  ['exit', exit],
  ['test', test],
  ['[', test],
  ['[[', test],
  ['touch', touch],
  ['mkdir', makeFolder],
  ['wait', waitForJobs],
  ['exec', execute],
  ['timeout', within],
  ['umask', succeed],
  ['ulimit', succeed],
  ['kill', succeed],
  ['read', succeed],
  ['ln', succeed],
  ['sync', succeed],
  ['false', fail],
  ['break', flowing('break')],
  ['continue', flowing('continue')],
  ['return', flowing('return')],
  ['date', saying((shell) => formatInstant(shell.process.clock()))],
  ['hostname', saying((shell) => shell.process.hostname)],
  ['pwd', saying((shell) => shell.state.folder)],
  ['whoami', saying((shell) => (shell.process.user === 0 ? 'root' : String(shell.process.user)))],
  ['id', identity],
  ...textCommands(),
  ...stateCommands(),
  ...lookCommands(),
  ...fileCommands(),
  ...netCommands(),
  ...agnhostCommands(),
]);
