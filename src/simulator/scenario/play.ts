import { PodcheckError } from '../../base/errors.ts';
import type { Instant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import { formatRef } from '../../model/kube-object.ts';
import type { Scenario, ScenarioStep } from '../../model/scenario.ts';
import { addressOfKind } from '../components/client.ts';
import type { ClusterOptions } from '../cluster-options.ts';
import type { Cluster, ClusterSurroundings } from '../cluster.ts';
import { createCluster, DEFAULT_START } from '../cluster.ts';
import type { MachineSpec } from '../outside/machine.ts';
import type { Preset } from '../presets.ts';
import { isPresetName, PRESET_NAMES } from '../../model/preset.ts';
import type { Settled } from '../settled.ts';
import type { CommandAnswer } from '../terminal/command.ts';
import { clientOf } from './client-of.ts';
import { withAuthorities } from './authorities.ts';
import { faultOf, wrong } from './fault-of.ts';
import { nextFirstRun } from './first-cron-runs.ts';

export interface PlayOptions {
  readonly seed?: number | string;
  /** Stop at this moment after the start, in milliseconds, whatever the scenario says. */
  readonly atMilliseconds?: number;
  readonly surroundings?: ClusterSurroundings;
  /** Plays in this cluster instead of one of the scenario's own. */
  readonly cluster?: Cluster;
  /** Waits for the first run of CronJobs that are due within a day. */
  readonly firstRuns?: boolean;
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
  const playing = playInSlices(scenario, options);
  for (;;) {
    const { done, value } = playing.next();
    if (done === true) return value;
  }
}

/** The same, a slice of time after the other, so that somebody can look on: short ones at first, when most happens. */
export function* playInSlices(scenario: Scenario, options: PlayOptions = {}): Generator<Cluster, Played> {
  const cluster = options.cluster ?? openScenario(scenario, options);
  const start = cluster.now();
  const end = options.atMilliseconds ?? scenario.untilMilliseconds;
  yield cluster;
  for (const step of scenario.steps) {
    if (options.atMilliseconds !== undefined && (step.atMilliseconds ?? 0) > options.atMilliseconds) break;
    if (step.atMilliseconds !== undefined) yield* pass(cluster, start + step.atMilliseconds, start);
    options.onStep?.(step, cluster);
    if (step.do === 'wait' && step.milliseconds !== undefined) yield* pass(cluster, cluster.now() + step.milliseconds, start);
    else if (step.do === 'wait') yield* settling(cluster, start);
    else doStep(cluster, step, start);
    yield cluster;
  }
  if (end === undefined) return { cluster, start, settled: yield* settlingWithFirstRuns(cluster, start, options) };
  yield* pass(cluster, start + end, start);
  return { cluster, start, settled: undefined };
}

function* settlingWithFirstRuns(cluster: Cluster, start: Instant, { firstRuns, onStep }: PlayOptions): Generator<Cluster, Settled> {
  const settled = yield* settling(cluster, start);
  const due = firstRuns === true ? nextFirstRun(cluster) : undefined;
  if (due === undefined) return settled;
  const milliseconds = Math.max(0, due - cluster.now());
  onStep?.({ do: 'wait', milliseconds, forWhat: 'the first run', atMilliseconds: undefined, place: '' }, cluster);
  // The controller looks when the moment has come, not before.
  yield* pass(cluster, cluster.now() + milliseconds + A_SECOND, start);
  return yield* settling(cluster, start);
}

function* pass(cluster: Cluster, until: Instant, start: Instant): Generator<Cluster, void> {
  do {
    cluster.advanceTo(Math.max(cluster.now(), Math.min(until, cluster.now() + sliceAfter(cluster.now() - start))));
    yield cluster;
  } while (cluster.now() < until);
}

function* settling(cluster: Cluster, start: Instant): Generator<Cluster, Settled> {
  const until = cluster.now() + SETTLE.milliseconds;
  const lastStep = cluster.steps + SETTLE.tasks;
  for (;;) {
    const slice = Math.min(sliceAfter(cluster.now() - start), until - cluster.now());
    const settled = cluster.runUntilSettled({
      milliseconds: slice,
      tasks: lastStep - cluster.steps,
      pending: cluster.now() + slice >= until,
    });
    if (settled.settled || settled.limit === 'tasks' || cluster.now() >= until) return settled;
    yield cluster;
  }
}

function sliceAfter(elapsed: number): number {
  return elapsed < 3000
    ? 10
    : elapsed < 10_000
      ? 50
      : elapsed < 60_000
        ? 250
        : elapsed < 600_000
          ? 2000
          : elapsed < 3_600_000
            ? 60_000
            : 21_600_000;
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
      apply(cluster, step);
      return;
    case 'delete': {
      const { objects, force, cascade, graceSeconds, waits, as, kubeconfig } = step;
      const answer = cluster.run({
        command: 'delete',
        objects,
        force,
        ...(cascade === undefined ? {} : { cascade }),
        ...(graceSeconds === undefined ? {} : { graceSeconds }),
        ...(waits === undefined ? {} : { wait: waits }),
        ...clientOf(step, cluster),
      });
      if (as === undefined && kubeconfig === undefined) mustWork(answer, step.place);
      return;
    }
    case 'patch':
      patch(cluster, step);
      return;
    case 'drain':
      cluster.run({ command: 'drain', node: step.node });
      return;
    case 'exec':
      cluster.run({ command: 'exec', pod: step.pod, argv: step.command });
      return;
    case 'token': {
      const { account, seconds } = step;
      mustWork(
        cluster.run({
          command: 'token',
          namespace: account.namespace,
          account: account.name,
          ...(seconds === undefined ? {} : { seconds }),
        }),
        step.place,
      );
      return;
    }
    case 'look':
      cluster.run({ command: 'service-status', node: step.node, service: step.service });
      return;
    case 'fault':
      inject(cluster, step.fault, step.place, start);
      return;
    case 'wait':
      if (step.milliseconds === undefined) settle(cluster);
      else cluster.advance(step.milliseconds);
  }
}

function apply(cluster: Cluster, step: ScenarioStep & { readonly do: 'apply' }): void {
  const { namespace, create, place, manifest = { file: 'manifest.yaml' } } = step;
  const { file, text, missing } = manifest;
  const documents = step.documents.map((document) => withAuthorities(document, cluster.world.certificates, place));
  const content = missing === true ? {} : text === undefined ? { documents } : { text };
  cluster.run({
    command: 'apply',
    manifest: { file, ...content },
    create,
    ...(namespace === undefined ? {} : { namespace }),
    ...clientOf(step, cluster),
  });
}

function patch(cluster: Cluster, { object, body, subresource, place }: ScenarioStep & { readonly do: 'patch' }): void {
  if (cluster.server.resources.named(object.kind) === undefined) throw wrong(place, `there is no kind ${object.kind}`);
  const namespace = object.namespace === undefined ? {} : { namespace: object.namespace };
  const change = { type: Array.isArray(body) ? 'json' : 'strategic', body } as const;
  const answer = cluster.request({
    verb: 'patch',
    ...addressOfKind(cluster.server.resources, object.kind),
    ...namespace,
    name: object.name,
    patch: change,
    ...(subresource === undefined ? {} : { subresource }),
  });
  if (!answer.ok) throw wrong(place, `patch ${formatRef(object)} is refused: ${answer.message}`);
}

const A_SECOND = 1000;

/** What nobody in particular does is part of the scenario, and must work. It may last longer than anybody waits. */
function mustWork({ exitCode, output }: CommandAnswer, place: string): void {
  if (exitCode !== 0 && exitCode !== GIVEN_UP) throw wrong(place, output);
}

const GIVEN_UP = 130;

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

function inject(cluster: Cluster, fault: JsonObject, place: string, start: number): void {
  try {
    cluster.inject(faultOf(fault, place, start));
  } catch (error) {
    if (error instanceof PodcheckError && !error.message.startsWith(place)) throw wrong(place, error.message, error.hint);
    throw error;
  }
}
