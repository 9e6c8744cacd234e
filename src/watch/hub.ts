import type { Instant } from '../base/instant.ts';
import { largest } from '../base/lists.ts';
import { formatRef } from '../model/kube-object.ts';
import type { WatchGap } from '../model/followed.ts';
import type { Change, Course, PastCourse, WatchView } from '../model/watch-change.ts';
import { Gaps } from './gaps.ts';
import type { ReadCauses } from './read-causes.ts';

/** How long a cause may be missing without being cured: replicas are restarted and take over from each other. Milliseconds. */
const MISSING = 60_000;
const MOST_PAST = 1000;

interface Known {
  readonly course: Course;
  readonly missingSince?: Instant;
}

interface Cluster {
  readonly known: Map<string, Known>;
  last: readonly ReadCauses[];
  heardAt: Instant | undefined;
}

/** The causes of several clusters, each as its own watch tells them. It knows no clock: all times come in. */
export class Hub {
  readonly #clusters: ReadonlyMap<string, Cluster>;
  readonly #gaps = new Gaps();
  #past: readonly PastCourse[] = [];
  readonly #begun: Instant;

  constructor(names: readonly string[], now: Instant) {
    this.#clusters = new Map(names.map((name) => [name, { known: new Map(), last: [], heardAt: undefined }]));
    this.#begun = now;
  }

  /** Takes what all replicas of a cluster's watch say. */
  heard(name: string, said: readonly ReadCauses[], now: Instant): readonly Change[] {
    const cluster = this.#clusters.get(name);
    if (cluster === undefined) return [];
    cluster.last = said;
    cluster.heardAt = now;
    return [...this.#gaps.set(name, undefined, now), ...began(cluster.known, said, now), ...this.#ended(cluster.known, said, now)];
  }

  #ended(known: Map<string, Known>, said: readonly ReadCauses[], now: Instant): readonly Change[] {
    const open = new Set(said.flatMap(({ courses }) => courses.map(({ cause }) => cause.fingerprint)));
    const past = new Map(said.flatMap((one) => one.past.map((course) => [course.cause.fingerprint, course])));
    const isWhole = said.every(({ complete }) => complete);
    const changes: Change[] = [];
    for (const [fingerprint, { course, missingSince = now }] of known) {
      if (open.has(fingerprint)) continue;
      const ended = past.get(fingerprint);
      const isOver = ended !== undefined && ended.endedAt >= course.foundAt;
      if (!isOver && (!isWhole || now - missingSince < MISSING)) {
        known.set(fingerprint, isWhole ? { course, missingSince } : { course });
        continue;
      }
      known.delete(fingerprint);
      const cured = isOver ? ended : ({ ...course, endedAt: now, ended: 'well' } as const);
      this.#past = [cured, ...this.#past].slice(0, MOST_PAST);
      changes.push({ type: 'cured', at: now, course: cured });
    }
    return changes;
  }

  /** A cluster does not answer: what is known of it stays. */
  failed(name: string, detail: string, now: Instant): readonly Change[] {
    const gap: WatchGap = { verb: 'get', resource: 'causes', cluster: name, detail };
    return this.#gaps.set(name, gap, now);
  }

  view(now: Instant): WatchView {
    const clusters = [...this.#clusters.values()];
    const last = clusters.flatMap((cluster) => cluster.last);
    const sum = (count: (one: ReadCauses) => number): number => last.reduce((total, one) => total + count(one), 0);
    return {
      at: now,
      scope: `${this.#clusters.size === 1 ? 'cluster' : 'clusters'} ${[...this.#clusters.keys()].join(', ')}`,
      complete: clusters.every(({ last: said, heardAt }) => heardAt !== undefined && said.every(({ complete }) => complete)),
      objects: sum(({ objects }) => objects),
      pending: sum(({ pending }) => pending),
      courses: clusters
        .flatMap(({ known }) => Array.from(known.values(), ({ course }) => course))
        .toSorted((a, b) => b.foundAt - a.foundAt),
      past: this.#past,
      gaps: [...this.#gaps.open(), ...last.flatMap(({ gaps }) => gaps)],
      lagSeconds: largest([0, ...clusters.map(({ heardAt = this.#begun }) => (now - heardAt) / 1000)]),
    };
  }
}

/** Takes what is told now; gives what was not known. */
function began(known: Map<string, Known>, said: readonly ReadCauses[], now: Instant): readonly Change[] {
  const courses = new Map(said.flatMap((one) => one.courses.map((course) => [course.cause.fingerprint, course])));
  const byWorkload = new Map(Array.from(known.values(), ({ course }) => [formatRef(course.cause.workload), course]));
  const changes: Change[] = [];
  for (const [fingerprint, course] of courses) {
    const before = byWorkload.get(formatRef(course.cause.workload));
    const isKnown = known.has(fingerprint);
    known.set(fingerprint, { course });
    if (isKnown) continue;
    const isOther = before !== undefined && !courses.has(before.cause.fingerprint);
    if (isOther) known.delete(before.cause.fingerprint);
    changes.push(isOther ? { type: 'changed', at: now, course, before: before.cause } : { type: 'found', at: now, course });
  }
  return changes;
}
