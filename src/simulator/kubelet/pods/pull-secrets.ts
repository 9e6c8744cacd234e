import { asList, asText, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import type { Routine } from '../../time/routine.ts';
import { PULL_SECRETS_MISSING } from '../kubelet-messages.ts';
import type { KubeletParts } from '../kubelet-parts.ts';

/** Says which pull secrets of a pod are not there; the pull is tried without them. Source: pkg/kubelet/kubelet_pods.go (getPullSecretsForPod). */
export function* checkPullSecrets(pod: KubeObject, { host, objects }: KubeletParts): Routine {
  const missing: string[] = [];
  for (const entry of asList(dig(pod, 'spec', 'imagePullSecrets'))) {
    const name = asText(dig(entry, 'name')) ?? '';
    const found = yield* objects.get({ kind: 'Secret', namespace: pod.metadata.namespace ?? '', name });
    if (!found.ok) missing.push(name);
  }
  if (missing.length > 0)
    host.events.event(pod, { type: 'Warning', reason: 'FailedToRetrieveImagePullSecret', message: PULL_SECRETS_MISSING(missing) });
}
