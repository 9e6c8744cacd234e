import type { Instant } from '../../base/instant.ts';
import type { Draft } from './draft.ts';

/** Fills in what the cells of a row show of an object of one kind. */
export type RowReader = (cell: (title: string) => string | undefined, draft: Draft, at: Instant) => void;
