import { formatDuration } from '../../base/duration.ts';
import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';
import { counted } from '../../base/counted.ts';
import type { WatchGap } from '../../model/followed.ts';
import type { Change, Course } from '../../model/watch-change.ts';
import { clusterLine } from '../format/cluster-text.ts';
import { objectWords } from '../format/object-words.ts';
import type { Look, Paint } from '../format/text-style.ts';
import { paint, shown } from '../format/text-style.ts';

/** One change on one line, for a pipe or a log. */
export function changeText(change: Change, look: Look): string {
  const { type, at } = change;
  const time = paint(look, 'dim', formatInstant(at));
  return shown(look, [`${time} ${paint(look, COLORS[type], WORDS[type].padEnd(WIDTH))} ${clusterLine(wordsOf(change), 1200)}`]);
}

const COLORS: Readonly<Record<Change['type'], Paint>> = {
  found: 'red',
  changed: 'yellow',
  cured: 'green',
  gap: 'yellow',
  'gap-closed': 'green',
  missed: 'yellow',
};

const WORDS: Readonly<Record<Change['type'], string>> = {
  found: 'found',
  changed: 'changed',
  cured: 'cured',
  gap: 'gap',
  'gap-closed': 'resumed',
  missed: 'missed',
};

const WIDTH = 7;

function wordsOf(change: Change): string {
  switch (change.type) {
    case 'found':
      return `${causeWords(change.course)} (${detailWords(change.course, change.at)})${fixText(change.course)}`;
    case 'changed':
      return `${causeWords(change.course)} (${detailWords(change.course, change.at)}; was ${change.before.rule})${fixText(change.course)}`;
    case 'cured': {
      const { course } = change;
      const after = formatDuration(Math.max(0, (course.endedAt - course.since) / 1000));
      return `${causeWords(course)} (${course.cause.rule}; ${course.ended === 'deleted' ? 'deleted' : 'healthy again'} after ${after})`;
    }
    case 'gap':
      return gapWords(change.gap);
    case 'gap-closed':
      return `${verbWords(change.gap)} works again after ${formatDuration((change.at - change.since) / 1000)}`;
    case 'missed':
      return change.detail;
  }
}

/** `Deployment shop/web: ConfigMap app-config not found`. */
export function causeWords(course: Course): string {
  return `${workloadWords(course)}: ${course.cause.title}`;
}

/** `Deployment shop/web`, and before it the cluster where there are several. */
export function workloadWords({ cluster, cause }: Course): string {
  return `${cluster === undefined ? '' : `${cluster}: `}${objectWords(cause.workload)}`;
}

function detailWords({ cause, pods, since, times }: Course, now: Instant): string {
  return [
    cause.rule,
    ...(pods === 0 ? [] : [counted(pods, 'pod')]),
    `since ${formatDuration(Math.max(0, (now - since) / 1000))}`,
    ...(times > 1 ? [`found ${counted(times, 'time')}`] : []),
    ...(cause.needs.length === 0 ? [] : [`needs: ${cause.needs.join(', ')}`]),
  ].join(', ');
}

function fixText({ cause }: Course): string {
  const run = cause.fix.find((step) => step.run !== undefined)?.run;
  return run === undefined ? '' : `; fix: ${run}`;
}

export function gapWords(gap: WatchGap): string {
  return `${verbWords(gap)} failed: ${gap.detail}${gap.needs === undefined ? '' : ` (needs: ${gap.needs})`}`;
}

function verbWords({ cluster, verb, resource, namespace }: WatchGap): string {
  return `${cluster === undefined ? '' : `${cluster}: `}${verb} ${resource}${namespace === undefined ? '' : ` in ${namespace}`}`;
}
