import type { ClusterReader, Scope } from '../model/cluster-reader.ts';
import type { Diagnosis, Evidence, ScanResult } from '../model/diagnosis.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import { formatRef } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';
import { rootedDiagnosis } from './root-behind.ts';
import { examine, requestAbout, SAMPLED_FROM } from './examine.ts';

/**
 * Reads what concerns one object and says what the rules make of it: a verdict for every stage, and the ranked causes. Where that names
 * no cause, all of its namespace is read, and of a snapshot that is not vast all of the cluster: a cause may show at its callers alone.
 * What could not be read is in `gaps`. Throws only what the reader throws: a refused read is a value.
 */
export async function diagnoseTarget(reader: ClusterReader, rules: readonly Rule[], target: ObjectRef): Promise<Diagnosis> {
  const own = await examine(reader, rules, requestAbout(target));
  const near = await rootedDiagnosis(own, target, { reader, rules });
  if (near.causes.length > 0 || (near.outcome === 'inconclusive' && reader.stored !== true)) return near;
  // Around what has no namespace there is nothing but all of the cluster.
  if (target.namespace === undefined && target.kind !== 'Namespace' && reader.stored !== true) return near;
  // What others say about it shows only where they are looked at, too.
  const request = requestAbout(target, reader.stored === true && reader.vast !== true ? 'cluster' : 'namespace');
  const wide = await examine(reader, rules, { ...request, sampledFrom: SAMPLED_FROM, odd: podsSeen(own.evidence) }, own.survey);
  const beside = wide.diagnosisWithin(target);
  return beside.causes.length === 0 ? near : beside;
}

/** None of the pods that were looked at for the target is left to one that is like it. */
function podsSeen({ facts }: Evidence): ReadonlySet<string> {
  return new Set(facts.flatMap(({ kind, about }) => (kind === 'pod' ? [formatRef(about)] : [])));
}

/** Reads a namespace, or the whole cluster, and groups what is unhealthy by cause. */
export async function scanScope(reader: ClusterReader, rules: readonly Rule[], scope: Scope = {}): Promise<ScanResult> {
  return (await examine(reader, rules, { ...scope, sampledFrom: SAMPLED_FROM })).scan();
}
