import { PodcheckError } from '../../base/errors.ts';
import type { Instant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef } from '../../model/kube-object.ts';
import type { Scenario, ScenarioStep } from '../../model/scenario.ts';
import { addressOfKind } from '../client.ts';
import type { Cluster, ClusterOptions, ClusterSurroundings, OutsideRequest, Settled } from '../cluster.ts';
import { createCluster, DEFAULT_START } from '../cluster.ts';
import type { MachineSpec } from '../machine.ts';
import type { Preset } from '../presets.ts';
import { isPresetName, PRESET_NAMES } from '../presets.ts';
import { faultOf, wrong } from './fault-of.ts';

export interface PlayOptions {
  readonly seed?: number | string;
  /** Stop at this moment after the start, in milliseconds, whatever the scenario says. */
  readonly atMilliseconds?: number;
  readonly surroundings?: ClusterSurroundings;
  /** Plays in this cluster instead of one of the scenario's own. */
  readonly cluster?: Cluster;
  /** Told of each step before it is done. */
  readonly onStep?: (step: ScenarioStep, cluster: Cluster) => void;
}

export interface Played {
  readonly cluster: Cluster;
  /** When the cluster had come up and the first step could be done. */
  readonly start: Instant;
  /** How it came to rest, when it was waited for. */
  readonly settled: Settled | undefined;
}

/** Plays a scenario from its start: the steps in order, then until it has settled or its time is up. */
export function playScenario(scenario: Scenario, options: PlayOptions = {}): Played {
  const cluster = options.cluster ?? openScenario(scenario, options);
  const start = cluster.now();
  const end = options.atMilliseconds ?? scenario.untilMilliseconds;
  for (const step of scenario.steps) {
    if (options.atMilliseconds !== undefined && (step.atMilliseconds ?? 0) > options.atMilliseconds) break;
    options.onStep?.(step, cluster);
    doStep(cluster, step, start);
  }
  if (end === undefined) return { cluster, start, settled: settle(cluster) };
  cluster.advanceTo(Math.max(cluster.now(), start + end));
  return { cluster, start, settled: undefined };
}

/** The scenario's cluster before its first step. */
export function openScenario(scenario: Scenario, options: PlayOptions = {}): Cluster {
  return createCluster(clusterOptions(scenario, options.seed ?? 1), options.surroundings);
}

/** Does what makes the scenario well again, and waits until it has settled. Moments count from now on. */
export function cureScenario(cluster: Cluster, scenario: Scenario): Settled {
  const start = cluster.now();
  for (const step of scenario.cure) doStep(cluster, step, start);
  return settle(cluster);
}

/** One step at its moment: time passes until then. */
export function doStep(cluster: Cluster, step: ScenarioStep, start: number): void {
  if (step.atMilliseconds !== undefined) cluster.advanceTo(Math.max(cluster.now(), start + step.atMilliseconds));
  switch (step.do) {
    case 'apply':
      cluster.apply(step.documents, {
        file: 'manifest.yaml',
        create: step.create,
        ...(step.namespace === undefined ? {} : { namespace: step.namespace }),
        ...(step.as === undefined ? {} : { credential: cluster.userCredential(step.as.name, step.as.groups) }),
      });
      return;
    case 'delete':
      for (const object of step.objects) send(cluster, object, step.place, { verb: 'delete', ...(step.force ? { delete: { gracePeriodSeconds: 0 } } : {}) });
      return;
    case 'patch':
      send(cluster, step.object, step.place, { verb: 'patch', patch: { type: Array.isArray(step.body) ? 'json' : 'strategic', body: step.body }, ...(step.subresource === undefined ? {} : { subresource: step.subresource }) });
      return;
    case 'fault':
      inject(cluster, step.fault, step.place, start);
      return;
    case 'wait':
      settle(cluster);
  }
}

/** A scenario that never rests (a container that crashes again and again) is looked at after three minutes. */
const SETTLE = { milliseconds: 180_000, tasks: 2_000_000 };

function settle(cluster: Cluster): Settled {
  return cluster.runUntilSettled(SETTLE);
}

function clusterOptions(scenario: Scenario, seed: number | string): ClusterOptions {
  return {
    seed,
    start: DEFAULT_START,
    preset: presetOf(scenario),
    configuration: scenario.cluster.configuration,
    setup: scenario.setup.map(({ fault, place }) => faultOf(fault, place, DEFAULT_START)),
  };
}

function presetOf({ id, cluster: { preset } }: Scenario): Preset {
  if (typeof preset !== 'string') return { nodes: preset as unknown as readonly (Partial<MachineSpec> & { readonly name: string })[] };
  if (isPresetName(preset)) return preset;
  throw new PodcheckError('bad-input', `${id}: there is no preset ${JSON.stringify(preset)}`, `presets are ${PRESET_NAMES.join(', ')}`);
}

function send(cluster: Cluster, object: ObjectRef, place: string, request: Omit<OutsideRequest, 'group' | 'version' | 'resource'>): void {
  if (cluster.server.resources.named(object.kind) === undefined) throw wrong(place, `there is no kind ${object.kind}`);
  const namespace = object.namespace === undefined ? {} : { namespace: object.namespace };
  const answer = cluster.request({ ...addressOfKind(cluster.server.resources, object.kind), ...namespace, name: object.name, ...request });
  if (!answer.ok) throw wrong(place, `${request.verb} ${formatRef(object)} is refused: ${answer.message}`);
}

function inject(cluster: Cluster, fault: JsonObject, place: string, start: number): void {
  try {
    cluster.inject(faultOf(fault, place, start));
  } catch (error) {
    if (error instanceof PodcheckError && !error.message.startsWith(place)) throw wrong(place, error.message, error.hint);
    throw error;
  }
}
