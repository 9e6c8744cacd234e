import type { JsonObject } from '../base/json.ts';
import type { KubeObject, ObjectRef } from './kube-object.ts';

/** One line of a recorded trace: what happened, `t` milliseconds after the beginning; the other fields depend on `is`. */
export interface TraceRecord extends JsonObject {
  readonly t: number;
  readonly is: string;
}

/** A record with the object it is about, where it is about one: before and after. */
export interface Moment {
  readonly record: TraceRecord;
  readonly ref: ObjectRef | undefined;
  /** Undefined when the object was created then. */
  readonly previous: KubeObject | undefined;
  /** Undefined when the object was deleted then. */
  readonly object: KubeObject | undefined;
}

/** What a moment means to a person: about what, and what became of it. */
export interface MomentWord {
  /** `Pod shop/web-1`, `kubelet worker-1`, `kubectl`. */
  readonly subject: string;
  readonly text: string;
  /** What stands in the way or was done from outside comes first in a person's eye. */
  readonly weight: 'bad' | 'outside' | 'plain';
  /** A state on the way to another, which a slightly different order of the same things can leave out. */
  readonly passing: boolean;
}
