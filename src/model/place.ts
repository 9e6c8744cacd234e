
/** Where words may stand. A `text` is words without a place: a line somebody pasted. */
export const PLACES = ['event', 'condition', 'status', 'waiting', 'terminated', 'log', 'journal', 'probe', 'answer', 'text'] as const;
export type Place = (typeof PLACES)[number];
