import type { ConnectionState } from '../../clusters/live/probe.ts';
import type { ClusterReader, Unread } from '../../model/cluster-reader.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { CLIENT_ANSWER, RECORD_API_VERSION, RECORD_KINDS } from '../../model/record-kinds.ts';
import { formatInstant } from '../../base/instant.ts';

/** Whether requests can be answered at all. */
export function isUsable(state: ConnectionState): boolean {
  return state.reachable && state.status !== 401;
}

/** Why no request can be answered, in a sentence. */
export function troubleOf({ error, server, message, status, identity, serverCertificate }: ConnectionState): string {
  if (error?.kind === 'tls-expired' && serverCertificate !== undefined)
    return `${error.detail} It is valid from ${formatInstant(serverCertificate.notBefore)} until ${formatInstant(serverCertificate.notAfter)}.`;
  if (error !== undefined) return error.detail;
  const who = identity?.entry === undefined ? 'the credentials' : `the credentials of user "${identity.entry}"`;
  return `${server} does not accept ${who}${message === undefined ? '' : `: ${message}`}${status === undefined ? '' : ` (HTTP ${status})`}`;
}

/**
 * The reader of a cluster that cannot be asked, with what kubectl would have printed as a record, so that the rules about pasted text
 * judge a live connection too. No further request is made: each would wait for the same end. Wordings:
 * staging/src/k8s.io/kubectl/pkg/cmd/util/helpers.go (MultilineError, StandardErrorMessage), crypto/x509.
 */
export function withConnectionAnswer(reader: ClusterReader, state: ConnectionState): ClusterReader {
  const now = reader.now();
  return withAnswer(reader, { command: 'kubectl get --raw /version', output: kubectlWords(state, now) }, troubleOf(state));
}

/** The same for a command that says why the API server does not answer others. */
export function withAnswer(
  reader: ClusterReader,
  said: { readonly command: string; readonly output: string },
  detail: string,
): ClusterReader {
  const answer = answerOf(said, reader.now());
  const unread: Unread = { ok: false, why: 'failed', detail };
  const records = (kind: string): boolean => RECORD_KINDS.includes(kind);
  return {
    get: async (ref) => {
      if (ref.kind === CLIENT_ANSWER && ref.name === answer.metadata.name) return { ok: true, value: answer };
      return records(ref.kind) ? reader.get(ref) : unread;
    },
    list: async (kind, scope) => {
      if (kind === CLIENT_ANSWER) return { ok: true, value: [answer] };
      return records(kind) ? reader.list(kind, scope) : unread;
    },
    logs: () => Promise.resolve(unread),
    now: () => reader.now(),
  };
}

function answerOf({ command, output }: { readonly command: string; readonly output: string }, now: number): KubeObject {
  return {
    apiVersion: RECORD_API_VERSION,
    kind: CLIENT_ANSWER,
    metadata: { name: 'connection' },
    spec: {
      command,
      verb: 'get',
      output,
      exitCode: 1,
      order: 0,
      at: formatInstant(now),
    },
  };
}

function kubectlWords({ error, server, serverCertificate, identity, message }: ConnectionState, now: number): string {
  const { host, hostname } = new URL(server);
  const unable = 'Unable to connect to the server: ';
  const untrusted = `${unable}tls: failed to verify certificate: x509: `;
  switch (error?.kind) {
    case undefined:
      return `error: You must be logged in to the server (${message ?? 'Unauthorized'})${expiry(identity?.clientCertificate?.notAfter, now)}`;
    case 'refused':
      return `The connection to the server ${host} was refused - did you specify the right host or port?`;
    case 'dns':
      return `${unable}dial tcp: lookup ${hostname}: no such host`;
    case 'no-route':
      return `${unable}dial tcp ${host}: connect: no route to host`;
    case 'timeout':
      return `${unable}dial tcp ${host}: i/o timeout`;
    case 'tls-untrusted':
      return `${untrusted}certificate signed by unknown authority`;
    case 'tls-expired':
      return `${untrusted}certificate has expired or is not yet valid${serverCertificate === undefined ? '' : outside(serverCertificate, now)}`;
    case 'tls-name':
      return `${untrusted}certificate is valid for ${serverCertificate?.names ?? 'other names'}, not ${hostname}`;
    case 'tls-client':
      return `${unable}remote error: tls: bad certificate${expiry(identity?.clientCertificate?.notAfter, now)}`;
    case 'credentials':
      return `${unable}getting credentials: ${error?.detail ?? ''}`;
    default:
      return `${unable}${error?.detail ?? ''}`;
  }
}

function outside({ notBefore, notAfter }: { readonly notBefore: number; readonly notAfter: number }, now: number): string {
  const bound = now < notBefore ? `before ${formatInstant(notBefore)}` : `after ${formatInstant(notAfter)}`;
  return `: current time ${formatInstant(now)} is ${bound}`;
}

/** podcheck sees the dates of the certificate it shows, which kubectl does not tell. */
function expiry(notAfter: number | undefined, now: number): string {
  return notAfter === undefined || notAfter > now ? '' : `\nthe client certificate expired at ${formatInstant(notAfter)}`;
}
