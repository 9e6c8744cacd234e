/**
 * Where words may stand. `field`: what an answer says of one field of an object. A `text` is words without a place: a line somebody pasted.
 */
export const PLACES = [
  'event',
  'condition',
  'status',
  'waiting',
  'terminated',
  'pull',
  'start',
  'log',
  'journal',
  'probe',
  'answer',
  'field',
  'text',
] as const;
export type Place = (typeof PLACES)[number];
