import type { Command } from 'commander';
import type { Finish } from './finish.ts';

/** Rehearsals: a simulated cluster with something wrong in it, worked on with kubectl. */
export function addDrill(drill: Command, finish: Finish): void {
  drill
    .command('list', { isDefault: true })
    .description('the drills')
    .option('--stage <stage>', 'with a fault in this stage')
    .option('--difficulty <difficulty>', 'easy, medium or hard')
    .action((_: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/drill-list.ts')).runDrillList(options, context)));
  drill
    .command('start')
    .description('begin one: opens a shell in which kubectl talks to the cluster')
    .argument('[drill]', 'an id or a file; a random one without it')
    .option('--random', 'one that nobody has seen')
    .option('--seed <seed>', 'the same random drill, and the same names, for everybody')
    .option('--stage <stage>', 'a random one with a fault in this stage')
    .option('--difficulty <difficulty>', 'a random one that is easy, medium or hard')
    .option('--speed <speed>', 'virtual seconds to a second, or max', '10')
    .option('--detach', 'open no shell: go on in the background')
    .action((word: string | undefined, _: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/drill-start.ts')).runDrillStart(word, options, context)));
  addAsking(drill, finish);
  drill
    .command('review')
    .description('how a run went, and what to practise next')
    .argument('[run]', 'the last one without it')
    .action((word: string | undefined, _: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/drill-review.ts')).runDrillReview(word, options, context)));
  drill
    .command('board')
    .description("a team's best runs, from a folder of reviews in JSON")
    .argument('<folder>')
    .action((folder: string, _: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/drill-review.ts')).runDrillBoard(folder, options, context)));
}

function addAsking(drill: Command, finish: Finish): void {
  const asks = [
    ['status', 'where the run stands', 'runDrillStatus'],
    ['hint', 'the next hint; it costs points', 'runDrillHint'],
    ['check', 'whether everything works again, and for the right reason', 'runDrillCheck'],
    ['give-up', 'end the run and tell all', 'runDrillGiveUp'],
    ['stop', 'end the cluster', 'runDrillStop'],
  ] as const;
  for (const [name, description, run] of asks) {
    drill
      .command(name)
      .description(description)
      .option('--run <id>', 'which run, where there are several')
      .action((_: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/drill-ask.ts'))[run](options, context)));
  }
  drill
    .command('answer')
    .description('name a cause')
    .argument('<words...>', "a rule's id, or what is wrong in your words")
    .option('--run <id>', 'which run, where there are several')
    .action((words: readonly string[], _: unknown, command: Command) => finish(command, async (context, options) => (await import('../commands/drill-ask.ts')).runDrillAnswer(words, options, context)));
}
