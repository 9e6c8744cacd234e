import type { FactKind } from './fact-kinds.ts';
import type { Scalar } from './fact.ts';
import type { Place } from './place.ts';

/** The field of a kind of fact that holds words, and where these were said. */
export interface SpokenField {
  readonly place: Place;
  readonly fact: FactKind;
  readonly field: string;
  /** The field with the machine word said with them. */
  readonly reason?: string;
  /** Only facts with this value hold such words. */
  readonly only?: { readonly field: string; readonly value: Scalar };
  /** Each line is said by itself. */
  readonly lines?: true;
}

/** All words that rules are held against: whatever collects a text puts it into one of these fields. */
export const SPOKEN_FIELDS: readonly SpokenField[] = [
  { place: 'event', fact: 'event', field: 'message', reason: 'reason' },
  { place: 'condition', fact: 'condition', field: 'message', reason: 'reason' },
  { place: 'status', fact: 'pod', field: 'message', reason: 'reason' },
  { place: 'waiting', fact: 'container', field: 'message', reason: 'reason', only: { field: 'state', value: 'waiting' } },
  { place: 'terminated', fact: 'container', field: 'message', reason: 'reason', only: { field: 'state', value: 'terminated' } },
  { place: 'terminated', fact: 'container', field: 'lastMessage', reason: 'lastReason' },
  { place: 'start', fact: 'start-failure', field: 'message', reason: 'reason' },
  { place: 'pull', fact: 'image', field: 'message', reason: 'reason' },
  { place: 'status', fact: 'unattached-volume', field: 'error' },
  { place: 'log', fact: 'log', field: 'line' },
  { place: 'journal', fact: 'node-service', field: 'log', lines: true },
  { place: 'text', fact: 'text', field: 'text' },
];

/** Kinds of fact whose words are said in these places. */
export function factsSpokenIn(places: readonly Place[]): readonly FactKind[] {
  return [...new Set(SPOKEN_FIELDS.filter(({ place }) => places.includes(place)).map(({ fact }) => fact))];
}
