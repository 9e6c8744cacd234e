import { dig } from '../../base/json.ts';
import type { Fact } from '../../model/fact.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { labelsOf, refOf, sameObject } from '../../model/kube-object.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { Milestone } from '../objects/milestones.ts';
import { milestoneFact } from '../objects/milestones.ts';
import { isReady } from '../objects/pods.ts';
import type { Scene } from '../survey/scene.ts';
import { selectorOf, selects } from './service-backends.ts';

/**
 * `milestone` facts of the last two stages: whether the Services that lead to a ready pod have it behind them, and whether somebody got
 * through. Needs the `endpoints` and `try` facts.
 */
export async function collectReach(scene: Scene, sink: FactSink): Promise<void> {
  const { target } = scene.request;
  for (const namespace of scene.namespaces) {
    const list = await scene.survey.list('Service', { namespace });
    if (!list.ok) continue;
    const complete = list.partial === undefined;
    for (const service of list.value)
      if (target?.kind === 'Service' && target.name === service.metadata.name) reach(service, [service], sink);
    for (const pod of scene.pods.filter(({ metadata }) => metadata.namespace === namespace)) {
      if (isReady(pod) !== true || dig(pod, 'status', 'phase') === 'Succeeded') continue;
      const services = list.value.filter((service) => selects(selectorOf(service), labelsOf(pod)));
      if (services.length > 0) reach(pod, services, sink);
      else if (complete) milestoneFact(pod, 'endpoints', { state: 'not-needed', reason: 'no Service selects it' }, sink);
    }
  }
}

function reach(object: KubeObject, services: readonly KubeObject[], sink: FactSink): void {
  const endpoints = endpointsMilestone(services, sink.facts);
  if (endpoints === undefined) return;
  milestoneFact(object, 'endpoints', endpoints, sink);
  if (endpoints.state !== 'passed') return;
  const about = [object, ...services].map(refOf);
  const answered = sink.facts.some(
    (fact) => fact.kind === 'try' && fact.fields['outcome'] === 'answered' && about.some((ref) => sameObject(ref, fact.about)),
  );
  milestoneFact(object, 'traffic', answered ? { state: 'passed' } : { state: 'unknown', reason: 'not tested' }, sink);
}

/** Undefined when what stands behind one of them was not seen. */
function endpointsMilestone(services: readonly KubeObject[], facts: readonly Fact[]): Milestone | undefined {
  let empty: string | undefined;
  for (const service of services) {
    const seen = facts.find(({ kind, about }) => kind === 'endpoints' && sameObject(about, refOf(service)));
    if (seen === undefined) return undefined;
    if (seen.fields['ready'] === 0) empty ??= service.metadata.name;
  }
  return empty === undefined ? { state: 'passed' } : { state: 'waiting', reason: `no address behind Service ${empty} is ready` };
}
