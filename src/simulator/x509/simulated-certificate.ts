import type { Instant } from '../../base/instant.ts';

/** A certificate as data: who it names, who signed it, how long it is good. No keys: whoever has the value has the key. */
export interface Certificate {
  /** What it is called in the cluster: `apiserver`, `kubelet-worker-1`. */
  readonly name: string;
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The authority that signed it, by name: `kubernetes-ca`. */
  readonly issuer: string;
  readonly notBefore: Instant;
  readonly notAfter: Instant;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  /** What it may be used for; a client certificate when it does not say. */
  readonly usages?: readonly CertificateUsage[];
  /** The bytes of one that was issued for a request; those of all others are made of their data when somebody asks for them. */
  readonly der?: Uint8Array;
  /** Nobody renews it before it ends, though its like is renewed: whoever gave it other dates wants to see it end. */
  readonly unattended?: true;
}

export type CertificateUsage = 'authority' | 'server' | 'client';
