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
  /**
   * What is well after the cure, where that is something else than what was asked about. `gone`: nothing is left of that; `there`:
   * it is one of those that are never well or ill, a Role for one, and exists.
   */
  readonly cured?: ObjectRef | 'gone' | 'there' | undefined;
}

/** The rule that a scenario is about: what its path begins with. */
export function ruleOfScenario(id: string): string {
  return id.replace(/\.(?:match|near)-[^/]*$/, '');
}

/** Whether it only looks like what its rule is about. */
export function isNearMiss(id: string): boolean {
  return /\.near-[^/]*$/.test(id);
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
  | ({
      readonly do: 'apply';
      readonly documents: readonly JsonObject[];
      readonly namespace: string | undefined;
      readonly create: boolean;
      readonly manifest?: ScenarioManifest;
    } & ScenarioClient)
  | ({
      readonly do: 'delete';
      readonly objects: readonly ObjectRef[];
      readonly force: boolean;
      readonly cascade?: 'background' | 'foreground' | 'orphan';
      readonly graceSeconds?: number;
      readonly waits?: boolean;
    } & ScenarioClient)
  | {
      readonly do: 'patch';
      readonly object: ObjectRef;
      readonly body: JsonObject | readonly JsonObject[];
      readonly subresource: string | undefined;
    }
  /** `kubectl drain`, given up after two minutes when a pod may not be evicted. */
  | { readonly do: 'drain'; readonly node: string }
  /**
   * `kubectl exec`; in the command `<Deployment/shop/web>` stands for the address of its first pod, `<Service/shop/web>` for that of the
   * Service.
   */
  | { readonly do: 'exec'; readonly pod: ObjectRef; readonly command: readonly string[] }
  /** A token of a service account, which `as` may use from then on. */
  | { readonly do: 'token'; readonly account: ScenarioAccount; readonly seconds: number | undefined }
  /** Somebody looks at a service of a node with `systemctl status`. */
  | { readonly do: 'look'; readonly node: string; readonly service: string }
  | { readonly do: 'fault'; readonly fault: JsonObject }
  /** Until it has settled, or so long. */
  | { readonly do: 'wait'; readonly milliseconds?: number; readonly forWhat?: string };

/** The manifest as kubectl finds it; the step's documents are in a file `manifest.yaml` when nothing is said. */
export interface ScenarioManifest {
  readonly file: string;
  /** What stands in it, where that is more than documents: it may be no YAML at all. */
  readonly text?: string;
  /** There is no such file. */
  readonly missing?: boolean;
}

/** Who gives a command, and with which kubeconfig; the administrator with a good one when nothing is said. */
export interface ScenarioClient {
  readonly as?: ScenarioIdentity | undefined;
  readonly kubeconfig?: ScenarioKubeconfig | undefined;
}

export type ScenarioIdentity =
  /** With a client certificate that the cluster's authority has just signed, unless it is said otherwise. */
  | { readonly kind: 'user'; readonly name: string; readonly groups: readonly string[]; readonly certificate?: ScenarioCertificate }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'account'; readonly account: ScenarioAccount }
  | { readonly kind: 'anonymous' };

/** Times are seconds from the step on. */
export interface ScenarioCertificate {
  readonly beginsInSeconds?: number;
  readonly endsInSeconds?: number;
  /** The authority that signed it: `kubernetes-ca` is the cluster's. */
  readonly issuer?: string;
}

export interface ScenarioAccount {
  readonly namespace: string;
  readonly name: string;
}

/** Without content it is a good one of the cluster. `content` is a kubeconfig's own YAML or JSON, good or bad. */
export interface ScenarioKubeconfig {
  readonly file: string;
  readonly context?: string;
  readonly missing?: boolean;
  readonly content?: string;
}

export interface ScenarioFault {
  readonly place: string;
  readonly fault: JsonObject;
}

export interface Expectation {
  readonly outcome: Outcome;
  /** What is asked about. */
  readonly target: ObjectRef | undefined;
  /** All of the target's namespace, or of the cluster, is looked at for it: some things only show beside others. */
  readonly scan: 'namespace' | 'cluster' | undefined;
  /** The rule of the first cause, and the object it must name. */
  readonly cause: string | undefined;
  readonly object: ObjectRef | undefined;
  /** The other rules that may be named, all of them. */
  readonly also: readonly string[];
}
