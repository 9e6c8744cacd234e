/**
 * A SIMULATED CLUSTER
 *
 *     const cluster = createCluster({ seed: 7, preset: 'three-nodes' });
 *     cluster.apply([deployment], { namespace: 'shop' });
 *     cluster.runUntilSettled();
 * const answer = cluster.request({ verb: 'get', group: 'apps', version: 'v1', resource: 'deployments', namespace: 'shop', name: 'web' });
 *
 * How it hangs together:
 * - time/agenda.ts is time: tasks in order; `advance` runs them; nothing else moves time.
 * - store/store.ts is etcd: objects by resource and key, revisions, changes.
 * - apiserver/server.ts is the API: `handle(request)`, `watch(request)`; everyone goes through it under an identity of their own.
 * - components/component-process.ts runs the components (component.ts says how to write one) under their credentials; components.ts lists
 * them.
 * - outside/outside-world.ts is what is not in the API: machines, certificates, webhook servers.
 * - outside/faults.ts is what can be done to a cluster from outside its API.
 * - trace/trace.ts records all of it; the same seed and inputs give the same digest.
 *
 * Whatever comes from outside (requests, applies, faults) is kept as data with the moment it came. So a state is saved as its
 * beginning and its inputs, and `fork` and `rewind` play them again: what a fork does never touches the cluster it came from.
 */
import { PodcheckError } from '../base/errors.ts';
import type { Instant } from '../base/instant.ts';
import type { JsonObject } from '../base/json.ts';
import { Prng } from '../base/prng.ts';
import type { ClusterReader } from '../model/cluster-reader.ts';
import { CERTIFICATE_RECORD } from '../model/record-kinds.ts';
import { Agenda } from './time/agenda.ts';
import { followApiServices } from './controllers/api-service-availability.ts';
import { followFlowSchemas } from './controllers/flow-schema-status.ts';
import { followDefinitions } from './controllers/definition-names.ts';
import { followPolicies } from './controllers/policy-status.ts';
import { timeOf } from './time/api-times.ts';
import { bootstrapObjects, serverObjects } from './apiserver/bootstrap/objects.ts';
import type { Answer, Credential } from './apiserver/request.ts';
import { ApiServer } from './apiserver/server.ts';
import type { WatchEvent, WatchStart } from './apiserver/watch.ts';
import { certificateRecords } from './x509/certificate-records.ts';
import { Certificates } from './x509/certificates.ts';
import type { ComponentDefinition, ProcessName } from './components/component.ts';
import { COMPONENTS } from './components/components.ts';
import { certificateOf } from './x509/cluster-certificates.ts';
import type { ClusterOptions, OutsideRequest } from './cluster-options.ts';
import { ControlPlane } from './components/control-plane.ts';
import type { ExecInput, ExecRefusal } from './terminal/exec-sessions.ts';
import { expireEvents } from './store/event-expiry.ts';
import { ExecSessions } from './terminal/exec-sessions.ts';
import type { Fault } from './outside/faults.ts';
import { Heartbeats } from './components/heartbeats.ts';
import { createInitial, restoreObject } from './initial-objects.ts';
import type { Applied } from './terminal/kubectl.ts';
import { machineSpec } from './outside/machine.ts';
import { Onlookers } from './outside/onlookers.ts';
import { nodesOf } from './presets.ts';
import type { Process } from './components/component-process.ts';
import { createReader } from './reader.ts';
import type { Input, SavedCluster } from './trace/saved-cluster.ts';
import { endsAfter } from './trace/saved-cluster.ts';
import { changeRecord } from './trace/change-record.ts';
import type { StateDiff } from './trace/state-diff.ts';
import { diffStates } from './trace/state-diff.ts';
import type { Change } from './store/store.ts';
import type { Settled, SettleLimits } from './settled.ts';
import { Store } from './store/store.ts';
import type { CommandAnswer, TerminalCommand } from './terminal/command.ts';
import type { ApplyOptions } from './terminal/terminal.ts';
import { Terminal } from './terminal/terminal.ts';
import { CLUSTER_IS_UP, Trace, TRACE_VERSION } from './trace/trace.ts';
import { FastForward, LONG_MILLISECONDS } from './fast-forward/fast-forward.ts';
import type { ExecSink } from './programs/exec-session.ts';
import type { World } from './outside/outside-world.ts';
import { createWorld, DEFAULT_CONFIGURATION } from './outside/outside-world.ts';

/** What is not part of what a cluster does, and so not saved with it. */
export interface ClusterSurroundings {
  readonly components?: readonly ComponentDefinition[];
  /** Gets every line of the trace. */
  readonly trace?: (line: string) => void;
  /** Tokens of accounts cannot be foretold by who knows the seed, but only by who knows this, too. For clusters that others can reach. */
  readonly tokenSecret?: string;
  /** Freezes stored objects, so that whoever changes one fails: for tests. */
  readonly freeze?: boolean;
}

/** 2026-11-20T09:00:00Z. */
export const DEFAULT_START: Instant = 1_795_165_200_000;

export function createCluster(options: ClusterOptions, surroundings: ClusterSurroundings = {}): Cluster {
  return new Cluster(options, surroundings);
}

/** Plays a saved cluster up to where it was saved, or to an earlier instant. Its digest must come out the same. */
export function loadCluster(saved: SavedCluster, surroundings: ClusterSurroundings = {}, until: Instant = saved.at): Cluster {
  const cluster = new Cluster(saved.options, surroundings);
  for (const input of saved.inputs) {
    if (input.at > until || endsAfter(input, until)) break;
    cluster.replay(input);
  }
  if (until < saved.at) {
    if (cluster.now() < until) cluster.advanceTo(until);
    return cluster;
  }
  cluster.runSteps(saved.steps, saved.at);
  if (cluster.digest() !== saved.digest)
    throw new PodcheckError(
      'bad-input',
      'the saved cluster does not play out as it did when it was saved',
      'it was saved by another version of podcheck: play the scenario again',
    );
  return cluster;
}

export class Cluster {
  readonly options: ClusterOptions;
  readonly world: World;
  readonly server: ApiServer;
  readonly store: Store;
  readonly heartbeats: Heartbeats;
  readonly #agenda: Agenda;
  readonly #trace: Trace;
  readonly #surroundings: ClusterSurroundings;
  readonly #plane: ControlPlane;
  readonly #fastForward: FastForward;
  readonly #inputs: Input[] = [];
  readonly #execs: ExecSessions;
  readonly #terminal: Terminal;
  #lastChange: Instant;
  readonly #onlookers = new Onlookers();

  constructor(options: ClusterOptions, surroundings: ClusterSurroundings) {
    const start = options.start ?? DEFAULT_START;
    const prng = new Prng(options.seed);
    this.options = options;
    this.#surroundings = surroundings;
    this.#agenda = new Agenda(start);
    this.#lastChange = start;
    const now = (): Instant => this.#agenda.now;
    this.#trace = new Trace(start, surroundings.trace);
    this.store = new Store({ now, freeze: surroundings.freeze ?? false });
    this.heartbeats = new Heartbeats(now);
    const configuration = { ...DEFAULT_CONFIGURATION, ...options.configuration };
    const machines = nodesOf(options.preset ?? 'three-nodes').map(machineSpec);
    const certificates = new Certificates(prng.split('certificates'));
    this.#fastForward = new FastForward(this.#agenda, this.store, certificates);
    const around = { store: this.store, agenda: this.#agenda, unwritten: this.#fastForward };
    this.world = createWorld({ configuration, certificates, machines, prng: prng.split('world'), ...around });
    this.server = new ApiServer({
      store: this.store,
      heartbeats: this.heartbeats,
      prng: prng.split('apiserver'),
      world: this.world,
      trace: this.#trace,
      now,
      tokenSecret: surroundings.tokenSecret,
      maxObjects: options.maxObjects,
    });
    this.#execs = new ExecSessions(this.server, this.store, this.world);
    this.#trace.record(start, 'start', { version: TRACE_VERSION, start, options: options as unknown as JsonObject });
    this.store.subscribeAll((change) => this.#changed(change));
    expireEvents(this.#agenda, this.store, this.#fastForward);
    followApiServices(this.#agenda, this.store, this.world);
    followFlowSchemas(this.#agenda, this.store);
    followPolicies(this.#agenda, this.store, this.server.resources);
    followDefinitions(this.#agenda, this.store);
    const { heartbeats, server, world } = this;
    const running = { agenda: this.#agenda, server, heartbeats, world, trace: this.#trace, prng: prng.split('processes') };
    this.#plane = new ControlPlane(surroundings.components ?? COMPONENTS, running, this.store);
    this.#terminal = new Terminal({
      server,
      world,
      now,
      administrator: () => this.#plane.administrator(),
      process: (name, node) => this.#plane.process(name, node),
      find: ({ kind, namespace, name }) => this.store.get(this.server.resources.named(kind)?.key ?? '', namespace, name),
      pass: (milliseconds) => this.#run(now() + milliseconds),
      passUntil: (done, milliseconds) => this.#runUntil(done, now() + milliseconds),
    });
    for (const fault of options.setup ?? []) this.#plane.inject(fault);
    this.store.begin(serverObjects(configuration, timeOf(start), prng));
    for (const object of [...bootstrapObjects(configuration, certificates), ...(options.objects ?? [])])
      createInitial(this.server, this.#plane.administrator('super-admin'), object);
    for (const object of options.restored ?? []) restoreObject(this.server, this.store, object);
    this.#plane.start();
    for (const fault of options.broken ?? []) this.#plane.inject(fault);
    if (options.boot ?? true) this.runUntilSettled({ milliseconds: 120_000 });
    this.#trace.record(this.#agenda.now, 'note', { what: CLUSTER_IS_UP });
  }

  now(): Instant {
    return this.#agenda.now;
  }

  /** How many tasks have run. */
  get steps(): number {
    return this.#agenda.steps;
  }

  /** 32 hex digits that stand for everything that happened. */
  digest(): string {
    return this.#trace.digest();
  }

  /** A request of someone outside, as the administrator unless a credential is given. Answered at once. */
  request(request: OutsideRequest): Answer {
    this.#keep({ do: 'request', request });
    return this.server.handle({
      manager: 'kubectl',
      tracksFields: true,
      ...request,
      credential: request.credential ?? this.#plane.administrator(),
    });
  }

  /** `kubectl apply` of these documents, one after the other; each takes a moment, as it does in a terminal. */
  apply(documents: readonly JsonObject[], options: ApplyOptions = {}): readonly Applied[] {
    this.#keep({ do: 'apply', documents, options });
    return this.#terminal.apply(documents, options);
  }

  /** A command in a terminal beside the cluster; it takes the time it takes. */
  run(command: TerminalCommand): CommandAnswer {
    this.#keep({ do: 'command', command });
    return this.#terminal.run(command);
  }

  /** Does something to the cluster that no request can do. */
  inject(fault: Fault): void {
    this.#keep({ do: 'inject', fault });
    this.#plane.inject(fault);
  }

  /** Runs a command in a container as it is told to (`kubectl exec`); the sink hears it while time is advanced. A refusal is answered. */
  exec(exec: ExecInput, sink?: ExecSink): ExecRefusal | undefined {
    this.#keep({ do: 'exec', exec });
    return this.#execs.take(exec, sink);
  }

  /** Begins a watch as someone outside; the sink is called while time is advanced. */
  watch(request: OutsideRequest, sink: (event: WatchEvent) => void, ended: () => void): WatchStart {
    return this.#onlookers.watch(this.server, { ...request, credential: request.credential ?? this.#plane.administrator() }, sink, ended);
  }

  /** Lets so many milliseconds pass. In half an hour and more that nobody watches, what is only repeated is not written (fast-forward/). */
  advance(milliseconds: number): void {
    this.advanceTo(this.#agenda.now + milliseconds);
  }

  advanceTo(instant: Instant): void {
    if (instant - this.#agenda.now < LONG_MILLISECONDS || this.#onlookers.count > 0) this.#run(instant);
    else this.#pass(instant);
  }

  /** Lets time pass up to an instant as long as `goOn` says so, which is asked before every task; true when the instant is reached. */
  advanceWhile(instant: Instant, goOn: () => boolean): boolean {
    while (goOn()) {
      if (this.#agenda.step(instant)) continue;
      this.#agenda.moveTo(Math.max(instant, this.#agenda.now));
      return true;
    }
    return false;
  }

  /** Runs until nothing is left to be done but what waits for some far moment, or a limit is reached. */
  runUntilSettled(limits: SettleLimits = {}): Settled {
    const until = this.#agenda.now + (limits.milliseconds ?? 1_800_000);
    const lastStep = this.#agenda.steps + (limits.tasks ?? 5_000_000);
    this.#lastChange = this.#agenda.now;
    for (;;) {
      if (this.#agenda.foreground === 0) return { settled: true, pending: [] };
      const next = this.#agenda.next();
      if (limits.quietMilliseconds !== undefined && next !== undefined && next.at - this.#lastChange > limits.quietMilliseconds)
        return { settled: true, pending: this.#pending() };
      if (this.#agenda.steps >= lastStep) return { settled: false, limit: 'tasks', pending: this.#pending() };
      if (!this.#agenda.step(until)) {
        this.#agenda.moveTo(until);
        return { settled: false, limit: 'milliseconds', pending: limits.pending === false ? [] : this.#pending() };
      }
    }
  }

  /** One task; false when there is none. */
  step(): boolean {
    return this.#agenda.step();
  }

  /** Looks at the cluster through the port of all clusters, with someone's rights (the administrator's when not given). */
  reader(credential?: Credential): ClusterReader {
    return createReader({
      resources: this.server.resources,
      records: (kind) =>
        kind === CERTIFICATE_RECORD ? certificateRecords(this.world, this.store) : this.#terminal.records(kind, credential),
      send: (request) => this.server.peek({ ...request, credential: credential ?? this.#plane.administrator() }),
      now: () => this.now(),
    });
  }

  /** A credential for a user of these groups, as a client certificate of the cluster's authority. */
  userCredential(user: string, groups: readonly string[] = []): Credential {
    return { kind: 'certificate', certificate: certificateOf(user, groups, this.#agenda.now) };
  }

  process(name: ProcessName, node = ''): Process | undefined {
    return this.#plane.process(name, node);
  }

  save(): SavedCluster {
    return {
      format: 1,
      options: this.options,
      inputs: [...this.#inputs],
      steps: this.#agenda.steps,
      at: this.#agenda.now,
      digest: this.digest(),
    };
  }

  /** The same cluster once more: what is done to it does not touch this one. Without the trace's receiver. */
  fork(): Cluster {
    const { trace, ...surroundings } = this.#surroundings;
    void trace;
    return loadCluster(this.save(), surroundings);
  }

  /** The cluster as it was at an instant. */
  rewind(to: Instant): Cluster {
    const { trace, ...surroundings } = this.#surroundings;
    void trace;
    return loadCluster(this.save(), surroundings, to);
  }

  /** What is different in another cluster's objects. */
  diff(other: Cluster): StateDiff {
    return diffStates(this.store, other.store);
  }

  /** For loading only: lets happen what came from outside, at its moment. */
  replay({ steps, at, input }: Input): void {
    this.runSteps(steps, at);
    if (input.do === 'request') this.request(input.request);
    else if (input.do === 'apply') this.apply(input.documents, input.options);
    else if (input.do === 'command') this.run(input.command);
    else if (input.do === 'exec') this.exec(input.exec);
    else if (input.do === 'pass') this.advanceTo(input.until);
    else this.inject(input.fault);
  }

  /** For loading only: runs until so many tasks have run, and moves to the time. */
  runSteps(steps: number, at: Instant): void {
    while (this.#agenda.steps < steps) if (!this.#agenda.step()) break;
    this.#agenda.moveTo(at);
  }

  #run(until: Instant): void {
    while (this.#agenda.step(until));
    this.#agenda.moveTo(until);
  }

  #pass(until: Instant): void {
    this.#keep({ do: 'pass', until });
    this.#fastForward.pass(
      until,
      (certificate) => this.#plane.nodeOfCertificate(certificate),
      () => this.#run(until),
    );
  }

  #runUntil(done: () => boolean, limit: Instant): boolean {
    while (!done()) {
      if (this.#agenda.step(limit)) continue;
      this.#agenda.moveTo(limit);
      return done();
    }
    return true;
  }

  #keep(input: Input['input']): void {
    this.#inputs.push({ steps: this.#agenda.steps, at: this.#agenda.now, input });
    this.#trace.record(this.#agenda.now, 'input', { steps: this.#agenda.steps, ...(input as unknown as JsonObject) });
  }

  #pending(): readonly string[] {
    return this.#agenda
      .waiting(50)
      .filter((task) => !task.background)
      .slice(0, 8)
      .map((task) => task.label);
  }

  #changed(change: Change): void {
    if (change.resource !== 'events') this.#lastChange = this.#agenda.now;
    this.#trace.record(this.#agenda.now, 'change', changeRecord(change));
  }
}
