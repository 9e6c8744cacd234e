import type { Instant } from '../../base/instant.ts';
import { digestOf } from '../../base/digest.ts';
import { sha256Hex } from '../../base/sha256.ts';
import { asText, dig } from '../../base/json.ts';
import { onceEach } from '../../base/once.ts';
import type { Prng } from '../../base/prng.ts';
import type { Store } from '../store/store.ts';
import type { Certificates } from '../x509/certificates.ts';
import { CLUSTER_CA } from '../x509/certificates.ts';
import type { Certificate } from '../x509/simulated-certificate.ts';
import type { Credential, UserInfo } from './request.ts';

/** What a token says; it is looked up, not decoded. */
export interface TokenClaims {
  readonly namespace: string;
  readonly serviceAccount: string;
  /** The account the token was made for; undefined for those of controllers, which need no account to exist. */
  readonly uid: string | undefined;
  readonly audiences: readonly string[];
  readonly notAfter: Instant;
  readonly pod?: { readonly name: string; readonly uid: string };
}

export interface AuthenticatorOptions {
  /** What tokens are made with besides the seed, which others may know. */
  readonly tokenSecret?: string | undefined;
  /** Who shows nothing is let in. */
  readonly anonymous: boolean;
}

/**
 * Who is asking. The body of a refusal never says why, as in a real server; `why` is what its log would say.
 * Source: staging/src/k8s.io/apiserver/pkg/authentication/request/{x509,bearertoken}, pkg/serviceaccount/claims.go.
 */
export class Authenticator {
  readonly #store: Store;
  readonly #certificates: Certificates;
  readonly #now: () => Instant;
  readonly #prng: Prng;
  readonly #tokenSecret: string | undefined;
  readonly #anonymous: boolean;
  readonly #tokens = new Map<string, TokenClaims>();
  readonly #users = new WeakMap<TokenClaims, UserInfo>();
  readonly #static = new Map<string, UserInfo>();

  constructor(store: Store, certificates: Certificates, now: () => Instant, prng: Prng, { tokenSecret, anonymous }: AuthenticatorOptions) {
    this.#store = store;
    this.#certificates = certificates;
    this.#now = now;
    this.#prng = prng;
    this.#tokenSecret = tokenSecret;
    this.#anonymous = anonymous;
  }

  authenticate(credential: Credential): { readonly user: UserInfo } | { readonly why: string } {
    switch (credential.kind) {
      case 'anonymous':
        return this.#anonymous ? { user: ANONYMOUS_USER } : { why: 'no credentials' };
      case 'certificate': {
        const { certificate } = credential;
        const why = this.#certificates.verify(certificate, [CLUSTER_CA], this.#now());
        if (why !== undefined) return { why };
        return { user: certificateUser(certificate) };
      }
      case 'token':
        return this.#token(credential.token);
    }
  }

  /** A new token of a service account (TokenRequest). */
  issue(claims: TokenClaims): string {
    const drawn = this.#prng.hex(24);
    const token = `sim.${this.#tokenSecret === undefined ? drawn : sha256Hex(new TextEncoder().encode(`${this.#tokenSecret} ${drawn}`))}`;
    this.#tokens.set(token, claims);
    return token;
  }

  /** A token of an administrator's choosing (`--token-auth-file`). */
  addStatic(token: string, user: UserInfo): void {
    this.#static.set(token, { ...user, groups: [...user.groups, AUTHENTICATED] });
  }

  claimsOf(token: string): TokenClaims | undefined {
    return this.#tokens.get(token);
  }

  #token(token: string): { readonly user: UserInfo } | { readonly why: string } {
    const user = this.#static.get(token);
    if (user !== undefined) return { user };
    const claims = this.#tokens.get(token);
    if (claims === undefined) return { why: 'invalid bearer token' };
    if (this.#now() > claims.notAfter) return { why: '[invalid bearer token, service account token has expired]' };
    const { namespace, serviceAccount, uid, pod } = claims;
    if (uid !== undefined) {
      const account = this.#store.get('serviceaccounts', namespace, serviceAccount);
      if (account?.metadata.uid !== uid) return { why: `serviceaccounts "${serviceAccount}" not found` };
    }
    if (pod !== undefined && this.#store.get('pods', namespace, pod.name)?.metadata.uid !== pod.uid)
      return { why: 'service account token has been invalidated' };
    let known = this.#users.get(claims);
    if (known === undefined) {
      known =
        uid === undefined
          ? serviceAccountUser(namespace, serviceAccount, uid)
          : { ...serviceAccountUser(namespace, serviceAccount, uid), extra: this.#extraOf(token, claims) };
      this.#users.set(claims, known);
    }
    return { user: known };
  }

  /** Which token it was, and for which pod on which node it was made. Source: pkg/serviceaccount/{claims,util}.go. */
  #extraOf(token: string, { namespace, pod }: TokenClaims): Readonly<Record<string, readonly string[]>> {
    const hex = digestOf(token).slice(0, 32);
    const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
    const credential = { [`${EXTRA}credential-id`]: [`JTI=${id}`] };
    if (pod === undefined) return credential;
    const nodeName = asText(dig(this.#store.get('pods', namespace, pod.name), 'spec', 'nodeName'));
    const node = nodeName === undefined ? undefined : this.#store.get('nodes', undefined, nodeName)?.metadata.uid;
    return {
      ...credential,
      ...(nodeName === undefined || node === undefined ? {} : { [`${EXTRA}node-name`]: [nodeName], [`${EXTRA}node-uid`]: [node] }),
      [`${EXTRA}pod-name`]: [pod.name],
      [`${EXTRA}pod-uid`]: [pod.uid],
    };
  }
}

const EXTRA = 'authentication.kubernetes.io/';

const AUTHENTICATED = 'system:authenticated';

export const ANONYMOUS_USER: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

export function serviceAccountUser(namespace: string, name: string, uid: string | undefined): UserInfo {
  return {
    name: serviceAccountName(namespace, name),
    ...(uid === undefined ? {} : { uid }),
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, AUTHENTICATED],
  };
}

export function serviceAccountName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** The user of a certificate's names; remembered, since every component asks again and again. */
const certificateUser = onceEach(({ commonName, organizations }: Certificate): UserInfo => ({
  name: commonName,
  groups: [...organizations, AUTHENTICATED],
}));
