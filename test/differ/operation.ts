import type { Json, JsonObject } from '../../src/base/json.ts';

/** Stands in paths and bodies for the name of a run, which no two runs share. */
export const RUN = '%run%';

/** Stands for an address that no other run has: some objects of the cluster are called by one. */
const ADDRESS = '%address%';

/** A path or a body with the names of a run. */
export function withNames(text: string, run: string): string {
  return text.replaceAll(RUN, run).replaceAll(ADDRESS, addressOf(run));
}

/** Whether an object of the cluster has a name of its own in each run. */
export function isOfRun(path: string): boolean {
  return path.includes(RUN) || path.includes(ADDRESS);
}

function addressOf(run: string): string {
  let sum = 0;
  for (const letter of run) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 2 ** 24;
  return `11.${sum >> 16}.${(sum >> 8) & 255}.${sum & 255}`;
}

/** One request, the same for both clusters. */
export interface Operation {
  /** `create`, `merge patch`, `scale`: what a person would call it. */
  readonly does: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly contentType?: string;
  readonly body?: Json;
  /** A merge patch for what is stored at the path: what comes of it is sent. Each cluster gets its own object back. */
  readonly edit?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** Controllers write after it: the next operation waits for them. */
  readonly settles: boolean;
}

/** Operations in a namespace of their own, and the seed that makes them again. */
export interface Sequence {
  /** `7/123`: the 123rd sequence of seed 7. */
  readonly seed: string;
  readonly kind: string;
  readonly namespace: JsonObject;
  readonly operations: readonly Operation[];
}

/** What a cluster said to an operation. */
export interface Reply {
  readonly code: number;
  readonly warnings: readonly string[];
  readonly body: Json;
}
