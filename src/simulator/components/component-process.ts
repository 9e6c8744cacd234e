import { assert } from '../../base/assert.ts';
import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Prng } from '../../base/prng.ts';
import type { Agenda, Task, TaskOptions } from '../time/agenda.ts';
import type { Credential } from '../apiserver/request.ts';
import { ANONYMOUS } from '../apiserver/request.ts';
import type { ApiServer } from '../apiserver/server.ts';
import type { ClientOptions } from './client.ts';
import { Client } from './client.ts';
import type { ComponentDefinition, ComponentHost, ProcessName } from './component.ts';
import type { Heartbeats } from './heartbeats.ts';
import { leaseBeat } from './heartbeats.ts';
import type { InformerOptions } from './informer.ts';
import { Informer } from './informer.ts';
import { LEASE_MILLISECONDS, releaseLease, writeLease } from './leader-lease.ts';
import { EventRecorder, SeriesRecorder } from './recorder.ts';
import type { Routine } from '../time/routine.ts';
import { runRoutine } from '../time/routine.ts';
import type { Trace, TraceKind } from '../trace/trace.ts';
import type { SyncResult, WorkQueueOptions } from './work-queue.ts';
import { WorkQueue } from './work-queue.ts';
import type { World } from '../outside/outside-world.ts';
import type { Certificate } from '../x509/simulated-certificate.ts';

/** How a process comes to the API: its certificate and its pace; whether it must lead before it works, and gives its lease back. */
export interface ProcessSettings {
  readonly name: ProcessName;
  /** The node, for a process of every node; empty otherwise. */
  readonly node: string;
  /** The name of its certificate; undefined for one that lives in a pod and has a token of its service account. */
  readonly certificate: string | undefined;
  readonly leads: boolean | 'releasing';
  readonly qps: number;
  readonly burst: number;
  /** Whether it ends when its certificate has ended, and does not begin with such a one: a kubelet. */
  readonly needsCertificate: boolean;
  /** Whether its components act under service accounts of their own (`--use-service-account-credentials`). */
  readonly ownAccounts: boolean;
}

export interface ProcessSurroundings {
  readonly agenda: Agenda;
  readonly server: ApiServer;
  readonly heartbeats: Heartbeats;
  readonly world: World;
  readonly trace: Trace;
  readonly prng: Prng;
}

/**
 * A running program of the cluster with its components. Stopping it drops everything it had in mind; starting it begins anew.
 * One that leads waits for its lease first, and exits when it cannot renew it.
 * Source of the numbers: staging/src/k8s.io/component-base/config/v1alpha1/defaults.go (15 s, 10 s, 2 s).
 */
export class Process {
  readonly settings: ProcessSettings;
  readonly #around: ProcessSurroundings;
  readonly #components: readonly ComponentDefinition[];
  readonly #informers = new Map<string, Informer>();
  readonly #tokens = new Map<string, { readonly certificate: Certificate | undefined; readonly credential: Credential }>();
  readonly #stops: (() => void)[] = [];
  #certificateCredential: { readonly certificate: Certificate; readonly credential: Credential } | undefined;
  /** How many certificates had come when that was looked up. */
  #lookedUp = -1;
  #lifetime: object = {};
  #state: ProcessState = 'stopped';
  #slowness = 0;
  /** For all its clients the same: a cluster has thousands of them. */
  readonly #slownessNow = (): number => this.#slowness;
  readonly #ownCredential = (): Credential => this.credential();
  /** Why it cannot begin, though it should run. */
  #refusal: string | undefined;
  #starts = 0;
  #since: Instant;
  /** Whether its lease is free, and since when it has seen it held: another's clock is not trusted. */
  #released = false;
  #observed: Instant | undefined;

  constructor(settings: ProcessSettings, components: readonly ComponentDefinition[], around: ProcessSurroundings) {
    this.settings = settings;
    this.#components = components;
    this.#around = around;
    this.#since = around.agenda.now;
    if (settings.leads) around.heartbeats.onChange((name, beating) => this.#leaseChanged(name, beating));
  }

  /** `kubelet worker-1`, `kube-scheduler`. */
  get name(): string {
    return this.settings.node === '' ? this.settings.name : `${this.settings.name} ${this.settings.node}`;
  }

  get state(): ProcessState {
    return this.#state;
  }

  /** What it says when it is started and ends at once; undefined for one that runs, or is not to run. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** When it was last started or stopped. */
  get since(): Instant {
    return this.#since;
  }

  /** Milliseconds that everything it sends and receives takes longer. */
  set slowness(milliseconds: number) {
    this.#slowness = milliseconds;
  }

  start(): void {
    if (this.#state !== 'stopped') return;
    const ended = this.#endedCertificate();
    if (ended !== undefined) {
      // Source: pkg/kubelet/certificate/bootstrap/bootstrap.go (isClientConfigStillValid); kubeadm leaves no bootstrap-kubelet.conf behind.
      this.#refusal = `part of the existing bootstrap client certificate in /etc/kubernetes/kubelet.conf is expired: ${formatInstant(ended.notAfter)}`;
      this.#record(this.#refusal);
      return;
    }
    this.#starts++;
    this.#since = this.#around.agenda.now;
    this.#lifetime = {};
    this.#record('started');
    if (this.settings.leads) this.#acquire();
    else this.#work();
  }

  stop(why = 'stopped'): void {
    this.#refusal = undefined;
    if (this.#state === 'stopped') return;
    const { agenda, heartbeats, server } = this.#around;
    this.#released = this.settings.leads === 'releasing' && this.#state === 'running' && this.connected();
    if (this.#released) releaseLease(server, { name: this.settings.name, at: agenda.now, credential: this.credential() });
    this.#observed = undefined;
    this.#state = 'stopped';
    this.#since = agenda.now;
    agenda.cancelOwned(this.#lifetime);
    for (const informer of this.#informers.values()) informer.stop();
    this.#informers.clear();
    for (const run of this.#stops.splice(0)) run();
    if (this.settings.leads) heartbeats.end(this.#lease());
    this.#record(why);
  }

  /** Whether a request with the process's own credential would be heard. */
  connected(): boolean {
    return this.#around.server.hears({ credential: this.credential() });
  }

  credential(): Credential {
    const { changes } = this.#around.world.certificates;
    if (this.#certificateCredential !== undefined && this.#lookedUp === changes) return this.#certificateCredential.credential;
    const { certificate: name } = this.settings;
    const certificate = name === undefined ? undefined : this.#around.world.certificates.get(name);
    if (certificate === undefined) return name === undefined ? this.#accountCredential(this.settings.name) : ANONYMOUS;
    if (this.#certificateCredential?.certificate !== certificate)
      this.#certificateCredential = { certificate, credential: { kind: 'certificate', certificate } };
    this.#lookedUp = changes;
    return this.#certificateCredential.credential;
  }

  /** To be called when its certificate, or its authority's, was renewed or has ended. */
  certificateTurned(): void {
    if (this.#refusal !== undefined && this.#endedCertificate() === undefined) {
      this.#refusal = undefined;
      this.start();
    } else if (this.#state !== 'stopped' && !this.connected()) this.#loseCredential();
  }

  /**
   * Its watches end after a while, as those of clients do whose credential has ended: they live until their time-out of 5 to 10 minutes.
   */
  #loseCredential(): void {
    const { agenda, prng } = this.#around;
    if (this.#endedCertificate() !== undefined)
      agenda.after(EXIT_MILLISECONDS, `${this.name} has no certificate`, () => this.#exitWithoutCertificate(), {
        owner: this.#lifetime,
        background: true,
      });
    for (const informer of this.#informers.values())
      agenda.after(prng.between(0, 600_000), `watch ${informer.kind} times out`, () => informer.disconnect(), {
        owner: this.#lifetime,
        background: true,
      });
  }

  #endedCertificate(): Certificate | undefined {
    const { agenda, world } = this.#around;
    const certificate = this.settings.needsCertificate ? world.certificates.get(this.settings.certificate ?? '') : undefined;
    return certificate === undefined || agenda.now <= certificate.notAfter ? undefined : certificate;
  }

  /** As long as the server cannot be reached at all, a new certificate may still come. Source: pkg/kubelet/certificate/transport.go. */
  #exitWithoutCertificate(): void {
    const lifetime = this.#lifetime;
    this.#around.server.whenReachable(() => {
      if (this.#lifetime !== lifetime || this.#state === 'stopped' || this.#endedCertificate() === undefined) return;
      this.stop('The currently active client certificate has expired and the server is responsive, exiting.');
      this.start();
    });
  }

  #whenConnected(run: () => void): void {
    const lifetime = this.#lifetime;
    this.#around.server.whenHeard(
      () => this.credential(),
      () => {
        if (this.#lifetime === lifetime && this.#state !== 'stopped') run();
      },
    );
  }

  #acquire(): void {
    const { agenda, server, heartbeats, prng } = this.#around;
    this.#state = 'waiting';
    const retry = (): number => RETRY_MILLISECONDS * prng.between(1, 2.2);
    if (!this.connected()) {
      agenda.after(retry(), `${this.name} acquires its lease`, () => this.#whenConnected(() => this.#acquire()), {
        owner: this.#lifetime,
        background: true,
      });
      return;
    }
    this.#observed ??= agenda.now;
    const free = this.#released || heartbeats.last(this.#lease()) === undefined ? agenda.now : this.#observed + LEASE_MILLISECONDS;
    let next = agenda.now;
    while (next < free) next += retry();
    if (next > agenda.now) {
      agenda.at(next, `${this.name} acquires its lease`, () => this.#acquire(), { owner: this.#lifetime });
      return;
    }
    this.#released = false;
    writeLease(server, { name: this.settings.name, term: this.#starts, at: agenda.now, credential: this.credential() });
    heartbeats.begin(this.#lease(), RETRY_MILLISECONDS, () => this.connected());
    this.#record('leading');
    this.#work();
  }

  #leaseChanged(name: string, beating: boolean): void {
    if (beating || name !== this.#lease() || this.#state !== 'running') return;
    const { agenda, heartbeats, prng, world } = this.#around;
    agenda.after(
      RENEW_MILLISECONDS,
      `${this.name} cannot renew its lease`,
      () => {
        if (heartbeats.beating(name)) return;
        this.stop('leaderelection lost');
        if (world.configuration.supervised)
          agenda.after(RESTART_MILLISECONDS * prng.between(1, 1.5), `${this.name} is restarted`, () => this.start());
      },
      { owner: this.#lifetime },
    );
  }

  #lease(): string {
    return leaseBeat('kube-system', this.settings.name);
  }

  #work(): void {
    this.#state = 'running';
    for (const component of this.#components) component.start(this.#hostOf(component));
  }

  #hostOf(component: ComponentDefinition): ComponentHost {
    const { agenda, heartbeats, world } = this.#around;
    const owner = this.#lifetime;
    const own: TaskOptions = { owner };
    const { node } = this.settings;
    const prng = this.#around.prng.split(`${component.name} ${node} ${this.#starts}`);
    const client = this.#clientOf(component, prng.split('client'));
    const source = { component: component.eventSource ?? component.name, ...(node === '' ? {} : { host: node }) };
    const instance = node === '' ? `${source.component}-control-plane` : `${source.component}-${node}`;
    return {
      name: component.name,
      node,
      prng,
      client,
      events: new EventRecorder(agenda, client, source),
      series: new SeriesRecorder(agenda, client, { controller: source.component, instance }, owner),
      heartbeats,
      world,
      now: (): Instant => agenda.now,
      informer: (options: InformerOptions) => this.#informerOf(options),
      release: (options: InformerOptions) => this.#release(options),
      queue: (options: WorkQueueOptions, sync: (key: string) => Routine<SyncResult>) => new WorkQueue(agenda, { ...options, owner }, sync),
      after: (milliseconds: number, label: string, run: () => void, options?: Pick<TaskOptions, 'background'>): Task =>
        agenda.after(milliseconds, label, run, options === undefined ? own : { owner, ...options }),
      at: (instant: Instant, label: string, run: () => void, options?: Pick<TaskOptions, 'background'>): Task =>
        agenda.at(instant, label, run, options === undefined ? own : { owner, ...options }),
      spawn: (routine: Routine<unknown>) => runRoutine(routine),
      onStop: (run: () => void) => void this.#stops.push(run),
      connected: () => this.connected(),
      whenConnected: (run: () => void) => this.#whenConnected(run),
      record: (is: TraceKind, fields: JsonObject) => this.#around.trace.record(agenda.now, is, fields),
    };
  }

  #clientOf({ name, qps = this.settings.qps, burst = this.settings.burst }: ComponentDefinition, prng: Prng): Client {
    const credential = this.settings.ownAccounts ? () => this.#accountCredential(name) : this.#ownCredential;
    return new Client(this.#optionsOf(prng, credential, qps, burst));
  }

  #optionsOf(prng: Prng, credential: () => Credential, qps: number, burst: number): ClientOptions {
    const { server, agenda } = this.#around;
    const { name: userAgent } = this.settings;
    return { server, agenda, prng, credential, userAgent, qps, burst, owner: this.#lifetime, slowness: this.#slownessNow };
  }

  /** A token that is good as long as the certificate it was asked for with. */
  #accountCredential(account: string): Credential {
    const { certificate: name } = this.settings;
    const certificate = name === undefined ? undefined : this.#around.world.certificates.get(name);
    const known = this.#tokens.get(account);
    if (known !== undefined && known.certificate === certificate) return known.credential;
    const token = this.#around.server.authenticator.issue({
      namespace: 'kube-system',
      serviceAccount: account,
      uid: undefined,
      audiences: [],
      notAfter: certificate?.notAfter ?? Number.POSITIVE_INFINITY,
    });
    const credential: Credential = { kind: 'token', token };
    this.#tokens.set(account, { certificate, credential });
    return credential;
  }

  #informerOf(options: InformerOptions): Informer {
    const key = keyOf(options);
    const known = this.#informers.get(key);
    if (known !== undefined) return known;
    const prng = this.#around.prng.split(`informer ${key} ${this.settings.node} ${this.#starts}`);
    const informer = new Informer(options, this.#optionsOf(prng, this.#ownCredential, 1000, 1000));
    this.#informers.set(key, informer);
    informer.start();
    return informer;
  }

  #release(options: InformerOptions): void {
    this.#informers.get(keyOf(options))?.stop();
    this.#informers.delete(keyOf(options));
  }

  #record(what: string): void {
    assert(what !== '', 'a record says what happened');
    this.#around.trace.record(this.#around.agenda.now, 'process', { name: this.name, what });
  }
}

/** `waiting`: started, but another holds the lease or the API server cannot be reached. */
export type ProcessState = 'stopped' | 'waiting' | 'running';

const RENEW_MILLISECONDS = 10_000;
const RETRY_MILLISECONDS = 2000;
const RESTART_MILLISECONDS = 1000;
const EXIT_MILLISECONDS = 300_000;

function keyOf({ kind, namespace, fieldSelector, labelSelector }: InformerOptions): string {
  return JSON.stringify([kind, namespace, fieldSelector, labelSelector]);
}
