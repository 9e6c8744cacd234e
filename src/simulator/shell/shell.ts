import { parseDecimal } from '../../base/number.ts';
import type { Routine } from '../time/routine.ts';
import { remembered } from '../../base/memoized.ts';
import { runRoutine } from '../time/routine.ts';
import { ShellError, expandWord, expandWords, matchesPattern } from './expand.ts';
import type { Command, Redirect } from './parse.ts';
import { parseScript } from './parse.ts';
import { normalize } from '../programs/file-tree.ts';
import { keptText, MAX_TEXT } from './kept-text.ts';
import type { Result, Shell } from './shell-state.ts';
import { sizeOf, store } from './storing.ts';

/** Runs commands one after another; after each, a SIGTERM that is handled is. */
export function* runCommand(command: Command, shell: Shell, last = false): Routine<Result> {
  const result = yield* dispatch(command, shell, last);
  shell.state.status = result.code;
  const { trap } = shell.state;
  if (trap === undefined || trap === 'ignore' || !shell.process.takeSignal()) return result;
  const trapped = yield* dispatch(trap, shell, false);
  return trapped.flow === 'exit' ? trapped : result;
}

function* dispatch(command: Command, shell: Shell, last: boolean): Routine<Result> {
  try {
    if (shell.depth > MAX_DEPTH) throw new ShellError(`maximum function nesting level exceeded (${MAX_DEPTH})`);
    return yield* carryOut(command, { ...shell, depth: shell.depth + 1 }, last);
  } catch (error) {
    if (!(error instanceof ShellError)) throw error;
    shell.errors(`sh: ${error.message}\n`);
    return shell.surroundings.typed === true ? { code: 2 } : { code: 2, flow: 'exit' };
  }
}

function* carryOut(command: Command, shell: Shell, last: boolean): Routine<Result> {
  switch (command.kind) {
    case 'simple':
      return yield* runSimple(command, shell, last);
    case 'list':
      return yield* runList(command.items, shell, last);
    case 'pipe':
      return yield* runPipe(command.parts, shell);
    case 'group': {
      const inside = redirected(shell, command.redirects);
      return inside === undefined ? { code: 1 } : yield* runCommand(command.body, inside, last);
    }
    case 'if':
      return yield* runIf(command, shell, last);
    case 'while':
      return yield* runWhile(command, shell);
    case 'for':
      return yield* runFor(command, shell);
    case 'case':
      return yield* runCase(command, shell, last);
    case 'function':
      shell.functions.set(command.name, command.body);
      return { code: 0 };
    case 'not': {
      const result = yield* runCommand(command.command, shell);
      return result.flow === undefined ? { code: result.code === 0 ? 1 : 0 } : result;
    }
  }
}

function* runList(items: Extract<Command, { kind: 'list' }>['items'], shell: Shell, last: boolean): Routine<Result> {
  let result: Result = { code: 0 };
  let skip = false;
  for (const [index, { command, join }] of items.entries()) {
    const isLast = last && index === items.length - 1;
    if (!skip && join === '&') {
      startJob(command, { ...shell, state: { ...shell.state, trap: undefined } });
      result = { code: 0 };
    } else if (!skip) {
      result = yield* runCommand(command, shell, isLast);
      if (result.flow !== undefined) return result;
      if (shell.state.exitOnError && result.code !== 0 && join === ';' && command.kind !== 'not')
        return { code: result.code, flow: 'exit' };
    }
    skip = join === '&&' ? result.code !== 0 : join === '||' ? result.code === 0 : false;
  }
  return result;
}

/** Source: busybox shell/ash.c (forkshell). */
function startJob(command: Command, shell: Shell): void {
  const { budget } = shell;
  if (budget.jobs >= MAX_JOBS) throw new ShellError("can't fork: Resource temporarily unavailable");
  budget.jobs++;
  runRoutine(runCommand(command, shell, shell.surroundings.main), () => budget.jobs--);
}

function* runPipe(parts: readonly Command[], shell: Shell): Routine<Result> {
  let { input } = shell;
  let result: Result = { code: 0 };
  for (const [index, part] of parts.entries()) {
    const kept = keptText();
    const output = index === parts.length - 1 ? shell.output : kept.add;
    result = worse(result, yield* runCommand(part, { ...shell, input, output }), shell.state.pipeFails);
    input = kept.text();
  }
  return { code: result.code };
}

function worse(before: Result, result: Result, counts: boolean): Result {
  return counts && result.code === 0 ? before : result;
}

function* runIf(command: Extract<Command, { kind: 'if' }>, shell: Shell, last: boolean): Routine<Result> {
  for (const { test, body } of command.branches) {
    const tested = yield* runCommand(test, shell);
    if (tested.flow !== undefined) return tested;
    if (tested.code === 0) return yield* runCommand(body, shell, last);
  }
  return command.otherwise === undefined ? { code: 0 } : yield* runCommand(command.otherwise, shell, last);
}

/** A loop that only waits costs nothing: it idles until a signal comes. One that asks again and again goes on in the background. */
function* runWhile(command: Extract<Command, { kind: 'while' }>, shell: Shell): Routine<Result> {
  const pause = command.until ? undefined : idlePeriod(command);
  if (pause !== undefined) return yield* idleFor(pause, shell);
  let code = 0;
  for (let round = 0; ; round++) {
    const before = shell.process.now();
    const tested = yield* runCommand(command.test, shell);
    if (tested.flow !== undefined) return tested;
    if ((tested.code === 0) === command.until) return { code };
    const result = yield* runCommand(command.body, shell);
    if (result.flow === 'break') return { code: 0 };
    if (result.flow === 'exit' || result.flow === 'return') return result;
    ({ code } = result);
    if (shell.process.now() === before) yield* shell.process.sleep(round < 100 ? 1 : 1000, round >= BACKGROUND_AFTER);
  }
}

function* idleFor(period: number, shell: Shell): Routine<Result> {
  for (;;) {
    yield* shell.process.idle(period);
    const { trap } = shell.state;
    if (!shell.process.takeSignal() || trap === undefined || trap === 'ignore') continue;
    const trapped = yield* runCommand(trap, shell);
    if (trapped.flow === 'exit') return trapped;
  }
}

/** The seconds between two rounds of a loop that is always true and does nothing but sleep, in milliseconds. */
function idlePeriod({ test, body }: Extract<Command, { kind: 'while' }>): number | undefined {
  const tests = simpleWords(test);
  if (tests === undefined || tests.length !== 1 || (tests[0]?.[0] !== ':' && tests[0]?.[0] !== 'true')) return undefined;
  let period = 0;
  for (const words of simpleWords(body) ?? [['other']]) {
    if (words[0] === 'sleep' && /^\d+(\.\d+)?$/.test(words[1] ?? '')) period += (parseDecimal(words[1]) ?? 0) * 1000;
    else if (words[0] !== ':' && words[0] !== 'true') return undefined;
  }
  return period;
}

function simpleWords(command: Command): readonly (readonly string[])[] | undefined {
  const found: (readonly string[])[] = [];
  for (const item of command.kind === 'list' ? command.items.map((each) => each.command) : [command]) {
    if (item.kind !== 'simple' || item.assignments.length > 0 || item.redirects.length > 0) return undefined;
    found.push(item.words);
  }
  return found;
}

function* runFor(command: Extract<Command, { kind: 'for' }>, shell: Shell): Routine<Result> {
  let result: Result = { code: 0 };
  for (const value of yield* expandWords(command.words, shell)) {
    shell.variables.set(command.name, value);
    result = yield* runCommand(command.body, shell);
    if (result.flow === 'break') return { code: 0 };
    if (result.flow === 'exit' || result.flow === 'return') return result;
  }
  return { code: result.code };
}

function* runCase(command: Extract<Command, { kind: 'case' }>, shell: Shell, last: boolean): Routine<Result> {
  const value = yield* expandWord(command.word, shell);
  for (const { patterns, body } of command.branches) {
    for (const pattern of patterns) {
      if (matchesPattern(value, pattern)) return yield* runCommand(body, shell, last);
    }
  }
  return { code: 0 };
}

function* runSimple(command: Extract<Command, { kind: 'simple' }>, shell: Shell, last: boolean): Routine<Result> {
  if (++shell.budget.steps > MAX_STEPS) yield* shell.process.sleep(1000, true);
  const words = yield* expandWords(command.words, shell);
  for (const word of words) shell.budget.steps += Math.floor(word.length / 1000);
  for (const [name, value] of command.assignments) shell.variables.set(name, yield* expandWord(value, shell));
  if (command.assignments.length > 0) chargeMemory(shell);
  if (words.length === 0) return { code: 0 };
  const inside = redirected(shell, command.redirects);
  if (inside === undefined) return { code: 1 };
  const body = shell.functions.get(words[0] ?? '');
  if (body === undefined) return yield* shell.surroundings.run(words, inside, last);
  const result = yield* runCommand(body, { ...inside, positional: words });
  return result.flow === 'return' ? { code: result.code } : result;
}

/** Long texts in variables are what a script uses memory with; a shell holds about two copies of each. */
function chargeMemory(shell: Shell): void {
  let bytes = 0;
  for (const value of shell.variables.values()) bytes += value.length;
  if (bytes > 1_000_000) shell.process.useMemory(bytes * 2);
  // On a machine it would go on until there is no memory left. Source: busybox libbb/verror_msg.c (bb_die_memory_exhausted).
  for (const [name, value] of shell.variables) {
    if (value.length <= MAX_VARIABLE) continue;
    shell.variables.set(name, '');
    throw new ShellError('out of memory');
  }
}

/** The shell with other streams; undefined when one of them cannot be had, which is said. Source: busybox shell/ash.c (redirect). */
function redirected(shell: Shell, redirects: readonly Redirect[]): Shell | undefined {
  if (redirects.length === 0) return shell;
  let { input, output, errors } = shell;
  for (const { operator, target } of redirects) {
    if (operator === 'dup') {
      if (target === '&1') errors = output;
      else output = errors;
      continue;
    }
    const name = target.replace(/^["']|["']$/g, '').replace(/\$\{?(\w+)\}?/g, (_, variable: string) => shell.variables.get(variable) ?? '');
    const path = resolvePath(shell, name);
    if (operator === '<') {
      const read = inputFrom(shell, path, name);
      if (read === undefined) return undefined;
      input = read;
      continue;
    }
    const write = writerTo(shell, path, operator === '>>' || operator === '2>>');
    if (typeof write === 'string') {
      shell.errors(`sh: can't create ${name}: ${write}\n`);
      return undefined;
    }
    if (!operator.startsWith('2')) output = write;
    if (!operator.startsWith('>')) errors = write;
  }
  return { ...shell, input, output, errors };
}

function inputFrom(shell: Shell, path: string, name: string): string | undefined {
  const read = path.startsWith('/dev/') ? '' : shell.process.files.read(path, shell.process.user);
  if (typeof read === 'string') return read;
  shell.errors(`sh: can't open ${name}: ${read.trouble === 'No such file or directory' ? 'no such file' : read.trouble}\n`);
  return undefined;
}

function writerTo(shell: Shell, path: string, append: boolean): ((text: string, bytes?: number) => void) | string {
  if (path === '/dev/null') return () => undefined;
  if (path === '/dev/stdout' || path === '/dev/stderr' || path.startsWith('/proc/1/fd/')) return shell.output;
  const { files, user } = shell.process;
  const before = append ? files.read(path, user) : '';
  let content = typeof before === 'string' ? before : '';
  const old = append ? files.entry(path) : undefined;
  let size = old === undefined ? 0 : sizeOf(old);
  const trouble = store(shell, path, { type: 'file', content, size, owner: user });
  if (trouble !== undefined) return trouble;
  return (text, bytes = text.length) => {
    content = (content + text).slice(-MAX_TEXT);
    size += bytes;
    store(shell, path, { type: 'file', content, size, owner: user });
  };
}

export function resolvePath(shell: Shell, path: string): string {
  return normalize(path.startsWith('/') ? path : `${shell.state.folder}/${path}`);
}

/** Parsed scripts, since every restart and every replica runs the same. */
export const parsed = remembered(parseScript, { limit: 200, length: 10_000 });

const MAX_VARIABLE = 100_000_000;
const MAX_STEPS = 20_000;
const MAX_DEPTH = 150;
const MAX_JOBS = 100;
const BACKGROUND_AFTER = 130;
