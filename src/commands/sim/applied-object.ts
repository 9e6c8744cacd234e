import { asText, dig } from '../../base/json.ts';
import type { Diagnosis, StageVerdict } from '../../model/diagnosis.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import type { Scenario } from '../../model/scenario.ts';
import type { StageId } from '../../model/stage.ts';
import { stageOrder } from '../../model/stage.ts';
import type { Cluster } from '../../simulator/index.ts';

/** The first object of the manifests, whatever it is, in the namespace it goes to. */
export function firstApplied({ steps }: Scenario, { server }: Cluster): ObjectRef | undefined {
  for (const step of steps) {
    const [object] = step.do === 'apply' && step.manifest !== undefined ? step.documents : [];
    const [kind, name] = [asText(object?.['kind']), asText(dig(object, 'metadata', 'name'))];
    if (step.do !== 'apply' || kind === undefined || name === undefined) continue;
    const namespace = asText(dig(object, 'metadata', 'namespace')) ?? step.namespace ?? 'default';
    return server.resources.named(kind)?.namespaced === false ? { kind, name } : { kind, namespace, name };
  }
  return undefined;
}

/** What runs no pods and leads to none is well when it is stored: there is nothing else of it to be looked at. */
export function withStored(diagnosis: Diagnosis, { server, store }: Cluster): Diagnosis {
  const { kind, namespace, name } = diagnosis.target;
  const resource = server.resources.named(kind);
  const isUnknown =
    diagnosis.outcome === 'inconclusive' && diagnosis.stages.every(({ id, verdict }) => isStoring(id) || verdict === 'unknown');
  if (!isUnknown || resource === undefined || store.get(resource.key, namespace, name) === undefined) return diagnosis;
  const stages = diagnosis.stages.map(({ id }): StageVerdict =>
    isStoring(id) ? { id, verdict: 'passed' } : { id, verdict: 'not-reached', reason: 'this kind of object runs no pods' },
  );
  return { ...diagnosis, outcome: 'healthy', stages, gaps: [] };
}

function isStoring(id: StageId): boolean {
  return stageOrder(id) <= stageOrder('persistence');
}
