import type { Command } from 'commander';
import type { Finish } from './finish.ts';

/** Rehearsals: a simulated cluster with something wrong in it, worked on with kubectl. */
export function addDrill(drill: Command, finish: Finish): void {
  drill
    .command('list', { isDefault: true })
    .allowExcessArguments(true)
    .description('list the drills')
    .option('--stage <stage>', 'only with a fault in this stage')
    .option('--difficulty <difficulty>', 'easy, medium or hard')
    .action((_: unknown, command: Command) =>
      finish(command, async (context, options) => (await import('../commands/drill/drill-list.ts')).runDrillList(options, context)),
    );
  drill
    .command('start')
    .description('start a drill: opens a shell whose kubectl uses its cluster')
    .argument('[drill]', 'drill ID or file; default: a random drill')
    .option('--random', 'generate a random drill')
    .option('--seed <seed>', 'seed: the same drill and names for everyone')
    .option('--stage <stage>', 'random drill with a fault in this stage')
    .option('--difficulty <difficulty>', 'random drill: easy, medium or hard')
    .option('--speed <speed>', 'virtual seconds per second, or max', '10')
    .option('--detach', 'open no shell; run in the background')
    .action((word: string | undefined, _: unknown, command: Command) =>
      finish(command, async (context, options) => (await import('../commands/drill/drill-start.ts')).runDrillStart(word, options, context)),
    );
  addAsking(drill, finish);
  drill
    .command('review')
    .description('review a run: score, timeline, what to practise next')
    .argument('[run]', 'run ID; default: the last run')
    .action((word: string | undefined, _: unknown, command: Command) =>
      finish(command, async (context, options) =>
        (await import('../commands/drill/drill-review.ts')).runDrillReview(word, options, context),
      ),
    );
  drill
    .command('board')
    .description("rank a team's runs from a folder of JSON reviews")
    .argument('<folder>')
    .action((folder: string, _: unknown, command: Command) =>
      finish(command, async (context, options) =>
        (await import('../commands/drill/drill-review.ts')).runDrillBoard(folder, options, context),
      ),
    );
}

function addAsking(drill: Command, finish: Finish): void {
  const asks = [
    ['status', 'show the state of the run', 'runDrillStatus'],
    ['hint', 'show the next hint; costs points', 'runDrillHint'],
    ['check', 'check whether the fault is fixed, not only hidden', 'runDrillCheck'],
    ['give-up', 'end the run and show the solution', 'runDrillGiveUp'],
    ['stop', 'stop the cluster', 'runDrillStop'],
  ] as const;
  for (const [name, description, run] of asks) {
    drill
      .command(name)
      .description(description)
      .option('--run <id>', 'run ID, if there are several')
      .action((_: unknown, command: Command) =>
        finish(command, async (context, options) => (await import('../commands/drill/drill-ask.ts'))[run](options, context)),
      );
  }
  drill
    .command('answer')
    .description('name a cause')
    .argument('<words...>', 'rule ID, or the cause in your own words')
    .option('--run <id>', 'run ID, if there are several')
    .action((words: readonly string[], _: unknown, command: Command) =>
      finish(command, async (context, options) => (await import('../commands/drill/drill-ask.ts')).runDrillAnswer(words, options, context)),
    );
}
