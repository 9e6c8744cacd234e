import { X509Certificate } from 'node:crypto';
import type { Instant } from '../../../base/instant.ts';
import { parseDate } from '../../../base/instant.ts';
import { asNumber, asText, dig } from '../../../base/json.ts';
import type { Grant } from './credentials.ts';
import { parseJson } from '../requests/json-answer.ts';
import type { LiveConfig } from './live-config.ts';

/** Who we say we are, as far as the credentials themselves tell; the server may see it otherwise. */
export interface Identity {
  /** The entry in the kubeconfig. */
  readonly entry?: string;
  /** The user name in the certificate or token. */
  readonly name?: string;
  readonly groups: readonly string[];
  readonly by: 'client certificate' | 'token' | 'password' | 'nothing';
  /** Whom we ask to act as. */
  readonly actingAs?: string;
  /** When the token ends, where it says so. */
  readonly tokenEnds?: Instant;
  readonly clientCertificate?: CertificateTimes;
}

export interface CertificateTimes {
  readonly subject: string;
  readonly notBefore: Instant;
  readonly notAfter: Instant;
}

/** Reads names and times, never the secret itself. A token counts before a certificate, as it does for the API server's answer. */
export function identityOf(config: LiveConfig, grant: Grant): Identity {
  const certificate = grant.cert === undefined ? undefined : parsedCertificate(grant.cert);
  const claims = grant.token === undefined ? undefined : claimsOf(grant.token);
  // The server does not look at the certificate of somebody who shows a token.
  const certified = grant.token === undefined ? certificate?.name : undefined;
  const name = claims?.name ?? grant.username ?? certified;
  const by = wayOf(grant);
  return {
    ...(config.user.name === undefined ? {} : { entry: config.user.name }),
    ...(name === undefined ? {} : { name }),
    groups: by === 'client certificate' ? (certificate?.groups ?? []) : [],
    by,
    ...(config.impersonate.user === undefined ? {} : { actingAs: config.impersonate.user }),
    ...timesOf(claims, certificate),
  };
}

function timesOf(
  claims: ReturnType<typeof claimsOf>,
  certificate: ReturnType<typeof parsedCertificate>,
): Pick<Identity, 'tokenEnds' | 'clientCertificate'> {
  return {
    ...(claims?.ends === undefined ? {} : { tokenEnds: claims.ends }),
    ...(certificate === undefined ? {} : { clientCertificate: certificate.times }),
  };
}

function wayOf({ token, username, cert }: Grant): Identity['by'] {
  if (token !== undefined) return 'token';
  if (username !== undefined) return 'password';
  return cert === undefined ? 'nothing' : 'client certificate';
}

/** The user is the certificate's common name, its groups the organizations. */
function parsedCertificate(
  pem: string,
): { readonly name?: string; readonly groups: readonly string[]; readonly times: CertificateTimes } | undefined {
  try {
    const certificate = new X509Certificate(pem);
    const parts = certificate.subject.split('\n');
    const values = (attribute: string): readonly string[] =>
      parts.filter((part) => part.startsWith(`${attribute}=`)).map((part) => part.slice(attribute.length + 1));
    const [name] = values('CN');
    return {
      ...(name === undefined ? {} : { name }),
      groups: values('O'),
      times: { subject: parts.join(', '), notBefore: parseDate(certificate.validFrom) ?? 0, notAfter: parseDate(certificate.validTo) ?? 0 },
    };
  } catch {
    return undefined;
  }
}

/** The subject and the end of a JSON Web Token; nothing for other tokens. Its signature is for the server to check. */
function claimsOf(token: string): { readonly name?: string; readonly ends?: Instant } | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  const parsed = parseJson(Buffer.from(payload, 'base64url').toString('utf8'));
  if (!parsed.ok) return undefined;
  const name = asText(dig(parsed.value, 'sub'));
  const ends = asNumber(dig(parsed.value, 'exp'));
  return { ...(name === undefined ? {} : { name }), ...(ends === undefined ? {} : { ends: ends * 1000 }) };
}
