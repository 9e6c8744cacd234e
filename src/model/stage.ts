/** The stages in the order a pod meets them, and the component that answers for each. */
export const STAGES = [
  { id: 'apply', component: 'client', question: 'Did a well-formed request reach the API server?' },
  { id: 'authentication', component: 'kube-apiserver', question: "Are the client's credentials valid?" },
  { id: 'authorization', component: 'kube-apiserver', question: 'Does RBAC allow the request?' },
  { id: 'mutating-admission', component: 'kube-apiserver', question: 'Did mutating plugins and webhooks accept the object?' },
  { id: 'schema-validation', component: 'kube-apiserver', question: 'Is the object valid?' },
  { id: 'validating-admission', component: 'kube-apiserver', question: 'Do admission policies and quotas allow the object?' },
  { id: 'persistence', component: 'etcd', question: 'Was the object stored in etcd?' },
  { id: 'controllers', component: 'kube-controller-manager', question: 'Did the controllers create the pods?' },
  { id: 'scheduling', component: 'kube-scheduler', question: 'Was the pod bound to a node?' },
  { id: 'kubelet', component: 'kubelet', question: 'Is the node Ready, and did its kubelet accept the pod?' },
  { id: 'volumes', component: 'kubelet, CSI', question: 'Are all volumes attached and mounted?' },
  { id: 'sandbox', component: 'CRI', question: 'Was the pod sandbox created?' },
  { id: 'network', component: 'CNI', question: 'Is the pod network set up?' },
  { id: 'images', component: 'kubelet, registry', question: 'Were all images pulled?' },
  { id: 'containers', component: 'CRI', question: 'Did the containers start, and do they keep running?' },
  { id: 'probes', component: 'kubelet', question: 'Do startup, readiness and liveness probes succeed?' },
  { id: 'endpoints', component: 'EndpointSlice controller', question: 'Do the EndpointSlices of its Services list the pod?' },
  { id: 'traffic', component: 'kube-proxy, DNS, NetworkPolicy', question: 'Can clients reach the pod?' },
] as const;

export type StageId = (typeof STAGES)[number]['id'];

export const STAGE_IDS: readonly StageId[] = STAGES.map(({ id }) => id);

/** Position in the order of the stages; earlier stages are smaller. */
export function stageOrder(stage: StageId): number {
  return STAGE_IDS.indexOf(stage);
}

export function isStage(text: string): text is StageId {
  return (STAGE_IDS as readonly string[]).includes(text);
}

/** `unknown` means that podcheck could not check the stage; it never counts as passed or blocked. */
export type Verdict = 'passed' | 'blocked' | 'waiting' | 'unknown' | 'not-reached';

/**
 * How long a pod is at a stage that takes its time in a healthy cluster: a busy scheduler, attaching a volume, pulling an image, starting
 * an application. At all others it is answered at once.
 */
export const NORMAL_SECONDS: Partial<Readonly<Record<StageId, number>>> = {
  scheduling: 15,
  volumes: 60,
  sandbox: 30,
  network: 30,
  images: 300,
  containers: 60,
  probes: 60,
};
