import type { StageId } from './stage.ts';

/** What a certificate is for, and what stops when it ends: one table for reports, rules and the simulator. */
export interface CertificateRole {
  readonly id: CertificateRoleId;
  /** `the kubelet's client certificate` */
  readonly title: string;
  /** Where a pod's creation stops; undefined where pods go on being created. */
  readonly stage: StageId | undefined;
  /** A sentence: what stops, and what is seen then. */
  readonly breaks: string;
  /** It signs others, which takes long to replace: warned of a year ahead. */
  readonly authority: boolean;
  /** What `kubeadm certs renew` calls it. Source: cmd/kubeadm/app/phases/certs/renewal/manager.go. */
  readonly kubeadm?: string;
}

type Row = Omit<CertificateRole, 'id' | 'authority'> & { readonly authority?: true };

const API_DOWN = 'The API server cannot reach etcd and restarts again and again: "connection refused" for every client, nothing is stored.';
const AGGREGATED = 'Aggregated APIs (metrics above all) answer Unauthorized or 503: kubectl top fails, HorizontalPodAutoscalers stand still, namespaces hang in Terminating.';
const SAID_EXPIRED = 'x509: certificate has expired or is not yet valid';

/** Source of the effects: facts of client-go, kube-apiserver, the kubelet and kubeadm as rules of the same stage cite them. */
const ROWS = {
  'kubeconfig-client': { title: 'the client certificate of a kubeconfig', stage: 'authentication', breaks: 'kubectl with this kubeconfig is answered "You must be logged in to the server (Unauthorized)".' },
  'kubeconfig-token': { title: 'the token of a kubeconfig', stage: 'authentication', breaks: 'kubectl with this kubeconfig is answered "You must be logged in to the server (Unauthorized)".' },
  'kubeconfig-ca': { title: 'the authority a kubeconfig trusts', stage: 'apply', authority: true, breaks: `kubectl refuses the API server: "${SAID_EXPIRED}" or "signed by unknown authority".` },
  'apiserver-serving': { title: "the API server's serving certificate", stage: 'apply', kubeadm: 'apiserver', breaks: `Every client is cut off at once (kubectl, kubelets, controllers): "${SAID_EXPIRED}". Pods that run go on, nothing new starts.` },
  'apiserver-intermediate': { title: 'an authority in the chain the API server shows', stage: 'apply', authority: true, breaks: `Clients cannot verify the API server any more: "${SAID_EXPIRED}".` },
  'cluster-ca': { title: "the cluster's certificate authority", stage: 'authentication', authority: true, breaks: 'Whatever it signed is believed no more: clients, kubelets, controllers and scheduler are Unauthorized, and nobody trusts the API server.' },
  'client-ca': { title: 'the authority client certificates are verified by', stage: 'authentication', authority: true, breaks: 'All client certificates it signed are refused: kubectl, kubelets, controllers and scheduler are Unauthorized.' },
  'admin-client': { title: "the administrator's client certificate", stage: 'authentication', kubeadm: 'admin.conf', breaks: 'kubectl with admin.conf is answered Unauthorized.' },
  'super-admin-client': { title: "the emergency administrator's client certificate", stage: 'authentication', kubeadm: 'super-admin.conf', breaks: 'kubectl with super-admin.conf is answered Unauthorized.' },
  'controller-manager-client': { title: "the controller manager's client certificate", stage: 'controllers', kubeadm: 'controller-manager.conf', breaks: 'No ReplicaSet, no pod and no endpoint is made any more, without any event: kubectl works, and nothing follows from it.' },
  'scheduler-client': { title: "the scheduler's client certificate", stage: 'scheduling', kubeadm: 'scheduler.conf', breaks: 'New pods stay Pending without any event.' },
  'controller-manager-serving': { title: "the controller manager's serving certificate", stage: undefined, breaks: 'Its metrics and health cannot be read; pods go on being created.' },
  'scheduler-serving': { title: "the scheduler's serving certificate", stage: undefined, breaks: 'Its metrics and health cannot be read; pods go on being created.' },
  'kube-proxy-client': { title: "kube-proxy's client certificate", stage: 'traffic', breaks: 'kube-proxy learns of no new endpoints: Services send traffic to pods that are gone.' },
  'kubelet-client': { title: "the kubelet's client certificate", stage: 'kubelet', breaks: 'The node becomes NotReady ("Kubelet stopped posting node status") and its pods are evicted; the kubelet is Unauthorized.' },
  'kubelet-serving': { title: "the kubelet's serving certificate", stage: undefined, breaks: 'kubectl logs, exec and port-forward, and metrics of this node fail on TLS; its pods go on running.' },
  'apiserver-kubelet-client': { title: "the API server's client certificate for kubelets", stage: undefined, kubeadm: 'apiserver-kubelet-client', breaks: 'kubectl logs, exec and port-forward are answered Unauthorized by every kubelet; pods go on running.' },
  'etcd-server': { title: "etcd's serving certificate", stage: 'persistence', kubeadm: 'etcd-server', breaks: API_DOWN },
  'etcd-peer': { title: "etcd's certificate for its peers", stage: 'persistence', kubeadm: 'etcd-peer', breaks: 'Members of etcd lose one another; without a majority nothing can be stored: "etcdserver: request timed out".' },
  'etcd-client': { title: "the API server's client certificate for etcd", stage: 'persistence', kubeadm: 'apiserver-etcd-client', breaks: API_DOWN },
  'etcd-healthcheck-client': { title: 'the client certificate of health checks of etcd', stage: undefined, kubeadm: 'etcd-healthcheck-client', breaks: 'The liveness check of etcd fails and etcd may be restarted by its kubelet.' },
  'etcd-ca': { title: "etcd's certificate authority", stage: 'persistence', authority: true, breaks: API_DOWN },
  'front-proxy-client': { title: "the API server's client certificate for aggregated APIs", stage: 'controllers', kubeadm: 'front-proxy-client', breaks: AGGREGATED },
  'front-proxy-ca': { title: 'the authority of the front proxy', stage: 'controllers', authority: true, breaks: AGGREGATED },
  'apiservice-ca': { title: 'the authority an APIService is verified by', stage: 'controllers', authority: true, breaks: AGGREGATED },
  'apiservice-serving': { title: 'the serving certificate of an aggregated API', stage: 'controllers', breaks: AGGREGATED },
  'mutating-webhook-ca': { title: 'the authority a mutating webhook is verified by', stage: 'mutating-admission', authority: true, breaks: `What the webhook must see is refused: "failed calling webhook … ${SAID_EXPIRED}". ReplicaSets report FailedCreate, no pod exists.` },
  'mutating-webhook-serving': { title: 'the serving certificate of a mutating webhook', stage: 'mutating-admission', breaks: `What the webhook must see is refused: "failed calling webhook … ${SAID_EXPIRED}". ReplicaSets report FailedCreate, no pod exists.` },
  'validating-webhook-ca': { title: 'the authority a validating webhook is verified by', stage: 'validating-admission', authority: true, breaks: `What the webhook must see is refused: "failed calling webhook … ${SAID_EXPIRED}". ReplicaSets report FailedCreate, no pod exists.` },
  'validating-webhook-serving': { title: 'the serving certificate of a validating webhook', stage: 'validating-admission', breaks: `What the webhook must see is refused: "failed calling webhook … ${SAID_EXPIRED}". ReplicaSets report FailedCreate, no pod exists.` },
  'conversion-webhook-ca': { title: 'the authority a conversion webhook is verified by', stage: 'controllers', authority: true, breaks: 'Custom resources of that kind can neither be read nor written: "conversion webhook … failed"; their operators stand still.' },
  'conversion-webhook-serving': { title: 'the serving certificate of a conversion webhook', stage: 'controllers', breaks: 'Custom resources of that kind can neither be read nor written: "conversion webhook … failed"; their operators stand still.' },
  'pod-trust-ca': { title: 'the authority pods trust the API server by', stage: 'containers', authority: true, breaks: 'Programs in pods refuse the API server: "x509: certificate signed by unknown authority"; operators and controllers in pods crash.' },
  'service-account-token': { title: 'the token of a service account', stage: 'containers', breaks: 'Whoever uses it is answered 401 Unauthorized.' },
  'bootstrap-token': { title: 'a bootstrap token', stage: 'kubelet', breaks: 'New nodes cannot join with it: kubeadm join is answered Unauthorized. Nodes that joined are not touched.' },
  'signed-request': { title: 'a certificate issued for a request', stage: undefined, breaks: 'Whoever asked for it is believed no more.' },
  'ingress-serving': { title: 'the certificate an Ingress serves', stage: 'traffic', breaks: 'Clients of its hosts refuse the connection: "certificate has expired".' },
  'gateway-serving': { title: 'the certificate a Gateway serves', stage: 'traffic', breaks: 'Clients of its hosts refuse the connection: "certificate has expired".' },
  'service-serving': { title: 'the serving certificate of a Service', stage: 'traffic', breaks: `Clients of the Service refuse the connection: "${SAID_EXPIRED}".` },
  'service-ca': { title: 'the authority of serving certificates of Services', stage: 'traffic', authority: true, breaks: `Clients refuse every Service whose certificate it signed: "${SAID_EXPIRED}".` },
  'registry-serving': { title: 'the serving certificate of a registry', stage: 'images', breaks: `Images are not pulled: ErrImagePull, "${SAID_EXPIRED}". Nodes that have the image go on.` },
  'registry-ca': { title: 'the authority a registry is verified by', stage: 'images', authority: true, breaks: 'Images are not pulled: ErrImagePull, "x509: certificate signed by unknown authority" or "has expired".' },
  'machine-config-serving': { title: 'the serving certificate of the machine config server', stage: 'kubelet', breaks: 'New nodes cannot fetch their configuration, so they never join.' },
  'issuer-ca': { title: 'an authority that signs certificates in the cluster', stage: undefined, authority: true, breaks: 'Certificates it signed are believed no more, and it cannot sign new ones.' },
  'tls-secret': { title: 'a certificate in a Secret', stage: undefined, breaks: 'Whatever mounts or serves this Secret is refused by its clients.' },
  'configmap-certificate': { title: 'a certificate in a ConfigMap', stage: undefined, breaks: 'Whatever trusts or serves it is refused or refuses.' },
  'trust-bundle-member': { title: 'a member of a bundle of public authorities', stage: undefined, authority: true, breaks: 'Nothing: the bundle has others, and its distributor takes ended ones out.' },
  'konnectivity': { title: 'the certificate of the tunnel between control plane and nodes', stage: undefined, breaks: 'kubectl logs and exec, and webhooks and aggregated APIs that are reached through the tunnel, time out.' },
  'other': { title: 'a certificate of unknown use', stage: undefined, breaks: 'Whatever serves or trusts it is refused or refuses.' },
} as const satisfies Record<string, Row>;

export type CertificateRoleId = keyof typeof ROWS;

export const CERTIFICATE_ROLES: readonly CertificateRole[] = (Object.entries(ROWS) as readonly (readonly [CertificateRoleId, Row])[]).map(([id, row]) => ({ authority: false, ...row, id }));

const BY_ID: ReadonlyMap<string, CertificateRole> = new Map(CERTIFICATE_ROLES.map((role) => [role.id, role]));

/** What is known of a role; words that are no role stand for `other`. */
export function certificateRole(id: string): CertificateRole {
  return BY_ID.get(id) ?? { ...ROWS.other, id: 'other', authority: false };
}
