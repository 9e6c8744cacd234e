import { PodcheckError } from '../../base/errors.ts';
import { asText, dig } from '../../base/json.ts';
import { shippedRules } from '../../catalog/bundled-data.ts';
import { collect } from '../../collect/collect.ts';
import { rootedDiagnosis } from '../../library/root-behind.ts';
import { examine, requestAbout } from '../../library/examine.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { sameObject } from '../../model/kube-object.ts';
import type { Rule } from '../../model/rule.ts';
import type { Scenario } from '../../model/scenario.ts';
import type { RunReport } from '../../report/simulation/run-text.ts';
import type { Cluster } from '../../simulator/index.ts';
import { firstApplied, withStored } from './applied-object.ts';
import { withSeenTraffic } from './seen-traffic.ts';
import { withoutMadeLater } from './undecided-trial.ts';

/** What a played scenario is asked about. */
interface Chosen {
  readonly target: ObjectRef;
  readonly others: RunReport['others'];
  /** What else was applied and is healthy. */
  readonly healthy: readonly ObjectRef[];
}

/** So many objects that are not well are looked at for one whose cause is certain. */
const LOOKED_AT = 10;

/** The diagnosis of what was chosen. In a trial, something else that is not well comes first where only of that the cause is certain. */
export async function judged(
  { target: first, others }: Chosen,
  scenario: Scenario,
  cluster: Cluster,
  { rules, isTrial }: { readonly rules: readonly Rule[]; readonly isTrial: boolean },
): Promise<{ readonly diagnosis: Diagnosis; readonly others: RunReport['others'] }> {
  const diagnosed = async (target: ObjectRef): Promise<{ readonly known: Diagnosis; readonly decided: Diagnosis }> => {
    const reader = cluster.reader();
    const own = await examine(reader, rules, requestAbout(target, scenario.expect?.scan));
    const known = await rootedDiagnosis(own, target, { reader, rules });
    const one = own.evidence.targets.find(({ ref }) => sameObject(ref, target));
    const decided = isTrial ? withoutMadeLater(known, cluster) : known;
    return { known, decided: withSeenTraffic(withStored(decided, cluster), one, cluster) };
  };
  const { known, decided } = await diagnosed(first);
  if (known.outcome !== 'explained' || decided.outcome === 'explained') return { diagnosis: decided, others };
  for (const { ref } of others.slice(0, LOOKED_AT)) {
    const { decided: other } = await diagnosed(ref);
    if (other.outcome !== 'explained') continue;
    const rest = others.filter((one) => one.ref !== ref);
    return { diagnosis: other, others: [{ ref: first, reason: known.reason ?? 'unhealthy' }, ...rest] };
  }
  return { diagnosis: decided, others };
}

/**
 * What the scenario asks about, or of what was applied the first that is not well; else the one thing in the cluster that is not. Beside it
 * what else of it is not well.
 */
export async function targetOf(
  cluster: Cluster,
  scenario: Scenario,
  { isTrial, namespace }: { readonly isTrial: boolean; readonly namespace: string | undefined },
): Promise<Chosen> {
  if (scenario.expect?.target !== undefined) return { target: scenario.expect.target, others: [], healthy: [] };
  const own = scenario.expect === undefined ? workloadsOf(scenario) : [];
  const { targets } = await collect(cluster.reader(), namespace === undefined ? {} : { namespace }, await shippedRules());
  const unwell = targets.filter(({ state }) => state !== 'healthy');
  const mine = own.flatMap((ref) => unwell.find((one) => sameObject(one.ref, ref)) ?? []);
  const target =
    mine[0]?.ref ?? (isTrial ? undefined : unwell[0]?.ref) ?? own[0] ?? (isTrial ? firstApplied(scenario, cluster) : undefined);
  if (target === undefined)
    throw new PodcheckError('bad-input', 'the simulated cluster has no object to diagnose', 'apply a workload, a pod or a Service');
  const healthy = own.filter((ref) => targets.some((one) => one.state === 'healthy' && sameObject(one.ref, ref)));
  return {
    target,
    others: mine.slice(1).map(({ ref, reason }) => ({ ref, reason: reason ?? 'unhealthy' })),
    healthy: healthy.filter((ref) => !sameObject(ref, target)),
  };
}

/** What runs pods or leads to them among what was applied, in the order it was. */
export function workloadsOf({ steps }: Scenario): readonly ObjectRef[] {
  return steps.flatMap((step) =>
    step.do !== 'apply'
      ? []
      : step.documents.flatMap((document): readonly ObjectRef[] => {
          const [kind, name] = [asText(document['kind']) ?? '', asText(dig(document, 'metadata', 'name'))];
          return name !== undefined && WORKLOADS.includes(kind)
            ? [{ kind, namespace: asText(dig(document, 'metadata', 'namespace')) ?? step.namespace ?? 'default', name }]
            : [];
        }),
  );
}

const WORKLOADS: readonly string[] = ['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job', 'ReplicaSet', 'Pod', 'Service'];
