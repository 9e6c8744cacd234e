import type { Instant } from '../../base/instant.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Speech } from '../network/sockets.ts';
import type { Certificate } from '../x509/simulated-certificate.ts';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** A request to the API server, as it comes off the wire or from a component: one shape for both. */
export interface ApiRequest extends RequestOptions {
  readonly verb: Verb;
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural: `pods`. */
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly body?: JsonObject | undefined;
  readonly patch?: Patch | undefined;
  readonly credential: Credential;
}

/** A request whose credential is shown beside it. */
export type UnsignedRequest = Omit<ApiRequest, 'credential'>;

export interface RequestOptions {
  readonly impersonate?: Impersonation;
  /** `fieldManager`, or the first word of the user agent. */
  readonly manager?: string;
  readonly dryRun?: boolean;
  /** Which fields a write set is remembered, as for all clients from outside; the cluster's components are remembered as writers only. */
  readonly tracksFields?: boolean;
  /** Length of the body on the wire, where it had one: too long a body is refused unread. */
  readonly bodyBytes?: number;
  /**
   * The body, or what a merge patch makes of the object, is one that decoding would give back as it is: a component of the cluster wrote
   * it.
   */
  readonly wellFormed?: boolean | undefined;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  /** Fields the body named twice on the wire; the last of each is in it. */
  readonly duplicateFields?: readonly string[];
  /** What is handed on to a pod or Service, as it came. */
  readonly proxied?: {
    readonly path: string;
    readonly method: string;
    readonly body: string;
    /** Where the path of all paths is, when none was asked for. */
    readonly root?: string;
    /** Of port-forward, where `CONNECT` asks whether anybody listens and `SEND` sends what is no HTTP. */
    readonly port?: number;
  };
  /** Of an applied YAML text, in words, where keys are named twice; only where it is checked strictly. */
  readonly duplicateKeys?: readonly string[];
  /** Server-side apply: take fields over from other managers. */
  readonly force?: boolean;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continueToken?: string;
  /** Of get, list and watch: not older than this; of a watch: the changes after it. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  /** The options as a client wrote them, right or wrong. */
  readonly given?: GivenOptions;
  readonly delete?: DeleteOptions | undefined;
  readonly log?: LogRequest;
}

export interface GivenOptions {
  readonly dryRun?: readonly string[];
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
  readonly force?: boolean;
  readonly propagationPolicy?: string;
}

/** As whom a caller wants to act (`--as`, `--as-group`, `--as-uid`). */
export interface Impersonation {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export interface LogRequest {
  readonly container?: string;
  readonly tailLines?: number;
  readonly previous?: boolean;
  readonly timestamps?: boolean;
  readonly follow?: boolean;
  readonly limitBytes?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: Instant;
}

export interface Patch {
  readonly type: 'json' | 'merge' | 'strategic' | 'apply';
  readonly body: Json;
}

/** What a caller shows to be believed. Nothing at all is `anonymous`. */
export type Credential =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'certificate'; readonly certificate: Certificate }
  | { readonly kind: 'token'; readonly token: string };

export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What came back: an object (a list is one too), or a failure with the Status a real server sends. */
export type Answer = Success | Failure;

export interface Success {
  readonly ok: true;
  readonly code: number;
  readonly object: KubeObject;
  /** Lines of a log request. */
  readonly lines?: readonly string[];
  readonly log?: LogPlace;
  /** What the server said that a request was handed on to. */
  readonly proxied?: { readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly speaks?: Speech['kind'] };
  /** Texts of the Warning headers. */
  readonly warnings: readonly string[];
}

export interface Failure {
  readonly ok: false;
  /** 0 when no answer came at all: refused, TLS, time-out. Then `message` is what Go's client says. */
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly status: JsonObject;
  /** Texts of the Warning headers. */
  readonly warnings?: readonly string[];
}

export const ANONYMOUS: Credential = { kind: 'anonymous' };

/** Where lines of a log stand: for whoever goes on reading. */
export interface LogPlace {
  /** The container that wrote them; a restarted one is another. */
  readonly container: string;
  /** When each line was written. */
  readonly times: readonly Instant[];
  /** How many lines came before the first of these. */
  readonly before: number;
  readonly running: boolean;
}
