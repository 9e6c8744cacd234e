import type { JsonObject } from '../../base/json.ts';
import { asNumber, asText } from '../../base/json.ts';
import { append } from '../../base/lists.ts';
import { repeated } from '../../base/text.ts';
import { momentWords } from '../../model/moment-words.ts';
import type { Moment, MomentWord } from '../../model/trace-record.ts';
import { clusterLine, clusterValue } from '../format/cluster-text.ts';
import type { Look } from '../format/text-style.ts';
import { paint, shown } from '../format/text-style.ts';
import { traceSeconds, traceTime, wordText } from './trace-words.ts';

/** Two traces side by side; `a` and `b` are what they are called. Times are milliseconds since each one's cluster was up. */
export interface TraceDiffReport {
  readonly a: string;
  readonly b: string;
  readonly beginnings: readonly { readonly field: string; readonly a: string; readonly b: string }[];
  readonly common: number;
  readonly first:
    | { readonly t: number; readonly a: TimedMoment | undefined; readonly b: TimedMoment | undefined; readonly fields: readonly string[] }
    | undefined;
  readonly followed: readonly {
    readonly only: 'a' | 'b';
    readonly t: number;
    readonly word: MomentWord;
    readonly times: { readonly a: number; readonly b: number };
  }[];
}

interface TimedMoment {
  readonly t: number;
  readonly moment: Moment;
}

/** Differences told when there are many. */
const FOLLOWED = 40;

export function traceDiffText(report: TraceDiffReport, look: Look, wide: boolean): string {
  const { a, b, beginnings, common, first, followed } = report;
  const lines = [`${paint(look, 'red', 'A')} ${clusterLine(a)}`, `${paint(look, 'green', 'B')} ${clusterLine(b)}`, ''];
  for (const beginning of beginnings)
    lines.push(`The traces start with different ${beginning.field}: ${clusterLine(beginning.a, 120)} and ${clusterLine(beginning.b, 120)}`);
  if (first === undefined) {
    lines.push(
      paint(
        look,
        'bold',
        beginnings.length === 0 ? `The traces are identical: ${common + 1} records` : `Everything else is identical: ${common} records`,
      ),
    );
    return shown(look, lines);
  }
  append(lines, [
    paint(look, 'bold', `FIRST DIVERGENCE, at ${traceTime(first.t)}, after ${common} identical records`),
    ...sideLines('a', first.a, look),
    ...sideLines('b', first.b, look),
    ...(first.fields.length === 0 ? [] : [`${repeated(' ', 13)}different: ${clusterLine(first.fields.join(', '))}`]),
    '',
    paint(look, 'bold', 'WHAT FOLLOWED'),
  ]);
  if (followed.length === 0) lines.push('  nothing: only times, addresses and random names differ');
  const told = wide ? followed : followed.slice(0, FOLLOWED);
  for (const { only, t, word, times } of told)
    lines.push(`${side(only, look)} ${traceTime(t).padStart(9)}  ${wordText(word, look)}${timesText(times)}`);
  if (told.length < followed.length) lines.push(`  and ${followed.length - told.length} more (-o wide)`);
  return shown(look, lines);
}

function side(only: 'a' | 'b', look: Look): string {
  return only === 'a' ? paint(look, 'red', 'A') : paint(look, 'green', 'B');
}

function timesText({ a, b }: { readonly a: number; readonly b: number }): string {
  return a === 0 || b === 0 ? '' : ` (count in A: ${a}, in B: ${b})`;
}

function sideLines(which: 'a' | 'b', timed: TimedMoment | undefined, look: Look): readonly string[] {
  if (timed === undefined) return [`${side(which, look)}            ends here`];
  const words = momentWords(timed.moment);
  const time = traceTime(timed.t).padStart(9);
  return words.length === 0
    ? [`${side(which, look)} ${time}  ${clusterLine(recordText(timed.moment))}`]
    : words.map((word) => `${side(which, look)} ${time}  ${wordText(word, look)}`);
}

/** A record nobody has words for: what it is about. */
function recordText({ record }: Moment): string {
  const field = (name: string): string => asText(record[name]) ?? '';
  if (record.is === 'request') return `${field('as')}: ${field('verb')} ${field('path')}: ${asNumber(record['code']) ?? ''}`;
  if (record.is === 'change')
    return `${field('ref')} ${field('type').toLowerCase()}: ${JSON.stringify(record['patch'] ?? {}).slice(0, 1000)}`;
  return JSON.stringify(record).slice(0, 1000);
}

export function traceDiffJson(report: TraceDiffReport): JsonObject {
  const { a, b, beginnings, common, first, followed } = report;
  return {
    a,
    b,
    same: first === undefined && beginnings.length === 0,
    beginnings: beginnings.map((one) => ({ ...one })),
    common,
    ...(first === undefined
      ? {}
      : { first: { seconds: traceSeconds(first.t), a: first.a?.moment.record, b: first.b?.moment.record, fields: [...first.fields] } }),
    followed: followed.map(({ only, t, word, times }) => ({
      only,
      seconds: traceSeconds(t),
      subject: clusterValue(word.subject),
      text: clusterValue(word.text),
      times: { ...times },
    })),
  };
}
