import type { Instant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import { smallest } from '../../base/lists.ts';
import type { Prng } from '../../base/prng.ts';
import type { Heartbeats } from '../components/heartbeats.ts';
import type { Change, Store } from '../store/store.ts';
import type { Trace } from '../trace/trace.ts';
import type { World } from '../outside/outside-world.ts';
import { CLUSTER_CA, ETCD_CA, FRONT_PROXY_CA } from '../x509/certificates.ts';
import { LimitLookups } from './admission/limit-lookups.ts';
import { Authenticator } from './authentication.ts';
import type { Attributes } from './authorization/attributes.ts';
import { forbiddenWords } from './authorization/attributes.ts';
import { Authorizer } from './authorization/authorizer.ts';
import type { EtcdState } from './etcd-failure.ts';
import { etcdFailure } from './etcd-failure.ts';
import { isTooLarge, MAX_STORED_BYTES } from './etcd-size.ts';
import {
  badRequest,
  entityTooLarge,
  failure,
  forbidden,
  forbiddenPath,
  methodNotSupported,
  unauthorized,
  unknownPath,
  unreachable,
} from './failures.ts';
import { optionsFailure } from './validation/request-options.ts';
import { impersonated } from './impersonation.ts';
import { OpenWatches } from './open-watches.ts';
import { pathOf } from './request-path.ts';
import type { Answer, ApiRequest, Credential, Failure, UnsignedRequest, UserInfo, Verb } from './request.ts';
import { ANONYMOUS } from './request.ts';
import { Resources, resourcesOfDefinition } from './resources.ts';
import type { Call, ServerState } from './server-state.ts';
import { readComponentStatuses } from './verbs/component-statuses.ts';
import { conversionTrouble } from './verbs/conversion.ts';
import { WriterEntries } from './managed-fields.ts';
import { create } from './verbs/create.ts';
import { remove, removeCollection } from './verbs/delete.ts';
import { checkRevision, get, list } from './verbs/read.ts';
import { answerSubresource } from './verbs/subresources.ts';
import { patch, update } from './verbs/update.ts';
import type { WatchEvent, WatchStart } from './watch.ts';

export interface ApiServerOptions {
  readonly store: Store;
  readonly heartbeats: Heartbeats;
  readonly prng: Prng;
  readonly world: World;
  readonly trace: Trace;
  readonly now: () => Instant;
  readonly tokenSecret?: string | undefined;
  /** Objects that etcd has room for; `MAX_OBJECTS` when not given. */
  readonly maxObjects?: number | undefined;
}

/** What everybody is told who asks for them. Source: pkg/apis/core/v1/zz_generated.prerelease-lifecycle.go. */
const DEPRECATED: Readonly<Record<string, string>> = {
  endpoints: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  componentstatuses: 'v1 ComponentStatus is deprecated in v1.19+',
};

/** At about 13 KiB of memory for a pod and 2 KiB of etcd's own, both memory and etcd's default quota of 2 GiB hold so many. */
const MAX_OBJECTS = 100_000;

/**
 * The API server: `handle` answers every request of everyone, by the same steps in the same order as a real one:
 * authentication → authorization → decoding and defaults → mutating plugins → validation → validating plugins → store.
 * It takes no time; who sends requests adds what the way takes.
 */
interface Reading {
  readonly verb: 'get' | 'list';
}
interface Streaming {
  readonly verb: 'create';
  readonly subresource: 'exec' | 'attach' | 'portforward';
}

export class ApiServer {
  readonly resources = new Resources();
  readonly authenticator: Authenticator;
  readonly #state: ServerState;
  readonly #trace: Trace;
  readonly #watches: OpenWatches;
  readonly #waiting: { readonly credential: (() => Credential) | undefined; readonly run: () => void }[] = [];
  readonly #limits: LimitLookups;
  #running = true;
  /** Until then no certificate on the way to the server or to its store ends. */
  #soundUntil = Number.NEGATIVE_INFINITY;
  #etcd: EtcdState = 'up';
  readonly #maxObjects: number;

  constructor(options: ApiServerOptions) {
    const { store, heartbeats, prng, world, now } = options;
    const { alwaysAllow } = world.configuration;
    // Source: pkg/kubeapiserver/options/authentication.go (ApplyAuthorization).
    const given = { tokenSecret: options.tokenSecret, anonymous: !alwaysAllow };
    this.authenticator = new Authenticator(store, world.certificates, now, prng.split('tokens'), given);
    this.#trace = options.trace;
    this.#maxObjects = options.maxObjects ?? MAX_OBJECTS;
    this.#state = {
      store,
      heartbeats,
      prng,
      eventPrng: prng.split('events'),
      world,
      writers: new WriterEntries(),
      converted: new Map(),
      now,
      resources: this.resources,
      authenticator: this.authenticator,
      authorizer: new Authorizer(store, alwaysAllow),
    };
    this.#watches = new OpenWatches(this.#state);
    this.#limits = new LimitLookups(store, now);
    world.certificates.onPut(() => (this.#soundUntil = Number.NEGATIVE_INFINITY));
    store.subscribe('customresourcedefinitions.apiextensions.k8s.io', (change) => this.#define(change));
  }

  /**
   * Answers a request, with everything a real server would do and say on the way. Credential and user agent may be given beside
   * it: a component shows the same ones with every request, whose copies would cost more than many of its answers.
   */
  handle(request: ApiRequest): Answer;
  handle(request: UnsignedRequest, credential: Credential, userAgent: string): Answer;
  handle(
    request: UnsignedRequest & { readonly credential?: Credential },
    credential = request.credential ?? ANONYMOUS,
    userAgent?: string,
  ): Answer {
    this.#state.world.webhookServers.waited = 0;
    const { user, answer } = this.#process(request, credential, userAgent);
    this.#record(request, user, answer);
    return answer;
  }

  /** Milliseconds that the answer given last came later, for others were asked first who did not answer. */
  get waited(): number {
    return this.#state.world.webhookServers.waited;
  }

  /** Milliseconds that a request takes longer until it is carried out, for what the server has to read first. */
  delay(request: UnsignedRequest): number {
    return this.#limits.before(request);
  }

  /** Answers a read of someone who looks at the simulation from outside, or whether a stream may begin: it leaves no trace. */
  peek(request: ApiRequest & (Reading | Streaming)): Answer {
    return this.#process(request, request.credential, undefined).answer;
  }

  #process(
    request: UnsignedRequest,
    credential: Credential,
    userAgent: string | undefined,
  ): { readonly user: UserInfo | undefined; readonly answer: Answer } {
    const unavailable = this.unavailable();
    if (unavailable !== undefined) return { user: undefined, answer: unreachable(unavailable) };
    const sender = this.#sender(request, credential);
    if ('ok' in sender) return { user: undefined, answer: sender };
    return { user: sender.user, answer: this.#answer(request, sender.user, request.manager ?? userAgent) };
  }

  /**
   * Begins a watch: `sink` is called with every change as it is committed, `ended` when the server goes away. From
   * `resourceVersion` on, or, without one (or 0), with all that is there first.
   */
  watch(request: ApiRequest, sink: (event: WatchEvent) => void, ended: () => void): WatchStart {
    const unavailable = this.unavailable();
    if (unavailable !== undefined) return unreachable(unavailable);
    const sender = this.#sender(request, request.credential);
    if ('ok' in sender) return sender;
    const resource = this.resources.at(request.group, request.version, request.resource);
    if (resource === undefined) return unknownPath();
    const refused =
      this.#authorize(request, sender.user) ?? checkRevision(this.#state, request) ?? conversionTrouble(this.#state, request, resource);
    if (refused !== undefined) return refused;
    return this.#watches.start(request, resource, { sink, ended });
  }

  /** What Go's client says when it cannot get through at all; undefined when it can. */
  unavailable(): string | undefined {
    const { world, now } = this.#state;
    if (this.#running && now() <= this.#soundUntil) return undefined;
    const address = `${world.configuration.serverAddress}:6443`;
    if (!this.#running) return `dial tcp ${address}: connect: connection refused`;
    const { certificates } = world;
    // Without etcd the server ends as soon as it is restarted, and it is restarted again and again.
    if (
      certificates.trouble('apiserver-etcd-client', ETCD_CA, now()) !== undefined ||
      certificates.trouble('etcd-server', ETCD_CA, now()) !== undefined
    )
      return `dial tcp ${address}: connect: connection refused`;
    const wrong = certificates.trouble('apiserver', CLUSTER_CA, now());
    if (wrong !== undefined) return `tls: failed to verify certificate: ${wrong}`;
    this.#soundUntil = smallest(CONNECTION.map((name) => certificates.get(name)?.notAfter ?? Number.POSITIVE_INFINITY));
    return undefined;
  }

  /** Whether a request with this credential would be heard: what heartbeats depend on. */
  hears(request: Pick<ApiRequest, 'credential'>): boolean {
    return this.unavailable() === undefined && this.#etcd === 'up' && !('why' in this.authenticator.authenticate(request.credential));
  }

  get running(): boolean {
    return this.#running;
  }

  /** Stops: connections are refused and every watch ends. */
  stop(): void {
    this.#running = false;
    this.endWatches();
  }

  start(): void {
    this.#running = true;
    this.announceReachable();
  }

  set etcd(state: EtcdState) {
    this.#etcd = state;
    if (state === 'down') this.endWatches();
    else this.announceReachable();
  }

  get etcd(): EtcdState {
    return this.#etcd;
  }

  endWatches(): void {
    this.#watches.end();
  }

  /** Runs once the server can be reached (again); now if it can. For those who would otherwise ask again and again. */
  whenReachable(run: () => void): void {
    if (this.#answers(undefined)) run();
    else this.#waiting.push({ credential: undefined, run });
  }

  /** Runs once whoever has this credential would be answered, not refused as unknown; now if that is so. */
  whenHeard(credential: () => Credential, run: () => void): void {
    if (this.#answers(credential)) run();
    else this.#waiting.push({ credential, run });
  }

  /** To be called when something changed that may have made the server reachable, or somebody's certificate good. */
  announceReachable(): void {
    for (const waiting of this.#waiting.splice(0)) {
      if (this.#answers(waiting.credential)) waiting.run();
      else this.#waiting.push(waiting);
    }
  }

  #answers(credential: (() => Credential) | undefined): boolean {
    if (this.unavailable() !== undefined || this.#etcd === 'down') return false;
    return credential === undefined || !('why' in this.authenticator.authenticate(credential()));
  }

  #sender(request: UnsignedRequest, credential: Credential): { readonly user: UserInfo } | Failure {
    const authenticated = this.authenticator.authenticate(credential);
    if ('why' in authenticated) return unauthorized();
    return request.impersonate === undefined
      ? authenticated
      : impersonated(this.#state.authorizer, authenticated.user, request.impersonate);
  }

  #answer(request: UnsignedRequest, user: UserInfo, manager: string | undefined): Answer {
    const resource = this.resources.at(request.group, request.version, request.resource);
    const refused = this.#authorize(request, user);
    if (refused !== undefined) return refused;
    if (resource === undefined) return this.#aggregated(request);
    if ((request.bodyBytes ?? 0) > BODY_LIMIT) return entityTooLarge(BODY_LIMIT);
    // Upstream has no bound of its own for a patch; one that is longer than what may be stored takes seconds to apply.
    if (request.patch !== undefined && request.wellFormed !== true && isTooLarge(request.patch.body))
      return entityTooLarge(MAX_STORED_BYTES);
    const broken = etcdFailure(request, resource, this.#etcd, this.#state.store.total >= this.#maxObjects);
    if (broken !== undefined) return broken;
    const deprecation = DEPRECATED[resource.key] ?? resource.custom?.deprecation;
    const warnings = deprecation === undefined ? [] : [deprecation];
    const answer =
      optionsFailure(request) ?? this.#carryOut({ state: this.#state, request, resource, user, manager, warnings, emptied: [] });
    return answer.ok || warnings.length === 0 ? answer : { ...answer, warnings };
  }

  #carryOut(call: Call): Answer {
    const { request, resource } = call;
    if (request.subresource !== undefined) return resource.subresources.has(request.subresource) ? answerSubresource(call) : unknownPath();
    if (!resource.verbs.includes(request.verb))
      return methodNotSupported({ group: resource.group, resource: resource.plural }, request.verb);
    if (resource.key === 'componentstatuses') return readComponentStatuses(call);
    const unconverted = resource.custom === undefined ? undefined : conversionTrouble(this.#state, request, resource);
    return unconverted ?? VERBS[request.verb](call);
  }

  /**
   * Groups that others serve: asked when an APIService names the group. Source:
   * staging/src/k8s.io/kube-aggregator/pkg/apiserver/handler_proxy.go.
   */
  #aggregated(request: UnsignedRequest): Answer {
    const { store, world } = this.#state;
    if (store.get('apiservices.apiregistration.k8s.io', undefined, `${request.version}.${request.group}`) === undefined)
      return unknownPath();
    // A server that does not believe the front proxy fails the discovery check, and is called no more.
    const believed = world.certificates.trouble('front-proxy-client', FRONT_PROXY_CA, this.#state.now()) === undefined;
    return (
      (believed ? world.aggregated.get(`${request.group}/${request.version}`)?.answer(request) : undefined) ??
      failure(503, 'ServiceUnavailable', 'the server is currently unable to handle the request')
    );
  }

  #authorize(request: UnsignedRequest, user: UserInfo): Failure | undefined {
    const { verb, group, resource, subresource, fieldSelector } = request;
    // A namespace is in itself, as far as rights are concerned.
    const namespace = resource === 'namespaces' && group === '' && request.name !== undefined ? request.name : request.namespace;
    const name = verb === 'create' && subresource === undefined ? undefined : request.name;
    const asked: Attributes = { user, verb, group, resource, subresource, namespace, name, fieldSelector };
    const decision = this.#state.authorizer.authorize(asked);
    if (decision.allowed) return undefined;
    return forbidden({ group, resource }, asked.name ?? '', forbiddenWords(asked, decision.reason));
  }

  /** Serves what a CustomResourceDefinition defines as long as it is there. */
  #define(change: Change): void {
    const defined = resourcesOfDefinition(change.previous ?? change.object);
    for (const { group, plural } of defined) this.resources.remove(group, plural);
    if (change.type !== 'DELETED') this.resources.define(change.object);
    else for (const key of new Set(defined.map((resource) => resource.key))) this.#removeAll(key);
  }

  /** What a definition defined goes with it. */
  #removeAll(key: string): void {
    const { store } = this.#state;
    for (const { metadata } of store.list(key)) store.delete(key, metadata.namespace, metadata.name);
  }

  #record(request: UnsignedRequest, user: UserInfo | undefined, answer: Answer): void {
    const fields: Record<string, JsonObject[string]> = {
      as: user?.name ?? '',
      verb: request.verb,
      path: pathOf(request),
      code: answer.code,
    };
    if (request.dryRun === true) fields['dryRun'] = true;
    if (!answer.ok) {
      fields['reason'] = answer.reason;
      fields['message'] = answer.message;
    }
    this.#trace.record(this.#state.now(), 'request', fields);
  }

  /** Whether a user may do this. Nobody asks, and so nothing is recorded. */
  isAllowed(asked: Attributes): boolean {
    return this.#state.authorizer.authorize(asked).allowed;
  }

  /** Answers for a path outside the resources: whether the user may see it. */
  authorizePath(request: Pick<ApiRequest, 'credential' | 'impersonate'>, verb: string, path: string): Failure | undefined {
    const unavailable = this.unavailable();
    if (unavailable !== undefined) return unreachable(unavailable);
    const authenticated = this.authenticator.authenticate(request.credential);
    if ('why' in authenticated) return unauthorized();
    const sender =
      request.impersonate === undefined ? authenticated : impersonated(this.#state.authorizer, authenticated.user, request.impersonate);
    if ('ok' in sender) return sender;
    const asked: Attributes = { user: sender.user, verb, group: '', resource: '', path };
    const decision = this.#state.authorizer.authorize(asked);
    return decision.allowed ? undefined : forbiddenPath(forbiddenWords(asked, decision.reason));
  }
}

/** Certificates without which no request is answered. */
const CONNECTION = ['apiserver', CLUSTER_CA, 'apiserver-etcd-client', 'etcd-server', ETCD_CA];

/** Source: staging/src/k8s.io/apiserver/pkg/server/config.go (MaxRequestBodyBytes). */
const BODY_LIMIT = 3_145_728;

/** What carries a verb out, once everything allows it. */
const VERBS: Readonly<Record<Verb, (call: Call) => Answer>> = {
  get,
  list,
  create,
  update,
  patch,
  delete: remove,
  deletecollection: removeCollection,
  watch: () => badRequest('a watch is begun with watch()'),
};
