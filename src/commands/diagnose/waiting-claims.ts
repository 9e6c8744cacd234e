import { dig } from '../../base/json.ts';
import { diagnoseTarget } from '../../library/diagnose-target.ts';
import type { ClusterReader } from '../../model/cluster-reader.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import type { KubeObject } from '../../model/kube-object.ts';
import { refOf } from '../../model/kube-object.ts';
import type { Rule } from '../../model/rule.ts';

/** More claims than these mostly wait for one and the same reason. */
const MAX_CLAIMS = 5;

/** The diagnosis of a stored claim that has no volume and a known cause, also where no pod was seen that uses it. */
export async function diagnosisOfClaim(reader: ClusterReader, rules: readonly Rule[]): Promise<Diagnosis | undefined> {
  for (const claim of (await waitingClaims(reader)).slice(0, MAX_CLAIMS)) {
    const diagnosis = await diagnoseTarget(reader, rules, refOf(claim));
    if (diagnosis.outcome === 'explained') return diagnosis;
  }
  return undefined;
}

async function waitingClaims(reader: ClusterReader): Promise<readonly KubeObject[]> {
  const list = reader.stored === true ? await reader.list('PersistentVolumeClaim', {}) : undefined;
  return list?.ok === true ? list.value.filter((claim) => dig(claim, 'status', 'phase') === 'Pending') : [];
}
