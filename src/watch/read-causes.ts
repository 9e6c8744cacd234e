import type { Instant } from '../base/instant.ts';
import { parseInstant } from '../base/instant.ts';
import type { Json } from '../base/json.ts';
import type { Shape } from '../base/json-shape.ts';
import { fitsShape } from '../base/json-shape.ts';
import { withoutUndefined } from '../base/without-undefined.ts';
import type { WatchGap } from '../model/followed.ts';
import type { Course, PastCourse, WatchedCause } from '../model/watch-change.ts';
import { TOLD } from './told-causes.ts';

/** What the `/causes` of one watch says. */
export interface ReadCauses {
  readonly complete: boolean;
  readonly objects: number;
  readonly pending: number;
  readonly courses: readonly Course[];
  readonly past: readonly PastCourse[];
  readonly gaps: readonly { readonly gap: WatchGap; readonly since: Instant }[];
}

const COURSE = {
  ...TOLD,
  reasons: { list: 'text' },
  what: 'text',
  fix: { list: { say: 'text', '?run': 'text' } },
  evidence: { list: { source: 'text', quote: 'text' } },
  '?needs': { list: 'text' },
} as const;
const CAUSES: Shape = {
  schema: ['podcheck.causes/v1'],
  complete: 'flag',
  pending: 'number',
  '?objects': 'number',
  causes: { list: COURSE },
  past: { list: { ...COURSE, endedAt: 'text', ended: ['well', 'deleted', 'changed'] } },
  gaps: { list: { since: 'text', verb: ['get', 'list', 'watch', 'patch'], resource: 'text', detail: 'text' } },
};

/** Reads what `causesJson` wrote, as that of a cluster of this name; undefined for anything else. */
export function readCauses(json: Json | undefined, cluster: string): ReadCauses | undefined {
  if (!fitsShape(json, CAUSES)) return undefined;
  const { complete, objects = 0, pending, causes, past, gaps } = json as unknown as Written;
  return {
    complete,
    objects,
    pending,
    courses: causes.map((one) => courseOf(one, cluster)),
    past: past.map((one) => ({ ...courseOf(one, cluster), endedAt: instant(one.endedAt), ended: one.ended })),
    gaps: gaps.map(({ since, ...gap }) => ({ gap: { ...gap, cluster }, since: instant(since) })),
  };
}

interface WrittenCourse extends Omit<WatchedCause, 'says' | 'evidence' | 'needs'> {
  readonly what: string;
  readonly needs?: readonly string[];
  readonly evidence: readonly { readonly source: string; readonly quote: string }[];
  readonly since: string;
  readonly foundAt: string;
  readonly pods: number;
  readonly times: number;
  readonly reasons: readonly string[];
}

interface Written {
  readonly complete: boolean;
  readonly objects?: number;
  readonly pending: number;
  readonly causes: readonly WrittenCourse[];
  readonly past: readonly (WrittenCourse & { readonly endedAt: string; readonly ended: PastCourse['ended'] })[];
  readonly gaps: readonly (WatchGap & { readonly since: string })[];
}

function courseOf(written: WrittenCourse, cluster: string): Course {
  const {
    fingerprint,
    rule,
    stage,
    title,
    workload,
    object,
    fix,
    evidence,
    needs = [],
    what,
    since,
    foundAt,
    pods,
    times,
    reasons,
  } = written;
  const quotes = evidence.map(({ source, quote }) => ({ about: object, source, quote }));
  const cause = withoutUndefined({
    fingerprint,
    rule,
    stage,
    title,
    says: what,
    workload,
    object,
    fix,
    evidence: quotes,
    needs,
    stages: [],
  });
  return { cluster, cause, since: instant(since), foundAt: instant(foundAt), pods, times, reasons };
}

function instant(text: string): Instant {
  return parseInstant(text) ?? 0;
}
