import type { KubeObject } from '../../model/kube-object.ts';
import type { WriterEntries } from './managed-fields.ts';
import type { Instant } from '../../base/instant.ts';
import type { Prng } from '../../base/prng.ts';
import type { Heartbeats } from '../components/heartbeats.ts';
import type { Store } from '../store/store.ts';
import type { World } from '../outside/outside-world.ts';
import type { Authenticator } from './authentication.ts';
import type { Authorizer } from './authorization/authorizer.ts';
import type { UnsignedRequest, UserInfo } from './request.ts';
import type { Resources, ServedResource } from './resources.ts';
import type { Emptied } from './schema/decode.ts';

/** What the handlers of the verbs share. */
export interface ServerState {
  readonly store: Store;
  readonly resources: Resources;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly heartbeats: Heartbeats;
  readonly prng: Prng;
  /** For events alone: how many are written changes no other object's name. */
  readonly eventPrng: Prng;
  readonly world: World;
  readonly writers: WriterEntries;
  /** What webhooks made of objects, by version: while a request is answered they are not asked twice. */
  readonly converted: Map<KubeObject, Map<string, KubeObject>>;
  readonly now: () => Instant;
}

/** A request whose sender is known and may do what it asks for. */
export interface Call {
  readonly state: ServerState;
  readonly request: UnsignedRequest;
  readonly resource: ServedResource;
  readonly user: UserInfo;
  /** The field manager: of the request, or the first word of the user agent. */
  readonly manager: string | undefined;
  /** Texts of Warning headers, filled on the way. */
  readonly warnings: string[];
  /** What of the body was given empty. */
  readonly emptied: Emptied[];
}
