import { asList, asText, dig } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef, refOf } from '../../model/kube-object.ts';
import { APPLIED_MANIFEST } from '../../model/record-kinds.ts';
import type { FactSink } from '../fact-sink.ts';
import type { Scene } from '../scene.ts';
import { templateOf } from '../workloads.ts';

/** `dns` facts: pods and templates that do not simply use the cluster's DNS (`dnsPolicy: None`). */
export async function collectDns(scene: Scene, sink: FactSink): Promise<void> {
  const manifests = await scene.survey.list(APPLIED_MANIFEST, {});
  const told = new Set<string>();
  for (const object of [...scene.workloads, ...scene.pods]) {
    const ref = scene.workloadOf(refOf(object)) ?? refOf(object);
    const applied = (manifests.ok ? manifests.value : []).map((manifest) => dig(manifest, 'spec', 'object')).find((other) => dig(other, 'kind') === ref.kind && dig(other, 'metadata', 'name') === ref.name);
    for (const spec of [object.kind === 'Pod' ? dig(object, 'spec') : dig(templateOf(object), 'spec'), dig(applied, 'spec', 'template', 'spec')]) {
      if (dig(spec, 'dnsPolicy') !== 'None' || told.has(formatRef(ref))) continue;
      told.add(formatRef(ref));
      await dnsFact(ref, spec, scene, sink);
    }
  }
}

async function dnsFact(ref: ObjectRef, spec: Json | undefined, scene: Scene, sink: FactSink): Promise<void> {
  const nameservers = asList(dig(spec, 'dnsConfig', 'nameservers')).map(String);
  const kubeDns = await scene.survey.get({ kind: 'Service', namespace: 'kube-system', name: 'kube-dns' });
  const address = kubeDns.ok ? asText(dig(kubeDns.value, 'spec', 'clusterIP')) : undefined;
  sink.fact(
    'dns',
    ref,
    { policy: 'None', nameservers: nameservers.join(', '), clusterDns: address === undefined ? undefined : nameservers.includes(address) },
    { source: `${formatRef(ref)} dnsConfig`, quote: `dnsPolicy: None, nameservers: ${nameservers.join(', ') || '<none>'}` },
  );
}
