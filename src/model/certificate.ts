import type { Instant } from '../base/instant.ts';
import type { CertificateRoleId } from './certificate-roles.ts';
import type { CertificateRotator } from './certificate-rotators.ts';
import type { StageId } from './stage.ts';

/**
 * `DUE`: past the point at which its owner renews it, and not renewed. `MISMATCH`: not the one that belongs there, or not for the
 * name it is asked by. `MISSING`: something names it and it is not there. `NOT_CHECKED`: nobody could look, which is never `OK`.
 * `INFO`: of no consequence, as members of bundles of public authorities are.
 */
export const CERTIFICATE_STATUSES = [
  'EXPIRED',
  'NOT_YET_VALID',
  'MISMATCH',
  'MISSING',
  'UNREADABLE',
  'CRITICAL',
  'WARN',
  'DUE',
  'NOT_CHECKED',
  'OK',
  'INFO',
] as const;
export type CertificateStatus = (typeof CERTIFICATE_STATUSES)[number];

/** Where is looked, by the privilege it needs. */
export const CERTIFICATE_TIERS = [
  { id: 'kubeconfig', title: 'the kubeconfig' },
  { id: 'served', title: 'what the API server serves' },
  { id: 'api', title: 'API objects, without Secrets' },
  { id: 'metadata', title: 'metadata of Secrets' },
  { id: 'nodes', title: 'metrics of kubelets' },
  { id: 'secrets', title: 'certificates in Secrets' },
  { id: 'probe', title: 'what webhooks, kubelets and hosts serve' },
  { id: 'files', title: 'files of nodes' },
] as const;
export type CertificateTierId = (typeof CERTIFICATE_TIERS)[number]['id'];

/** What became of looking there; `reason` says why not, or why not all. */
export interface CertificateTier {
  readonly id: CertificateTierId;
  readonly state: 'CHECKED' | 'PARTIAL' | 'NOT_CHECKED';
  /** It was asked for, or is always looked at, so that not being able to counts for the exit code. */
  readonly asked: boolean;
  readonly reason?: string;
  /** Occurrences of certificates found there. */
  readonly found: number;
}

/** One place a certificate was found at. */
export interface CertificatePlace {
  readonly tier: CertificateTierId;
  /** `Secret/shop/web-tls tls.crt`, `worker-1:/var/lib/kubelet/pki/kubelet-client-current.pem`, `https://10.0.0.1:6443`. */
  readonly where: string;
  readonly role: CertificateRoleId;
}

/** One certificate (or token), with all the places it is used at. */
export interface CertificateRow {
  /** The first 8 hex digits of its SHA-256; of what has none, a word that is unique within a report. */
  readonly id: string;
  readonly fingerprint?: string;
  readonly role: CertificateRoleId;
  readonly places: readonly CertificatePlace[];
  readonly subject: string;
  readonly names: readonly string[];
  readonly issuer: string;
  readonly serial?: string;
  readonly key?: string;
  readonly isCa: boolean;
  readonly notBefore?: Instant;
  readonly notAfter?: Instant;
  /** Negative once it has ended. */
  readonly daysLeft?: number;
  /** From 0 at notBefore to 1 at notAfter, and beyond. */
  readonly usedShare?: number;
  readonly status: CertificateStatus;
  /** Why it has this status, where its times do not say. */
  readonly reason?: string;
  readonly rotatedBy: CertificateRotator;
  readonly stage?: StageId;
  readonly breaks: string;
  readonly renew: string;
}

/** Everything that was found, what ends first at the top. */
export interface CertificateReport {
  readonly at: Instant;
  /** What was looked at, for the headline. */
  readonly source: string;
  /** By which the cluster's clock is ahead of ours, by the Date of its first answer; undefined where none was asked. */
  readonly clockSkewSeconds?: number;
  readonly tiers: readonly CertificateTier[];
  readonly certificates: readonly CertificateRow[];
}
