import { asList, asText, dig } from '../../base/json.ts';
import { unseenIn } from '../../model/cluster-reader.ts';
import type { KubeObject, ObjectRef } from '../../model/kube-object.ts';
import { formatRef, inNamespace, refOf, shows } from '../../model/kube-object.ts';
import type { FactSink } from '../survey/fact-sink.ts';
import type { Scene } from '../survey/scene.ts';
import type { Survey } from '../survey/survey.ts';

/**
 * `route` facts of Ingresses that have no address and name a class that does not exist: no controller serves them. An address or an event
 * shows that a controller does, even without the class.
 */
export async function classFacts(scene: Scene, sink: FactSink): Promise<void> {
  const { request, survey, others } = scene;
  const ingresses = request.target === undefined ? await survey.seen('Ingress', inNamespace(request.namespace)) : others;
  const waiting = ingresses.filter(hasNoAddress);
  if (waiting.length === 0) return;
  const classes = await survey.list('IngressClass', {});
  if (!classes.ok || unseenIn(classes) !== undefined) return;
  const names = classes.value.map(({ metadata }) => metadata.name);
  for (const ingress of waiting) {
    const name = classOf(ingress) ?? '';
    const ref = refOf(ingress);
    if (names.includes(name) || (await mayHaveEvents(ref, survey))) continue;
    sink.fact(
      'route',
      ref,
      { gateway: `Ingress/${ref.name}`, wrong: 'class', class: name, offers: names.length === 0 ? undefined : names.join(', ') },
      {
        source: `${formatRef(ref)} spec.ingressClassName`,
        quote: `${name}; IngressClasses: ${names.length === 0 ? 'none' : names.join(', ')}`,
      },
    );
  }
}

async function mayHaveEvents(ref: ObjectRef, survey: Survey): Promise<boolean> {
  const events = await survey.eventsAbout(ref);
  return events.ok ? events.value.length > 0 : !survey.stored;
}

function hasNoAddress(ingress: KubeObject): boolean {
  const isUntaken = shows(ingress, 'status.loadBalancer.ingress') && asList(dig(ingress, 'status', 'loadBalancer', 'ingress')).length === 0;
  return ingress.kind === 'Ingress' && classOf(ingress) !== undefined && isUntaken;
}

function classOf(ingress: KubeObject): string | undefined {
  return asText(dig(ingress, 'spec', 'ingressClassName'));
}
