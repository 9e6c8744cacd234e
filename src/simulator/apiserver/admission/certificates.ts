import { asText, dig } from '../../../base/json.ts';
import { readRequest } from '../../x509/certificate-request.ts';
import { forbidden } from '../failures.ts';
import type { Failure } from '../request.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionSurroundings } from './admission.ts';

/**
 * CertificateApproval, CertificateSigning and CertificateSubjectRestriction: who may approve and sign requests of a signer.
 * Source: plugin/pkg/admission/certificates/{approval,signing,subjectrestriction}/admission.go.
 */
export const CERTIFICATES: AdmissionPlugin = {
  name: 'CertificateApproval',
  kinds: new Set(['certificatesigningrequests.certificates.k8s.io']),
  validate,
};

function validate(request: AdmissionRequest, around: AdmissionSurroundings): Failure | undefined {
  const of = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' };
  const signer = asText(dig(request.old ?? request.object, 'spec', 'signerName')) ?? '';
  if (request.subresource === 'approval' && !mayFor(request, around, 'approve', signer))
    return forbidden(of, request.name, `user not permitted to approve requests with signerName "${signer}"`);
  const signing =
    request.subresource === 'status' && dig(request.object, 'status', 'certificate') !== dig(request.old, 'status', 'certificate');
  if (signing && !mayFor(request, around, 'sign', signer))
    return forbidden(of, request.name, `user not permitted to sign requests with signerName "${signer}"`);
  const masters =
    request.operation === 'CREATE' &&
    signer === 'kubernetes.io/kube-apiserver-client' &&
    readRequest(dig(request.object, 'spec', 'request'))?.organizations.includes('system:masters') === true;
  return masters
    ? forbidden(of, request.name, 'use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed')
    : undefined;
}

/** The verb on the signer itself, or on all signers of its domain. */
function mayFor(request: AdmissionRequest, { authorizer }: AdmissionSurroundings, verb: string, signer: string): boolean {
  const domain = `${signer.split('/')[0] ?? ''}/*`;
  return [signer, domain].some(
    (name) => authorizer.authorize({ user: request.user, verb, group: 'certificates.k8s.io', resource: 'signers', name }).allowed,
  );
}
