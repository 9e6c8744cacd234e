import type { Command } from 'commander';
import type { Finish } from './finish.ts';
import { seedOption } from './scenario-options.ts';

export function addSim(sim: Command, finish: Finish): void {
  sim
    .command('list', { isDefault: true })
    .description('the scenarios')
    .action((_: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/sim-list.ts')).runSimList(options, context)));
  sim
    .command('show')
    .description('a scenario, and its cure')
    .argument('<scenario>', 'an id or a file')
    .action((id: string, _: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/sim-list.ts')).runSimShow(id, options, context)));
  playing(sim.command('run'))
    .description('play a scenario and say what came of it')
    .argument('<scenario...>', 'an id, a file, or manifests: files, folders, - for stdin')
    .option('-R, --recursive', 'look into folders in folders')
    .action((words: readonly string[], _: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/sim-run.ts')).runSimRun(words, options, context)));
  playing(sim.command('try'))
    .description('what would happen if these manifests were applied')
    .option('-f, --file <file...>', 'manifests: files, folders, - for stdin')
    .option('-R, --recursive', 'look into folders in folders')
    .option('--cluster <preset>', 'one-node, three-nodes, with-gpus, …; --from PATH takes a cluster as it was saved')
    .action((_: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/sim-try.ts')).runSimTry(options, context)));
  sim
    .command('replay')
    .description('state and diagnosis at any instant of a trace')
    .argument('<file>')
    .argument('[target]', 'NAME or KIND/NAME')
    .option('--at <duration>', 'so long after its start')
    .option('--step', 'from what happened to what happened next')
    .action((file: string, target: string | undefined, _: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/sim-replay.ts')).runSimReplay(file, target, options, context)));
  sim
    .command('diff')
    .description('where two traces first differ')
    .argument('<a>')
    .argument('<b>')
    .action((a: string, b: string, _: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/sim-diff.ts')).runSimDiff(a, b, options, context)));
  addServe(sim, finish);
}

function addServe(sim: Command, finish: Finish): void {
  sim
    .command('serve')
    .description('serve a simulated cluster as the Kubernetes API, for kubectl and all others')
    .argument('[scenario]', 'an id, a file, or a preset of nodes')
    .addOption(seedOption())
    .option('--speed <speed>', 'virtual seconds to a second, or max: what a request sets off is over before the next', '1')
    .option('--port <port>', '0 takes any free one', '0')
    .option('--listen <address>', 'another address than 127.0.0.1')
    .option('--shell', 'open a shell that talks to it, and end it with the shell')
    .option('--detach', 'go on in the background')
    .action((word: string | undefined, _: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/sim-serve.ts')).runSimServe(word, options, context)));
  sim
    .command('time')
    .description('the time of a served cluster: pause, resume, speed N, advance 10m')
    .argument('[change...]')
    .option('--run <id>', 'which served cluster, where there are several')
    .action((words: readonly string[], _: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/sim-time.ts')).runSimTime(words, options, context)));
  sim
    .command('stop')
    .description('end a served cluster')
    .option('--run <id>', 'which one, where there are several')
    .action((_: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/sim-time.ts')).runSimStop(options, context)));
}

function playing(command: Command): Command {
  return command.addOption(seedOption()).option('--until <duration>', 'look so long after the start').option('--trace <file>', 'write down all that happens');
}
