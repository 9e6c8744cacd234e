import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { ApiRequest, Credential } from '../simulator/apiserver/request.ts';
import { ANONYMOUS } from '../simulator/apiserver/request.ts';
import type { Authority } from './authority.ts';
import { headerOf } from './exchange.ts';

/**
 * What a client shows: its certificate, or its token, or nothing. A certificate that does not hold is no hindrance for a token that
 * does. Source: staging/src/k8s.io/apiserver/pkg/authentication/request/{union,x509,bearertoken}.
 */
export function credentialOf(request: IncomingMessage, authority: Authority, holds: (credential: Credential) => boolean): Credential {
  const certificate = certificateOf(request.socket as TLSSocket, authority);
  if (certificate !== undefined && holds(certificate)) return certificate;
  const bearer = /^bearer +(\S+)$/i.exec(headerOf(request, 'authorization') ?? '');
  if (bearer?.[1] !== undefined) return { kind: 'token', token: bearer[1] };
  return certificate ?? ANONYMOUS;
}

/** As whom the caller wants to act. Source: staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation/impersonation.go. */
export function impersonationOf(request: IncomingMessage): ApiRequest['impersonate'] {
  const user = headerOf(request, 'impersonate-user');
  if (user === undefined || user === '') return undefined;
  const groups = groupsOf(request);
  return { user, ...(groups.length === 0 ? {} : { groups }) };
}

/** One header each: a list joined by commas would not tell a group with a comma in its name. */
function groupsOf({ rawHeaders, headers }: IncomingMessage): readonly string[] {
  const groups: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) if (rawHeaders[index]?.toLowerCase() === 'impersonate-group') groups.push(rawHeaders[index + 1] ?? '');
  if (groups.length > 0) return groups;
  const joined = headers['impersonate-group'];
  return joined === undefined ? [] : [joined].flat();
}

/** Read once for each connection: certificates do not change on one. */
function certificateOf(socket: TLSSocket, authority: Authority): Credential | undefined {
  const known = shown.get(socket);
  if (known !== undefined) return known.credential;
  const certificate = socket.getPeerX509Certificate?.();
  const credential: Credential | undefined = certificate === undefined ? undefined : { kind: 'certificate', certificate: authority.recognize(certificate) };
  shown.set(socket, { credential });
  return credential;
}

const shown = new WeakMap<object, { readonly credential: Credential | undefined }>();
