import type { Phrase } from './phrases.ts';
import type { Rule, Wording } from './rule.ts';

/** What `<stage>/_frames.yaml` has beside the rules of a stage. */
export interface Frames {
  /** They stand around the wordings of rules: what they capture is known of every text in which they stand. */
  readonly around: readonly Wording[];
  readonly phrases: readonly PhraseWording[];
  readonly openings: readonly Opening[];
}

/** The openings of all rules. */
export function openingsOf(rules: readonly Pick<Rule, 'frames'>[]): readonly Opening[] {
  return [...new Set(rules.flatMap(({ frames }) => frames.openings))];
}

export const NO_FRAMES: Frames = { around: [], phrases: [], openings: [] };

/** A wording of a phrase. It tells of nothing by itself, and stands around nothing. */
export interface PhraseWording extends Wording {
  readonly phrase: Phrase;
}

/** What a text that stands alone can be taken for; `condition` is a node's Ready. */
export const OPENING_PLACES = ['event', 'condition', 'log', 'answer'] as const;

/**
 * Words with which a component begins to tell that something fails. A line that is pasted alone and has them is read as what carries it in
 * a cluster; what it means is for the rules. `message` captures the carried message where a log has it in quotation marks.
 */
export interface Opening {
  readonly place: (typeof OPENING_PLACES)[number];
  /** The component that says it; `controller` for any. */
  readonly component: string;
  /** Of an event; empty for other places. */
  readonly reason: string;
  /** What the message begins with in its event, where a log leaves it out. */
  readonly begins: string;
  readonly text: string;
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
