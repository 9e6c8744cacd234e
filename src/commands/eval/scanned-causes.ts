import { examine } from '../../library/examine.ts';
import type { ClusterReader } from '../../model/cluster-reader.ts';
import type { Cause } from '../../model/diagnosis.ts';
import type { Rule } from '../../model/rule.ts';
import { refuseForeign } from '../diagnose/refuse-foreign.ts';

/** What `podcheck scan` names. Evidence that has nothing of Kubernetes is a PodcheckError. */
export async function scannedCauses(reader: ClusterReader, rules: readonly Rule[]): Promise<readonly Cause[]> {
  const { evidence, scan } = await examine(reader, rules, {});
  const { causes } = scan();
  if (causes.length === 0) refuseForeign(evidence);
  return causes;
}
