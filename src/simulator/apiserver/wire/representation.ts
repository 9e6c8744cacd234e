import type { JsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { ServerState } from '../server-state.ts';

/** How an answer is written down, as the Accept header asked for it. */
export interface Representation {
  readonly contentType: string;
  /** The object, list or Status as it goes over the wire. */
  readonly body: (object: KubeObject) => JsonObject;
  /** An object of a watch; `first` for the first of the stream, which may say more (a Table's columns). */
  readonly watched: (object: KubeObject, first: boolean) => JsonObject;
}

/** What a client accepts and what it asks about. */
export interface Wish {
  readonly accept: string | undefined;
  /** `includeObject` of a Table. */
  readonly includeObject: string | undefined;
}

/** The representation to answer in: plain JSON, which every client takes. */
export function representationOf(_wish: Wish, _state: Pick<ServerState, 'now'>): Representation {
  return PLAIN;
}

const PLAIN: Representation = { contentType: 'application/json', body: (object) => object, watched: (object) => object };
