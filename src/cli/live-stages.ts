import { setTimeout as sleep } from 'node:timers/promises';
import { STAGE_IDS } from '../model/stage.ts';
import type { StageId } from '../model/stage.ts';
import type { WayStage } from '../report/simulation/stage-story.ts';
import { wayWords } from '../report/simulation/stage-story.ts';
import { stderrTasks } from './stderr-tasks.ts';

/** What changes stays so long before the next change is shown: virtual time is faster than eyes. */
const PACE_MILLISECONDS = 40;

interface Line {
  say(words: string): void;
  end(how: 'passed' | 'skipped', words: string): void;
  fail(words: string): void;
}

/**
 * Shows the stages on a terminal while the work goes on, one line each, and takes them away at the end: the report has them once
 * more. listr2 is not given the signals: cli ends the program itself, and gives the cursor back.
 */
export async function showLive<T>(
  stderr: NodeJS.WriteStream,
  work: (show: (way: readonly WayStage[]) => Promise<void>) => Promise<T>,
): Promise<T> {
  const lines = new Map<StageId, Line>();
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => void (begin = resolve));
  const tasks = await stderrTasks(
    stderr,
    STAGE_IDS.map((id) => ({
      title: id,
      task: (_: unknown, task: { title: string; skip: (words: string) => void }) =>
        new Promise<void>((resolve, reject) => {
          const say = (words: string): void => void (task.title = `${id.padEnd(22)} ${words}`);
          lines.set(id, {
            say,
            end: (how, words) => {
              if (how === 'skipped') task.skip(`${id.padEnd(22)} ${words}`);
              else say(words);
              resolve();
            },
            fail: (words) => reject(new Error(`${id.padEnd(22)} ${words}`)),
          });
          if (lines.size === STAGE_IDS.length) begin();
        }),
    })),
    { concurrent: true, exitOnError: false },
  );
  const running = tasks.run();
  await begun;
  const view = new View(lines);
  try {
    return await work(async (way) => {
      view.show(way);
      await sleep(PACE_MILLISECONDS);
    });
  } finally {
    view.end();
    await running.catch(() => undefined);
  }
}

/** Stages that a pod passes and may fall back from as long as it lives: their lines end when everything does. */
const CHANGING: ReadonlySet<StageId> = new Set(['containers', 'probes', 'endpoints', 'traffic']);

class View {
  readonly #lines: ReadonlyMap<StageId, Line>;
  readonly #ended = new Set<StageId>();
  #way: readonly WayStage[] = [];

  constructor(lines: ReadonlyMap<StageId, Line>) {
    this.#lines = lines;
  }

  show(way: readonly WayStage[]): void {
    this.#way = way;
    for (const stage of way) {
      const words = wayWords(stage);
      if (stage.verdict === 'passed' && !CHANGING.has(stage.id) && !this.#ended.has(stage.id))
        this.#end(stage.id, (line) => line.end('passed', words));
      else if (stage.verdict !== 'not-reached') this.#lines.get(stage.id)?.say(words);
    }
  }

  /** What is not over never will be. */
  end(): void {
    for (const id of STAGE_IDS) {
      const stage = this.#way.find((one) => one.id === id) ?? { id, verdict: 'not-reached' as const };
      if (this.#ended.has(id)) continue;
      if (stage.verdict === 'passed') this.#end(id, (line) => line.end('passed', wayWords(stage)));
      else if (stage.verdict === 'blocked') this.#end(id, (line) => line.fail(wayWords(stage)));
      else this.#end(id, (line) => line.end('skipped', wayWords(stage)));
    }
  }

  #end(id: StageId, how: (line: Line) => void): void {
    this.#ended.add(id);
    const line = this.#lines.get(id);
    if (line !== undefined) how(line);
  }
}
