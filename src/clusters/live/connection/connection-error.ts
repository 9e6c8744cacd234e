import { reasonOf } from '../../../base/errors.ts';

/**
 * What went wrong on the way to the API server, before it could answer:
 * `tls-untrusted`, `tls-expired` and `tls-name` are about the server's certificate, `tls-client` about ours, which the server
 * refused in the handshake; `credentials` could not be had at all (an exec plugin, a token file); `too-large` and `protocol`
 * are answers that cannot be used; `aborted` is our own doing.
 */
export type ConnectionTrouble =
  | 'dns'
  | 'refused'
  | 'no-route'
  | 'timeout'
  | 'reset'
  | 'tls-untrusted'
  | 'tls-expired'
  | 'tls-name'
  | 'tls-client'
  | 'proxy'
  | 'credentials'
  | 'too-large'
  | 'protocol'
  | 'aborted'
  | 'other';

export interface ConnectionError {
  readonly kind: ConnectionTrouble;
  /** A sentence for a person, naming the address. */
  readonly detail: string;
}

/** Carries a ConnectionError through code that can only throw; never leaves this folder. */
export class ConnectionFailure extends Error {
  readonly kind: ConnectionTrouble;

  constructor(kind: ConnectionTrouble, detail: string) {
    super(detail);
    this.name = 'ConnectionFailure';
    this.kind = kind;
  }
}

/** Says what an error of a socket, of TLS or of HTTP parsing means. `address` is what was dialled: `shop.example:6443`. */
export function connectionError(error: unknown, address: string): ConnectionError {
  if (error instanceof ConnectionFailure) return { kind: error.kind, detail: error.message };
  const code = codeOf(error);
  const kind = kindOf(code);
  return { kind, detail: SENTENCES[kind](address, wordsOf(error, code)) };
}

/** The code of a Node error; of several attempts (a name with several addresses) the first one's. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  return error instanceof Error && error.name === 'AbortError' ? 'ABORT_ERR' : '';
}

/** Attempts at several addresses come as an error with an empty message. */
function wordsOf(error: unknown, code: string): string {
  if (error instanceof AggregateError) return error.errors.slice(0, 4).map(reasonOf).join('; ') || code;
  const words = reasonOf(error);
  return words === '' ? code : words;
}

function kindOf(code: string): ConnectionTrouble {
  const known = KINDS.get(code);
  if (known !== undefined) return known;
  if (code.startsWith('HPE_') || code.startsWith('Z_')) return 'protocol';
  if (/^ERR_SSL_\w{0,60}ALERT_\w{0,60}(?:CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/.test(code)) return 'tls-client';
  return code.startsWith('ERR_SSL_') ? 'protocol' : 'other';
}

/** Source: Node's errors.md, and the X509 codes of OpenSSL's x509_verify_cert_error_string that Node passes on. */
const KINDS: ReadonlyMap<string, ConnectionTrouble> = new Map<string, ConnectionTrouble>([
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['EAI_FAIL', 'dns'],
  ['EAI_NODATA', 'dns'],
  ['ECONNREFUSED', 'refused'],
  ['EHOSTUNREACH', 'no-route'],
  ['ENETUNREACH', 'no-route'],
  ['EHOSTDOWN', 'no-route'],
  ['EADDRNOTAVAIL', 'no-route'],
  ['ETIMEDOUT', 'timeout'],
  ['ERR_SOCKET_CONNECTION_TIMEOUT', 'timeout'],
  ['ECONNRESET', 'reset'],
  ['ECONNABORTED', 'reset'],
  ['EPIPE', 'reset'],
  ['ABORT_ERR', 'aborted'],
  ['CERT_HAS_EXPIRED', 'tls-expired'],
  ['CERT_NOT_YET_VALID', 'tls-expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls-name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls-untrusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls-untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'tls-untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls-untrusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls-untrusted'],
  ['CERT_CHAIN_TOO_LONG', 'tls-untrusted'],
  ['CERT_REVOKED', 'tls-untrusted'],
  ['CERT_REJECTED', 'tls-untrusted'],
  ['CERT_UNTRUSTED', 'tls-untrusted'],
  ['CERT_SIGNATURE_FAILURE', 'tls-untrusted'],
  ['INVALID_CA', 'tls-untrusted'],
  ['INVALID_PURPOSE', 'tls-untrusted'],
  ['PATH_LENGTH_EXCEEDED', 'tls-untrusted'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'protocol'],
]);

const SENTENCES: Readonly<Record<ConnectionTrouble, (address: string, words: string) => string>> = {
  dns: (address, words) => `The name of the server ${address} cannot be resolved: ${words}.`,
  refused: (address) => `The connection to ${address} was refused: nothing listens there.`,
  'no-route': (address, words) => `No route to ${address}: ${words}.`,
  timeout: (address, words) => `${address} did not answer in time: ${words}.`,
  reset: (address, words) => `The connection to ${address} was closed before a response: ${words}.`,
  'tls-untrusted': (address, words) => `The certificate of ${address} is not signed by a CA of the kubeconfig: ${words}.`,
  'tls-expired': (address, words) =>
    `The certificate of ${address} has expired or is not yet valid, by the clock of this machine: ${words}.`,
  'tls-name': (address, words) => `The certificate of ${address} is not valid for this host name: ${words}.`,
  'tls-client': (address, words) => `${address} rejected the client certificate: ${words}.`,
  proxy: (address, words) => `The proxy did not connect to ${address}: ${words}.`,
  credentials: (address, words) => `No credentials for ${address}: ${words}.`,
  'too-large': (address, words) => `The response of ${address} is too large: ${words}.`,
  protocol: (address, words) => `${address} does not use the expected protocol (HTTP or TLS): ${words}.`,
  aborted: (address) => `The request to ${address} was canceled.`,
  other: (address, words) => `The request to ${address} failed: ${words}.`,
};
