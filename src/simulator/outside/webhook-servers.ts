import type { JsonObject } from '../../base/json.ts';
import type { Certificate } from '../x509/simulated-certificate.ts';

/** What a webhook's server answers on one of its paths. */
export type WebhookAnswer =
  | { readonly answer: 'allow'; readonly warnings?: readonly string[] }
  | { readonly answer: 'deny'; readonly message?: string; readonly code?: number; readonly reason?: string }
  | { readonly answer: 'patch'; readonly patch: readonly JsonObject[] }
  /** Of a conversion: the response, not yet looked at. */
  | { readonly answer: 'review'; readonly response: JsonObject }
  /** A body that is no AdmissionReview response. */
  | { readonly answer: 'garbage' }
  | { readonly answer: 'http-error'; readonly code: number }
  /** It accepts no certificate of the API server. */
  | { readonly answer: 'client-refused' }
  /** No answer within any time-out. */
  | { readonly answer: 'hang' };

/** A server webhooks are sent to. `address` is `host:port` of a URL, or `namespace/service`. */
export interface WebhookServer {
  readonly address: string;
  /** Undefined for one that speaks plain HTTP: its callers fail in the handshake. */
  readonly certificate: Certificate | undefined;
  /**
   * The text that vouches for the certificate in a caBundle that is no certificate; any such text does when not given, and any bundle at
   * all for `*`.
   */
  readonly caBundle?: string;
  readonly paths: Readonly<Record<string, WebhookAnswer>>;
  readonly down?: boolean;
}

/** Of a server whose real authority's bundle nobody here can compare with. */
export const ANY_BUNDLE = '*';

export class WebhookServers {
  /** Milliseconds the request at hand has waited for servers that do not answer. */
  waited = 0;
  readonly #byAddress = new Map<string, WebhookServer>();

  put(server: WebhookServer): void {
    this.#byAddress.set(server.address, server);
  }

  all(): readonly WebhookServer[] {
    return [...this.#byAddress.values()];
  }

  at(address: string): WebhookServer | undefined {
    return this.#byAddress.get(address);
  }
}

/** A path that is not listed falls back to `*`. */
export function answerOf(server: WebhookServer, path: string): WebhookAnswer | undefined {
  return server.paths[path] ?? server.paths['*'];
}
