import type { Instant } from '../../base/instant.ts';
import type { ClusterSurroundings } from '../cluster.ts';
import { Cluster } from '../cluster.ts';
import { endsAfter } from './saved-cluster.ts';
import type { RecordedTrace } from './trace-file.ts';

/** A recorded cluster played again up to some instant. */
export interface Replay {
  readonly cluster: Cluster;
  /** How many records were played. */
  readonly records: number;
  /** Where it first played otherwise than recorded, if it did. */
  readonly difference: ReplayDifference | undefined;
  /** Whether the lines of the file are those that were recorded, by their digest; undefined when the file has no end. */
  readonly intact: boolean | undefined;
}

export interface ReplayDifference {
  /** Line of the file, from 1. */
  readonly line: number;
  readonly at: Instant;
  /** Undefined where one of the two has no more lines. */
  readonly recorded: string | undefined;
  readonly played: string | undefined;
}

/**
 * Plays a recorded trace again, up to an instant or to its end, and holds every record against the file's. When it differs, the
 * state is what this version makes of the same beginning and inputs. It cannot stop before the cluster had come up.
 */
export function replayTrace(
  trace: RecordedTrace,
  until: Instant | undefined,
  surroundings: Omit<ClusterSurroundings, 'trace'> = {},
): Replay {
  let records = 0;
  let difference: ReplayDifference | undefined;
  /** Inside a time that passed in one go, more is written than was then. */
  let held = true;
  const now = (): Instant => trace.start + (trace.records[Math.min(records, trace.records.length) - 1]?.t ?? 0);
  const compare = (played: string): void => {
    const recorded = trace.lines[records];
    records++;
    if (held && difference === undefined && played !== recorded && (recorded !== undefined || trace.end !== undefined))
      difference = { line: records, at: now(), recorded, played };
  };
  const last = endOf(trace);
  const stop = until === undefined ? last : Math.min(until, last);
  const cluster = new Cluster(trace.options, { ...surroundings, trace: compare });
  for (const input of trace.inputs) {
    if (input.at > stop) break;
    if (endsAfter(input, stop)) {
      cluster.runSteps(input.steps, input.at);
      held = false;
      break;
    }
    cluster.replay(input);
  }
  if (trace.end !== undefined && stop >= trace.end.at) cluster.runSteps(trace.end.steps, trace.end.at);
  else if (stop > cluster.now()) cluster.advanceTo(stop);
  const missing = trace.records[records];
  if (held && difference === undefined && missing !== undefined && trace.start + missing.t < cluster.now())
    difference = { line: records + 1, at: trace.start + missing.t, recorded: trace.lines[records], played: undefined };
  return { cluster, records, difference, intact: trace.end === undefined ? undefined : trace.end.digest === trace.digest };
}

/** How far the recording goes. */
export function endOf(trace: RecordedTrace): Instant {
  return trace.end?.at ?? trace.start + (trace.records.at(-1)?.t ?? 0);
}
