import type { Command } from 'commander';
import { Option } from 'commander';
import type { OutputOptions } from '../commands/options.ts';
import type { SimReplayOptions } from '../commands/sim-replay.ts';
import type { SimRunOptions, SimTryOptions } from '../commands/sim-run.ts';
import type { Runner } from './program.ts';

/** What is read of a simulated cluster instead of a real one. */
export function scenarioOptions(): readonly Option[] {
  return [
    new Option('--scenario <id>', 'play a scenario and look at its cluster (podcheck sim list)'),
    new Option('--at <duration>', 'look at it so long after its start'),
    new Option('--seed <seed>', 'what chance is made of: another seed, other names and delays'),
  ];
}

export function addSim(program: Command, runner: Runner): void {
  const sim = program.command('sim').description('a simulated cluster: play scenarios, try manifests');
  sim
    .command('list', { isDefault: true })
    .description('the scenarios that come along')
    .action(async (_options: unknown, command: Command) => {
      const options: OutputOptions & Shown = command.optsWithGlobals();
      const { runSimList } = await import('../commands/sim-list.ts');
      runner.exit(await runSimList(options, runner.context(options)));
    });
  sim
    .command('show')
    .description('one scenario: its steps, what must be found, its cure')
    .argument('<scenario>', 'as `sim list` shows it, or a file')
    .action(async (scenario: string, _options: unknown, command: Command) => {
      const options: OutputOptions & Shown = command.optsWithGlobals();
      const { runSimShow } = await import('../commands/sim-list.ts');
      runner.exit(await runSimShow(scenario, options, runner.context(options)));
    });
  addRun(sim, runner);
  addTry(sim, runner);
  addTraces(sim, runner);
}

function addRun(sim: Command, runner: Runner): void {
  sim
    .command('run')
    .description('play a scenario, or apply manifests to a new cluster, and say what came of it')
    .argument('<scenario...>', 'a scenario, its file, or files with Kubernetes objects')
    .option('--seed <seed>', 'what chance is made of: another seed, other names and delays')
    .option('--until <duration>', 'look at it so long after its start')
    .option('--trace <file>', 'write down everything that happens')
    .action(async (words: readonly string[], _options: unknown, command: Command) => {
      const options: SimRunOptions & Shown = command.optsWithGlobals();
      const { runSimRun } = await import('../commands/sim-run.ts');
      runner.exit(await runSimRun(words, options, runner.context(options)));
    });
}

function addTry(sim: Command, runner: Runner): void {
  sim
    .command('try')
    .description('what would happen if these manifests were applied')
    .requiredOption('-f, --file <file>', 'manifest; repeatable', gathered)
    .option('--cluster <preset>', 'the cluster: no-nodes, one-node, three-nodes, six-nodes, with-control-plane, with-gpus')
    .option('--seed <seed>', 'what chance is made of: another seed, other names and delays')
    .option('--until <duration>', 'look at it so long after its start')
    .option('--trace <file>', 'write down everything that happens')
    .action(async (_options: unknown, command: Command) => {
      const options: SimTryOptions & Shown = command.optsWithGlobals();
      const { runSimTry } = await import('../commands/sim-run.ts');
      runner.exit(await runSimTry(options, runner.context(options)));
    });
}

function addTraces(sim: Command, runner: Runner): void {
  sim
    .command('replay')
    .description('state and diagnosis at any instant of a recorded trace')
    .argument('<file>', 'what `sim run --trace` wrote')
    .argument('[target]', 'NAME or KIND/NAME; everything without it')
    .option('--at <duration>', 'so long after the start; its end without it')
    .option('--step', 'from what happened to what happened next')
    .action(async (file: string, target: string | undefined, _options: unknown, command: Command) => {
      const options: SimReplayOptions & Shown = command.optsWithGlobals();
      const { runSimReplay } = await import('../commands/sim-replay.ts');
      runner.exit(await runSimReplay(file, target, options, runner.context(options)));
    });
  sim
    .command('diff')
    .description('where two traces first differ, and what followed from it')
    .argument('<a>', 'a trace')
    .argument('<b>', 'another')
    .action(async (a: string, b: string, _options: unknown, command: Command) => {
      const options: OutputOptions & Shown = command.optsWithGlobals();
      const { runSimDiff } = await import('../commands/sim-diff.ts');
      runner.exit(await runSimDiff(a, b, options, runner.context(options)));
    });
}

function gathered(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

interface Shown {
  readonly color?: boolean;
}
