import type { Difference } from './compare.ts';
import type { Played } from './play.ts';

/**
 * A sequence that was played twice, with those differences alone that showed both times while the real cluster said the same: what it does
 * in its own time, or in the order of a Go map, it does not do alike a second time either.
 */
export function lasting(once: readonly Played[], again: readonly Played[]): readonly Played[] {
  return again.map((played, index) => {
    const before = once[index]?.differences;
    const differences = before === undefined ? played.differences : played.differences.filter((one) => before.some(isSame(one)));
    const fields = (all: readonly Difference[]): number => all.filter(({ about }) => about === 'field').length;
    return { ...played, differences, fieldsEqual: played.fieldsEqual + fields(played.differences) - fields(differences) };
  });
}

function isSame({ mechanism, real }: Difference): (other: Difference) => boolean {
  return (other) => other.mechanism === mechanism && other.real === real;
}
