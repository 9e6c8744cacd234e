import { parentPort, workerData } from 'node:worker_threads';
import { failedReads } from './failed-reads.ts';
import type { Job, PlayerData } from './scenario-players.ts';
import type { Plays } from './scenario-plays.ts';
import { lookedAt, playedAgain, playedOtherwise } from './scenario-plays.ts';

/** A thread that plays scenarios: one job comes in, what it told goes out. */
const { scenarios, rules, sweep } = workerData as PlayerData;

parentPort?.on('message', (job: Job) => {
  void answerTo(job)
    .then(
      (told) => ({ told }),
      (error: unknown) => ({ trouble: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
    .then((answer) => parentPort?.postMessage(answer, []));
});

async function answerTo({ scenario: index, play, seed }: Job): Promise<Plays[keyof Plays]> {
  const scenario = scenarios[index];
  if (scenario === undefined) throw new Error(`there is no scenario ${String(index)}`);
  if (play === 'looked') return lookedAt(scenario, rules);
  if (play === 'failedReads') return failedReads(scenario, rules, sweep ?? 'thin');
  return play === 'again' ? playedAgain(scenario, rules) : playedOtherwise(scenario, seed, rules);
}
