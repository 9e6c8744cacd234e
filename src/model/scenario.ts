import type { JsonObject } from '../base/json.ts';
import type { Outcome } from './diagnosis.ts';
import type { ObjectRef } from './kube-object.ts';

/** A simulated cluster in which something goes wrong (or well), what podcheck must say of it, and what makes it well again. */
export interface Scenario {
  /** `volumes/configmap-not-found`, `volumes/configmap-not-found.near-optional`, `healthy/deployment`: its path. */
  readonly id: string;
  readonly title: string;
  readonly cluster: ScenarioCluster;
  /** Done before anything runs: how images behave, what a registry has, machines that are broken from the start. */
  readonly setup: readonly ScenarioFault[];
  readonly steps: readonly ScenarioStep[];
  /** How long after the start it is looked at, in milliseconds; undefined: when it has settled. */
  readonly untilMilliseconds: number | undefined;
  readonly expect: Expectation | undefined;
  readonly cure: readonly ScenarioStep[];
}

export interface ScenarioCluster {
  /** A named preset, or the nodes one by one. */
  readonly preset: string | readonly JsonObject[];
  readonly configuration: JsonObject;
}

/** Something done to the cluster. `place` is where it stands (`rules/…yaml:12`), for saying what is wrong with it. */
export type ScenarioStep = {
  /** Not before this moment, in milliseconds after the start; undefined: right after the step before. */
  readonly atMilliseconds: number | undefined;
  readonly place: string;
} & ScenarioAction;

export type ScenarioAction =
  | { readonly do: 'apply'; readonly documents: readonly JsonObject[]; readonly namespace: string | undefined; readonly as: ScenarioUser | undefined; readonly create: boolean }
  | { readonly do: 'delete'; readonly objects: readonly ObjectRef[]; readonly force: boolean }
  | { readonly do: 'patch'; readonly object: ObjectRef; readonly body: JsonObject | readonly JsonObject[]; readonly subresource: string | undefined }
  | { readonly do: 'fault'; readonly fault: JsonObject }
  | { readonly do: 'wait' };

export interface ScenarioFault {
  readonly place: string;
  readonly fault: JsonObject;
}

export interface ScenarioUser {
  readonly name: string;
  readonly groups: readonly string[];
}

export interface Expectation {
  readonly outcome: Outcome;
  readonly target: ObjectRef | undefined;
  /** The rule of the first cause, and the object it must name. */
  readonly cause: string | undefined;
  readonly object: ObjectRef | undefined;
  /** The other rules that may be named, all of them. */
  readonly also: readonly string[];
}
