import type { Instant } from '../../../base/instant.ts';
import type { Line } from '../clean-lines.ts';
import type { Draft } from '../draft.ts';
import type { Sections } from './sections.ts';

/** Fills in what the sections of a describe show of an object of one kind. `lines` is the text of the describe as it stands. */
export type DescribeReader = (fields: Sections, draft: Draft, at: Instant, lines: readonly Line[]) => void;
