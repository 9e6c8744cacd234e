/** The stages in the order a pod meets them, and the component that answers for each. */
export const STAGES = [
  { id: 'apply', component: 'client', question: 'Did a well-formed request reach the API server?' },
  { id: 'authentication', component: 'kube-apiserver', question: 'Who is asking?' },
  { id: 'authorization', component: 'kube-apiserver', question: 'May they, the user and the controllers?' },
  { id: 'mutating-admission', component: 'kube-apiserver', question: 'Did mutating plugins and webhooks accept and complete it?' },
  { id: 'schema-validation', component: 'kube-apiserver', question: 'Is the object valid?' },
  { id: 'validating-admission', component: 'kube-apiserver', question: 'Do policies and quota allow it?' },
  { id: 'persistence', component: 'etcd', question: 'Was it stored?' },
  { id: 'controllers', component: 'kube-controller-manager', question: 'Did the owners create the pod?' },
  { id: 'scheduling', component: 'kube-scheduler', question: 'Was a node found and bound?' },
  { id: 'kubelet', component: 'kubelet', question: 'Is the node alive and did its kubelet accept the pod?' },
  { id: 'volumes', component: 'kubelet, CSI', question: 'Are all volumes attached and mounted?' },
  { id: 'sandbox', component: 'CRI', question: 'Was the pod sandbox created?' },
  { id: 'network', component: 'CNI', question: 'Did it get its network?' },
  { id: 'images', component: 'kubelet, registry', question: 'Was every image pulled?' },
  { id: 'containers', component: 'CRI', question: 'Did init and main containers start, and do they stay up?' },
  { id: 'probes', component: 'kubelet', question: 'Do startup, readiness and liveness probes pass?' },
  { id: 'endpoints', component: 'EndpointSlice controller', question: 'Is it behind its Services, on the right port?' },
  { id: 'traffic', component: 'kube-proxy, DNS, NetworkPolicy', question: 'Would a client reach it?' },
] as const;

export type StageId = (typeof STAGES)[number]['id'];

export const STAGE_IDS: readonly StageId[] = STAGES.map(({ id }) => id);

/** Position on the pod's way; earlier stages are smaller. */
export function stageOrder(stage: StageId): number {
  return STAGE_IDS.indexOf(stage);
}

export function isStage(text: string): text is StageId {
  return (STAGE_IDS as readonly string[]).includes(text);
}

/** `unknown` means podcheck could not look; it is never taken for passed or blocked. */
export type Verdict = 'passed' | 'blocked' | 'waiting' | 'unknown' | 'not-reached';
