import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { connect } from 'node:tls';
import { isIP } from 'node:net';
import type { ConnectionError } from './connection-error.ts';
import { ConnectionFailure, connectionError } from './connection-error.ts';
import { bareHost, portOf } from './proxy-choice.ts';
import { openSocket } from './socket.ts';

/** What a server shows to anybody who connects: certificates in DER, its own first. */
export interface ServedChain {
  readonly certificates: readonly Uint8Array[];
  /** Why it cannot be trusted by the authorities given, in OpenSSL's word: `UNABLE_TO_VERIFY_LEAF_SIGNATURE`; its time aside. */
  readonly untrusted?: string;
}

export interface ChainDial {
  /** https://host:port */
  readonly server: URL;
  readonly proxy?: URL | undefined;
  /** PEM; without it the public authorities are asked. */
  readonly ca?: string | undefined;
  readonly serverName?: string | undefined;
  readonly timeoutSeconds: number;
}

/** A certificate chain has a handful of links; a server that shows more is not followed further. */
const MAX_LINKS = 12;

/** A handshake and no more: nothing is sent on the connection, no client certificate is shown, and it is closed at once. */
export async function servedChain({ server, proxy, ca, serverName, timeoutSeconds }: ChainDial): Promise<ServedChain | ConnectionError> {
  try {
    // An http address of the same host and port gives the bare connection, through the proxy where there is one.
    const plain = await openSocket({
      server: new URL(`http://${server.hostname}:${portOf(server)}`),
      ...(proxy === undefined ? {} : { proxy }),
      insecureSkipTlsVerify: false,
      timeoutSeconds,
    });
    const name = serverName ?? bareHost(server);
    const socket = connect({
      socket: plain,
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
      ...(ca === undefined ? {} : { ca }),
      ...(isIP(name) === 0 ? { servername: name } : {}),
    });
    try {
      await shaken(socket, timeoutSeconds, server);
      return chainOf(socket);
    } finally {
      socket.destroy();
      plain.destroy();
    }
  } catch (error) {
    return connectionError(error, server.host);
  }
}

function shaken(socket: TLSSocket, timeoutSeconds: number, server: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new ConnectionFailure('timeout', `${server.host} did not finish the TLS handshake within ${timeoutSeconds} s.`)),
      timeoutSeconds * 1000,
    );
    const settled = (act: () => void) => (): void => {
      clearTimeout(timer);
      act();
    };
    socket.on('error', (error: Error) => settled(() => reject(error))());
    socket.once(
      'close',
      settled(() => reject(new ConnectionFailure('reset', `${server.host} closed the connection during the TLS handshake.`))),
    );
    socket.once('secureConnect', settled(resolve));
  });
}

function chainOf(socket: TLSSocket): ServedChain {
  const certificates: Uint8Array[] = [];
  let link: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (link?.raw !== undefined && certificates.length < MAX_LINKS) {
    certificates.push(link.raw);
    link = link.issuerCertificate === link ? undefined : link.issuerCertificate;
  }
  const word = socket.authorized ? undefined : String(socket.authorizationError);
  return { certificates, ...(word === undefined || OF_TIME.has(word) ? {} : { untrusted: word }) };
}

/** Ends and beginnings are judged by whoever asks, who may mean another time than now. */
const OF_TIME: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);
