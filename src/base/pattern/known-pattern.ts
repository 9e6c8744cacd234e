import { remembered } from '../memoized.ts';
import { linearPattern } from './linear-pattern.ts';

/** The same as linearPattern, with the patterns that were asked for last at hand. */
export const knownPattern = remembered(linearPattern, { limit: 500, length: 1000 });
