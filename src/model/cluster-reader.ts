import type { Instant } from '../base/instant.ts';
import type { KubeObject, ObjectRef } from './kube-object.ts';

/**
 * The only way to look at a cluster. A refused or impossible read is a value, never an exception, and never looks like
 * an empty answer.
 *
 * Besides the kinds of the API five kinds of record are read through it, because only some sources have them
 * (`record-kinds.ts` has their shapes): `ClientAnswer`, what kubectl printed for a command; `AppliedManifest`, a document as
 * it was given to apply; `NodeService`, what systemctl said of a service of a node; `CertificateRecord`, certificates outside
 * the API; `LooseText`, a line that is part of nothing else. A source without them answers `not-collected`.
 */
export interface ClusterReader {
  /** One object by kind, namespace and name. `absent` only when the source would have shown it if it existed. */
  get(ref: ObjectRef): Promise<Read<KubeObject>>;
  /**
   * All objects of a kind in the scope. `ok` means the list is complete for that scope, which an empty list relies on;
   * a source that has only some of them sets `partial`, and then absence from the list proves nothing.
   */
  list(kind: string, scope: Scope): Promise<ListRead>;
  logs(pod: ObjectRef, container: string, options: LogOptions): Promise<Read<Log>>;
  /** The source's own time: the server's clock, or when a snapshot was taken. */
  now(): Instant;
  /** The source holds all that it has already, so that a read costs nothing and may be made on suspicion. */
  readonly stored?: true;
  /** It holds so much that to look at all of it takes long: what is asked about one object ends at its namespace. */
  readonly vast?: true;
  /** It has no log at all, so that none of thousands of pods has to be asked for one. */
  readonly logless?: true;
  /** It has no list of the pods of one node alone: what it has of a node's pods is among all of them. */
  readonly nodeListless?: true;
  /** What of its source was not read, where that may be anything: a sentence for a person. */
  readonly unread?: string;
}

export type Read<T> = { readonly ok: true; readonly value: T } | Unread;

export type ListRead = SeenList | Unread;

/** `brokeOff`: it is partial because the reading went wrong, and not because the source has no more. */
export interface SeenList {
  readonly ok: true;
  readonly value: readonly KubeObject[];
  readonly partial?: string;
  readonly brokeOff?: true;
}

/** Why a list does not show all that there is; undefined when it does, so that what is not in it does not exist. */
export function unseenIn(list: ListRead): Pick<Unread, 'detail' | 'needs'> | undefined {
  if (!list.ok) return list;
  return list.partial === undefined ? undefined : { detail: list.partial };
}

/** Whether a read was refused, or went wrong: what nobody has collected may simply not have been asked for. */
export function isUnreadable(read: Unread): read is Unread & { readonly why: 'forbidden' | 'failed' } {
  return read.why === 'forbidden' || read.why === 'failed';
}

/** `detail` is a sentence for a person; `needs` names the permission or the command that would have shown it. */
export interface Unread {
  readonly ok: false;
  readonly why: 'absent' | 'forbidden' | 'not-collected' | 'failed';
  readonly detail: string;
  readonly needs?: string;
}

/** No namespace means the whole cluster. Selectors are in kubectl's notation. */
export interface Scope {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface LogOptions {
  /** Lines from the end; every reader bounds them besides. */
  readonly tailLines: number;
  /** The container's last terminated run instead of the current one. */
  readonly previous?: boolean;
}

/** `filtered`: lines were left out by the source (grep, tail), so that a line's absence proves nothing. */
export interface Log {
  readonly lines: readonly string[];
  readonly filtered: boolean;
}
