import type { PeerCertificate } from 'node:tls';
import { connect } from 'node:tls';
import type { Instant } from '../../base/instant.ts';
import { parseDate } from '../../base/instant.ts';
import { asText, dig } from '../../base/json.ts';
import type { ConnectionError } from './connection/connection-error.ts';
import type { Credentials } from './kubeconfig/credentials.ts';
import type { Identity } from './kubeconfig/identity.ts';
import { identityOf } from './kubeconfig/identity.ts';
import { parseJson } from './requests/json-answer.ts';
import type { LiveConfig } from './kubeconfig/live-config.ts';
import { bareHost } from './connection/proxy-choice.ts';
import { messageOf } from './requests/refusal.ts';
import { openSocket } from './connection/socket.ts';
import type { Transport } from './requests/transport.ts';

/** Whether the API server can be reached and takes our credentials, which is itself what a diagnosis may be about. */
export interface ConnectionState {
  /** An HTTP answer came, whatever its status. */
  readonly reachable: boolean;
  readonly server: string;
  readonly context?: string;
  readonly cluster: string;
  readonly identity?: Identity;
  readonly error?: ConnectionError;
  /** HTTP status of `GET /version`: 200, or 401 for credentials that are not accepted. */
  readonly status?: number;
  /** The server's words for a status other than 200. */
  readonly message?: string;
  /** `v1.36.0` */
  readonly version?: string;
  /** Only where it is what is wrong: the certificate the server showed. */
  readonly serverCertificate?: ServerCertificate;
  /** Seconds by which the server's clock is ahead of ours. */
  readonly clockSkewSeconds?: number;
}

export interface ServerCertificate {
  readonly subject: string;
  readonly issuer: string;
  readonly notBefore: Instant;
  readonly notAfter: Instant;
  /** As OpenSSL writes them: `DNS:kubernetes, IP Address:10.0.0.1`. */
  readonly names: string;
}

/** One GET of /version; when the server's certificate is refused, one more handshake to see what is wrong with it. */
export async function probe(config: LiveConfig, transport: Transport, credentials: Credentials): Promise<ConnectionState> {
  const answer = await transport.get('/version');
  const grant = await credentials.current().catch(() => undefined);
  const skew = transport.clockSkew();
  const state = {
    server: config.server.href,
    ...(config.context === undefined ? {} : { context: config.context }),
    cluster: config.cluster,
    ...(grant === undefined ? {} : { identity: identityOf(config, grant) }),
    ...(skew === undefined ? {} : { clockSkewSeconds: Math.round(skew / 1000) }),
  };
  if (!answer.ok) {
    const shown = SHOW_CERTIFICATE.includes(answer.error.kind) ? await shownCertificate(config) : undefined;
    return { ...state, reachable: false, error: answer.error, ...(shown === undefined ? {} : { serverCertificate: shown }) };
  }
  if (answer.status !== 200) return { ...state, reachable: true, status: answer.status, message: messageOf(answer) };
  const parsed = parseJson(answer.body.toString('utf8'));
  const version = parsed.ok ? asText(dig(parsed.value, 'gitVersion')) : undefined;
  return { ...state, reachable: true, status: 200, ...(version === undefined ? {} : { version }) };
}

/**
 * What the API server says of itself where it is not ready, without the checks that pass; undefined if it is, or does not say. Source:
 * staging/src/k8s.io/apiserver/pkg/server/healthz/healthz.go (handleRootHealth).
 */
export async function unreadyWords(transport: Transport): Promise<string | undefined> {
  const answer = await transport.get('/readyz?verbose');
  if (!answer.ok || answer.status < 500) return undefined;
  const lines = answer.body.toString('utf8').slice(0, LONGEST_WORDS).split('\n');
  const said = lines.filter((line) => line !== '' && !line.startsWith('[+]')).join('\n');
  return `Error from server (InternalError): an error on the server (${JSON.stringify(said)}) has prevented the request from succeeding`;
}

const LONGEST_WORDS = 8192;
const SHOW_CERTIFICATE: readonly string[] = ['tls-untrusted', 'tls-expired', 'tls-name'];
const HANDSHAKE_SECONDS = 5;

/** The certificate a server shows to anybody. Nothing is sent on this connection, and it is closed at once. */
async function shownCertificate(config: LiveConfig): Promise<ServerCertificate | undefined> {
  const { server, proxy, tlsServerName } = config;
  try {
    // An http address of the same host and port gives the bare connection, through the proxy where there is one.
    const port = server.port === '' ? '443' : server.port;
    const plain = await openSocket({
      server: new URL(`http://${server.hostname}:${port}`),
      ...(proxy === undefined ? {} : { proxy }),
      insecureSkipTlsVerify: false,
      timeoutSeconds: HANDSHAKE_SECONDS,
    });
    const name = tlsServerName ?? bareHost(server);
    const certificate = await new Promise<PeerCertificate>((resolve, reject) => {
      const socket = connect({
        socket: plain,
        ...(/[a-z]/i.test(name) && !name.includes(':') ? { servername: name } : {}),
        rejectUnauthorized: false,
      });
      socket.setTimeout(HANDSHAKE_SECONDS * 1000, () => socket.destroy(new Error('no handshake')));
      socket.once('error', reject);
      socket.once('secureConnect', () => {
        resolve(socket.getPeerCertificate());
        socket.destroy();
      });
    });
    return {
      subject: nameOf(certificate.subject),
      issuer: nameOf(certificate.issuer),
      notBefore: parseDate(certificate.valid_from) ?? 0,
      notAfter: parseDate(certificate.valid_to) ?? 0,
      names: certificate.subjectaltname ?? '',
    };
  } catch {
    return undefined;
  }
}

function nameOf(name: Readonly<Record<string, unknown>> | undefined): string {
  return Object.entries(name ?? {})
    .map(([attribute, value]) => `${attribute}=${String(value)}`)
    .join(', ');
}
