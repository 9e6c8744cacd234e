import type { Instant } from '../../base/instant.ts';
import type { JsonObject } from '../../base/json.ts';
import { smallest } from '../../base/lists.ts';
import { parseInteger } from '../../base/number.ts';
import type { Prng } from '../../base/prng.ts';
import type { Heartbeats } from '../components/heartbeats.ts';
import type { Change, Store } from '../store/store.ts';
import type { Trace } from '../trace/trace.ts';
import type { World } from '../outside/outside-world.ts';
import { CLUSTER_CA, ETCD_CA, FRONT_PROXY_CA } from '../x509/certificates.ts';
import { Authenticator } from './authentication.ts';
import type { Attributes } from './authorization/attributes.ts';
import { forbiddenWords } from './authorization/attributes.ts';
import { Authorizer } from './authorization/authorizer.ts';
import { isTooLarge, MAX_STORED_BYTES } from './etcd-size.ts';
import {
  badRequest,
  entityTooLarge,
  expired,
  failure,
  forbidden,
  forbiddenPath,
  methodNotSupported,
  plainError,
  unauthorized,
  unknownPath,
  unreachable,
} from './failures.ts';
import { present } from './present.ts';
import type { Answer, ApiRequest, Credential, Failure, Impersonation, UnsignedRequest, UserInfo, Verb } from './request.ts';
import { ANONYMOUS } from './request.ts';
import type { ServedResource } from './resources.ts';
import { Resources, resourcesOfDefinition } from './resources.ts';
import type { Call, ServerState } from './server-state.ts';
import { readComponentStatuses } from './verbs/component-statuses.ts';
import { conversionTrouble } from './verbs/conversion.ts';
import { WriterEntries } from './managed-fields.ts';
import { create } from './verbs/create.ts';
import { remove, removeCollection } from './verbs/delete.ts';
import { checkRevision, get, list, selectionOf } from './verbs/read.ts';
import { answerSubresource } from './verbs/subresources.ts';
import { patch, update } from './verbs/update.ts';
import type { WatchEvent, WatchHandle, WatchStart } from './watch.ts';
import { eventFor } from './watch.ts';

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

/** At about 13 KiB of memory for a pod and 2 KiB of etcd's own, both memory and etcd's default quota of 2 GiB hold so many. */
const MAX_OBJECTS = 100_000;

/** What is wrong with the store behind the API server. */
export type EtcdState = 'up' | 'down' | 'no-space';

/**
 * The API server: `handle` answers every request of everyone, by the same steps in the same order as a real one:
 * authentication → authorization → decoding and defaults → mutating plugins → validation → validating plugins → store.
 * It takes no time; who sends requests adds what the way takes.
 */
export class ApiServer {
  readonly resources = new Resources();
  readonly authenticator: Authenticator;
  readonly #state: ServerState;
  readonly #trace: Trace;
  readonly #watches = new Set<Watch>();
  readonly #waiting: { readonly credential: (() => Credential) | undefined; readonly run: () => void }[] = [];
  #running = true;
  /** Until then no certificate on the way to the server or to its store ends. */
  #soundUntil = Number.NEGATIVE_INFINITY;
  #etcd: EtcdState = 'up';
  readonly #maxObjects: number;

  constructor(options: ApiServerOptions) {
    const { store, heartbeats, prng, world, now } = options;
    this.authenticator = new Authenticator(store, world.certificates, now, prng.split('tokens'), options.tokenSecret);
    this.#trace = options.trace;
    this.#maxObjects = options.maxObjects ?? MAX_OBJECTS;
    this.#state = {
      store,
      heartbeats,
      prng,
      eventPrng: prng.split('events'),
      world,
      writers: new WriterEntries(),
      now,
      resources: this.resources,
      authenticator: this.authenticator,
      authorizer: new Authorizer(store),
    };
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

  /** Answers a read of someone who looks at the simulation from outside: it leaves no trace. */
  peek(request: ApiRequest & { readonly verb: 'get' | 'list' }): Answer {
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
    return this.#startWatch(request, resource, sink, ended);
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
    for (const watch of Array.from(this.#watches)) {
      watch.stop();
      watch.ended();
    }
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
    return request.impersonate === undefined ? authenticated : this.#impersonated(authenticated.user, request.impersonate);
  }

  /** Source: staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation/impersonation.go. */
  #impersonated(caller: UserInfo, as: Impersonation): { readonly user: UserInfo } | Failure {
    const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(as.user);
    const wanted: Attributes =
      account === null
        ? { user: caller, verb: 'impersonate', group: '', resource: 'users', name: as.user }
        : {
            user: caller,
            verb: 'impersonate',
            group: '',
            resource: 'serviceaccounts',
            namespace: account[1] ?? '',
            name: account[2] ?? '',
          };
    for (const asked of [wanted, ...attributesOf(as).map((more): Attributes => ({ user: caller, verb: 'impersonate', ...more }))]) {
      const decision = this.#state.authorizer.authorize(asked);
      if (!decision.allowed)
        return forbidden({ group: asked.group, resource: asked.resource }, asked.name ?? '', forbiddenWords(asked, decision.reason));
    }
    const groups = as.groups ?? (account === null ? [] : ['system:serviceaccounts', `system:serviceaccounts:${account[1] ?? ''}`]);
    const authenticated = as.user === 'system:anonymous' ? groups : [...groups, 'system:authenticated'];
    return {
      user: {
        name: as.user,
        groups: authenticated,
        ...(as.uid === undefined ? {} : { uid: as.uid }),
        ...(as.extra === undefined ? {} : { extra: as.extra }),
      },
    };
  }

  #answer(request: UnsignedRequest, user: UserInfo, manager: string | undefined): Answer {
    const resource = this.resources.at(request.group, request.version, request.resource);
    const refused = this.#authorize(request, user);
    if (refused !== undefined) return refused;
    if (resource === undefined) return this.#aggregated(request);
    if ((request.bodyBytes ?? 0) > BODY_LIMIT) return entityTooLarge(BODY_LIMIT);
    // Upstream has no bound of its own for a patch; one that is longer than what may be stored takes seconds to apply.
    if (request.patch !== undefined && isTooLarge(request.patch.body)) return entityTooLarge(MAX_STORED_BYTES);
    const broken = this.#etcdFailure(request, resource);
    if (broken !== undefined) return broken;
    const call: Call = { state: this.#state, request, resource, user, manager, warnings: [] };
    if (request.subresource !== undefined) return resource.subresources.has(request.subresource) ? answerSubresource(call) : unknownPath();
    if (!resource.verbs.includes(request.verb))
      return methodNotSupported({ group: resource.group, resource: resource.plural }, request.verb);
    if (resource.key === 'componentstatuses') return readComponentStatuses(call);
    const unconverted = resource.custom === undefined ? undefined : conversionTrouble(this.#state, request, resource);
    if (unconverted !== undefined) return unconverted;
    switch (request.verb) {
      case 'get':
        return get(call);
      case 'list':
        return list(call);
      case 'create':
        return create(call);
      case 'update':
        return update(call);
      case 'patch':
        return patch(call);
      case 'delete':
        return remove(call);
      case 'deletecollection':
        return removeCollection(call);
      case 'watch':
        return badRequest('a watch is begun with watch()');
    }
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

  #etcdFailure(request: UnsignedRequest, resource: ServedResource): Failure | undefined {
    // A full etcd refuses every write. Updates are let through here, so that a workload can be scaled down again.
    if (
      request.verb === 'create' &&
      request.subresource === undefined &&
      resource.verbs.includes('get') &&
      this.#state.store.total >= this.#maxObjects
    )
      return plainError(NO_SPACE);
    if (this.#etcd === 'up') return undefined;
    const reads = request.verb === 'get' || request.verb === 'list';
    if (this.#etcd === 'no-space') return reads || request.verb === 'delete' ? undefined : plainError(NO_SPACE);
    return reads && request.resourceVersion === '0'
      ? undefined
      : failure(
          504,
          'Timeout',
          `the server was unable to return a response in the time allotted, but may still be processing the request (${METHODS[request.verb]} ${request.resource}${request.name === undefined ? '' : ` ${request.name}`})`,
        );
  }

  #startWatch(request: ApiRequest, resource: ServedResource, sink: (event: WatchEvent) => void, ended: () => void): WatchStart {
    const { store } = this.#state;
    const selection = selectionOf(request, resource);
    if (!selection.ok) return selection;
    const { matches, fields } = selection;
    const presented = needsPresenting(resource);
    const deliver = (change: Change): void => {
      const event = eventFor(change, matches);
      if (event !== undefined) sink(presented ? { type: event.type, object: present(this.#state, resource, event.object) } : event);
    };
    const from = request.resourceVersion ?? '0';
    if (from === '0' || from === '') {
      for (const object of store.list(resource.key, request.namespace))
        if (matches?.(object) !== false) sink({ type: 'ADDED', object: present(this.#state, resource, object) });
    } else {
      const missed = store.changesSince(resource.key, parseInteger(from) ?? 0);
      if (missed === undefined) return expired(`too old resource version: ${from} (${store.compactedRevision + 1})`);
      for (const change of missed)
        if (request.namespace === undefined || change.object.metadata.namespace === request.namespace) deliver(change);
    }
    const partition = fields?.nodeName ?? (resource.key === 'nodes' ? fields?.name : undefined);
    const unsubscribe = store.subscribe(resource.key, deliver, {
      ...(request.namespace === undefined ? {} : { namespace: request.namespace }),
      ...(partition === undefined ? {} : { partition }),
    });
    const watch: Watch = {
      ended,
      stop: () => {
        unsubscribe();
        this.#watches.delete(watch);
      },
    };
    this.#watches.add(watch);
    return { ok: true, handle: watch };
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

  /** Answers for a path outside the resources: whether the user may see it. */
  authorizePath(request: Pick<ApiRequest, 'credential' | 'impersonate'>, verb: string, path: string): Failure | undefined {
    const unavailable = this.unavailable();
    if (unavailable !== undefined) return unreachable(unavailable);
    const authenticated = this.authenticator.authenticate(request.credential);
    if ('why' in authenticated) return unauthorized();
    const sender = request.impersonate === undefined ? authenticated : this.#impersonated(authenticated.user, request.impersonate);
    if ('ok' in sender) return sender;
    const asked: Attributes = { user: sender.user, verb, group: '', resource: '', path };
    const decision = this.#state.authorizer.authorize(asked);
    return decision.allowed ? undefined : forbiddenPath(forbiddenWords(asked, decision.reason));
  }
}

/** What else than the user is asked for has resources of its own. */
function attributesOf({
  groups = [],
  uid,
  extra = {},
}: Impersonation): readonly Pick<Attributes, 'group' | 'resource' | 'subresource' | 'name'>[] {
  return [
    ...groups.map((name) => ({ group: '', resource: 'groups', name })),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((name) => ({ group: 'authentication.k8s.io', resource: 'userextras', subresource: key, name })),
    ),
    ...(uid === undefined ? [] : [{ group: 'authentication.k8s.io', resource: 'uids', name: uid }]),
  ];
}

/** Certificates without which no request is answered. */
/** Source: etcd's api/v3rpc/rpctypes/error.go (ErrGRPCNoSpace). */
const NO_SPACE = 'etcdserver: mvcc: database space exceeded';

const CONNECTION = ['apiserver', CLUSTER_CA, 'apiserver-etcd-client', 'etcd-server', ETCD_CA];

/** Source: staging/src/k8s.io/apiserver/pkg/server/config.go (MaxRequestBodyBytes). */
const BODY_LIMIT = 3_145_728;

/** What the verbs are on the wire, in the words of client-go. */
const METHODS: Readonly<Record<Verb, string>> = {
  get: 'get',
  list: 'get',
  watch: 'get',
  create: 'post',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
};

interface Watch extends WatchHandle {
  ended(): void;
}

/** Resources that are stored otherwise than they are served. */
function needsPresenting(resource: ServedResource): boolean {
  return resource.group === 'events.k8s.io' || (resource.group === 'autoscaling' && resource.version === 'v1');
}

/** `/apis/apps/v1/namespaces/shop/deployments/web/status`. */
export function pathOf(request: Pick<ApiRequest, 'group' | 'version' | 'namespace' | 'resource' | 'name' | 'subresource'>): string {
  const root = request.group === '' ? `/api/${request.version}` : `/apis/${request.group}/${request.version}`;
  const place = request.namespace === undefined || request.resource === 'namespaces' ? '' : `/namespaces/${request.namespace}`;
  const name = request.name === undefined ? '' : `/${request.name}`;
  return `${root}${place}/${request.resource}${name}${request.subresource === undefined ? '' : `/${request.subresource}`}`;
}
