/** One thing compared: equal when both sides say the same, masked. Undefined is a side that has it not. */
export interface Item {
  /** What kind of thing, for counting: `answer`, `event`, `condition`, `container-state`. */
  readonly class: string;
  /** Which one: `Pod/app condition Ready`. */
  readonly about: string;
  readonly recorded: string | undefined;
  readonly simulated: string | undefined;
}

export function isEqual(item: Item): boolean {
  return item.recorded === item.simulated;
}
