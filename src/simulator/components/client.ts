import { assert } from '../../base/assert.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { asNumber, dig } from '../../base/json.ts';
import type { Prng } from '../../base/prng.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import type { Agenda, TaskOptions } from '../time/agenda.ts';
import type { Answer, Credential, DeleteOptions, RequestOptions, UnsignedRequest, Verb } from '../apiserver/request.ts';
import type { Resources, ServedResource } from '../apiserver/resources.ts';
import type { ApiServer } from '../apiserver/server.ts';
import type { Routine } from '../time/routine.ts';
import { wait } from '../time/routine.ts';
import { TIMING } from '../time/timing.ts';
import { TokenBucket } from '../time/token-bucket.ts';

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
  readonly #own: TaskOptions;
  #lastArrival = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#own = { owner: options.owner };
    this.#bucket = new TokenBucket(options.qps, options.burst, options.agenda.now);
  }

  get(ref: ObjectRef, options: CallOptions = NO_OPTIONS): Routine<Answer> {
    return this.send(this.#about('get', ref, options));
  }

  list(kind: string, options: CallOptions & { readonly namespace?: string } = NO_OPTIONS): Routine<Answer> {
    return this.send(draft('list', this.#named(kind), options));
  }

  create(object: NewObject, options: CallOptions = NO_OPTIONS): Routine<Answer> {
    return this.send(this.requestToCreate(object, options));
  }

  /** Replaces spec and metadata; the object's resourceVersion must be the one read, else 409. */
  update(object: KubeObject, options: CallOptions = NO_OPTIONS): Routine<Answer> {
    return this.send(this.#with('update', object, options, object.metadata.name));
  }

  updateStatus(object: KubeObject, options: CallOptions = NO_OPTIONS): Routine<Answer> {
    const request = this.#with('update', object, options, object.metadata.name);
    request.subresource = 'status';
    return this.send(request);
  }

  /** `type` json, merge, strategic or apply. */
  patch(
    ref: ObjectRef,
    type: 'json' | 'merge' | 'strategic' | 'apply',
    body: Json,
    options: CallOptions & { readonly subresource?: string } = NO_OPTIONS,
  ): Routine<Answer> {
    const request = this.#about('patch', ref, options);
    request.patch = { type, body };
    return this.send(request);
  }

  delete(ref: ObjectRef, options: DeleteOptions = {}): Routine<Answer> {
    const request = this.#about('delete', ref, NO_OPTIONS);
    request.delete = options;
    return this.send(request);
  }

  /** Posts to a subresource: `binding`, `eviction`, `token`. */
  createSubresource(ref: ObjectRef, subresource: string, body: JsonObject): Routine<Answer> {
    const request = this.#about('create', ref, NO_OPTIONS);
    request.subresource = subresource;
    request.body = body;
    return this.send(request);
  }

  requestToCreate(object: NewObject, options: CallOptions = NO_OPTIONS): ClientRequest {
    return this.#with('create', object, options, undefined);
  }

  /** A request to create what may be known to be as decoding would make it: an event, a pod of a template. */
  requestToCreateOwn(object: NewObject, wellFormed: boolean): ClientRequest {
    const request = this.#with('create', object, NO_OPTIONS, undefined);
    if (wellFormed) request.wellFormed = true;
    return request;
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
    const { agenda, server, prng } = this.#options;
    const turn = agenda.now + this.#bucket.reserve(agenda.now) + this.#options.slowness();
    // One connection: what was sent first arrives first.
    const jitter = prng.between(0.75, 1.25);
    const arrival = Math.max(this.#lastArrival, turn + TIMING.requestMilliseconds * jitter);
    this.#lastArrival = arrival;
    agenda.at(
      arrival + server.delay(request) * jitter,
      request.verb,
      () => {
        const answer = server.handle(request, this.#options.credential(), this.#options.userAgent);
        const late = server.waited;
        const again = retryAfter(answer);
        if (again !== undefined && retries > 0)
          agenda.after(again * 1000, request.verb, () => this.#attempt(request, answered, retries - 1), this.#own);
        else if (answered !== undefined) agenda.after(TIMING.responseMilliseconds + late, request.verb, () => answered(answer), this.#own);
      },
      this.#own,
    );
  }

  #about(verb: Verb, { kind, namespace, name }: ObjectRef, options: CallOptions): Draft {
    const request = draft(verb, this.#named(kind), options);
    request.namespace = namespace;
    request.name = name;
    return request;
  }

  #with(verb: Verb, object: NewObject, options: CallOptions, name: string | undefined): Draft {
    const resource = this.#options.server.resources.ofKind(object.apiVersion, object.kind);
    assert(resource !== undefined, `${object.apiVersion} ${object.kind} is served`);
    const request = draft(verb, resource, options);
    request.namespace = object.metadata.namespace;
    request.name = name;
    request.body = object;
    return request;
  }

  #named(kind: string): ServedResource {
    return resourceOfKind(this.#options.server.resources, kind);
  }
}

const NO_OPTIONS: CallOptions = {};

type Draft = { -readonly [Field in keyof ClientRequest]: ClientRequest[Field] };

/** Every request has all its fields from the start, in the same order: the API server meets but one shape of them. */
function draft(verb: Verb, { group, version, plural }: ServedResource, options: CallOptions): Draft {
  const request: Draft = {
    verb,
    group,
    version,
    resource: plural,
    namespace: undefined,
    name: undefined,
    subresource: undefined,
    body: undefined,
    patch: undefined,
    delete: undefined,
    wellFormed: undefined,
  };
  return options === NO_OPTIONS ? request : Object.assign(request, options);
}

export type ClientRequest = UnsignedRequest;

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
  const { group, version, plural } = resourceOfKind(resources, kind);
  return { group, version, resource: plural };
}

function resourceOfKind(resources: Resources, kind: string): ServedResource {
  const resource = resources.named(kind);
  assert(resource !== undefined, `kind ${kind} is served`);
  return resource;
}

function retryAfter(answer: Answer): number | undefined {
  if (answer.ok || (answer.code !== 429 && answer.code !== 503)) return undefined;
  return asNumber(dig(answer.status, 'details', 'retryAfterSeconds'));
}
