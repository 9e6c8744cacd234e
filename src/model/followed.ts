import type { KubeObject } from './kube-object.ts';

/** What cannot be looked at for a while, or is not allowed: told when it begins and when it is over. */
export interface WatchGap {
  readonly verb: 'get' | 'list' | 'watch' | 'patch';
  /** `pods`, `deployments.apps`. */
  readonly resource: string;
  readonly namespace?: string;
  /** Its name, where several are watched. */
  readonly cluster?: string;
  /** A sentence. */
  readonly detail: string;
  /** The permission that is missing, where that is why. */
  readonly needs?: string;
}

/** What is told of one kind of object while it is listed and watched. */
export interface FollowListener {
  /** All that there is follows, up to `listed`: what was known before and is not among it is gone. */
  listing(): void;
  /** An object that is there, or has changed. */
  seen(object: KubeObject): void;
  gone(uid: string): void;
  listed(): void;
  /** It cannot be followed at present; undefined as soon as it can again. */
  gap(gap: WatchGap | undefined): void;
  /** Changes may have come and gone without being seen: a sentence. */
  missed(detail: string): void;
  /** The server has sent something: an event, a bookmark, a whole list. */
  heard(): void;
}
