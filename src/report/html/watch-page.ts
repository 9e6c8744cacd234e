import { counted } from '../../base/counted.ts';
import { formatDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';
import type { Course, PastCourse, WatchView } from '../../model/watch-change.ts';
import { ago } from '../format/time-words.ts';
import { causeWords, gapWords, workloadWords } from '../watching/change-text.ts';
import { causeSection } from './cause-section.ts';
import type { Html } from './markup.ts';
import { html } from './markup.ts';
import { page } from './page.ts';
import { sectionHtml } from './sections.ts';
import { stageLanes } from './stage-lanes.ts';

const ROWS = 1000;
const CAUSES = 50;
const PAST = 100;

/** What a watch knows as one page: all causes at a glance, the newest in full with their stages, what is over, and what is not seen. */
export function watchPage({ at, scope, complete, pending, objects, courses, past, gaps }: WatchView): string {
  const facts = [counted(objects, 'object'), `${pending} being checked`, ...(complete ? [] : ['not all listed yet'])];
  const parts: readonly (Html | undefined)[] = [
    html`<p class="muted">as of ${formatInstant(at)}; ${facts.join(', ')}</p>`,
    courses.length === 0
      ? undefined
      : sectionHtml({
          heading: 'Causes',
          table: [['workload', 'since', 'pods', 'cause', 'rule'], ...courses.slice(0, ROWS).map((course) => rowOf(course, at))],
          ...rest(courses.length - ROWS),
        }),
    gaps.length === 0
      ? undefined
      : sectionHtml({ heading: 'Not seen', lines: gaps.map(({ gap, since }) => `${gapWords(gap)}, ${ago(since, at)}`) }),
    ...courses.slice(0, CAUSES).flatMap((course) => details(course, at)),
    past.length === 0
      ? undefined
      : sectionHtml({
          heading: 'Past causes',
          table: [['workload', 'ended', 'lasted', 'cause', 'rule'], ...past.slice(0, PAST).map((course) => pastRow(course, at))],
          ...rest(past.length - PAST),
        }),
  ];
  return page({ title: `${scope}: ${counted(courses.length, 'cause')}`, body: parts.filter((part) => part !== undefined) });
}

function rest(left: number): { readonly lines?: readonly string[] } {
  return left > 0 ? { lines: [`and ${left} more`] } : {};
}

function rowOf(course: Course, now: Instant): readonly string[] {
  const { cause, since, pods } = course;
  return [workloadWords(course), ago(since, now), String(pods), cause.title, cause.rule];
}

function pastRow(course: PastCourse, now: Instant): readonly string[] {
  const { cause, since, endedAt, ended } = course;
  const lasted = formatDuration(Math.max(0, (endedAt - since) / 1000));
  return [workloadWords(course), `${ago(endedAt, now)} (${ended})`, lasted, cause.title, cause.rule];
}

function details(course: Course, now: Instant): readonly Html[] {
  const { cause, foundAt } = course;
  if (cause.full === undefined) return [sectionHtml({ heading: causeWords(course), lines: [cause.says, ...cause.needs] })];
  return [causeSection(cause.full, causeWords(course), now), ...(cause.stages.length === 0 ? [] : [stageLanes(cause.stages, foundAt)])];
}
