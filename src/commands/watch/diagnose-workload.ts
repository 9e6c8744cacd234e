import type { LiveCluster } from '../../clusters/live/open-live.ts';
import { diagnoseTarget } from '../../library/diagnose-target.ts';
import { rootedDiagnosis } from '../../library/root-behind.ts';
import { examine, requestAbout } from '../../library/examine.ts';
import type { ClusterReader, Unread } from '../../model/cluster-reader.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import type { Rule } from '../../model/rule.ts';
import type { DueLook } from '../../watch/casebook.ts';
import { isUsable } from '../diagnose/connection-answer.ts';

/** Requests for one look at a workload, and for one at its namespace, too, which is made only where the first named no cause. */
const REQUESTS = { near: 25, wide: 100 };

/** A diagnosis of one workload; undefined where the cluster could not be asked: what it says then is no answer. Never rejects. */
export async function diagnoseWorkload(
  cluster: LiveCluster,
  rules: readonly Rule[],
  { ref, thorough }: DueLook,
): Promise<Diagnosis | undefined> {
  const reader = limited(cluster, thorough ? REQUESTS.wide : REQUESTS.near);
  try {
    const diagnosis = thorough
      ? await diagnoseTarget(reader, rules, ref)
      : await rootedDiagnosis(await examine(reader, rules, requestAbout(ref)), ref, { reader, rules });
    if (diagnosis.outcome !== 'inconclusive') return diagnosis;
    return isUsable(await cluster.probe()) ? diagnosis : undefined;
  } catch {
    return undefined;
  }
}

/** Reads no more once so many requests were sent; the rest is told as not seen. */
function limited({ reader, counts }: Pick<LiveCluster, 'reader' | 'counts'>, most: number): ClusterReader {
  const begun = counts().requests;
  const refusal: Unread = { ok: false, why: 'failed', detail: `The limit of ${most} requests for one diagnosis was reached.` };
  const isOver = (): boolean => counts().requests - begun >= most;
  return {
    get: (ref) => (isOver() ? Promise.resolve(refusal) : reader.get(ref)),
    list: (kind, scope) => (isOver() ? Promise.resolve(refusal) : reader.list(kind, scope)),
    logs: (pod, container, options) => (isOver() ? Promise.resolve(refusal) : reader.logs(pod, container, options)),
    now: () => reader.now(),
  };
}
