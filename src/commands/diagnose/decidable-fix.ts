import type { ClusterReader } from '../../model/cluster-reader.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';

/** Causes whose alternatives a clone can decide: it places pods and counts quotas as the cluster does, but binds volumes anew. */
const DECIDABLE = /^scheduling\/(?!claim-)|^validating-admission\/(?:quota-|limit-range-)/;
/** Of more than that no clone is made unless it is asked for: that takes seconds. */
const MOST_PODS = 500;
const MOST_NODES = 50;

/**
 * Whether the alternatives of the first cause are tried in clones: where somebody asks for it, and without that where the evidence is at
 * hand and small. Other reads of a live cluster than a diagnosis needs are not made unasked.
 */
export async function isTried(
  { causes: [cause] }: Diagnosis,
  wanted: boolean | undefined,
  { reader, isAtHand }: { readonly reader: ClusterReader; readonly isAtHand: boolean },
): Promise<boolean> {
  if (cause === undefined || !DECIDABLE.test(cause.rule) || wanted === false) return false;
  if (wanted === true) return true;
  return isAtHand && (await isFew(reader, 'Node', MOST_NODES)) && (await isFew(reader, 'Pod', MOST_PODS));
}

/** Without a list of them there is nothing to clone. */
async function isFew(reader: ClusterReader, kind: string, most: number): Promise<boolean> {
  const list = await reader.list(kind, {});
  return list.ok && list.value.length <= most;
}
