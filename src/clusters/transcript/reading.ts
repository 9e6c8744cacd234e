import type { Instant } from '../../base/instant.ts';
import type { Gathering } from './gathering.ts';
import type { OpeningSearch } from './loose/opening-search.ts';

/** What a segment is read with. */
export interface Reading {
  readonly gathering: Gathering;
  /** Finds messages that stand alone. */
  readonly openings: OpeningSearch;
  readonly at: Instant;
  readonly zoneMinutes: number | undefined;
  /** Nothing stands behind what is read now. */
  readonly last?: boolean;
  /** Name of the transcript, for messages. */
  readonly name: string;
  /** Contents of files that were shown or written, by name, with the namespace they were applied to. */
  readonly files: Map<string, ShownFile>;
}

export interface ShownFile {
  readonly text: string;
  /** The text ends with it, and may have been cut off within it. */
  readonly last?: boolean;
  namespace?: string;
  applied: boolean;
}
