import type { Difficulty } from '../model/drill.ts';

/** What there is to judge a run by. Times are in milliseconds after the start; wall and virtual. */
export interface Performance {
  readonly difficulty: Difficulty;
  readonly faults: readonly { readonly named: boolean; readonly mended: 'really' | 'symptom' | 'no' }[];
  readonly wallMilliseconds: number;
  readonly wrongAnswers: number;
  readonly hintCost: number;
  readonly destructive: number;
  readonly damage: number;
}

export interface Score {
  /** 0 to 100. */
  readonly points: number;
  readonly parts: readonly { readonly what: string; readonly points: number; readonly of: number }[];
}

/** So long may a trainee take for full marks; at four times as long there are none for time. */
const PAR_MINUTES: Readonly<Record<Difficulty, number>> = { easy: 5, medium: 10, hard: 20 };

const MENDED = { really: 1, symptom: 1 / 3, no: 0 } as const;

const NAMING = 35;
const MENDING = 45;
const TIME = 10;
const CARE = 10;

/**
 * 35 points for naming the causes, 45 for really mending them (15 for a symptom), 10 for time, 10 for care; hints and wrong answers cost.
 */
export function scoreOf(run: Performance): Score {
  const count = Math.max(1, run.faults.length);
  const named = run.faults.filter((fault) => fault.named).length / count;
  let mended = 0;
  for (const fault of run.faults) mended += MENDED[fault.mended] / count;
  const par = PAR_MINUTES[run.difficulty] * 60_000 * count;
  const late = Math.min(1, Math.max(0, (run.wallMilliseconds - par) / (3 * par)));
  const done = run.faults.every((fault) => fault.mended === 'really');
  const parts = [
    { what: 'causes named', points: Math.round(NAMING * named), of: NAMING },
    { what: 'faults fixed', points: Math.round(MENDING * mended), of: MENDING },
    { what: 'time', points: done ? Math.round(TIME * (1 - late)) : 0, of: TIME },
    { what: 'care', points: done ? Math.max(0, CARE - 2 * run.destructive - 5 * run.damage) : 0, of: CARE },
    { what: 'hints', points: -run.hintCost, of: 0 },
    { what: 'wrong answers', points: -3 * run.wrongAnswers, of: 0 },
  ];
  let sum = 0;
  for (const { points } of parts) sum += points;
  return { points: Math.max(0, Math.min(100, sum)), parts };
}
