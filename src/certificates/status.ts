import type { Instant } from '../base/instant.ts';
import type { CertificateStatus } from '../model/certificate.ts';
import type { CertificateRotator } from '../model/certificate-rotators.ts';
import { rotatesByItself } from '../model/certificate-rotators.ts';

/** What a certificate's times are judged by. */
export interface Lifetime {
  readonly notBefore: Instant | undefined;
  readonly notAfter: Instant;
  readonly isAuthority: boolean;
  readonly rotatedBy: CertificateRotator;
  /** When its owner should have renewed it, where that is known. */
  readonly dueAt: Instant | undefined;
}

const DAY = 86_400_000;
/** From here on authorities are warned of; k3s does the same. */
const AUTHORITY_DAYS = 365;
/**
 * A kubelet renews between 70 and 90 % of the lifetime. Source: client-go/util/certificate/certificate_manager.go (nextRotationDeadline).
 */
const DUE_SHARE = 0.9;
/** What renews certificates may be some time about it. */
const DUE_GRACE_SHARE = 0.02;

/**
 * How a certificate stands at a time. Without `within` the thresholds are relative to the lifetime, so that those which live for hours
 * and are renewed by themselves alarm nobody: warned at min(30 days, a third), critical at min(7 days, a tenth); authorities a year
 * ahead; what renews itself only when its owner should have done so. `within` (milliseconds) takes the place of all that.
 */
export function statusAt(life: Lifetime, now: Instant, within: number | undefined): CertificateStatus {
  const { notBefore, notAfter, isAuthority } = life;
  if (now > notAfter) return 'EXPIRED';
  if (notBefore !== undefined && now < notBefore) return 'NOT_YET_VALID';
  const left = notAfter - now;
  // Without a beginning the usual lifetimes stand in.
  const lifetime = notAfter - (notBefore ?? notAfter - (isAuthority ? 3650 : 365) * DAY);
  const critical = Math.min((isAuthority ? 30 : 7) * DAY, lifetime / 10);
  if (within !== undefined) return left > within ? 'OK' : left <= critical ? 'CRITICAL' : 'WARN';
  if (rotatesByItself(life.rotatedBy)) return statusOfRotated(life, lifetime, now);
  if (left <= critical) return 'CRITICAL';
  return left <= Math.min((isAuthority ? AUTHORITY_DAYS : 30) * DAY, lifetime / 3) ? 'WARN' : 'OK';
}

function statusOfRotated({ notAfter, dueAt }: Lifetime, lifetime: number, now: Instant): CertificateStatus {
  const due = dueAt === undefined ? notAfter - lifetime * (1 - DUE_SHARE) : dueAt + lifetime * DUE_GRACE_SHARE;
  if (now <= due) return 'OK';
  return notAfter - now <= Math.min(7 * DAY, lifetime / 20) ? 'CRITICAL' : 'DUE';
}
