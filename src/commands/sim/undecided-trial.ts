import type { Diagnosis, StageVerdict } from '../../model/diagnosis.ts';
import type { Gap } from '../../model/fact.ts';
import { formatRef } from '../../model/kube-object.ts';
import type { Cluster } from '../../simulator/index.ts';
import { possibleMakers } from '../../simulator/index.ts';
import type { AssumedStorage } from './assumed-storage.ts';
import { commandWord, namespaceFlag } from '../../model/placeholders.ts';

/**
 * A trial that is stopped by an object that is not there decides nothing where a program that nobody knows may create it: a Job that makes
 * a certificate, an operator. Then that stage is unknown, and so is what comes behind it.
 */
export function withoutMadeLater(diagnosis: Diagnosis, cluster: Cluster): Diagnosis {
  const [cause] = diagnosis.causes;
  const makers = cause === undefined ? [] : possibleMakers(cluster, cause.object);
  const [maker] = makers;
  if (cause === undefined || maker === undefined) return diagnosis;
  const reason = `${formatRef(maker)} may create ${formatRef(cause.object)}`;
  const gap: Gap = {
    kind: 'reference',
    about: cause.object,
    reason: `not known whether ${makers.map(formatRef).join(' or ')} creates it: only the name of the image is known`,
    needs: `kubectl${namespaceFlag(cause.object.namespace)} get ${cause.object.kind.toLowerCase()} ${commandWord(cause.object.name)}`,
  };
  const stages = diagnosis.stages.map((stage): StageVerdict =>
    stage.verdict === 'blocked' ? { ...stage, verdict: 'unknown', reason } : stage,
  );
  return { ...diagnosis, outcome: 'inconclusive', stages, causes: [], gaps: [...diagnosis.gaps, gap] };
}

/** Classes that claims name: whether the cluster has them decides. */
export function storageGaps({ named }: AssumedStorage): readonly Gap[] {
  return named.map((name) => ({
    kind: 'reference',
    about: { kind: 'StorageClass', name },
    reason: 'assumed to exist: a claim names it',
    needs: `kubectl get storageclass ${commandWord(name)}`,
  }));
}
