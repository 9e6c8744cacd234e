import type { Instant } from '../../../base/instant.ts';
import type { Prng } from '../../../base/prng.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Store } from '../../store/store.ts';
import type { World } from '../../outside/outside-world.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { Failure, UserInfo } from '../request.ts';
import type { ServedResource } from '../resources.ts';
import type { Rounds } from './reinvocation.ts';

/** What a plugin is asked about. Mutating plugins put another object in the place of `object`. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly resource: ServedResource;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  /** The name; in the mutating phase of an object without one, its generateName. */
  name: string;
  object: KubeObject;
  readonly old: KubeObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** There once a webhook or a policy may change the object. */
  rounds?: Rounds;
}

/** What plugins may look at. */
export interface AdmissionSurroundings {
  readonly store: Store;
  readonly now: Instant;
  readonly prng: Prng;
  readonly world: World;
  readonly authorizer: Authorizer;
  /** Adds a Warning header to the answer. */
  readonly warn: (text: string) => void;
}

/**
 * One admission plugin. `admit` may change the object and runs before validation, `validate` may not and runs after it; both may
 * refuse. `kinds` are the resources (store keys) it looks at; all when not given.
 */
export interface AdmissionPlugin {
  readonly name: string;
  readonly kinds?: ReadonlySet<string>;
  admit?(request: AdmissionRequest, around: AdmissionSurroundings): Failure | undefined;
  validate?(request: AdmissionRequest, around: AdmissionSurroundings): Failure | undefined;
}
