import { sameObject } from '../../model/kube-object.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import { nodeServices, serviceQuote } from '../placement/nodes/node-services.ts';
import type { Scene } from '../survey/scene.ts';

/**
 * `proxy` facts: nodes whose kube-proxy is stopped, and Services whose address is dead although their pods answer. Needs the `try` facts.
 */
export async function collectProxies(scene: Scene, sink: FactSink): Promise<void> {
  for (const one of await nodeServices(scene)) {
    const { node, service, active, sub, running, lines } = one;
    if (service !== 'kube-proxy' || running !== false) continue;
    const state = `${active}${sub === undefined ? '' : ` (${sub})`}`;
    sink.fact(
      'proxy',
      { kind: 'Node', name: node },
      { state: 'stopped', detail: `the service on node ${node} is ${state}` },
      serviceQuote(one, `Active: ${state}`, one.fromJournal ? lines.slice(-1) : []),
    );
  }
  const tries = sink.facts.filter(({ kind }) => kind === 'try');
  for (const dead of tries.filter(({ about, fields }) => about.kind === 'Service' && fields['outcome'] === 'timeout')) {
    const answering = tries.find(
      ({ about, fields }) =>
        about.kind === 'Pod' &&
        fields['outcome'] === 'answered' &&
        about.namespace === dead.about.namespace &&
        sink.facts.some((fact) => fact.kind === 'backend' && fact.fields['service'] === dead.about.name && sameObject(fact.about, about)),
    );
    if (answering === undefined) continue;
    const detail = `Service ${dead.about.name} at ${String(dead.fields['host'])} times out, and pod ${answering.about.name} behind it answers at its own address`;
    sink.fact('proxy', dead.about, { state: 'not-forwarding', detail }, { source: dead.source, quote: dead.quote });
  }
}
