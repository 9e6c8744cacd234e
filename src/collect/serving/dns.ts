import { asList, asText, dig } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef, refOf, sameObject } from '../../model/kube-object.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { Scene } from '../survey/scene.ts';
import { appliedAs } from '../request/answers/manifests.ts';
import { templateOf } from '../objects/workloads.ts';

/** `dns` facts: pods and templates that do not simply use the cluster's DNS. */
export async function collectDns(scene: Scene, sink: FactSink): Promise<void> {
  const told = new Set<string>();
  for (const object of [...scene.workloads, ...scene.judged]) {
    const ref = scene.workloadOf(refOf(object)) ?? refOf(object);
    // The template of a ReplicaSet below a Deployment may be an old one.
    if (object.kind !== 'Pod' && !sameObject(ref, refOf(object))) continue;
    const live = object.kind === 'Pod' ? dig(object, 'spec') : dig(templateOf(object), 'spec');
    // What was applied tells only where the object itself was not seen whole: it may have been changed since.
    const spec = dig(live, 'dnsPolicy') === undefined ? dig((await appliedAs(ref, scene)).at(-1), 'spec', 'template', 'spec') : live;
    if (!isOfItsOwn(spec) || told.has(formatRef(ref))) continue;
    told.add(formatRef(ref));
    await dnsFact(ref, spec, scene, sink);
  }
}

/**
 * Whether the pod uses other name servers than the cluster's: its own, or those of its node, which ClusterFirst means in the network of the
 * node. Source: pkg/kubelet/network/dns/dns.go (getPodDNSType).
 */
function isOfItsOwn(spec: Json | undefined): boolean {
  const policy = dig(spec, 'dnsPolicy');
  return policy === 'None' || policy === 'Default' || (policy === 'ClusterFirst' && dig(spec, 'hostNetwork') === true);
}

async function dnsFact(ref: ObjectRef, spec: Json | undefined, scene: Scene, sink: FactSink): Promise<void> {
  const nameservers = asList(dig(spec, 'dnsConfig', 'nameservers')).map(String);
  const kubeDns = await scene.survey.get({ kind: 'Service', namespace: 'kube-system', name: 'kube-dns' });
  const address = kubeDns.ok ? asText(dig(kubeDns.value, 'spec', 'clusterIP')) : undefined;
  const policy = asText(dig(spec, 'dnsPolicy'));
  const hostNetwork = dig(spec, 'hostNetwork') === true;
  sink.fact(
    'dns',
    ref,
    {
      policy,
      hostNetwork,
      nameservers: nameservers.join(', '),
      clusterDns: address === undefined ? undefined : nameservers.includes(address),
    },
    {
      source: `${formatRef(ref)} ${policy === 'None' ? 'dnsConfig' : 'spec'}`,
      quote: `dnsPolicy: ${policy ?? ''}, ${policy === 'None' ? `nameservers: ${nameservers.join(', ') || '<none>'}` : `hostNetwork: ${String(hostNetwork)}`}`,
    },
  );
}
