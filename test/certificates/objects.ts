import type { KubeObject } from '../../src/model/kube-object.ts';
import type { Sighting } from '../../src/certificates/seen-certificate.ts';
import { issueCertificate } from '../support/certificates.ts';

/** An object of a cluster, as far as the certificates in it are concerned. */
export function objectOf(kind: string, name: string, fields: object = {}, metadata: object = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, ...metadata }, ...fields };
}

export const AUTHORITY = issueCertificate({ commonName: 'shop-ca', isAuthority: true });
export const LEAF = issueCertificate({ commonName: 'web', names: ['web.shop.svc', '*.shop.example', '10.0.0.7'], issuer: AUTHORITY });

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** What was seen, in a line: the name on a certificate, or why there is none. */
export function seenIn({ seen }: Sighting): string {
  if (seen.kind === 'certificate') return seen.value.subject.text;
  return seen.kind === 'described' ? `described ${seen.value.subject}` : `${seen.kind}: ${seen.reason}`;
}

export function linesOf(sightings: readonly Sighting[]): readonly string[] {
  return sightings.map((sighting) =>
    [
      sighting.where,
      sighting.role,
      sighting.rotatedBy ?? '-',
      seenIn(sighting),
      ...(sighting.harmless === undefined ? [] : [sighting.harmless]),
    ].join(' | '),
  );
}
