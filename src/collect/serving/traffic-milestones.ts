import { dig } from '../../base/json.ts';
import { grouped } from '../../base/lists.ts';
import type { Fact } from '../../model/fact.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { formatRef, labelsOf, objectKey } from '../../model/kube-object.ts';
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
  const served = servedIn(sink.facts);
  for (const namespace of scene.namespaces) {
    const list = await scene.survey.list('Service', { namespace });
    if (!list.ok) continue;
    const complete = list.partial === undefined;
    for (const service of list.value)
      if (target?.kind === 'Service' && target.name === service.metadata.name) reach(service, [service], served, sink);
    const selecting = servicesByLabel(list.value);
    for (const pod of scene.within(namespace).pods.filter(scene.isJudged)) {
      if (isReady(pod) !== true || dig(pod, 'status', 'phase') === 'Succeeded') continue;
      const services = selecting(labelsOf(pod));
      if (services.length > 0) reach(pod, services, served, sink);
      else if (complete) milestoneFact(pod, 'endpoints', { state: 'not-needed', reason: 'no Service selects it' }, sink);
    }
  }
}

/** Services that select what has some labels, in their order: all of a namespace are not gone through for each of its pods. */
function servicesByLabel(services: readonly KubeObject[]): (labels: Readonly<Record<string, string>>) => readonly KubeObject[] {
  const byLabel = grouped(services.entries(), ([, service]) => labelText(Object.entries(selectorOf(service))[0] ?? ['', '']));
  return (labels) =>
    Object.entries(labels)
      .flatMap((label) => byLabel.get(labelText(label)) ?? [])
      .filter(([, service]) => selects(selectorOf(service), labels))
      .toSorted(([a], [b]) => a - b)
      .map(([, service]) => service);
}

function labelText([key, value]: readonly [string, string]): string {
  return `${key}=${value}`;
}

/** The facts that tell how far requests get, by the objects they are about. */
interface Served {
  readonly endpoints: ReadonlyMap<string, Fact>;
  readonly answered: ReadonlySet<string>;
}

function servedIn(facts: readonly Fact[]): Served {
  const endpoints = new Map<string, Fact>();
  const answered = new Set<string>();
  for (const fact of facts) {
    const key = formatRef(fact.about);
    if (fact.kind === 'endpoints' && !endpoints.has(key)) endpoints.set(key, fact);
    if (fact.kind === 'try' && fact.fields['outcome'] === 'answered') answered.add(key);
  }
  return { endpoints, answered };
}

function reach(object: KubeObject, services: readonly KubeObject[], served: Served, sink: FactSink): void {
  const endpoints = endpointsMilestone(services, served);
  if (endpoints === undefined) return;
  milestoneFact(object, 'endpoints', endpoints, sink);
  if (endpoints.state !== 'passed') return;
  const answered = [object, ...services].some((one) => served.answered.has(objectKey(one)));
  milestoneFact(object, 'traffic', answered ? { state: 'passed' } : { state: 'unknown', reason: 'not tested' }, sink);
}

/** Undefined when what stands behind one of them was not seen. */
function endpointsMilestone(services: readonly KubeObject[], { endpoints }: Served): Milestone | undefined {
  let empty: string | undefined;
  for (const service of services) {
    const seen = endpoints.get(objectKey(service));
    if (seen === undefined) return undefined;
    if (seen.fields['ready'] === 0) empty ??= service.metadata.name;
  }
  return empty === undefined ? { state: 'passed' } : { state: 'waiting', reason: `no address behind Service ${empty} is ready` };
}
