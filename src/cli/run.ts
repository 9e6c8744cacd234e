import type { Command } from 'commander';
import { CommanderError } from 'commander';
import { PodcheckError } from '../base/errors.ts';
import { systemReason, systemTrouble } from '../base/system-error.ts';
import { printable } from '../base/text.ts';
import type { CommandContext } from '../commands/context.ts';
import type { ExitCode } from '../commands/exit-codes.ts';
import { EXIT } from '../commands/exit-codes.ts';
import { homeFolderOf } from '../files/state-folder.ts';
import { strayWordHint } from './command-flags.ts';
import { failureOf } from './failure.ts';
import { heedInterruption, heeding, holdInterruption } from './interruption.ts';
import { FIRST_STEPS, makeProgram } from './program.ts';
import { withProgress } from './progress.ts';
import type { Runner } from './runner.ts';
import { screenOf } from './screen.ts';
import type { Streams } from './streams.ts';
import { pieces, watchOutput } from './streams.ts';
import { lookOf } from './terminal.ts';
import { typingAt } from './terminal-lines.ts';
import { VERSION } from './version.ts';

/** Runs a command line and says how to exit. Never throws: what goes wrong is told on stderr. */
export async function run(argv: readonly string[], streams: Streams, interrupted: AbortSignal): Promise<number> {
  const outputTrouble = watchOutput(streams.stdout);
  // Nobody can be told that stderr cannot be written.
  watchOutput(streams.stderr);
  const code = await attempt(argv, streams, interrupted);
  const trouble = await outputTrouble();
  if (trouble === undefined) return code;
  const failure = failureOf(
    new PodcheckError('bad-input', `cannot write to stdout: ${systemReason(trouble)}`, systemTrouble(trouble)?.hint),
    argv,
  );
  streams.stderr.write(failure.text);
  return failure.code;
}

async function attempt(argv: readonly string[], streams: Streams, interrupted: AbortSignal): Promise<number> {
  try {
    if (argv[0] === COMPLETE) return await complete(argv.slice(1), streams, interrupted);
    return await parse(argv, streams, interrupted);
  } catch (error) {
    // Commander has said on stderr what is wrong with the command line.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.healthy : EXIT.usage;
    if (interrupted.aborted) return EXIT.interrupted;
    const { text, code } = failureOf(error, argv);
    streams.stderr.write(text);
    return code;
  }
}

/** The hidden command that shells ask while somebody types. */
export const COMPLETE = '__complete';

async function parse(argv: readonly string[], streams: Streams, interrupted: AbortSignal): Promise<number> {
  let code: ExitCode = EXIT.healthy;
  const runner: Runner = {
    context: (options) => contextOf(streams, interrupted, options.color),
    exit: (given) => {
      code = given;
    },
  };
  const program = await makeProgram(runner, argv);
  for (const command of withCommandsBelow(program)) {
    command.exitOverride((error) => {
      if (error.code === 'commander.excessArguments') streams.stderr.write(`hint: ${strayWordHint(command)}\n`);
      throw error;
    });
    command.configureOutput({
      writeOut: (text) => void streams.stdout.write(text),
      // It quotes words of the command line, which a script may have from anywhere.
      writeErr: (text) => void streams.stderr.write(printable(text)),
      getOutHelpWidth: () => lookOf(streams, undefined).width,
      getErrHelpWidth: () => lookOf(streams, undefined).width,
    });
  }
  if (argv.length === 0) {
    streams.stderr.write(FIRST_STEPS);
    return EXIT.usage;
  }
  await program.parseAsync(argv, { from: 'user' });
  return code;
}

function withCommandsBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withCommandsBelow)];
}

async function complete(words: readonly string[], streams: Streams, interrupted: AbortSignal): Promise<number> {
  const { completions } = await import('./complete.ts');
  const context = contextOf(streams, interrupted, false);
  const program = await makeProgram({ context: () => context, exit: () => undefined }, words);
  streams.stdout.write(await completions(program, words, context));
  return EXIT.healthy;
}

function contextOf(streams: Streams, signal: AbortSignal, color: boolean | undefined): CommandContext {
  const { stdin, stdout, stderr, env } = streams;
  // Commander says `true` where --no-color was not given: that is no wish.
  const look = lookOf(streams, color === false ? false : undefined);
  const terminal = watched(stderr, env);
  return {
    write: (text) => void stdout.write(text),
    note: (text) => void stderr.write(text),
    look,
    env,
    homeFolder: homeFolderOf(env),
    workingFolder: process.cwd(),
    clock: () => Date.now(),
    signal,
    whenUnread: (unread) => void stdout.once('error', unread),
    stdin: () => heeding(pieces(stdin)),
    stdinIsTerminal: stdin.isTTY === true,
    progress: (title, work) => withProgress(terminal, title, work),
    ...(terminal === undefined
      ? {}
      : { liveStages: (work) => heedInterruption(async () => (await import('./live-stages.ts')).showLive(terminal, work)) }),
    screen: screenOf(streams),
    holdInterruption,
    heedInterruption,
    typing: typingAt(streams),
    version: VERSION,
  };
}

/** stderr where somebody can see it, and lines can be taken away. A terminal that says it has no columns would get one character a line. */
function watched(stderr: Streams['stderr'], env: Streams['env']): NodeJS.WriteStream | undefined {
  return stderr.isTTY === true && env['TERM'] !== 'dumb' && (stderr.columns ?? 0) > 0 ? (stderr as NodeJS.WriteStream) : undefined;
}
