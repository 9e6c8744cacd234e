import { assert } from '../base/assert.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { asNumber, dig } from '../base/json.ts';
import type { Prng } from '../base/prng.ts';
import type { KubeObject, ObjectRef } from '../model/kube-object.ts';
import type { Agenda } from './agenda.ts';
import type { Answer, ApiRequest, Credential, DeleteOptions, RequestOptions } from './apiserver/request.ts';
import type { Resources, ServedResource } from './apiserver/resources.ts';
import type { ApiServer } from './apiserver/server.ts';
import type { Routine } from './routine.ts';
import { wait } from './routine.ts';
import { TIMING } from './timing.ts';
import { TokenBucket } from './token-bucket.ts';

export interface ClientOptions {
  readonly server: ApiServer;
  readonly agenda: Agenda;
  readonly prng: Prng;
  /** Asked at every request, so that a renewed or ended certificate counts from the next one on. */
  readonly credential: () => Credential;
  /** Field manager and first word of the user agent: `kubelet`. */
  readonly userAgent: string;
  readonly qps: number;
  readonly burst: number;
  readonly owner: object;
  /** Milliseconds every request takes longer: a slowed component. */
  readonly slowness: () => number;
}

/** What a request is about, beside its object: dry run, selectors, another field manager. */
export type CallOptions = Omit<RequestOptions, 'delete' | 'log'>;

/**
 * A component's access to the API: each call waits for its turn (queries a second), takes a moment, and is answered by the
 * same pipeline that answers everyone. Requests that are refused because there are too many (429 with Retry-After) are sent
 * again, as client-go does. Source: staging/src/k8s.io/client-go/rest/request.go.
 */
export class Client {
  readonly #options: ClientOptions;
  readonly #bucket: TokenBucket;
  #lastArrival = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#bucket = new TokenBucket(options.qps, options.burst, options.agenda.now);
  }

  get(ref: ObjectRef, options: CallOptions = {}): Routine<Answer> {
    return this.send({ verb: 'get', ...this.#addressOf(ref), ...options });
  }

  list(kind: string, options: CallOptions & { readonly namespace?: string } = {}): Routine<Answer> {
    return this.send({ verb: 'list', ...this.#resource(kind), ...options });
  }

  create(object: NewObject, options: CallOptions = {}): Routine<Answer> {
    return this.send(this.requestToCreate(object, options));
  }

  /** Replaces spec and metadata; the object's resourceVersion must be the one read, else 409. */
  update(object: KubeObject, options: CallOptions = {}): Routine<Answer> {
    return this.send({ verb: 'update', ...this.#addressOfObject(object), body: object, ...options });
  }

  updateStatus(object: KubeObject, options: CallOptions = {}): Routine<Answer> {
    return this.send({ verb: 'update', subresource: 'status', ...this.#addressOfObject(object), body: object, ...options });
  }

  /** `type` json, merge, strategic or apply. */
  patch(ref: ObjectRef, type: 'json' | 'merge' | 'strategic' | 'apply', body: Json, options: CallOptions & { readonly subresource?: string } = {}): Routine<Answer> {
    return this.send({ verb: 'patch', ...this.#addressOf(ref), patch: { type, body }, ...options });
  }

  delete(ref: ObjectRef, options: DeleteOptions = {}): Routine<Answer> {
    return this.send({ verb: 'delete', ...this.#addressOf(ref), delete: options });
  }

  /** Posts to a subresource: `binding`, `eviction`, `token`. */
  createSubresource(ref: ObjectRef, subresource: string, body: JsonObject): Routine<Answer> {
    return this.send({ verb: 'create', ...this.#addressOf(ref), subresource, body });
  }

  requestToCreate(object: NewObject, options: CallOptions = {}): ClientRequest {
    const { namespace } = object.metadata;
    const resource = this.#options.server.resources.ofKind(object.apiVersion, object.kind);
    assert(resource !== undefined, `${object.apiVersion} ${object.kind} is served`);
    return { verb: 'create', ...addressed(resource), ...(namespace === undefined ? {} : { namespace }), body: object, ...options };
  }

  /** Sends a request in its turn and gives the answer. */
  send(request: ClientRequest): Routine<Answer> {
    return wait((resume) => this.post(request, resume));
  }

  /** Sends a request in its turn without waiting for it. */
  post(request: ClientRequest, answered?: (answer: Answer) => void): void {
    this.#attempt(request, answered, 10);
  }

  #attempt(request: ClientRequest, answered: ((answer: Answer) => void) | undefined, retries: number): void {
    const { agenda, server, owner, prng } = this.#options;
    const turn = agenda.now + this.#bucket.reserve(agenda.now) + this.#options.slowness();
    // One connection: what was sent first arrives first.
    const arrival = Math.max(this.#lastArrival, turn + TIMING.requestMilliseconds * prng.between(0.75, 1.25));
    this.#lastArrival = arrival;
    agenda.at(arrival, request.verb, () => {
      const answer = server.handle({ ...request, credential: this.#options.credential(), manager: request.manager ?? this.#options.userAgent });
      const again = retryAfter(answer);
      if (again !== undefined && retries > 0) agenda.after(again * 1000, request.verb, () => this.#attempt(request, answered, retries - 1), { owner });
      else if (answered !== undefined) agenda.after(TIMING.responseMilliseconds, request.verb, () => answered(answer), { owner });
    }, { owner });
  }

  #addressOf(ref: ObjectRef): Address {
    return { ...this.#resource(ref.kind), ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }), name: ref.name };
  }

  #addressOfObject(object: KubeObject): Address {
    const { name, namespace } = object.metadata;
    const resource = this.#options.server.resources.ofKind(object.apiVersion, object.kind);
    assert(resource !== undefined, `${object.apiVersion} ${object.kind} is served`);
    return { ...addressed(resource), ...(namespace === undefined ? {} : { namespace }), name };
  }

  #resource(kind: string): Address {
    return addressOfKind(this.#options.server.resources, kind);
  }
}

export type ClientRequest = Omit<ApiRequest, 'credential'>;

/** An object to be created: its name may be left to `generateName`. */
export interface NewObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject & { readonly namespace?: string };
}

export interface Address {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

export function addressOfKind(resources: Resources, kind: string): Address {
  const resource = resources.named(kind);
  assert(resource !== undefined, `kind ${kind} is served`);
  return addressed(resource);
}

function addressed(resource: ServedResource): Address {
  return { group: resource.group, version: resource.version, resource: resource.plural };
}

function retryAfter(answer: Answer): number | undefined {
  if (answer.ok || (answer.code !== 429 && answer.code !== 503)) return undefined;
  return asNumber(dig(answer.status, 'details', 'retryAfterSeconds'));
}
