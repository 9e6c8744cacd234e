import type { Json } from '../../../base/json.ts';

type CheckNew = (list: readonly Json[], before: readonly Json[], check: (member: Json, index: number) => boolean) => void;

/**
 * A check of the members of a list that were not in the list that it takes the place of. A Service's hundred endpoints change one at a
 * time: asking of each whether it was found right before took longer than all other checks of them.
 */
export function newMembersCheck(): CheckNew {
  /** Lists of which every member was found right. */
  const right = new WeakSet<readonly Json[]>();
  return (list, before, check) => {
    const known = right.has(before) ? before : [];
    let [place, allRight] = [0, true];
    for (let index = 0; index < list.length; index++) {
      const member = list[index] as Json;
      const found = member === known[place] ? place : known.indexOf(member, place);
      if (found >= 0) place = found + 1;
      else allRight = check(member, index) && allRight;
    }
    if (allRight) right.add(list);
  };
}
