import { dirname } from 'node:path';
import type { X509 } from '../base/x509/certificate.ts';
import type { CertificateRoleId } from '../model/certificate-roles.ts';
import type { Sighting } from './seen-certificate.ts';

/**
 * The authorities that kubeadm signs each certificate with: whoever verifies it trusts no other. Source:
 * cmd/kubeadm/app/phases/certs/certlist.go.
 */
const SIGNED_BY: Partial<Readonly<Record<CertificateRoleId, CertificateRoleId>>> = {
  'apiserver-serving': 'cluster-ca',
  'apiserver-kubelet-client': 'cluster-ca',
  'front-proxy-client': 'front-proxy-ca',
  'etcd-client': 'etcd-ca',
  'etcd-server': 'etcd-ca',
  'etcd-peer': 'etcd-ca',
  'etcd-healthcheck-client': 'etcd-ca',
};

/** Says of each certificate in a folder of kubeadm's whether the authority beside it has signed it, through intermediates in its own file. */
export function withAuthorities(sightings: readonly Sighting[]): readonly Sighting[] {
  const certificates = sightings.flatMap((sighting) => {
    const root = rootOf(sighting);
    return root === undefined || sighting.seen.kind !== 'certificate' ? [] : [{ root, sighting, value: sighting.seen.value }];
  });
  if (certificates.length === 0) return sightings;
  const mismatches = new Map<Sighting, string>();
  for (const { root, sighting, value } of certificates) {
    const role = SIGNED_BY[sighting.role];
    const authorities = certificates.filter((other) => other.root === root && other.sighting.role === role && other.value.isCa);
    const [authority] = authorities;
    if (authority === undefined || value.isCa) continue;
    const inFile = certificates.filter((other) => other.sighting.where === sighting.where && other.value.isCa).map((other) => other.value);
    const trusted = authorities.map((other) => other.value);
    if (!leadsTo(value, inFile, trusted))
      mismatches.set(
        sighting,
        `it is signed by ${value.issuer.text}, not by the CA in ${authority.sighting.where}: clients reject it with "signed by unknown authority"`,
      );
  }
  return sightings.map((sighting) => {
    const mismatch = mismatches.get(sighting);
    return mismatch === undefined ? sighting : { ...sighting, mismatch };
  });
}

/** The folder `pki` of kubeadm in which a file is; etcd's are one below. */
function rootOf({ where, rotatedBy }: Sighting): string | undefined {
  const folder = dirname(where);
  const root = folder.endsWith('/etcd') ? dirname(folder) : folder;
  return root.endsWith('/pki') && (rotatedBy === 'kubeadm' || rotatedBy === 'manual') ? root : undefined;
}

/** Intermediates between a certificate and its authority. */
const MAX_LINKS = 8;

function leadsTo(leaf: X509, intermediates: readonly X509[], trusted: readonly X509[]): boolean {
  let link: X509 | undefined = leaf;
  for (let depth = 0; link !== undefined && depth < MAX_LINKS; depth++) {
    const { issuerBytes, authorityKeyId }: X509 = link;
    const hasSigned = ({ subjectBytes, subjectKeyId }: X509): boolean =>
      subjectBytes === issuerBytes && (authorityKeyId === undefined || subjectKeyId === undefined || authorityKeyId === subjectKeyId);
    if (trusted.some(hasSigned)) return true;
    link = intermediates.find(hasSigned);
  }
  return false;
}
