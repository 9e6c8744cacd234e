import { PodcheckError } from '../../base/errors.ts';
import type { ClusterReader } from '../../model/cluster-reader.ts';
import type { Cause } from '../../model/diagnosis.ts';
import type { Rule } from '../../model/rule.ts';
import type { CommandContext } from '../context.ts';
import { openEvidence } from '../diagnose/open-evidence.ts';
import { refuseForeign } from '../diagnose/refuse-foreign.ts';
import { scanSource } from '../diagnose/scan-source.ts';
import type { SourceOptions } from '../options.ts';
import type { EvalCase } from './cases.ts';

/** What `podcheck scan` names. Evidence that has nothing of Kubernetes is a PodcheckError. */
export async function scannedCauses(reader: ClusterReader, rules: readonly Rule[]): Promise<readonly Cause[]> {
  const {
    evidence,
    result: { causes },
  } = await scanSource(reader, rules, {});
  if (causes.length === 0) refuseForeign(evidence);
  return causes;
}

/** What `podcheck scan` names for the case; undefined for evidence that cannot be read: that is a miss, not the end. */
export async function causesOfCase(
  { folder, name }: EvalCase,
  rules: readonly Rule[],
  now: SourceOptions['now'],
  context: CommandContext,
): Promise<readonly Cause[] | undefined> {
  try {
    const opened = await openEvidence(
      { from: [folder], ...(now === undefined ? {} : { now }) },
      { ...context, note: () => undefined },
      { looseTexts: true, rules },
    );
    return await scannedCauses(opened.reader, rules);
  } catch (error) {
    if (!(error instanceof PodcheckError)) throw error;
    context.note(`${name}: ${error.message}\n`);
    return undefined;
  }
}
