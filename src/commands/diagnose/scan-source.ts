import type { Examination } from '../../library/examine.ts';
import { examine, SAMPLED_FROM } from '../../library/examine.ts';
import { diagnoseTarget } from '../../library/diagnose-target.ts';
import type { ClusterReader, Scope } from '../../model/cluster-reader.ts';
import type { Evidence, ScanResult } from '../../model/diagnosis.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
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
  sampledFrom: number = SAMPLED_FROM,
): Promise<{ readonly evidence: Evidence; readonly result: ScanResult }> {
  const examination = await examine(reader, rules, { ...scope, sampledFrom });
  const { evidence } = examination;
  const result = examination.scan();
  const asked =
    result.causes.length > 0 ? undefined : ((await onlyPrinted(reader, examination)) ?? (await onlyInactive(reader, examination)));
  if (asked === undefined) return { evidence, result };
  const { causes } = await diagnoseTarget(reader, rules, asked);
  const unexplained = causes.length === 0 ? result.unexplained : [];
  const { inactive: _, starting: __, ...rest } = result;
  const kept = causes.length > 0 ? rest : result;
  return { evidence, result: { ...kept, counts: { ...result.counts, unexplained: unexplained.length }, causes, unexplained } };
}

/** The only object of a printed text, where its own spec keeps it from running: who prints it asks why it does not. */
export async function onlyInactive(reader: ClusterReader, { evidence: { targets } }: Examination): Promise<ObjectRef | undefined> {
  const [only, ...more] = targets;
  const isInactive = only?.state === 'healthy' && only.reason !== undefined && more.length === 0;
  return isInactive && (await isPrinted(reader, only.ref)) ? only.ref : undefined;
}

/** The only object that is not well, where it is known from a printed text. */
async function onlyPrinted(reader: ClusterReader, { evidence: { targets } }: Examination): Promise<ObjectRef | undefined> {
  const [only, ...more] = targets.filter(({ state }) => state === 'unhealthy' || state === 'progressing');
  return only !== undefined && more.length === 0 && (await isPrinted(reader, only.ref)) ? only.ref : undefined;
}

async function isPrinted(reader: ClusterReader, ref: ObjectRef): Promise<boolean> {
  if (reader.stored !== true) return false;
  const read = await reader.get(ref);
  return read.ok && read.value[OBSERVED] !== undefined;
}
