import type { StageId } from './stage.ts';

/** What a certificate is for, and what fails when it expires: one table for reports, rules and the simulator. */
export interface CertificateRole {
  readonly id: CertificateRoleId;
  /** `the kubelet's client certificate` */
  readonly title: string;
  /** The stage that blocks new pods; undefined where pods are still created. */
  readonly stage: StageId | undefined;
  /** What fails, and the symptoms. */
  readonly breaks: string;
  /** A CA. Replacing it takes long, so the warning comes a year ahead. */
  readonly authority: boolean;
  /** What `kubeadm certs renew` calls it. Source: cmd/kubeadm/app/phases/certs/renewal/manager.go. */
  readonly kubeadm?: string;
}

type Row = Omit<CertificateRole, 'id' | 'authority'> & { readonly authority?: true };

const API_DOWN =
  'The API server cannot reach etcd and keeps restarting. Every client gets "connection refused", and nothing can be stored.';
const AGGREGATED =
  'Aggregated APIs such as metrics return Unauthorized or 503. kubectl top and HorizontalPodAutoscalers fail, and namespaces are stuck in Terminating.';
const SAID_EXPIRED = 'x509: certificate has expired or is not yet valid';

/** Source of the effects: facts of client-go, kube-apiserver, the kubelet and kubeadm as rules of the same stage cite them. */
const ROWS = {
  'kubeconfig-client': {
    title: 'the client certificate of a kubeconfig',
    stage: 'authentication',
    breaks: 'kubectl fails with this kubeconfig: "You must be logged in to the server (Unauthorized)".',
  },
  'kubeconfig-token': {
    title: 'the token of a kubeconfig',
    stage: 'authentication',
    breaks: 'kubectl fails with this kubeconfig: "You must be logged in to the server (Unauthorized)".',
  },
  'kubeconfig-ca': {
    title: 'the CA of a kubeconfig',
    stage: 'apply',
    authority: true,
    breaks: `kubectl rejects the API server: "${SAID_EXPIRED}" or "signed by unknown authority".`,
  },
  'apiserver-serving': {
    title: "the API server's serving certificate",
    stage: 'apply',
    kubeadm: 'apiserver',
    breaks: `Every client fails (kubectl, kubelets, controllers): "${SAID_EXPIRED}". Running pods continue, but new pods do not start.`,
  },
  'apiserver-intermediate': {
    title: 'a CA in the certificate chain of the API server',
    stage: 'apply',
    authority: true,
    breaks: `Clients can no longer verify the API server: "${SAID_EXPIRED}".`,
  },
  'cluster-ca': {
    title: 'the cluster CA',
    stage: 'authentication',
    authority: true,
    breaks:
      'No component trusts another: clients, kubelets, controllers and the scheduler get Unauthorized, and clients reject the API server.',
  },
  'client-ca': {
    title: 'the CA that verifies client certificates',
    stage: 'authentication',
    authority: true,
    breaks: 'The API server rejects every client certificate it signed: kubectl, kubelets, controllers and the scheduler get Unauthorized.',
  },
  'admin-client': {
    title: "the administrator's client certificate",
    stage: 'authentication',
    kubeadm: 'admin.conf',
    breaks: 'kubectl with admin.conf gets Unauthorized.',
  },
  'super-admin-client': {
    title: "the emergency administrator's client certificate",
    stage: 'authentication',
    kubeadm: 'super-admin.conf',
    breaks: 'kubectl with super-admin.conf gets Unauthorized.',
  },
  'controller-manager-client': {
    title: "the controller manager's client certificate",
    stage: 'controllers',
    kubeadm: 'controller-manager.conf',
    breaks: 'Controllers no longer create ReplicaSets, pods or endpoints, without any event. kubectl still works.',
  },
  'scheduler-client': {
    title: "the scheduler's client certificate",
    stage: 'scheduling',
    kubeadm: 'scheduler.conf',
    breaks: 'New pods stay Pending without any event.',
  },
  'controller-manager-serving': {
    title: "the controller manager's serving certificate",
    stage: undefined,
    breaks: 'Its metrics and health cannot be read; pods are still created.',
  },
  'scheduler-serving': {
    title: "the scheduler's serving certificate",
    stage: undefined,
    breaks: 'Its metrics and health cannot be read; pods are still created.',
  },
  'kube-proxy-client': {
    title: "kube-proxy's client certificate",
    stage: 'traffic',
    breaks: 'kube-proxy receives no new endpoints: Services send traffic to deleted pods.',
  },
  'kubelet-client': {
    title: "the kubelet's client certificate",
    stage: 'kubelet',
    breaks: 'The node becomes NotReady ("Kubelet stopped posting node status") and its pods are evicted; the kubelet gets Unauthorized.',
  },
  'kubelet-serving': {
    title: "the kubelet's serving certificate",
    stage: undefined,
    breaks: 'kubectl logs, exec, port-forward and metrics fail for this node with a TLS error; its pods continue to run.',
  },
  'kubelet-serving-ca': {
    title: "the kubelet's own CA, which signs its serving certificate",
    stage: undefined,
    breaks: 'Clients that verify the kubelet (--kubelet-certificate-authority) get a TLS error for this node; its pods continue to run.',
    authority: true,
  },
  'apiserver-kubelet-client': {
    title: "the API server's client certificate for kubelets",
    stage: undefined,
    kubeadm: 'apiserver-kubelet-client',
    breaks: 'Every kubelet returns Unauthorized for kubectl logs, exec and port-forward; pods continue to run.',
  },
  'etcd-server': { title: "etcd's serving certificate", stage: 'persistence', kubeadm: 'etcd-server', breaks: API_DOWN },
  'etcd-peer': {
    title: "etcd's peer certificate",
    stage: 'persistence',
    kubeadm: 'etcd-peer',
    breaks: 'etcd members lose contact; without a quorum nothing can be stored: "etcdserver: request timed out".',
  },
  'etcd-client': {
    title: "the API server's client certificate for etcd",
    stage: 'persistence',
    kubeadm: 'apiserver-etcd-client',
    breaks: API_DOWN,
  },
  'etcd-healthcheck-client': {
    title: 'the client certificate for etcd health checks',
    stage: undefined,
    kubeadm: 'etcd-healthcheck-client',
    breaks: 'The liveness probe of etcd fails, and the kubelet may restart etcd.',
  },
  'etcd-ca': { title: 'the etcd CA', stage: 'persistence', authority: true, breaks: API_DOWN },
  'front-proxy-client': {
    title: "the API server's client certificate for aggregated APIs",
    stage: 'controllers',
    kubeadm: 'front-proxy-client',
    breaks: AGGREGATED,
  },
  'front-proxy-ca': { title: 'the front-proxy CA', stage: 'controllers', authority: true, breaks: AGGREGATED },
  'apiservice-ca': { title: 'the CA of an APIService', stage: 'controllers', authority: true, breaks: AGGREGATED },
  'apiservice-serving': { title: 'the serving certificate of an aggregated API', stage: 'controllers', breaks: AGGREGATED },
  'mutating-webhook-ca': {
    title: 'the CA of a mutating webhook',
    stage: 'mutating-admission',
    authority: true,
    breaks: `Requests that match the webhook are rejected: "failed calling webhook … ${SAID_EXPIRED}". ReplicaSets report FailedCreate, and no pod exists.`,
  },
  'mutating-webhook-serving': {
    title: 'the serving certificate of a mutating webhook',
    stage: 'mutating-admission',
    breaks: `Requests that match the webhook are rejected: "failed calling webhook … ${SAID_EXPIRED}". ReplicaSets report FailedCreate, and no pod exists.`,
  },
  'validating-webhook-ca': {
    title: 'the CA of a validating webhook',
    stage: 'validating-admission',
    authority: true,
    breaks: `Requests that match the webhook are rejected: "failed calling webhook … ${SAID_EXPIRED}". ReplicaSets report FailedCreate, and no pod exists.`,
  },
  'validating-webhook-serving': {
    title: 'the serving certificate of a validating webhook',
    stage: 'validating-admission',
    breaks: `Requests that match the webhook are rejected: "failed calling webhook … ${SAID_EXPIRED}". ReplicaSets report FailedCreate, and no pod exists.`,
  },
  'conversion-webhook-ca': {
    title: 'the CA of a conversion webhook',
    stage: 'controllers',
    authority: true,
    breaks: 'Custom resources of this kind cannot be read or written: "conversion webhook … failed". Their operators stop working.',
  },
  'conversion-webhook-serving': {
    title: 'the serving certificate of a conversion webhook',
    stage: 'controllers',
    breaks: 'Custom resources of this kind cannot be read or written: "conversion webhook … failed". Their operators stop working.',
  },
  'pod-trust-ca': {
    title: 'the CA that pods use to verify the API server',
    stage: 'containers',
    authority: true,
    breaks:
      'Programs in pods reject the API server: "x509: certificate signed by unknown authority"; operators and controllers in pods fail.',
  },
  'service-account-token': {
    title: 'the token of a service account',
    stage: 'containers',
    breaks: 'Clients that use it get 401 Unauthorized.',
  },
  'bootstrap-token': {
    title: 'a bootstrap token',
    stage: 'kubelet',
    breaks: 'New nodes cannot join with it: kubeadm join gets Unauthorized. Existing nodes are not affected.',
  },
  'signed-request': {
    title: 'a certificate issued for a CertificateSigningRequest',
    stage: undefined,
    breaks: 'Servers reject the client that uses it.',
  },
  'ingress-serving': {
    title: 'the serving certificate of an Ingress',
    stage: 'traffic',
    breaks: 'Clients of its hosts reject the connection: "certificate has expired".',
  },
  'gateway-serving': {
    title: 'the serving certificate of a Gateway',
    stage: 'traffic',
    breaks: 'Clients of its hosts reject the connection: "certificate has expired".',
  },
  'service-serving': {
    title: 'the serving certificate of a Service',
    stage: 'traffic',
    breaks: `Clients of the Service reject the connection: "${SAID_EXPIRED}".`,
  },
  'service-ca': {
    title: 'the CA for serving certificates of Services',
    stage: 'traffic',
    authority: true,
    breaks: `Clients reject every Service whose certificate it signed: "${SAID_EXPIRED}".`,
  },
  'registry-serving': {
    title: 'the serving certificate of a registry',
    stage: 'images',
    breaks: `Images cannot be pulled: ErrImagePull, "${SAID_EXPIRED}". Nodes that already have the image are not affected.`,
  },
  'registry-ca': {
    title: 'the CA of a registry',
    stage: 'images',
    authority: true,
    breaks: 'Images cannot be pulled: ErrImagePull, "x509: certificate signed by unknown authority" or "has expired".',
  },
  'machine-config-serving': {
    title: 'the serving certificate of the machine config server',
    stage: 'kubelet',
    breaks: 'New nodes cannot fetch their configuration, so they never join.',
  },
  'issuer-ca': {
    title: 'a CA that signs certificates in the cluster',
    stage: undefined,
    authority: true,
    breaks: 'Certificates it signed are rejected, and it cannot sign new ones.',
  },
  'tls-secret': { title: 'a certificate in a Secret', stage: undefined, breaks: 'Clients reject servers that use this Secret.' },
  'configmap-certificate': { title: 'a certificate in a ConfigMap', stage: undefined, breaks: 'TLS connections that use it fail.' },
  'trust-bundle-member': {
    title: 'a member of a bundle of public CAs',
    stage: undefined,
    authority: true,
    breaks: 'Nothing: the bundle contains other CAs, and its distributor removes expired ones.',
  },
  konnectivity: {
    title: 'the certificate of the tunnel between control plane and nodes',
    stage: undefined,
    breaks: 'kubectl logs and exec time out. Webhooks and aggregated APIs behind the tunnel time out too.',
  },
  other: { title: 'a certificate of unknown use', stage: undefined, breaks: 'Whatever serves or trusts it is refused or refuses.' },
} as const satisfies Record<string, Row>;

export type CertificateRoleId = keyof typeof ROWS;

export const CERTIFICATE_ROLES: readonly CertificateRole[] = (Object.entries(ROWS) as readonly (readonly [CertificateRoleId, Row])[]).map(
  ([id, row]) => ({ authority: false, ...row, id }),
);

export const CERTIFICATE_ROLE_IDS = Object.keys(ROWS) as readonly CertificateRoleId[];

const BY_ID: ReadonlyMap<string, CertificateRole> = new Map(CERTIFICATE_ROLES.map((role) => [role.id, role]));

/** The role with this ID; `other` for an unknown ID. */
export function certificateRole(id: string): CertificateRole {
  return BY_ID.get(id) ?? { ...ROWS.other, id: 'other', authority: false };
}
