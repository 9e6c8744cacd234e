import type { JsonObject } from '../base/json.ts';
import type { ClusterReader, ListRead, Scope } from '../model/cluster-reader.ts';
import { createCluster } from '../simulator/index.ts';
import type { PresetName } from '../model/preset.ts';

export interface SimulationOptions {
  /** Decides every name, delay and jitter: the same seed gives the same run. */
  readonly seed?: number | string;
  /** The nodes: `three-nodes` without it. */
  readonly preset?: PresetName;
}

/** A whole simulated cluster with a clock of its own; the same calls give the same states. */
export interface Simulation {
  /** Applies manifests as `kubectl apply` would, and returns what kubectl prints. */
  apply(objects: readonly JsonObject[], options?: { readonly namespace?: string }): string;
  /** Lets virtual time pass, in milliseconds. */
  advance(milliseconds: number): void;
  /** Lets time pass until nothing changes; false where that never comes. */
  settle(): boolean;
  /** Objects of a kind as they are now. */
  observe(kind: string, scope?: Scope): Promise<ListRead>;
  /** The cluster as a diagnosis reads it. */
  reader(): ClusterReader;
}

/** Creates a simulated cluster whose control plane and nodes are up. */
export function simulate({ seed = 1, preset = 'three-nodes' }: SimulationOptions = {}): Simulation {
  const cluster = createCluster({ seed, preset });
  return {
    apply: (objects, options = {}) =>
      cluster
        .apply(objects, options)
        .map(({ output }) => output)
        .join('\n'),
    advance: (milliseconds) => cluster.advance(milliseconds),
    settle: () => cluster.runUntilSettled().settled,
    observe: (kind, scope = {}) => cluster.reader().list(kind, scope),
    reader: () => cluster.reader(),
  };
}
