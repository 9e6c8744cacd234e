import type { Frames, Opening, Rule } from './rule.ts';
import { saysEnough, templateOf, wordingsOf } from './wording.ts';

export const NO_FRAMES: Frames = { around: [], phrases: [], openings: [] };

export const OPENING_PLACES = ['event', 'condition', 'log', 'answer'] as const satisfies readonly Opening['place'][];

/** The openings of all rules, and what they know from logs that says enough alone. */
export function openingsOf(rules: readonly Pick<Rule, 'frames' | 'says' | 'tells'>[]): readonly Opening[] {
  const known = rules
    .flatMap(wordingsOf)
    .filter((wording) => wording.in.includes('log') && !wording.anyCase && !wording.general && saysEnough(templateOf(wording).literal));
  return [
    ...new Set(rules.flatMap(({ frames }) => frames.openings)),
    ...known.map(({ text }): Opening => ({ place: 'log', component: 'program', reason: '', begins: '', text, known: true })),
  ];
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
