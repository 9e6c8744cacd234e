import { parseInstant } from '../../../base/instant.ts';
import { asNumber, asText, dig } from '../../../base/json.ts';
import type { KubeObject, ObjectRef } from '../../../model/kube-object.ts';
import { objectKey, refOf } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import { isReady } from '../../objects/pods.ts';
import type { Scene } from '../../survey/scene.ts';
import { nodeServices, serviceQuote } from './node-services.ts';

/** `control-plane` facts about one component: from its lease, its static pods and its service on the nodes, wherever these can be read. */
export async function componentFacts(component: string, scene: Scene, sink: FactSink): Promise<void> {
  for (const one of await nodeServices(scene)) {
    const { node, service, active, running, since, lines } = one;
    if (service !== component) continue;
    sink.fact(
      'control-plane',
      { kind: 'Node', name: node },
      { component, running, via: 'service', node, sinceSeconds: seconds(since, scene) },
      serviceQuote(one, `${service}.service Active: ${active}`, one.fromJournal ? lines.slice(-1) : []),
    );
  }
  const ref: ObjectRef = { kind: 'Lease', namespace: 'kube-system', name: component };
  const lease = await scene.survey.get(ref);
  if (lease.ok) leaseFact(component, lease.value, scene, sink);
  for (const pod of await scene.survey.seen('Pod', { namespace: 'kube-system', labelSelector: `component=${component}` }))
    podFact(component, pod, sink);
}

/** A holder renews every few seconds; after four durations without that it is surely gone. */
const LEASES_MISSED = 4;

function leaseFact(component: string, lease: KubeObject, scene: Scene, sink: FactSink): void {
  const renewed = parseInstant(dig(lease, 'spec', 'renewTime'));
  const [holder, duration] = [
    asText(dig(lease, 'spec', 'holderIdentity')) ?? '',
    asNumber(dig(lease, 'spec', 'leaseDurationSeconds')) ?? 15,
  ];
  if (renewed === undefined) return;
  const age = seconds(renewed, scene) ?? 0;
  const running = holder !== '' && age <= duration * LEASES_MISSED;
  sink.fact(
    'control-plane',
    refOf(lease),
    { component, running, via: 'lease', sinceSeconds: age },
    { source: objectKey(lease), quote: `holder ${holder === '' ? 'none' : holder}, renewed ${String(age)}s ago`, at: renewed },
  );
}

function podFact(component: string, pod: KubeObject, sink: FactSink): void {
  const ready = isReady(pod);
  if (ready === undefined) return;
  const node = asText(dig(pod, 'spec', 'nodeName'));
  sink.fact(
    'control-plane',
    refOf(pod),
    { component, running: ready, via: 'pod', node },
    { source: `${objectKey(pod)} status`, quote: `ready: ${String(ready)}` },
  );
}

function seconds(since: number | undefined, scene: Scene): number | undefined {
  return since === undefined ? undefined : Math.max(0, Math.round((scene.survey.now() - since) / 1000));
}
