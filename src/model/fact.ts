import type { Instant } from '../base/instant.ts';
import type { FactKind } from './fact-kinds.ts';
import type { ObjectRef } from './kube-object.ts';

export type Scalar = string | number | boolean;

/** One observation. A field that was not observed is left out; `fact-kinds.ts` says what each kind's fields mean. */
export interface Fact {
  readonly kind: FactKind;
  /** The object the fact is about; for a container or a volume, its pod. */
  readonly about: ObjectRef;
  /** The top controller that `about` belongs to, or is: what a person would call the workload. */
  readonly workload?: ObjectRef;
  /** When it was or became so, where the source says. */
  readonly at?: Instant;
  readonly fields: Readonly<Record<string, Scalar>>;
  /** Where it was read, for a person: `Pod shop/web-1 status`, `event on ReplicaSet shop/web-6d4`. */
  readonly source: string;
  /** The words that prove it, quoted as the source has them. */
  readonly quote: string;
  /** How often the source says that it was seen; left out for once. */
  readonly count?: number;
}

/**
 * What could not be looked at: a pattern over such facts is undecided, never false. `any` is a read of the cluster that was refused or
 * failed, whatever facts it would have shown: who makes it is never told that all was seen.
 */
export interface Gap {
  readonly kind: FactKind | typeof ANY_FACT;
  readonly about: ObjectRef;
  readonly reason: string;
  /** The permission or command that would have shown it: `get configmaps in shop`. */
  readonly needs?: string;
}

export const ANY_FACT = 'any';

/** Whether the gap is a read of the cluster that was refused, failed or broke off. */
export function isUnread({ kind }: Gap): boolean {
  return kind === ANY_FACT;
}

/** Name of the object of a gap that concerns every object of its kind in the namespace: a list that could not be read. */
export const ANYTHING = '*';
