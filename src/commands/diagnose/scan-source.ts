import type { Examination } from '../../library/examine.ts';
import { examine } from '../../library/examine.ts';
import { diagnoseTarget } from '../../library/diagnose-target.ts';
import type { ClusterReader, Scope } from '../../model/cluster-reader.ts';
import type { Evidence, ScanResult } from '../../model/diagnosis.ts';
import { OBSERVED } from '../../model/kube-object.ts';
import type { Rule } from '../../model/rule.ts';

/**
 * What a scan makes of a source. Whoever prints one object that is not well asks about it: where the scan by itself names no cause, it
 * names what a diagnosis of that object does.
 */
export async function scanSource(
  reader: ClusterReader,
  rules: readonly Rule[],
  scope: Scope,
): Promise<{ readonly evidence: Evidence; readonly result: ScanResult }> {
  const examination = await examine(reader, rules, scope);
  const { evidence } = examination;
  const result = examination.scan();
  const asked = result.causes.length > 0 ? undefined : await onlyPrinted(reader, examination);
  if (asked === undefined) return { evidence, result };
  const { causes } = await diagnoseTarget(reader, rules, asked);
  const unexplained = causes.length === 0 ? result.unexplained : [];
  return { evidence, result: { ...result, counts: { ...result.counts, unexplained: unexplained.length }, causes, unexplained } };
}

/** The only object that is not well, where it is known from a printed text. */
async function onlyPrinted(
  reader: ClusterReader,
  { evidence: { targets } }: Examination,
): Promise<Evidence['targets'][number]['ref'] | undefined> {
  const [only, ...more] = targets.filter(({ state }) => state === 'unhealthy' || state === 'progressing');
  if (reader.stored !== true || only === undefined || more.length > 0) return undefined;
  const read = await reader.get(only.ref);
  return read.ok && read.value[OBSERVED] !== undefined ? only.ref : undefined;
}
