import type { Routine } from '../time/routine.ts';
import { runRoutine, wait } from '../time/routine.ts';
import type { Foreground, InputLines } from './input-lines.ts';
import type { Program, ProcessContext } from './program.ts';
import type { CommandOptions } from '../shell/commands.ts';
import { isShellWithoutScript, runWords, shellFor } from '../shell/commands.ts';
import type { Result, Shell } from '../shell/shell-state.ts';
import { parsed, runCommand } from '../shell/shell.ts';

/** Where a command of `kubectl exec` reads and writes. */
export interface Terminal {
  readonly output: (text: string) => void;
  readonly errors: (text: string) => void;
  readonly input: InputLines;
  readonly foreground: Foreground;
}

export interface TerminalWish {
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly tty: boolean;
}

/** A command with streams of its own: a shell that is typed into, or one command with what it is sent. */
export function terminalProgram(wish: TerminalWish, options: CommandOptions, terminal: Terminal): Program {
  return function* command(process): Routine<number> {
    const shell = shellFor(process, options, terminal);
    if (isShellWithoutScript(wish.command)) return wish.stdin ? yield* interact(wish, shell, terminal) : 0;
    const input = wish.stdin && !wish.tty && readsInput(wish.command) ? yield* terminal.input.all() : '';
    return (yield* runWords(wish.command, { ...shell, input }, true)).code & 255;
  };
}

/** Line after line until the end or `exit`. Without a terminal there is no prompt, and the lines are a script. */
function* interact({ command, tty }: TerminalWish, shell: Shell, terminal: Terminal): Routine<number> {
  const ask = (): void => {
    if (tty) terminal.output(promptOf(command, shell));
  };
  let status = 0;
  for (;;) {
    ask();
    const line = yield* terminal.input.line();
    if (line === undefined) return status;
    const text = line.replace(/\r$/, '');
    if (text.trim() === '' || text.trimStart().startsWith('#')) continue;
    const parsedLine = parsed(text);
    if (parsedLine === undefined) {
      terminal.errors('sh: syntax error\n');
      status = 2;
      continue;
    }
    const result = yield* interruptible((inner) => runCommand(parsedLine, inner), shell, terminal.foreground);
    status = result.code & 255;
    if (result.flow === 'exit') return status;
  }
}

/** Runs until it ends or is interrupted: then it is left alone, and what it says no longer heard. */
function* interruptible(run: (shell: Shell) => Routine<Result>, shell: Shell, foreground: Foreground): Routine<Result> {
  return yield* wait<Result>((resume) => {
    let open = true;
    const finish = (result: Result): void => {
      if (!open) return;
      open = false;
      foreground.done();
      resume(result);
    };
    const heard =
      (say: (text: string) => void) =>
      (text: string): void => {
        if (open && !foreground.over) say(text);
      };
    foreground.begin(() => finish({ code: 130 }));
    runRoutine(run({ ...shell, output: heard(shell.output), errors: heard(shell.errors) }), finish);
  });
}

/** BusyBox's prompt, or bash's. */
function promptOf([program = '']: readonly string[], { process, state }: Shell): string {
  const sign = process.user === 0 ? '#' : '$';
  return program.endsWith('bash') ? `${userName(process)}@${process.hostname}:${state.folder}${sign} ` : `${state.folder} ${sign} `;
}

function userName({ user }: ProcessContext): string {
  return user === 0 ? 'root' : 'I have no name!';
}

/** Commands that read what they are sent when they are given no file. */
function readsInput([program = '', ...args]: readonly string[]): boolean {
  const name = program.split('/').at(-1) ?? program;
  if (name === 'tar') return args.some((arg) => /^-?[a-z]*x/.test(arg));
  return READERS.has(name) && (name === 'tee' || name === 'grep' || args.every((arg) => arg.startsWith('-')));
}

const READERS: ReadonlySet<string> = new Set(['cat', 'tee', 'grep', 'head', 'tail', 'sort', 'wc']);
