import type { Routine } from '../time/routine.ts';
import type { CommandRun, Result, Shell } from './shell-state.ts';
import { parsed, resolvePath } from './shell.ts';

/** Commands that change the shell they run in: its folder, variables, options and trap. */
export function stateCommands(): readonly (readonly [string, CommandRun])[] {
  return [
    ['cd', changeFolder],
    ['export', setVariables],
    ['readonly', setVariables],
    ['local', setVariables],
    ['unset', unset],
    ['set', set],
    ['trap', setTrap],
  ];
}

function* changeFolder(args: readonly string[], shell: Shell): Routine<Result> {
  const path = resolvePath(shell, args[0] ?? '/');
  if (shell.process.files.entry(path)?.type !== 'directory' && shell.surroundings.programs !== undefined) {
    shell.errors(`sh: cd: can't cd to ${args[0] ?? ''}: No such file or directory\n`);
    return { code: 2 };
  }
  shell.state.folder = path;
  return { code: 0 };
}

function* setVariables(args: readonly string[], shell: Shell): Routine<Result> {
  for (const arg of args) {
    const match = /^(\w+)=([\s\S]*)$/.exec(arg);
    if (match !== null) shell.variables.set(match[1] ?? '', match[2] ?? '');
  }
  return { code: 0 };
}

function* unset(args: readonly string[], shell: Shell): Routine<Result> {
  for (const name of args) shell.variables.delete(name);
  return { code: 0 };
}

function* set(args: readonly string[], shell: Shell): Routine<Result> {
  for (const [index, arg] of args.entries()) {
    if (!/^[-+][a-z]/.test(arg)) continue;
    const on = arg.startsWith('-');
    const wanted = arg.endsWith('o') ? (args[index + 1] ?? '') : '';
    if (arg.includes('e') || wanted === 'errexit') shell.state.exitOnError = on;
    if (arg.includes('u') || wanted === 'nounset') shell.state.unsetIsError = on;
    if (wanted === 'pipefail') shell.state.pipeFails = on;
  }
  return { code: 0 };
}

function* setTrap(args: readonly string[], shell: Shell): Routine<Result> {
  const [action = '', ...signals] = args;
  if (!signals.some((signal) => ['TERM', 'SIGTERM', '15'].includes(signal))) return { code: 0 };
  const command = parsed(action);
  shell.state.trap = action === '' ? 'ignore' : command;
  shell.process.onTerminate(action === '' || command === undefined ? { kind: 'ignore' } : { kind: 'notice' });
  return { code: 0 };
}
