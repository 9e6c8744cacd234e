import { asList, asText, asTextMap, dig } from '../../base/json.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { labelsOf, objectKey, refOf } from '../../model/kube-object.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { Scene } from '../survey/scene.ts';
import { selectorOf, selects } from './service-backends.ts';

/** `network-policy` facts: pods behind a Service that policies close to everybody. Rules are a union: one open policy is enough. */
export async function collectNetworkPolicies(scene: Scene, sink: FactSink): Promise<void> {
  for (const namespace of scene.namespaces) {
    const list = await scene.survey.list('NetworkPolicy', { namespace });
    if (!list.ok || list.value.length === 0) continue;
    const services = await scene.survey.seen('Service', { namespace });
    for (const pod of scene.within(namespace).pods.filter(scene.isJudged)) {
      const service = services.find((candidate) => selects(selectorOf(candidate), labelsOf(pod)));
      const closing = list.value.filter((policy) => isForIngress(policy) && covers(policy, pod));
      const [first] = closing;
      if (first === undefined || service === undefined || closing.some((policy) => asList(dig(policy, 'spec', 'ingress')).length > 0))
        continue;
      const names = closing.map(({ metadata }) => metadata.name).toSorted();
      sink.fact(
        'network-policy',
        refOf(pod),
        { policy: first.metadata.name, policies: names.join(', '), service: service.metadata.name },
        { source: `${objectKey(first)} spec`, quote: `policyTypes: Ingress, ingress: <none>; selects ${pod.metadata.name}` },
      );
    }
  }
}

/** Without policyTypes a policy is for ingress. Source: pkg/apis/networking/v1/defaults.go. */
function isForIngress(policy: KubeObject): boolean {
  const types = asList(dig(policy, 'spec', 'policyTypes')).map((type) => asText(type));
  return types.length === 0 || types.includes('Ingress');
}

function covers(policy: KubeObject, pod: KubeObject): boolean {
  const labels = labelsOf(pod);
  if (asList(dig(policy, 'spec', 'podSelector', 'matchExpressions')).length > 0) return false;
  return Object.entries(asTextMap(dig(policy, 'spec', 'podSelector', 'matchLabels'))).every(([key, value]) => labels[key] === value);
}
