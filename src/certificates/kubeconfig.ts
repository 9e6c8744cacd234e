import type { Json } from '../base/json.ts';
import { asList, asText, dig } from '../base/json.ts';
import { bytesOfBase64 } from '../base/base64.ts';
import { append } from '../base/lists.ts';
import { latin1 } from '../base/x509/der.ts';
import type { CertificateTierId } from '../model/certificate.ts';
import type { CertificateRoleId } from '../model/certificate-roles.ts';
import type { CertificateRotator } from '../model/certificate-rotators.ts';
import { tokenLife } from './token.ts';
import type { Sighting } from './seen-certificate.ts';
import { sightingsOfText } from './seen-certificate.ts';

/** A cluster or user of a kubeconfig: what it says itself, or the file that does. Keys are never asked for. */
export interface KubeconfigCluster {
  readonly name: string;
  readonly server?: string | undefined;
  /** Base64 of PEM. */
  readonly caData?: string | undefined;
  readonly caFile?: string | undefined;
}

export interface KubeconfigUser {
  readonly name: string;
  readonly certData?: string | undefined;
  readonly certFile?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly tokenRotatedBy?: CertificateRotator;
  /** The program that fetches credentials; it is named and never run for this. */
  readonly exec?: string | undefined;
}

export interface KubeconfigParts {
  /** What a person calls the kubeconfig. */
  readonly file: string;
  readonly clusters: readonly KubeconfigCluster[];
  readonly users: readonly KubeconfigUser[];
}

export interface KubeconfigReading {
  readonly tier: CertificateTierId;
  /** What its client certificates are for: the component's whose kubeconfig it is. */
  readonly clientRole: CertificateRoleId;
  /** The text of a file beside it; an Error says why not. */
  readonly readFile: (path: string) => Promise<string | Error>;
}

/** The certificates and tokens a kubeconfig holds or names. */
export async function kubeconfigSightings(
  { file, clusters, users }: KubeconfigParts,
  reading: KubeconfigReading,
): Promise<readonly Sighting[]> {
  const found: Sighting[] = [];
  for (const { name, caData, caFile } of clusters) {
    append(found, await held(caData, caFile, { tier: reading.tier, role: 'kubeconfig-ca', where: `${file} cluster ${name}` }, reading));
  }
  for (const user of users) {
    append(
      found,
      await held(
        user.certData,
        user.certFile,
        { tier: reading.tier, role: reading.clientRole, where: `${file} user ${user.name}` },
        reading,
      ),
    );
    append(found, [...(await tokenOf(user, file, reading)), ...programOf(user, file, reading)]);
  }
  return found;
}

type Place = Pick<Sighting, 'tier' | 'role' | 'where'>;

/** Data wins over a file, as in client-go's rest.TLSConfigFor. */
async function held(
  data: string | undefined,
  path: string | undefined,
  place: Place,
  { readFile }: KubeconfigReading,
): Promise<readonly Sighting[]> {
  if (data !== undefined) {
    const bytes = bytesOfBase64(data);
    return bytes === undefined
      ? [{ ...place, seen: { kind: 'unreadable', reason: 'its -data field is not base64' } }]
      : sightingsOfText(latin1(bytes), place);
  }
  if (path === undefined) return [];
  const text = await readFile(path);
  const at = { ...place, where: `${place.where}: ${path}` };
  if (!(text instanceof Error)) return sightingsOfText(text, at);
  const isMissing = 'code' in text && text.code === 'ENOENT';
  return [
    {
      ...at,
      seen: isMissing
        ? { kind: 'missing', reason: 'the file it names does not exist' }
        : { kind: 'unreadable', reason: `the file it names cannot be read: ${text.message}` },
    },
  ];
}

async function tokenOf(
  { name, token, tokenFile, tokenRotatedBy }: KubeconfigUser,
  file: string,
  { tier, readFile }: KubeconfigReading,
): Promise<readonly Sighting[]> {
  const place: Place = { tier, role: 'kubeconfig-token', where: `${file} user ${name}${tokenFile === undefined ? '' : `: ${tokenFile}`}` };
  const text = tokenFile === undefined ? token : await readFile(tokenFile);
  if (text instanceof Error) return [{ ...place, seen: { kind: 'unreadable', reason: `the token file cannot be read: ${text.message}` } }];
  const life = text === undefined ? undefined : tokenLife(text);
  // A token that does not say when it ends is revoked rather than outlived.
  return life === undefined || life.notAfter === undefined
    ? []
    : [{ ...place, ...(tokenRotatedBy === undefined ? {} : { rotatedBy: tokenRotatedBy }), seen: { kind: 'described', value: life } }];
}

/** Its credentials are fetched anew whenever they end, so nothing of it can be said, or has to be. */
function programOf({ name, exec }: KubeconfigUser, file: string, { tier }: KubeconfigReading): readonly Sighting[] {
  if (exec === undefined) return [];
  const reason = `credentials come from the program ${exec}, which is not run for this`;
  return [{ tier, role: 'kubeconfig-token', where: `${file} user ${name}`, seen: { kind: 'unchecked', reason }, harmless: reason }];
}

/** A parsed kubeconfig of a node: only the fields that are asked for are looked at. Undefined when it is none. */
export function kubeconfigParts(document: Json | undefined, file: string): KubeconfigParts | undefined {
  if (asText(dig(document, 'kind')) !== 'Config' && dig(document, 'clusters') === undefined) return undefined;
  const named = (list: string, field: string): readonly (readonly [string, Json | undefined])[] =>
    asList(dig(document, list))
      .slice(0, MAX_ENTRIES)
      .map((entry) => [asText(dig(entry, 'name')) ?? '', dig(entry, field)]);
  return {
    file,
    clusters: named('clusters', 'cluster').map(([name, entry]) => ({
      name,
      server: asText(dig(entry, 'server')),
      caData: asText(dig(entry, 'certificate-authority-data')),
      caFile: asText(dig(entry, 'certificate-authority')),
    })),
    users: named('users', 'user').map(([name, entry]) => ({
      name,
      certData: asText(dig(entry, 'client-certificate-data')),
      certFile: asText(dig(entry, 'client-certificate')),
      token: asText(dig(entry, 'token')),
      tokenFile: asText(dig(entry, 'tokenFile')),
      exec: asText(dig(entry, 'exec', 'command')),
    })),
  };
}

/** Kubeconfigs of people with hundreds of clusters exist; more are made to harm. */
const MAX_ENTRIES = 2000;
