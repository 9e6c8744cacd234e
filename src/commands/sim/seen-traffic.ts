import type { Diagnosis, StageVerdict, Target } from '../../model/diagnosis.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import type { Cluster, ServiceReach } from '../../simulator/index.ts';
import { reachOfServices } from '../../simulator/index.ts';

/**
 * In a simulated cluster it can be tried whether a client would reach what was asked about, which nobody did in the evidence: the
 * last stage says so then. What cannot be reached and no rule explains is not healthy.
 */
export function withSeenTraffic(diagnosis: Diagnosis, target: Target | undefined, cluster: Cluster): Diagnosis {
  const { stages } = diagnosis;
  if (target === undefined || stages.at(-1)?.verdict !== 'unknown') return diagnosis;
  const pods = [target.ref, ...target.members].flatMap(({ kind, namespace, name }): readonly KubeObject[] => {
    const pod = kind === 'Pod' ? cluster.store.get('pods', namespace, name) : undefined;
    return pod === undefined ? [] : [pod];
  });
  const reached = reachOfServices(cluster.world, cluster.store, pods);
  if (reached.length === 0) return diagnosis;
  const troubles = reached.flatMap(({ trouble }) => trouble ?? []);
  const dead = troubles.find(({ policy }) => policy === undefined);
  const outcome = dead !== undefined && diagnosis.outcome === 'healthy' ? 'unexplained' : diagnosis.outcome;
  const last = trafficStage(dead ?? troubles[0]);
  return { ...diagnosis, outcome, stages: stages.map((stage) => (stage.id === last.id ? last : stage)) };
}

/** A policy may well let in whom it is for: who has no labels is kept out, and it is not known who should not be. */
function trafficStage(trouble: ServiceReach['trouble']): StageVerdict {
  if (trouble === undefined) return { id: 'traffic', verdict: 'passed' };
  return trouble.policy === undefined
    ? { id: 'traffic', verdict: 'blocked', reason: trouble.why }
    : { id: 'traffic', verdict: 'unknown', reason: `it depends on the client: ${trouble.why}` };
}
