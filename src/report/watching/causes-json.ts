import { formatInstant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import type { WatchView } from '../../model/watch-change.ts';
import { courseJson, gapJson, pastJson } from './change-json.ts';

/** All that a watch knows, as a contract for programs. Schema: `schemas/causes.v1.json`. */
export function causesJson({ at, scope, complete, objects, pending, courses, past, gaps }: WatchView): JsonObject {
  return {
    schema: 'podcheck.causes/v1',
    at: formatInstant(at),
    scope,
    complete,
    objects,
    pending,
    causes: courses.map(courseJson),
    past: past.map(pastJson),
    gaps: gaps.map(({ gap, since }) => ({ since: formatInstant(since), ...gapJson(gap) })),
  };
}
