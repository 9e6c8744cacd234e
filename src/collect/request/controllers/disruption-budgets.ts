import { asNumber, asTextMap, asWritten, dig } from '../../../base/json.ts';
import type { KubeObject } from '../../../model/kube-object.ts';
import { formatRef, refOf } from '../../../model/kube-object.ts';
import type { FactSink } from '../../survey/fact-sink.ts';
import type { Scene } from '../../survey/scene.ts';
import { selects, templateLabels } from '../../serving/service-backends.ts';

/** A `budget` fact for the PodDisruptionBudgets of namespaces where an eviction was refused: nobody else is hindered by one. */
export async function collectDisruptionBudgets(scene: Scene, sink: FactSink): Promise<void> {
  const refused = sink.facts.filter(({ kind, fields }) => kind === 'refusal' && fields['reason'] === 'disruption-budget');
  for (const namespace of new Set(refused.flatMap(({ about }) => about.namespace ?? []))) {
    const list = await scene.survey.list('PodDisruptionBudget', { namespace });
    if (!list.ok) sink.gap('budget', { kind: 'PodDisruptionBudget', namespace, name: '*' }, list);
    for (const budget of list.ok ? list.value : []) budgetFact(budget, scene, sink);
  }
}

function budgetFact(budget: KubeObject, scene: Scene, sink: FactSink): void {
  const ref = refOf(budget);
  const status = (field: string): number | undefined => asNumber(dig(budget, 'status', field));
  const [least, most] = [dig(budget, 'spec', 'minAvailable'), dig(budget, 'spec', 'maxUnavailable')];
  const rule = least !== undefined ? `minAvailable: ${asWritten(least) ?? '?'}` : `maxUnavailable: ${asWritten(most) ?? '?'}`;
  const covered = scene.workloads.find(
    (workload) =>
      scene.workloadOf(refOf(workload))?.name === workload.metadata.name &&
      workload.metadata.namespace === ref.namespace &&
      selects(asTextMap(dig(budget, 'spec', 'selector', 'matchLabels')), templateLabels(workload)),
  );
  sink.fact(
    'budget',
    ref,
    {
      budget: `${ref.kind}/${ref.name}`,
      allowed: status('disruptionsAllowed'),
      healthy: status('currentHealthy'),
      needed: status('desiredHealthy'),
      expected: status('expectedPods'),
      rule,
      covers: covered === undefined ? undefined : `${covered.kind}/${covered.metadata.name}`,
    },
    {
      source: formatRef(ref),
      quote: `${rule}; currentHealthy ${shown(status('currentHealthy'))}, desiredHealthy ${shown(status('desiredHealthy'))}, disruptionsAllowed ${shown(status('disruptionsAllowed'))}`,
    },
  );
}

function shown(count: number | undefined): string {
  return count === undefined ? '?' : String(count);
}
