import { parseInstant } from '../base/instant.ts';
import { asText, asTextMap, dig } from '../base/json.ts';
import type { ListRead } from '../model/cluster-reader.ts';
import type { CertificateRotator } from '../model/certificate-rotators.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { annotationsOf } from '../model/kube-object.ts';
import type { CertificateReader } from './read-once.ts';
import { certificateReader } from './read-once.ts';
import type { SecretUses } from './secret-uses.ts';
import { roleOfSecret } from './secret-uses.ts';
import type { Sighting } from './seen-certificate.ts';
import { sightingsOf } from './seen-certificate.ts';
import type { TierFindings } from './tier-findings.ts';
import { findings, notChecked, unseenOf, unseenPart } from './tier-findings.ts';

/** Certificates in Secrets of which nothing but certificates was kept: their values are PEM text. */
export function secretFindings(read: ListRead, uses: SecretUses): TierFindings {
  if (!read.ok) return notChecked('secrets', unseenOf('Secrets', read).detail, read.why !== 'not-collected');
  const certificates = certificateReader();
  const sightings = read.value.flatMap((secret) => [...certificatesOf(secret, uses, certificates), ...bootstrapToken(secret)]);
  return findings('secrets', sightings, unseenPart('Secrets', read));
}

function certificatesOf(secret: KubeObject, uses: SecretUses, certificates: CertificateReader): readonly Sighting[] {
  const place = { tier: 'secrets', renews: renewsOf(secret), ...rotatorOf(secret) } as const;
  return Object.entries(asTextMap(dig(secret, 'data'))).flatMap(([key, text]) => {
    const found = certificates(text);
    return sightingsOf(
      found,
      { ...place, where: `${nameOf(secret)} ${key}`, role: roleOfSecret(secret, key, found, uses) },
      { required: false },
    );
  });
}

function nameOf({ metadata }: KubeObject): string {
  return `Secret/${metadata.namespace ?? ''}/${metadata.name}`;
}

/** Source: k8s.io/cluster-bootstrap/token/api/types.go: a token without `expiration` never ends. */
function bootstrapToken(secret: KubeObject): readonly Sighting[] {
  const notAfter = parseInstant(dig(secret, 'data', 'expiration'));
  if (asText(secret['type']) !== 'bootstrap.kubernetes.io/token' || notAfter === undefined) return [];
  const notBefore = parseInstant(dig(secret, 'metadata', 'creationTimestamp'));
  const described = { subject: secret.metadata.name, notAfter, ...(notBefore === undefined ? {} : { notBefore }) };
  // Made to last for a day, and left to end: the cleaner deletes it then.
  return [
    {
      tier: 'secrets',
      where: nameOf(secret),
      role: 'bootstrap-token',
      seen: { kind: 'described', value: described },
      harmless: 'bootstrap tokens are short-lived; create a new one to join a node',
    },
  ];
}

/** What the metadata of Secrets tells of the certificates in them. */
export function metadataFindings(read: ListRead): TierFindings {
  // The right to list metadata of Secrets is the right to read their values, which nobody should have to give.
  if (!read.ok) return notChecked('metadata', unseenOf('Secrets', read).detail, read.why === 'failed');
  const sightings = read.value.flatMap(annotated);
  return findings('metadata', sightings, unseenPart('metadata of Secrets', read));
}

/** Source: OpenShift's library-go pkg/operator/certrotation/annotations.go, service-ca-operator's pkg/controller/api/api.go. */
function annotated(secret: KubeObject): readonly Sighting[] {
  const annotations = annotationsOf(secret);
  const notAfter = [...NOT_AFTER].map((key) => parseInstant(annotations[key])).find((time) => time !== undefined);
  if (notAfter === undefined) return [];
  const notBefore = parseInstant(annotations['auth.openshift.io/certificate-not-before']);
  const names = (annotations['auth.openshift.io/certificate-hostnames'] ?? '').split(',').filter((name) => name !== '');
  const described = {
    subject: secret.metadata.name,
    names,
    issuer: annotations['auth.openshift.io/certificate-issuer'] ?? '',
    notAfter,
    ...(notBefore === undefined ? {} : { notBefore }),
  };
  return [
    {
      tier: 'metadata',
      where: nameOf(secret),
      of: nameOf(secret),
      role: 'tls-secret',
      renews: renewsOf(secret),
      ...rotatorOf(secret),
      seen: { kind: 'described', value: described },
    },
  ];
}

const NOT_AFTER = [
  'auth.openshift.io/certificate-not-after',
  'service.beta.openshift.io/expiry',
  'service.alpha.openshift.io/expiry',
] as const;

function rotatorOf(secret: KubeObject): { readonly rotatedBy?: CertificateRotator } {
  const annotations = annotationsOf(secret);
  if (annotations['cert-manager.io/certificate-name'] !== undefined) return { rotatedBy: 'cert-manager' };
  if (Object.keys(annotations).some((key) => /^service\.(?:alpha|beta)\.openshift\.io\/(?:originating-service-name|expiry)$/.test(key)))
    return { rotatedBy: 'service-ca' };
  if (annotations['auth.openshift.io/certificate-not-after'] !== undefined) return { rotatedBy: 'operator' };
  return {};
}

function renewsOf(secret: KubeObject): NonNullable<Sighting['renews']> {
  return { namespace: secret.metadata.namespace, name: annotationsOf(secret)['cert-manager.io/certificate-name'] ?? secret.metadata.name };
}
