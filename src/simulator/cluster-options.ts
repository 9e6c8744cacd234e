import type { Instant } from '../base/instant.ts';
import type { JsonObject } from '../base/json.ts';
import type { ApiRequest, Credential } from './apiserver/request.ts';
import type { ApiServerOptions } from './apiserver/server.ts';
import type { Fault } from './outside/faults.ts';
import type { ClusterConfiguration } from './outside/outside-world.ts';
import type { Preset } from './presets.ts';

export interface ClusterOptions {
  readonly seed: number | string;
  /** `three-nodes` when not given. */
  readonly preset?: Preset;
  /** When it begins; 2026-11-20T09:00:00Z when not given. */
  readonly start?: Instant;
  readonly configuration?: Partial<ClusterConfiguration>;
  /** Faults done before anything runs: behaviours of images, a registry that is down from the start. */
  readonly setup?: readonly Fault[];
  /** Objects that are there from the start, created by an administrator; namespaces first. */
  readonly objects?: readonly JsonObject[];
  /** Objects put into the store as they are, as from a backup of etcd: nothing admits, completes or checks them. */
  readonly restored?: readonly JsonObject[];
  /** Faults done when all that runs has been started, before it comes up. */
  readonly broken?: readonly Fault[];
  /** Lets the cluster come up before it is handed over; true when not given. */
  readonly boot?: boolean;
  readonly maxObjects?: ApiServerOptions['maxObjects'];
}

export type OutsideRequest = Omit<ApiRequest, 'credential'> & { readonly credential?: Credential };
