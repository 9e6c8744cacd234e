import { PodcheckError } from '../../base/errors.ts';
import { asText, dig } from '../../base/json.ts';
import type { ClusterReader } from '../../model/cluster-reader.ts';
import type { Evidence } from '../../model/diagnosis.ts';
import { CLIENT_ANSWER } from '../../model/record-kinds.ts';

/** Throws for evidence that is nothing but lines of which no rule knows a word, and that have nothing to do with Kubernetes. */
export function refuseForeign(evidence: Evidence): void {
  const { facts, targets } = evidence;
  if (targets.length > 0 || facts.length === 0 || facts.some(({ kind }) => kind !== 'text') || tellsOfKubernetes(evidence)) return;
  throw new PodcheckError(
    'bad-input',
    'the evidence contains no Kubernetes output that podcheck can read',
    'Save kubectl output first: kubectl get pods,events -o json > shop.json',
  );
}

/** Whether lines of which no rule knows a word are about a cluster: somebody who asks about them is told what to look at. */
export function tellsOfKubernetes({ facts }: Evidence): boolean {
  return facts.some(({ kind, fields }) => kind === 'text' && KUBERNETES.test(String(fields['text'] ?? '')));
}

/** The same of what a client printed. */
export async function answersOfKubernetes(reader: ClusterReader): Promise<boolean> {
  const answers = await reader.list(CLIENT_ANSWER, {});
  return answers.ok && answers.value.some((answer) => KUBERNETES.test(asText(dig(answer, 'spec', 'output')) ?? ''));
}

/** Words that are no others' than Kubernetes': its components, kinds, and the reasons that its status columns show. */
const KUBERNETES =
  /\b(?:kubectl|kubelet|kubeadm|crictl|dockershim|RuntimeService|minikube|k3s|microk8s|kubernetes(?:_\w{1,60})?|PersistentVolumeClaims?|kube-(?:system|proxy|scheduler|apiserver|controller-manager)|ReplicaSets?|StatefulSets?|DaemonSets?|CrashLoopBackOff|ImagePullBackOff|ErrImagePull|ContainerCreating|ProgressDeadlineExceeded|MinimumReplicasUnavailable|MountVolume)\b|\b(?:lastTransitionTime|Last Transition Time): |\bDeployment does not have minimum availability|\b[Ww]aiting for pod \S{1,253} to be running|\b(?:UPGRADE|INSTALLATION|ROLLBACK) FAILED\b|\b(?:pre|post)-(?:install|upgrade|delete|rollback)\b|\bError from server \(\w+\)|\bhelm (?:upgrade|install)\b|\bhelm_release\b|\bHelmRelease\b|\btimed out waiting for the condition\b|\bone or more objects failed to apply\b/;
