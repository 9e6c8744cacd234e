import { expect, test } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { newMembersCheck } from '../../../src/simulator/apiserver/validation/right-lists.ts';

const [till, cart, bank, wrong] = [{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }, { ip: '192.0.2.3' }, { ip: '' }];

const checkNewMembers = newMembersCheck();

/** The places of the members that were asked. */
function asked(list: readonly Json[], before: readonly Json[]): readonly number[] {
  const places: number[] = [];
  checkNewMembers(list, before, (member, index) => {
    places.push(index);
    return member !== wrong;
  });
  return places;
}

test('of a list that was right only the members that are new are asked, wherever others came, went or were replaced', () => {
  const first = [till, cart];
  expect(asked(first, [])).toEqual([0, 1]);
  const second = [till, bank, cart];
  expect(asked(second, first)).toEqual([1]);
  expect(asked([cart], second)).toEqual([]);
  expect(asked([{ ip: '192.0.2.4' }, bank, cart], second)).toEqual([0]);
});

test('a list with a wrong member is asked as a whole each time, and what only looks the same is asked', () => {
  const list = [till, wrong, cart];
  expect(asked(list, [])).toEqual([0, 1, 2]);
  expect(asked([till, wrong], list)).toEqual([0, 1]);
  const sound = [till];
  asked(sound, []);
  expect(asked([{ ...till }], sound)).toEqual([0]);
});
