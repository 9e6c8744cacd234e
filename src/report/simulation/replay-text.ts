import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import { repeated } from '../../base/text.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, refOf } from '../../model/kube-object.ts';
import type { MomentWord } from '../../model/trace-record.ts';
import { clusterLine, clusterValue } from '../format/cluster-text.ts';
import type { Look } from '../format/text-style.ts';
import { paint, shown } from '../format/text-style.ts';
import { stateLines, stateRows } from '../diagnosis/state-lines.ts';
import { traceSeconds, traceTime, wordLines, wordText } from './trace-words.ts';

/** A recorded cluster at an instant, for a report. Times without a date are milliseconds since the cluster was up. */
export interface ReplayReport {
  readonly file: string;
  readonly at: Instant;
  readonly t: number;
  /** Records played until then, and in the whole recording. */
  readonly records: number;
  readonly of: number;
  readonly trouble: readonly string[];
  /** The digest of the recording; undefined when it was cut off. */
  readonly digest: string | undefined;
  readonly objects: readonly KubeObject[];
  /** What happened last before the instant. */
  readonly lately: readonly { readonly t: number; readonly word: MomentWord }[];
}

/** Where in the recording this is, what happened last, and how things stand. The diagnosis is written below it. */
export function replayText(report: ReplayReport, look: Look): string {
  const { file, at, t, records, of, trouble, objects, lately } = report;
  return shown(look, [
    paint(look, 'bold', `${clusterLine(file)} at ${traceTime(t)}`),
    paint(look, 'dim', `${formatInstant(at)}, after ${records} of ${of} records`),
    ...trouble.map((line) => paint(look, 'yellow', clusterLine(line))),
    '',
    paint(look, 'bold', 'LATELY'),
    ...(lately.length === 0 ? ['  nothing yet'] : lately.flatMap((moment) => momentLines(moment, look))),
    '',
    ...stateLines(objects, at, look),
  ]);
}

function momentLines({ t, word }: { readonly t: number; readonly word: MomentWord }, look: Look): readonly string[] {
  const head = `  ${traceTime(t).padStart(9)}  `;
  const [first = '', ...more] = wordLines(word, look, look.width - head.length);
  return [`${head}${first}`, ...more.map((line) => `${repeated(' ', head.length)}${line}`)];
}

export function momentLine({ t, word }: { readonly t: number; readonly word: MomentWord }, look: Look): string {
  return `${traceTime(t).padStart(9)}  ${wordText(word, look)}`;
}

export function replayJson(report: ReplayReport, diagnosis: JsonObject): JsonObject {
  const { file, at, t, records, of, trouble, digest, objects, lately } = report;
  const rows = stateRows(objects, at);
  return {
    file,
    at: formatInstant(at),
    seconds: traceSeconds(t),
    records,
    of,
    ...(digest === undefined ? {} : { digest }),
    asRecorded: trouble.length === 0,
    trouble: [...trouble],
    lately: lately.map(({ t: when, word }) => ({
      seconds: traceSeconds(when),
      subject: clusterValue(word.subject),
      text: clusterValue(word.text),
    })),
    state: rows.map(([object, ready, status, restarts, age, node]) => ({ object, ready, status, restarts, age, node })),
    objects: objects.map((object) => formatRef(refOf(object))),
    diagnosis,
  };
}
