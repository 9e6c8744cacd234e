import { asList, asNumber, asText, dig } from '../../base/json.ts';
import type { Behaviours, Listening } from './behaviour.ts';
import { programOf } from './behaviour.ts';
import type { FileTree } from './file-tree.ts';
import type { Program } from './program.ts';
import { typedProgram } from './program-streams.ts';
import type { Streams } from '../shell/commands.ts';
import { commandProgram, isKnownCommand, isShellWithoutScript } from '../shell/commands.ts';
import type { Terminal, TerminalWish } from './exec-terminal.ts';
import { terminalProgram } from './exec-terminal.ts';
import type { ContainerSettings } from '../kubelet/runtime/runtime-options.ts';

/** What a container runs: the behaviour a scenario gives its image; else what its command says; else a server on its ports. */
export function programFor(settings: ContainerSettings, behaviours: Behaviours, architecture: string, files: FileTree): Program {
  const { argv, image, spec } = settings;
  const unfit = unfitProgram(settings, architecture, files);
  if (unfit !== undefined) return unfit;
  const given = behaviours.of(asText(spec['image']) ?? '', asText(spec['name']) ?? '');
  const ports = portsOf(settings);
  if (given !== undefined) return programOf(given, ports);
  if (spec['stdin'] === true && isShellWithoutScript(argv))
    return typedProgram(settings, (terminal) =>
      terminalRoutine({ command: argv, stdin: true, tty: spec['tty'] === true }, settings, terminal),
    );
  const isOwn = argv[0] === (image.entrypoint[0] ?? image.command[0]) && image.ports.length > 0;
  if (!isOwn && isKnownCommand(argv))
    return commandProgram(argv, { workingDir: settings.workingDir, programs: image.programs, ports, main: true });
  return programOf({}, ports);
}

/** The command of an exec probe or hook. A program of which nothing is known succeeds. */
export function commandRoutine(argv: readonly string[], settings: ContainerSettings, streams: Streams): Program {
  return commandProgram(
    argv,
    { workingDir: settings.workingDir, programs: settings.image.programs, ports: portsOf(settings), main: false },
    streams,
  );
}

/** A command of `kubectl exec`, which says what it says to whoever runs it. */
export function terminalRoutine(wish: TerminalWish, settings: ContainerSettings, terminal: Terminal): Program {
  return terminalProgram(
    wish,
    {
      workingDir: settings.workingDir,
      programs: settings.image.programs,
      ports: portsOf(settings),
      main: false,
      container: { argv: settings.argv, mounts: settings.mounts },
    },
    terminal,
  );
}

/** A program for another architecture, or a script whose interpreter is missing, is started and ends at once. */
function unfitProgram({ argv, image }: ContainerSettings, architecture: string, files: FileTree): Program | undefined {
  const [program = ''] = argv;
  const entry = files.entry(program);
  const says =
    image.binaryArchitecture !== undefined && image.binaryArchitecture !== architecture
      ? 'exec format error'
      : missingInterpreter(entry, image.programs, files);
  if (says === undefined) return undefined;
  return function* fail(process) {
    process.log(`exec ${program}: ${says}`);
    return 255;
  };
}

function missingInterpreter(
  entry: ReturnType<FileTree['entry']>,
  programs: readonly string[] | undefined,
  files: FileTree,
): string | undefined {
  if (entry?.type !== 'file') return undefined;
  const interpreter = /^#!\s*(\S+)/.exec(entry.content.slice(0, 200))?.[1];
  if (interpreter === undefined) return entry.content === '' ? undefined : 'exec format error';
  const name = interpreter.split('/').at(-1) ?? interpreter;
  return programs === undefined || programs.includes(name) || files.entry(interpreter) !== undefined
    ? undefined
    : 'no such file or directory';
}

function portsOf({ spec, image }: ContainerSettings): readonly Listening[] | 'every' {
  const { speaks } = image;
  const declared = asList(spec['ports']).flatMap((port): Listening[] => {
    const number = asNumber(dig(port, 'containerPort'));
    return number === undefined || dig(port, 'protocol') === 'UDP' ? [] : [{ port: number, speaks }];
  });
  if (image.ports.length > 0) return image.ports.map((port) => ({ port, speaks }));
  return declared.length > 0 ? declared : 'every';
}
