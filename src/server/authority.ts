import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { Instant } from '../base/instant.ts';
import { parseDate } from '../base/instant.ts';
import { onceEach } from '../base/once.ts';
import type { Certificate, Credential } from '../simulator/index.ts';
import { CLUSTER_CA } from '../simulator/index.ts';
import type { Issuer, KeyPair } from './issue-certificate.ts';
import { issueCertificate, signedAnew, subjectOf } from './issue-certificate.ts';

/**
 * The certificate authority of one served cluster: made when it starts, with keys that are kept nowhere. Its own dates are those
 * of the wall clock, since clients look at them; certificates of clients have the cluster's dates, since only the server does.
 */
export class Authority {
  readonly certificate: string;
  readonly #issuer: Issuer;
  readonly #own: X509Certificate;

  /** The certificate that a client shows on a connection, read once: it does not change there. */
  readonly credentialOn = onceEach((socket: TLSSocket): Credential | undefined => {
    const shown = socket.getPeerX509Certificate?.();
    return shown === undefined ? undefined : { kind: 'certificate', certificate: this.recognize(shown) };
  });

  constructor(wall: Instant) {
    const made = issueCertificate({ commonName: 'kubernetes', notBefore: wall - DAY, notAfter: wall + 10 * YEAR, usage: 'authority' });
    this.certificate = made.certificate;
    this.#issuer = { commonName: 'kubernetes', key: made.privateKey };
    this.#own = new X509Certificate(made.certificate);
  }

  /** A certificate and key for the API server itself. */
  forServer(hosts: readonly string[], notBefore: Instant, notAfter: Instant): KeyPair {
    return issueCertificate({ commonName: 'kube-apiserver', hosts, notBefore, notAfter, usage: 'server' }, this.#issuer);
  }

  /** A certificate and key for whoever the certificate of the cluster names. */
  forClient({ commonName, organizations, notBefore, notAfter }: Certificate): KeyPair {
    return issueCertificate({ commonName, organizations, notBefore, notAfter, usage: 'client' }, this.#issuer);
  }

  /** A certificate (PEM) that the cluster issued, with a signature that holds; undefined for what is no certificate. */
  signAnew(pem: string): string | undefined {
    const [, base64] = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/.exec(pem) ?? [];
    return base64 === undefined ? undefined : signedAnew(Buffer.from(base64, 'base64'), this.#issuer);
  }

  /** A certificate off the wire as the cluster knows it. What another authority signed, or signed for another use, is foreign. */
  recognize(shown: X509Certificate): Certificate {
    const mine = shown.checkIssued(this.#own) && shown.verify(this.#own.publicKey) && (shown.keyUsage ?? []).includes(CLIENT_AUTH);
    const { commonName, organizations } = subjectOf(shown.raw);
    return {
      name: commonName,
      commonName,
      organizations,
      issuer: mine ? CLUSTER_CA : 'foreign',
      notBefore: parseDate(shown.validFrom) ?? 0,
      notAfter: parseDate(shown.validTo) ?? 0,
      dnsNames: [],
      ipAddresses: [],
    };
  }
}

const DAY = 86_400_000;
const YEAR = 365 * DAY;
/** id-kp-clientAuth. */
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
