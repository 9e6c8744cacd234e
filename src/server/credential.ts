import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Credential, Failure, Impersonation } from '../simulator/index.ts';
import { ANONYMOUS, badRequest } from '../simulator/index.ts';
import type { Authority } from './authority.ts';
import { headerOf } from './exchange.ts';

/**
 * What a client shows: its certificate, or its token, or nothing. A certificate that does not hold is no hindrance for a token that
 * does. Source: staging/src/k8s.io/apiserver/pkg/authentication/request/{union,x509,bearertoken}.
 */
export function credentialOf(request: IncomingMessage, authority: Authority, holds: (credential: Credential) => boolean): Credential {
  const certificate = authority.credentialOn(request.socket as TLSSocket);
  if (certificate !== undefined && holds(certificate)) return certificate;
  const bearer = /^bearer +(\S+)$/i.exec(headerOf(request, 'authorization') ?? '');
  if (bearer?.[1] !== undefined) return { kind: 'token', token: bearer[1] };
  return certificate ?? ANONYMOUS;
}

/** As whom the caller wants to act. Source: staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation/impersonation.go. */
export function impersonationOf(request: IncomingMessage): { readonly ok: true; readonly as: Impersonation | undefined } | Failure {
  const user = headerOf(request, 'impersonate-user') ?? '';
  const uid = headerOf(request, 'impersonate-uid') ?? '';
  const groups = valuesOf(request, 'impersonate-group');
  const extra = extraOf(request);
  const keys = Object.keys(extra);
  if (user === '') {
    const asked = [
      ...groups.map((name) => `{Group  ${name}  rbac.authorization.k8s.io/v1  }`),
      ...keys.flatMap((key) => (extra[key] ?? []).map((name) => `{UserExtra  ${name}  authentication.k8s.io/v1  ${key}}`)),
      ...(uid === '' ? [] : [`{UID  ${uid}  authentication.k8s.io/v1  }`]),
    ];
    return asked.length === 0 ? { ok: true, as: undefined } : badRequest(`requested [${asked.join(' ')}] without impersonating a user`);
  }
  return {
    ok: true,
    as: { user, ...(groups.length === 0 ? {} : { groups }), ...(uid === '' ? {} : { uid }), ...(keys.length === 0 ? {} : { extra }) },
  };
}

const EXTRA = 'impersonate-extra-';

/** The rest of the header's name is the key, in lower case and in the encoding of URLs. */
function extraOf(request: IncomingMessage): Readonly<Record<string, readonly string[]>> {
  const names = Object.keys(request.headers).filter((name) => name.startsWith(EXTRA));
  return Object.fromEntries(names.map((name) => [unescaped(name.slice(EXTRA.length)), valuesOf(request, name)]));
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** One header each: a list joined by commas would not tell a group with a comma in its name. */
function valuesOf({ rawHeaders, headers }: IncomingMessage, name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  if (values.length > 0) return values;
  const joined = headers[name];
  return joined === undefined ? [] : [joined].flat();
}
