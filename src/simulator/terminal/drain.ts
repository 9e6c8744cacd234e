import { asItems } from '../apiserver/lists.ts';
import { asList, asText, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { controllerOf } from '../../model/kube-object.ts';
import { failureWords } from '../kubectl.ts';
import type { CommandAnswer } from './command.ts';
import type { KubectlSession } from './kubectl-session.ts';

/**
 * `kubectl drain --ignore-daemonsets --delete-emptydir-data`, given up after its first round when a pod may not be evicted.
 * Source: staging/src/k8s.io/kubectl/pkg/drain/{drain,filters}.go.
 */
export function drain(node: string, session: KubectlSession): CommandAnswer {
  const cordoned = session.send({ verb: 'patch', group: '', version: 'v1', resource: 'nodes', name: node, patch: { type: 'strategic', body: { spec: { unschedulable: true } } } });
  if (!cordoned.ok) return { output: failureWords(cordoned, ''), exitCode: 1 };
  const lines = [`node/${node} cordoned`];
  const listed = session.send({ verb: 'list', group: '', version: 'v1', resource: 'pods', fieldSelector: `spec.nodeName=${node}` });
  if (!listed.ok) return { output: [...lines, failureWords(listed, '')].join('\n'), exitCode: 1 };
  const pods = asItems(listed.object).filter((pod) => !isMirror(pod));
  const ignored = pods.filter(isOfDaemonSet);
  if (ignored.length > 0) lines.push(`Warning: ignoring DaemonSet-managed Pods: ${ignored.map((pod) => `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`).join(', ')}`);
  const evicted = pods.filter((pod) => !isOfDaemonSet(pod));
  lines.push(...evicted.map((pod) => `evicting pod ${pod.metadata.namespace ?? ''}/${pod.metadata.name}`));
  const failures = evicted.flatMap((pod) => evict(pod, session) ?? []);
  lines.push(...failures);
  if (failures.length > 0) return { output: lines.join('\n'), exitCode: 130 };
  lines.push(...evicted.map((pod) => `pod/${pod.metadata.name} evicted`), `node/${node} drained`);
  return { output: lines.join('\n'), exitCode: 0 };
}

/** What kubectl says when the pod may not go; undefined when it does. */
function evict(pod: KubeObject, session: KubectlSession): string | undefined {
  const { name, namespace = '' } = pod.metadata;
  const answer = session.send({ verb: 'create', group: '', version: 'v1', resource: 'pods', subresource: 'eviction', namespace, name, body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } } });
  if (answer.ok || answer.code === 404) return undefined;
  return answer.code === 429 ? `error when evicting pods/"${name}" -n "${namespace}" (will retry after 5s): ${answer.message}` : `error when evicting pods/"${name}" -n "${namespace}": ${answer.message}`;
}

function isMirror(pod: KubeObject): boolean {
  return dig(pod, 'metadata', 'annotations', 'kubernetes.io/config.mirror') !== undefined;
}

function isOfDaemonSet(pod: KubeObject): boolean {
  return controllerOf(pod)?.kind === 'DaemonSet' || asList(dig(pod, 'metadata', 'ownerReferences')).some((owner) => asText(dig(owner, 'kind')) === 'DaemonSet');
}
