import { bytesOfBase64 } from '../base/base64.ts';
import { latin1 } from '../base/x509/der.ts';
import type { Json } from '../base/json.ts';
import { REDACTED } from '../base/x509/pem.ts';
import { asList, asText, dig } from '../base/json.ts';
import { append } from '../base/lists.ts';
import type { ClusterReader, Scope } from '../model/cluster-reader.ts';
import type { CertificateRoleId } from '../model/certificate-roles.ts';
import type { CertificateRotator } from '../model/certificate-rotators.ts';
import type { KubeObject } from '../model/kube-object.ts';
import { annotationsOf, formatRef, refOf } from '../model/kube-object.ts';
import { certManagerSightings } from './cert-manager.ts';
import { configMapSightings } from './config-maps.ts';
import type { Sighting } from './seen-certificate.ts';
import { sightingsOfText } from './seen-certificate.ts';
import { requestSightings } from './signing-requests.ts';
import type { TierFindings, Unseen } from './tier-findings.ts';
import { findings, unseenOf, unseenPart } from './tier-findings.ts';

/**
 * The certificates in objects that anybody with a few list permissions may read: none of these reads touches a Secret. `only` names the
 * kinds, where not all are wanted.
 */
export async function apiFindings(reader: ClusterReader, scope: Scope, only?: ReadonlySet<string>): Promise<TierFindings> {
  const sightings: Sighting[] = [];
  const unseen: Unseen[] = [];
  let reads = 0;
  for (const { kind, namespaced, optional, find } of KINDS) {
    if (only?.has(kind) === false) continue;
    const read = await reader.list(kind, namespaced ? scope : {});
    if (!read.ok) {
      // A kind that an add-on brings is not there where the add-on is not.
      if (optional && (read.why === 'not-collected' || read.why === 'absent')) continue;
      reads++;
      unseen.push(unseenOf(kind, read));
      continue;
    }
    reads++;
    append(sightings, find(read.value, reader.now()));
    append(unseen, unseenPart(kind, read));
  }
  return findings('api', sightings, unseen, reads);
}

/** Kinds of which even a large cluster has few objects, none of them large. */
export const LIGHT_KINDS: ReadonlySet<string> = new Set([
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'CertificateSigningRequest',
]);

interface ReadKind {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly optional: boolean;
  readonly find: (objects: readonly KubeObject[], now: number) => readonly Sighting[];
}

const KINDS: readonly ReadKind[] = [
  {
    kind: 'MutatingWebhookConfiguration',
    namespaced: false,
    optional: false,
    find: (objects) => objects.flatMap((object) => webhookBundles(object, 'mutating-webhook-ca')),
  },
  {
    kind: 'ValidatingWebhookConfiguration',
    namespaced: false,
    optional: false,
    find: (objects) => objects.flatMap((object) => webhookBundles(object, 'validating-webhook-ca')),
  },
  {
    kind: 'APIService',
    namespaced: false,
    optional: false,
    find: (objects) => objects.flatMap((object) => bundle(object, dig(object, 'spec', 'caBundle'), 'apiservice-ca', 'caBundle')),
  },
  {
    kind: 'CustomResourceDefinition',
    namespaced: false,
    optional: false,
    find: (objects) =>
      objects.flatMap((object) =>
        bundle(
          object,
          dig(object, 'spec', 'conversion', 'webhook', 'clientConfig', 'caBundle'),
          'conversion-webhook-ca',
          'conversion caBundle',
        ),
      ),
  },
  { kind: 'CertificateSigningRequest', namespaced: false, optional: false, find: requestSightings },
  { kind: 'ConfigMap', namespaced: true, optional: false, find: configMapSightings },
  { kind: 'Certificate', namespaced: true, optional: true, find: certManagerSightings },
];

function webhookBundles(object: KubeObject, role: CertificateRoleId): readonly Sighting[] {
  return asList(dig(object, 'webhooks')).flatMap((webhook) =>
    bundle(object, dig(webhook, 'clientConfig', 'caBundle'), role, `webhook ${asText(dig(webhook, 'name')) ?? '?'}`),
  );
}

/** A missing caBundle means that the API server's own trust decides, which nobody can see from here. */
function bundle(object: KubeObject, value: Json | undefined, role: CertificateRoleId, field: string): readonly Sighting[] {
  const text = asText(value);
  if (text === undefined || text === '') return [];
  const rotatedBy = injectorOf(object);
  const place = {
    tier: 'api',
    where: `${formatRef(refOf(object))} ${field}`,
    role,
    renews: { name: object.metadata.name },
    ...(rotatedBy === undefined ? {} : { rotatedBy }),
  } as const;
  const bytes = bytesOfBase64(text);
  if (bytes !== undefined && isRedacted(bytes)) return [{ ...place, seen: { kind: 'unchecked', reason: REDACTED } }];
  return bytes === undefined
    ? [{ ...place, seen: { kind: 'unreadable', reason: 'the caBundle is not base64' } }]
    : sightingsOfText(latin1(bytes), place);
}

/** OpenShift's Insights writes `x` for each character, others stars. */
function isRedacted(bytes: Uint8Array): boolean {
  const [first] = bytes;
  return (first === 0x78 || first === 0x2a) && bytes.every((byte) => byte === first);
}

/** Who puts the bundle there. Source: cert-manager's cainjector, OpenShift's service-ca-operator. */
function injectorOf(object: KubeObject): CertificateRotator | undefined {
  const annotations = Object.keys(annotationsOf(object));
  if (annotations.some((key) => key.startsWith('cert-manager.io/inject-'))) return 'cert-manager';
  return annotations.some((key) => key.endsWith('openshift.io/inject-cabundle')) ? 'service-ca' : undefined;
}
