import type { Command } from 'commander';
import type { Finish } from './finish.ts';
import { seedOption } from './scenario-options.ts';

export function addSim(sim: Command, finish: Finish): void {
  sim
    .command('list', { isDefault: true })
    .allowExcessArguments(true)
    .description('list the scenarios')
    .action((_: unknown, command: Command) =>
      finish(command, async (context, options) => (await import('../commands/sim/sim-list.ts')).runSimList(options, context)),
    );
  sim
    .command('show')
    .description('show a scenario and its cure')
    .argument('<scenario>', 'scenario ID or file')
    .action((id: string, _: unknown, command: Command) =>
      finish(command, async (context, options) => (await import('../commands/sim/sim-list.ts')).runSimShow(id, options, context)),
    );
  playing(sim.command('run'))
    .description('run a scenario and diagnose the result')
    .argument('<scenario...>', 'scenario ID, scenario file, or manifests: files, folders, - (stdin)')
    .option('-R, --recursive', 'read folders recursively')
    .action((words: readonly string[], _: unknown, command: Command) =>
      finish(command, async (context, options) => (await import('../commands/sim/sim-run.ts')).runSimRun(words, options, context)),
    );
  playing(sim.command('try'))
    .description('predict what happens when these manifests are applied')
    .option('-f, --file <file...>', 'manifests: files, folders, - (stdin)')
    .option('-R, --recursive', 'read folders recursively')
    .option('--cluster <preset>', 'node preset: one-node, three-nodes, with-gpus, …; or use --from PATH for a saved cluster')
    .action((_: unknown, command: Command) =>
      finish(command, async (context, options) => (await import('../commands/sim/sim-try.ts')).runSimTry(options, context)),
    );
  sim
    .command('replay')
    .description('show state and diagnosis at any instant of a trace')
    .argument('<file>', 'trace file, as `sim run --trace` writes it')
    .argument('[target]', 'NAME or KIND/NAME')
    .option('--at <duration>', 'time after the start')
    .option('--step', 'stop at each event')
    .action((file: string, target: string | undefined, _: unknown, command: Command) =>
      finish(command, async (context, options) =>
        (await import('../commands/sim/sim-replay.ts')).runSimReplay(file, target, options, context),
      ),
    );
  sim
    .command('diff')
    .description('show where two traces first differ')
    .argument('<a>', 'trace file')
    .argument('<b>', 'trace file')
    .action((a: string, b: string, _: unknown, command: Command) =>
      finish(command, async (context, options) => (await import('../commands/sim/sim-diff.ts')).runSimDiff(a, b, options, context)),
    );
  addServe(sim, finish);
  addPage(sim, finish);
}

function addServe(sim: Command, finish: Finish): void {
  sim
    .command('serve')
    .description('serve a simulated cluster as a Kubernetes API for kubectl')
    .argument('[scenario]', 'scenario ID, scenario file or node preset')
    .addOption(seedOption())
    .option('--speed <speed>', 'virtual seconds per second; max: run all effects of a request before the next', '1')
    .option('--steady-times', 'never change a timestamp once it is sent; with --speed above 1 they run ahead of your clock')
    .option('--port <port>', 'TCP port; 0: any free port', '0')
    .option('--listen <address>', 'listen on this address instead of 127.0.0.1')
    .option('--shell', 'open a shell whose kubectl uses it; the cluster ends with the shell')
    .option('--detach', 'run in the background')
    .option('--page', 'serve the playground instead: the cluster runs in the browser')
    .action((word: string | undefined, _: unknown, command: Command) =>
      finish(command, async (context, options) => (await import('../commands/sim/sim-serve.ts')).runSimServe(word, options, context)),
    );
  sim
    .command('time')
    .description('control the clock of a served cluster: pause, resume, speed N, advance 10m')
    .argument('[change...]')
    .option('--run <id>', 'ID of the served cluster, if there are several')
    .action((words: readonly string[], _: unknown, command: Command) =>
      finish(command, async (context, options) => (await import('../commands/sim/sim-time.ts')).runSimTime(words, options, context)),
    );
  sim
    .command('stop')
    .description('stop a served cluster')
    .option('--run <id>', 'ID of the served cluster, if there are several')
    .action((_: unknown, command: Command) =>
      finish(command, async (context, options) => (await import('../commands/sim/sim-time.ts')).runSimStop(options, context)),
    );
}

function addPage(sim: Command, finish: Finish): void {
  sim
    .command('page')
    .description('write the playground: a folder for any static web server')
    .option('-o, --output <folder>', 'folder to write')
    .action((_: unknown, command: Command) =>
      finish(command, async (context, options) => (await import('../commands/sim/sim-page.ts')).runSimPage(options, context)),
    );
}

function playing(command: Command): Command {
  return command
    .addOption(seedOption())
    .option('--until <duration>', 'stop at this time after the start')
    .option('--trace <file>', 'write a trace file')
    .option('--redact', 'mask env values and ConfigMap data in the trace file')
    .addHelpText('after', TRACE_HELP);
}

const TRACE_HELP = `
A trace file contains every object as it was applied, or read with --from:
env values, ConfigMap data, command lines, annotations, and container output.
It never contains Secret values. --redact also masks env values and ConfigMap
data. Check the file before you share it.`;
