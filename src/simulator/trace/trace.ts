import type { Instant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import { JsonDigest } from '../../base/json-digest.ts';

/**
 * Everything that happened, one JSON object a line, in order, with one running digest over all of them. Kinds of record (`is`):
 * - `start`: `version`, `start` (the instant `t` counts from) and `options` of the cluster
 * - `input`: what came from outside: a request of a user, an apply, a fault, a long time that passed in one go, after how many `steps`
 * - `request`: `as`, `verb`, `path`, `code` and, when refused, `reason` and `message`
 * - `change`: `rv`, `type`, `ref`, and `object` (ADDED) or `patch` (MODIFIED: a JSON merge patch)
 * - `container`: `node`, `pod`, `container`, `what` and what belongs to it
 * - `process`: `name`, `what`: started, stopped, leading, lost its lease
 * - `note`: `what`, and what belongs to it; one is that the cluster is up
 * A file of them ends with an `end` (trace-file.ts), which is in no digest.
 * Times (`t`) are milliseconds since the start of the cluster.
 */
export class Trace {
  readonly #digest = new JsonDigest();
  readonly #sink: ((line: string) => void) | undefined;
  readonly #start: Instant;
  #length = 0;

  constructor(start: Instant, sink?: (line: string) => void) {
    this.#start = start;
    this.#sink = sink;
  }

  get length(): number {
    return this.#length;
  }

  record(at: Instant, is: TraceKind, fields: JsonObject): void {
    const t = Math.round((at - this.#start) * 1000) / 1000;
    this.#digest.add(t).add(is);
    if (is === 'change') this.#digest.addKept(fields);
    else this.#digest.add(fields);
    this.#length++;
    this.#sink?.(JSON.stringify({ t, is, ...fields }));
  }

  /** 32 hex digits over every record so far. Lines are written for whoever gets them; the digest needs none. */
  digest(): string {
    return this.#digest.hex();
  }
}

export type TraceKind = 'start' | 'input' | 'request' | 'change' | 'container' | 'process' | 'note';

/** Counts up when records mean something else than before: a trace of another version is not read. */
export const TRACE_VERSION = 5;

/** The note after which a cluster is its user's: what came before is its coming up. */
export const CLUSTER_IS_UP = 'the cluster is up';
