import type { Frames, Opening, Rule } from './rule.ts';

export const NO_FRAMES: Frames = { around: [], phrases: [], openings: [] };

export const OPENING_PLACES = ['event', 'condition', 'log', 'answer'] as const satisfies readonly Opening['place'][];

/** The openings of all rules. */
export function openingsOf(rules: readonly Pick<Rule, 'frames'>[]): readonly Opening[] {
  return [...new Set(rules.flatMap(({ frames }) => frames.openings))];
}

export function isEmpty({ around, phrases, openings }: Frames): boolean {
  return around.length + phrases.length + openings.length === 0;
}

/** Where two decide, the first counts. */
export function joinFrames(first: Frames, second: Frames): Frames {
  return {
    around: [...first.around, ...second.around],
    phrases: [...first.phrases, ...second.phrases],
    openings: [...first.openings, ...second.openings],
  };
}
