import { PodcheckError } from '../../base/errors.ts';
import type { Instant } from '../../base/instant.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { asNumber, asText, dig, isJsonObject } from '../../base/json.ts';
import { parsedObject } from '../../base/parsed-json.ts';
import { JsonDigest } from '../../base/json-digest.ts';
import type { TraceRecord } from '../../model/trace-record.ts';
import type { ClusterOptions } from '../cluster-options.ts';
import type { Cluster } from '../cluster.ts';
import type { Input } from './saved-cluster.ts';
import { CLUSTER_IS_UP, TRACE_VERSION } from './trace.ts';

/** A trace as it was recorded: how the cluster began, what came from outside, and all that happened. */
export interface RecordedTrace {
  /** What it is called in messages. */
  readonly file: string;
  /** The instant the records' `t` counts from. */
  readonly start: Instant;
  /** When the cluster had come up, in `t`: what a person calls the beginning. 0 when it never did. */
  readonly up: number;
  readonly options: ClusterOptions;
  readonly inputs: readonly Input[];
  /** Every line but the `end`, as written, and what it says. */
  readonly lines: readonly string[];
  readonly records: readonly TraceRecord[];
  /** Undefined when whoever recorded it was interrupted. */
  readonly end: TraceEnd | undefined;
  /** The digest over the lines as they are in the file: another than the end's when somebody changed them. */
  readonly digest: string;
}

export interface TraceEnd {
  readonly steps: number;
  readonly at: Instant;
  readonly digest: string;
}

/** The last line of a trace's file: how far the cluster had got, and what must come out when it is played again. */
export function traceEnd(cluster: Pick<Cluster, 'save'>): string {
  const { steps, at, digest } = cluster.save();
  return JSON.stringify({ is: 'end', steps, at, digest });
}

/**
 * Reads the text of a trace's file: one record a line, as `Trace` gives them to its sink, and `traceEnd`.
 * A PodcheckError names file and line of what is no trace, or is one of another version.
 */
export function readTrace(text: string, file: string): RecordedTrace {
  const lines = linesOf(text);
  const [first] = lines;
  const start = first === undefined ? undefined : parsedObject(first);
  if (start?.['is'] !== 'start')
    throw new PodcheckError(
      'bad-input',
      `${file} is no trace: its first line does not say how a cluster began`,
      'podcheck sim run SCENARIO --trace FILE records one',
    );
  checkVersion(start, file);
  const last = lines.at(-1) ?? '';
  const end = endOf(parsedObject(last));
  const own = end === undefined ? lines : lines.slice(0, -1);
  const digest = new JsonDigest();
  const records: TraceRecord[] = [];
  const inputs: Input[] = [];
  for (const [index, line] of own.entries()) {
    const record = recordOf(line);
    if (record === undefined) {
      // Whoever was interrupted while writing left half a line.
      if (end === undefined && index === own.length - 1) break;
      throw new PodcheckError(
        'bad-input',
        `${file}:${index + 1}: this line is no record of a trace`,
        'the file was changed or damaged: record it again',
      );
    }
    addLine(digest, line, record);
    records.push(record);
    if (record.is === 'input') inputs.push(inputOf(record, asNumber(start['start']) ?? 0, `${file}:${index + 1}`));
  }
  return {
    file,
    start: asNumber(start['start']) ?? 0,
    up: records.find((record) => record.is === 'note' && record['what'] === CLUSTER_IS_UP)?.t ?? 0,
    options: optionsOf(start['options'], file),
    inputs,
    lines: own.slice(0, records.length),
    records,
    end,
    digest: digest.hex(),
  };
}

/** A line that is not written as a trace writes its records was changed, even where it says the same. */
function addLine(digest: JsonDigest, line: string, record: TraceRecord): void {
  const { t, is, ...fields } = record;
  digest.add(t).add(is).add(fields);
  if (JSON.stringify(record) !== line) digest.add(line);
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  while (lines.at(-1)?.trim() === '') lines.pop();
  return lines.some((line) => line.endsWith('\r')) ? lines.map((line) => line.replace(/\r$/, '')) : lines;
}

function checkVersion(start: JsonObject, file: string): void {
  const version = asNumber(start['version']);
  if (version === TRACE_VERSION) return;
  const whose = version === undefined ? 'does not say its version' : `is of version ${version}`;
  throw new PodcheckError(
    'unsupported',
    `the trace ${file} ${whose}; this podcheck plays version ${TRACE_VERSION}`,
    version !== undefined && version > TRACE_VERSION
      ? 'a newer podcheck plays it'
      : 'record it again with this podcheck, or play it with the one that recorded it',
  );
}

function optionsOf(value: Json | undefined, file: string): ClusterOptions {
  const seed = dig(value, 'seed');
  if (!isJsonObject(value) || (typeof seed !== 'number' && typeof seed !== 'string'))
    throw new PodcheckError(
      'bad-input',
      `${file}:1: options: the cluster's seed is missing`,
      'the file was changed or damaged: record it again',
    );
  return value as unknown as ClusterOptions;
}

function endOf(record: JsonObject | undefined): TraceEnd | undefined {
  if (record === undefined || record['is'] !== 'end') return undefined;
  const [steps, at, digest] = [asNumber(record['steps']), asNumber(record['at']), asText(record['digest'])];
  return steps === undefined || at === undefined || digest === undefined ? undefined : { steps, at, digest };
}

const INPUTS: Readonly<Record<string, string>> = {
  request: 'request',
  apply: 'documents',
  inject: 'fault',
  command: 'command',
  exec: 'exec',
};

function inputOf(record: TraceRecord, start: Instant, where: string): Input {
  const { t, is, steps, ...input } = record;
  void is;
  const content = INPUTS[asText(input['do']) ?? ''];
  if (typeof steps === 'number' && input['do'] === 'pass' && typeof input['until'] === 'number')
    return { steps, at: Math.round((start + t) * 1000) / 1000, input: { do: 'pass', until: input['until'] } };
  if (typeof steps !== 'number' || content === undefined || typeof input[content] !== 'object' || input[content] === null)
    throw new PodcheckError(
      'bad-input',
      `${where}: this input is not one that podcheck records`,
      'the file was changed or damaged: record it again',
    );
  return { steps, at: Math.round((start + t) * 1000) / 1000, input: input as unknown as Input['input'] };
}

function recordOf(line: string): TraceRecord | undefined {
  const record = parsedObject(line);
  return record === undefined || typeof record['t'] !== 'number' || typeof record['is'] !== 'string' ? undefined : (record as TraceRecord);
}
