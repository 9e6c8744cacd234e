import { bytesOfBase64 } from '../base/base64.ts';
import { latin1 } from '../base/x509/der.ts';
import { parseInstant } from '../base/instant.ts';
import { asList, asText, dig } from '../base/json.ts';
import type { CertificateRoleId } from '../model/certificate-roles.ts';
import type { CertificateRotator } from '../model/certificate-rotators.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { formatRef, refOf } from '../model/kube-object.ts';
import type { Sighting } from './seen-certificate.ts';
import { sightingsOfText } from './seen-certificate.ts';

/**
 * What was issued for requests, and requests nobody answers. Of several requests of one asker to one signer only the newest counts:
 * what was issued before has been replaced.
 */
export function requestSightings(requests: readonly KubeObject[], now: number): readonly Sighting[] {
  const newest = new Map<string, KubeObject>();
  for (const request of requests) {
    const known = newest.get(askerOf(request));
    if (known === undefined || isLater(request, known)) newest.set(askerOf(request), request);
  }
  return requests.flatMap((request) => sightingsOfRequest(request, newest.get(askerOf(request)) === request, now));
}

function askerOf(request: KubeObject): string {
  return `${asText(dig(request, 'spec', 'signerName')) ?? ''} ${asText(dig(request, 'spec', 'username')) ?? ''} ${asList(
    dig(request, 'spec', 'usages'),
  )
    .map((usage) => asText(usage) ?? '')
    .join(',')}`;
}

/** An issued certificate is replaced by the next that is issued, not by a request that waits. */
function isLater(request: KubeObject, than: KubeObject): boolean {
  const [issued, before] = [isIssued(request), isIssued(than)];
  if (issued !== before) return issued;
  return (
    (parseInstant(dig(request, 'metadata', 'creationTimestamp')) ?? 0) > (parseInstant(dig(than, 'metadata', 'creationTimestamp')) ?? 0)
  );
}

function isIssued(request: KubeObject): boolean {
  return asText(dig(request, 'status', 'certificate')) !== undefined;
}

function sightingsOfRequest(request: KubeObject, isNewest: boolean, now: number): readonly Sighting[] {
  const signer = asText(dig(request, 'spec', 'signerName')) ?? '';
  const username = asText(dig(request, 'spec', 'username')) ?? '';
  const [role, rotatedBy] = SIGNERS[signer] ?? ['signed-request', undefined];
  const harmless = isNewest ? undefined : 'a newer certificate was issued to the same requester';
  const place = {
    tier: 'api',
    where: `${formatRef(refOf(request))} of ${username}`,
    role: asks(username, role),
    ...(rotatedBy === undefined ? {} : { rotatedBy }),
    ...(harmless === undefined ? {} : { harmless }),
  } as const;
  const issued = asText(dig(request, 'status', 'certificate'));
  if (issued !== undefined) {
    const bytes = bytesOfBase64(issued);
    return bytes === undefined
      ? [{ ...place, seen: { kind: 'unreadable', reason: 'status.certificate is not base64' } }]
      : sightingsOfText(latin1(bytes), place);
  }
  const trouble = isNewest ? unanswered(request, now) : undefined;
  return trouble === undefined ? [] : [{ ...place, seen: { kind: 'missing', reason: trouble } }];
}

/** Source: k8s.io/api/certificates/v1/types.go. */
const SIGNERS: Readonly<Record<string, readonly [CertificateRoleId, CertificateRotator]>> = {
  'kubernetes.io/kube-apiserver-client-kubelet': ['kubelet-client', 'kubelet'],
  'kubernetes.io/kubelet-serving': ['kubelet-serving', 'kubelet'],
};

/** Not only kubelets ask the kubelets' signer: bootstrappers do it in their name. */
function asks(username: string, role: CertificateRoleId): CertificateRoleId {
  return role === 'kubelet-serving' && !username.startsWith('system:node:') ? 'signed-request' : role;
}

/** Waiting longer than anything that approves by itself would take. */
const PATIENCE_MILLISECONDS = 10 * 60_000;

function unanswered(request: KubeObject, now: number): string | undefined {
  const conditions = asList(dig(request, 'status', 'conditions'));
  const conditionOf = (type: string): string | undefined => {
    const found = conditions.find((condition) => asText(dig(condition, 'type')) === type);
    return found === undefined ? undefined : (asText(dig(found, 'message')) ?? asText(dig(found, 'reason')) ?? '');
  };
  const [denied, failed] = [conditionOf('Denied'), conditionOf('Failed')];
  if (denied !== undefined) return `the request was denied${denied === '' ? '' : `: ${denied}`}`;
  if (failed !== undefined) return `the signer failed${failed === '' ? '' : `: ${failed}`}`;
  const asked = parseInstant(dig(request, 'metadata', 'creationTimestamp'));
  if (asked === undefined || now - asked < PATIENCE_MILLISECONDS) return undefined;
  return conditionOf('Approved') === undefined
    ? 'the request waits for approval (kubectl certificate approve)'
    : 'the request was approved, but no signer issues the certificate';
}
