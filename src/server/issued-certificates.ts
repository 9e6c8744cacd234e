import type { JsonObject } from '../base/json.ts';
import { asList, asText, dig, isJsonObject } from '../base/json.ts';
import { withFields } from '../base/json-edit.ts';
import type { Authority } from './authority.ts';

export const SIGNING_REQUESTS = 'certificatesigningrequests';

/**
 * The certificates of CertificateSigningRequests, as clients get them: what the simulated controller issues says all a certificate
 * says, but nobody in a simulation has a key to sign it with. The authority of the served cluster signs it anew, so that whoever has
 * the private key of the request can come with it.
 */
export class IssuedCertificates {
  readonly #authority: Authority;
  readonly #signed = new Map<string, string>();

  constructor(authority: Authority) {
    this.#authority = authority;
  }

  /** A request, or a list of them. */
  shown<T extends JsonObject>(object: T): T {
    if (Array.isArray(object['items']))
      return withFields<T>(object, { items: asList(object['items']).map((item) => (isJsonObject(item) ? this.shown(item) : item)) });
    const certificate = asText(dig(object, 'status', 'certificate'));
    const { status } = object;
    // Other signers are somebody's own: what they issued stays as it is.
    if (
      certificate === undefined ||
      !isJsonObject(status) ||
      asText(dig(object, 'spec', 'signerName'))?.startsWith('kubernetes.io/') !== true
    )
      return object;
    return withFields<T>(object, { status: withFields(status, { certificate: this.#signedAnew(certificate) }) });
  }

  /** Signed once: everybody is shown the same. */
  #signedAnew(certificate: string): string {
    const known = this.#signed.get(certificate);
    if (known !== undefined) return known;
    if (this.#signed.size > MOST) this.#signed.clear();
    const pem = this.#authority.signAnew(Buffer.from(certificate, 'base64').toString('latin1'));
    const signed = pem === undefined ? certificate : Buffer.from(pem).toString('base64');
    this.#signed.set(certificate, signed);
    return signed;
  }
}

const MOST = 1000;
