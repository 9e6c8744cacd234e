import { bytesOfBase64 } from '../../base/base64.ts';
import { certificatesInBytes, certificatesInText } from '../../base/x509/certificates-in.ts';
import type { Instant } from '../../base/instant.ts';
import { formatInstant } from '../../base/instant.ts';
import { asList, asText, dig } from '../../base/json.ts';
import { remembered } from '../../base/memoized.ts';
import type { X509 } from '../../base/x509/certificate.ts';
import type { CertificateRole, CertificateRoleId } from '../../model/certificate-roles.ts';
import { certificateRole } from '../../model/certificate-roles.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef, refOf } from '../../model/kube-object.ts';
import { CERTIFICATE_RECORD } from '../../model/record-kinds.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import { oncePerSurvey } from '../request/once-per-survey.ts';
import type { Scene } from '../survey/scene.ts';

/**
 * `certificate` facts about those that do not hold: of the control plane and the nodes where a source shows them, and in the caBundle of
 * webhooks that failed.
 */
export async function collectCertificates(scene: Scene, sink: FactSink): Promise<void> {
  for (const found of await unsoundRecords(scene)) sink.fact('certificate', found.about, fieldsOf(found), proofOf(found));
  await bundleFacts(scene, sink);
}

/** A certificate that does not hold, and why. */
export interface UnsoundCertificate {
  readonly about: ObjectRef;
  readonly role: CertificateRole;
  readonly place: string;
  readonly node: string | undefined;
  readonly host: string | undefined;
  readonly state: 'expired' | 'not-yet-valid' | 'untrusted';
  readonly trouble: string;
  readonly certificate: X509;
}

/** Those among the certificates outside the API; none where the source has no such records. */
export const unsoundRecords = oncePerSurvey(async (scene: Scene): Promise<readonly UnsoundCertificate[]> => {
  const seen = (await scene.survey.seen(CERTIFICATE_RECORD, {})).flatMap(seenIn);
  const authorities = seen.filter(({ role }) => role.id === 'cluster-ca').map(({ certificate }) => certificate);
  const now = scene.survey.now();
  return seen.flatMap((one) => {
    const trouble = troubleOf(one.certificate, now) ?? mistrust(one, authorities);
    return trouble === undefined ? [] : [{ ...one, ...trouble }];
  });
});

type Seen = Omit<UnsoundCertificate, 'state' | 'trouble'>;

/** The leaf of each record; what follows it belongs to others, which have records of their own. */
function seenIn(record: KubeObject): readonly Seen[] {
  const [tier, place] = [asText(dig(record, 'spec', 'tier')), asText(dig(record, 'spec', 'place')) ?? ''];
  const role = certificateRole(asText(dig(record, 'spec', 'role')) ?? '');
  const leaf = leafOf(asText(dig(record, 'spec', 'pem')) ?? '');
  if (leaf?.ok !== true) return [];
  const node = tier === 'node' && role.id.startsWith('kubelet-') ? /^([^:]{1,253}):/.exec(place)?.[1] : undefined;
  const host = tier === 'probe' ? /^https:\/\/([^/]{1,300})/.exec(place)?.[1] : undefined;
  const about = node === undefined ? { kind: 'Cluster', name: OWNERS[role.id] ?? host ?? 'cluster' } : { kind: 'Node', name: node };
  return [{ about, role, place, node, host, certificate: leaf.value }];
}

/** Whoever asks again and again, as a drill does, sees the same certificates again. */
const leafOf = remembered((pem) => certificatesInText(pem)[0], { limit: 500, length: 20_000 });

/** The part of the control plane, or the client, that a certificate stops. */
const OWNERS: Partial<Readonly<Record<CertificateRoleId, string>>> = {
  'apiserver-serving': 'kube-apiserver',
  'apiserver-kubelet-client': 'kube-apiserver',
  'front-proxy-client': 'kube-apiserver',
  'controller-manager-client': 'kube-controller-manager',
  'scheduler-client': 'kube-scheduler',
  'etcd-client': 'etcd',
  'etcd-server': 'etcd',
  'etcd-peer': 'etcd',
  'etcd-ca': 'etcd',
  'etcd-healthcheck-client': 'etcd',
};

function troubleOf({ notBefore, notAfter }: X509, now: Instant): Pick<UnsoundCertificate, 'state' | 'trouble'> | undefined {
  if (now > notAfter) return { state: 'expired', trouble: `expired at ${formatInstant(notAfter)}` };
  return now < notBefore ? { state: 'not-yet-valid', trouble: `is not valid before ${formatInstant(notBefore)}` } : undefined;
}

/** Client certificates and the API server's are of the cluster's authority, where a source shows that. */
const OF_THE_CLUSTER: ReadonlySet<CertificateRoleId> = new Set([
  'kubeconfig-client',
  'admin-client',
  'super-admin-client',
  'controller-manager-client',
  'scheduler-client',
  'kubelet-client',
  'apiserver-kubelet-client',
  'apiserver-serving',
]);

function mistrust({ role, certificate }: Seen, authorities: readonly X509[]): Pick<UnsoundCertificate, 'state' | 'trouble'> | undefined {
  if (!OF_THE_CLUSTER.has(role.id) || authorities.length === 0 || authorities.some((authority) => mayHaveSigned(authority, certificate)))
    return undefined;
  return { state: 'untrusted', trouble: `was signed by ${certificate.issuer.text}, which is not the cluster CA` };
}

/** By name, and by key where both tell theirs; the signature itself is not verified. */
function mayHaveSigned(authority: X509, { issuerBytes, authorityKeyId }: X509): boolean {
  if (authority.subjectBytes !== issuerBytes) return false;
  return authority.subjectKeyId === undefined || authorityKeyId === undefined || authority.subjectKeyId === authorityKeyId;
}

function fieldsOf({ role, place, node, host, state, trouble, certificate }: UnsoundCertificate) {
  const { subject, issuer, notBefore, notAfter } = certificate;
  return {
    role: role.id,
    title: role.title,
    place,
    node,
    host,
    state,
    trouble,
    subject: subject.text,
    issuer: issuer.text,
    notBefore: formatInstant(notBefore),
    notAfter: formatInstant(notAfter),
    stage: role.stage,
    kubeadm: role.kubeadm,
    isAuthority: role.authority,
  };
}

function proofOf({ place, trouble, certificate }: UnsoundCertificate) {
  return { source: place, quote: `${certificate.subject.text} ${trouble}` };
}

const CONFIGURATIONS = [
  ['MutatingWebhookConfiguration', 'mutating-webhook-ca'],
  ['ValidatingWebhookConfiguration', 'validating-webhook-ca'],
] as const;

/** Only where a webhook failed: what every webhook trusts is for a scan of certificates. */
async function bundleFacts(scene: Scene, sink: FactSink): Promise<void> {
  const failed = new Set(
    sink.facts.flatMap(({ kind, fields }) =>
      kind === 'refusal' && String(fields['reason']).startsWith('webhook-certificate-') ? String(fields['by'] ?? '') : [],
    ),
  );
  if (failed.size === 0) return;
  for (const [kind, role] of CONFIGURATIONS) {
    for (const configuration of await scene.survey.seen(kind, {})) {
      for (const webhook of asList(configuration['webhooks'])) {
        const name = asText(dig(webhook, 'name')) ?? '';
        if (failed.has(name))
          bundleFact(
            { about: refOf(configuration), name, role: certificateRole(role), caBundle: asText(dig(webhook, 'clientConfig', 'caBundle')) },
            scene.survey.now(),
            sink,
          );
      }
    }
  }
}

/** A bundle holds as long as any of its members does. */
function bundleFact(
  {
    about,
    name,
    role,
    caBundle,
  }: { readonly about: ObjectRef; readonly name: string; readonly role: CertificateRole; readonly caBundle: string | undefined },
  now: Instant,
  sink: FactSink,
): void {
  const bytes = caBundle === undefined ? undefined : bytesOfBase64(caBundle);
  const members = bytes === undefined ? [] : certificatesInBytes(bytes).flatMap((read) => (read.ok ? [read.value] : []));
  const last = members.toSorted((a, b) => b.notAfter - a.notAfter)[0];
  const trouble = last === undefined || members.some((member) => troubleOf(member, now) === undefined) ? undefined : troubleOf(last, now);
  if (last === undefined || trouble === undefined) return;
  const found = {
    about,
    role,
    place: `${formatRef(about)} caBundle of ${name}`,
    node: undefined,
    host: undefined,
    certificate: last,
    ...trouble,
  };
  sink.fact('certificate', about, fieldsOf(found), proofOf(found));
}
