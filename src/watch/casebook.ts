import type { Instant } from '../base/instant.ts';
import type { Diagnosis } from '../model/diagnosis.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { formatRef } from '../model/kube-object.ts';
import type { Change, Course, PastCourse, WatchedCause } from '../model/watch-change.ts';
import { isVague } from '../model/watch-change.ts';
import type { SickWorkload } from './inventory.ts';
import { watchedCause } from './watched-cause.ts';

/** Milliseconds. */
const TIMES = {
  /** What a state that passes by itself takes: images are pulled, probes wait. */
  normal: 30_000,
  /** Between two looks at one workload whose objects change. */
  again: 30_000,
  /** Between two looks at one where nothing changes. */
  longest: 300_000,
  /** How long a workload is well before its cause counts as cured. */
  cured: 30_000,
};
/** Causes that are over and still known with their evidence. */
const MOST_PAST = 1000;

/** One workload that is not well. */
interface Case {
  readonly ref: ObjectRef;
  sick: SickWorkload;
  since: Instant;
  nextLook: Instant;
  lastLook: Instant | undefined;
  looking: boolean;
  /** Looks that named no cause, one after the other. */
  vain: number;
  /** Looks whose answer was the same as before. */
  same: number;
  /** The cause that the last look named instead of the known one. */
  other: string | undefined;
  course: Course | undefined;
  /** Its course comes from what was kept, without evidence. */
  isRestored: boolean;
  wellSince: Instant | undefined;
}

/** A workload to diagnose; `thorough` where a look at what belongs to it named no cause: it may show at its callers alone. */
export interface DueLook {
  readonly ref: ObjectRef;
  readonly thorough: boolean;
}

/** What is known of the workloads besides, when time goes on. */
export interface Moment {
  readonly sick: ReadonlyMap<string, SickWorkload>;
  /** Until when a workload that is well has not proven that it stays so. */
  readonly provenAt: ReadonlyMap<string, Instant>;
  readonly exists: (ref: ObjectRef) => boolean;
  /** Whose causes are told here. Of the others nothing changes. */
  readonly isOwn: (ref: ObjectRef) => boolean;
}

/**
 * The workloads that are not well, each with its cause as soon as one is known. It says who is to be diagnosed, takes the answers, and
 * gives what is to be told. It knows no clock: all times come in.
 */
export class Casebook {
  readonly #cases = new Map<string, Case>();
  readonly #past = new Map<string, PastCourse>();
  readonly #most: number;
  #looking = 0;
  #isOwn: (ref: ObjectRef) => boolean = () => true;

  /** `most`: diagnoses at a time. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes what is well and what is not at this moment; gives what was cured. */
  update({ sick, provenAt, exists, isOwn }: Moment, now: Instant): readonly Change[] {
    this.#isOwn = isOwn;
    for (const [key, workload] of sick) this.#take(key, workload, now);
    const changes: Change[] = [];
    for (const [key, one] of this.#cases) {
      if (sick.has(key) || !isOwn(one.ref)) continue;
      one.wellSince ??= now;
      if (one.looking) continue;
      const { course } = one;
      const deleted = course !== undefined && !exists(one.ref);
      if (course !== undefined && !deleted && now < Math.max(one.wellSince + TIMES.cured, provenAt.get(key) ?? 0)) continue;
      this.#cases.delete(key);
      if (course !== undefined) changes.push(this.#end(course, deleted ? 'deleted' : 'well', now));
    }
    return changes;
  }

  /** The workloads to diagnose now, the longest due first; each is to be answered. */
  due(now: Instant): readonly DueLook[] {
    const due = [...this.#cases.values()]
      .filter((one) => !one.looking && one.wellSince === undefined && one.nextLook <= now && this.#isOwn(one.ref))
      .toSorted((a, b) => a.nextLook - b.nextLook)
      .slice(0, this.#most - this.#looking);
    for (const one of due) {
      one.looking = true;
      one.lastLook = now;
    }
    this.#looking += due.length;
    return due.map(({ ref, vain }) => ({ ref, thorough: vain > 0 }));
  }

  /** Takes a diagnosis; undefined where the cluster could not be asked. */
  answered(ref: ObjectRef, diagnosis: Diagnosis | undefined, now: Instant): readonly Change[] {
    const one = this.#cases.get(formatRef(ref));
    if (one === undefined || !one.looking) return [];
    one.looking = false;
    this.#looking -= 1;
    if (diagnosis === undefined || !this.#isOwn(ref)) {
      one.nextLook = now + TIMES.again;
      return [];
    }
    const cause = watchedCause(diagnosis, ref);
    if (cause === undefined) {
      one.same += 1;
      one.nextLook = now + waitAfter(one.same);
      const { course } = one;
      one.course = diagnosis.outcome === 'healthy' ? undefined : course;
      return course === undefined || one.course !== undefined ? [] : [this.#end(course, 'well', now)];
    }
    return this.#named(one, cause, now);
  }

  /** Takes causes that were told before the watch began, or by another one: they are known, and looked at again for their evidence. */
  restore(courses: readonly Course[], now: Instant): void {
    for (const course of courses) {
      const { workload: ref } = course.cause;
      const key = formatRef(ref);
      const known = this.#cases.get(key);
      if (known?.course !== undefined && (!known.isRestored || known.course.foundAt > course.foundAt)) continue;
      const one = known ?? newCase({ ref, since: course.since, pods: course.pods, reasons: course.reasons }, now);
      this.#cases.set(key, Object.assign(one, { course, isRestored: true, nextLook: now }));
    }
  }

  /** Forgets the workloads that are not to be shown here any more, without a word. */
  release(isShown: (ref: ObjectRef) => boolean): void {
    for (const [key, one] of this.#cases) {
      if (isShown(one.ref)) continue;
      if (one.looking) this.#looking -= 1;
      this.#cases.delete(key);
    }
  }

  /** What is known now, the newest first. */
  courses(): readonly Course[] {
    return [...this.#cases.values()].flatMap(({ course }) => course ?? []).toSorted((a, b) => b.foundAt - a.foundAt);
  }

  /** What is over, the newest first. */
  past(): readonly PastCourse[] {
    return [...this.#past.values()].toReversed();
  }

  /** Workloads that are not well and have no cause yet. */
  get pending(): number {
    return [...this.#cases.values()].filter(({ course }) => course === undefined).length;
  }

  get size(): number {
    return this.#cases.size;
  }

  #take(key: string, workload: SickWorkload, now: Instant): void {
    if (!this.#isOwn(workload.ref)) return;
    const one = this.#cases.get(key);
    if (one === undefined) {
      this.#cases.set(key, newCase(workload, now));
      return;
    }
    one.wellSince = undefined;
    one.since = Math.min(one.since, workload.since);
    const changed = workload.pods !== one.sick.pods || workload.reasons.join('\n') !== one.sick.reasons.join('\n');
    one.sick = workload;
    if (!changed) return;
    if (one.lastLook !== undefined) one.nextLook = Math.min(one.nextLook, one.lastLook + waitAfter(one.same));
    if (one.course !== undefined) one.course = { ...one.course, pods: workload.pods, reasons: workload.reasons };
  }

  #named(one: Case, cause: WatchedCause, now: Instant): readonly Change[] {
    const { course: before } = one;
    if (!weighed(one, cause, now)) return [];
    // It is well again by now, and nobody was told that it was not.
    if (before === undefined && one.wellSince !== undefined) return [];
    const again = this.#past.get(cause.fingerprint);
    const { pods, reasons } = one.sick;
    const course = { cause, since: one.since, foundAt: now, pods, reasons, times: (again?.times ?? 0) + 1 };
    one.course = course;
    one.isRestored = false;
    if (before === undefined) return [{ type: 'found', at: now, course }];
    this.#end(before, 'changed', now);
    return [{ type: 'changed', at: now, course, before: before.cause }];
  }

  #end(course: Course, ended: PastCourse['ended'], now: Instant): Change {
    const past = { ...course, endedAt: now, ended };
    const { fingerprint } = course.cause;
    // The newest comes last.
    this.#past.delete(fingerprint);
    this.#past.set(fingerprint, past);
    for (const oldest of this.#past.keys()) {
      if (this.#past.size <= MOST_PAST) break;
      this.#past.delete(oldest);
    }
    return { type: 'cured', at: now, course: past };
  }
}

/** Takes what a look has named; whether it is to be told. */
function weighed(one: Case, cause: WatchedCause, now: Instant): boolean {
  const { course: before } = one;
  const vague = isVague(cause);
  one.vain = vague ? one.vain + 1 : 0;
  const isSame = before !== undefined && saysTheSame(before.cause, cause);
  // What was kept has no evidence.
  if (one.isRestored && isSame) one.course = withEvidence(before, cause, one.sick);
  one.same = isSame ? one.same + 1 : 0;
  one.nextLook = now + waitAfter(one.same);
  // What no rule explains, or another cause than before, may be in the middle of something: it has to be so twice.
  const isTwice = vague ? one.vain > 1 : one.other === cause.fingerprint;
  one.other = isSame ? undefined : cause.fingerprint;
  if (isSame) return false;
  return isTwice || (before === undefined && !vague);
}

/** Whoever knows the cause is not told that its evidence is gone. */
function saysTheSame(before: WatchedCause, now: WatchedCause): boolean {
  return before.fingerprint === now.fingerprint || (isVague(now) && !isVague(before));
}

/** A cause that was kept with what a look at it brought, unless that is less. */
function withEvidence(before: Course, cause: WatchedCause, { pods, reasons }: SickWorkload): Course {
  return before.cause.fingerprint === cause.fingerprint ? { ...before, cause, pods, reasons } : before;
}

function newCase(workload: SickWorkload, now: Instant): Case {
  return {
    ref: workload.ref,
    sick: workload,
    since: Math.min(workload.since, now),
    nextLook: (workload.unseenSince ?? workload.since) + TIMES.normal,
    lastLook: undefined,
    looking: false,
    vain: 0,
    same: 0,
    other: undefined,
    course: undefined,
    isRestored: false,
    wellSince: undefined,
  };
}

/** Milliseconds until the next look, after so many whose answer was the same. */
function waitAfter(same: number): number {
  return Math.min(TIMES.longest, TIMES.again * 2 ** Math.min(same, 10));
}
