import { formatDuration } from '../base/duration.ts';
import { largest } from '../base/lists.ts';
import type { RunRecord } from './run-record.ts';

/** One trainee's best run of one drill. */
export interface BoardRow {
  readonly drill: string;
  readonly trainee: string;
  readonly runs: number;
  readonly points: number;
  readonly ending: RunRecord['ending'];
  /** How long after the start the last cause was named and all was mended, by the clock; undefined when it never was. */
  readonly namedMilliseconds: number | undefined;
  readonly mendedMilliseconds: number | undefined;
  readonly hints: number;
}

/** The best run of everybody on every drill: by drill, the most points first, then the quickest. */
export function boardOf(records: readonly RunRecord[]): readonly BoardRow[] {
  const groups = new Map<string, RunRecord[]>();
  for (const record of records) {
    const key = JSON.stringify([record.drill, String(record.seed), record.trainee]);
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  const rows = [...groups.values()].flatMap((runs) => {
    const [best] = runs.toSorted((a, b) => b.score.points - a.score.points || took(a) - took(b));
    return best === undefined ? [] : [rowOf(best, runs.length)];
  });
  return rows.sort((a, b) =>
    a.drill < b.drill
      ? -1
      : a.drill > b.drill
        ? 1
        : b.points - a.points ||
          (a.mendedMilliseconds ?? Number.POSITIVE_INFINITY) - (b.mendedMilliseconds ?? Number.POSITIVE_INFINITY) ||
          (a.trainee < b.trainee ? -1 : 1),
  );
}

export function boardTable(rows: readonly BoardRow[]): { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] } {
  const time = (milliseconds: number | undefined): string => (milliseconds === undefined ? '-' : formatDuration(milliseconds / 1000));
  return {
    head: ['trainee', 'points', 'named', 'mended', 'hints', 'runs', 'drill'],
    rows: rows.map((row) => [
      row.trainee,
      `${row.points}`,
      time(row.namedMilliseconds),
      time(row.mendedMilliseconds),
      `${row.hints}`,
      `${row.runs}`,
      row.drill,
    ]),
  };
}

function rowOf(record: RunRecord, runs: number): BoardRow {
  const { drill, trainee, score, ending, hints, faults, started } = record;
  const last = (moments: readonly (number | undefined)[]): number | undefined =>
    moments.length === 0 || moments.includes(undefined) ? undefined : largest(moments.map((moment) => (moment ?? 0) - started.wall));
  return {
    drill,
    trainee,
    runs,
    points: score.points,
    ending,
    namedMilliseconds: last(faults.map(({ named }) => named?.wall)),
    mendedMilliseconds: last(faults.map(({ mended }) => mended?.wall)),
    hints: hints.given,
  };
}

function took({ started, ended }: RunRecord): number {
  return (ended?.wall ?? Number.POSITIVE_INFINITY) - started.wall;
}
