import type { Instant } from '../base/instant.ts';

/** One request that somebody outside made of a served cluster, as the API server's audit log has it. */
export interface AuditEntry {
  /** Virtual time. */
  readonly at: Instant;
  /** Wall time. */
  readonly wall: Instant;
  readonly user: string;
  /** Who asked in the name of `user`. */
  readonly impersonator?: string;
  readonly userAgent: string;
  /** `get`, `list`, `watch`, `create`, …; `` for paths that are no resources. */
  readonly verb: string;
  /** The plural; empty for paths that are no resources. */
  readonly resource: string;
  readonly group?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  /** The path as asked for, without values of Secrets or tokens. */
  readonly path: string;
  /** HTTP status of the answer. */
  readonly code: number;
  readonly dryRun?: boolean;
}
