import type { StoredEvidence } from '../../clusters/memory-reader.ts';
import { recorder } from '../../clusters/recorder.ts';
import { diagnoseTarget } from '../../library/diagnose-target.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import type { Rule } from '../../model/rule.ts';
import { diagnosed } from '../diagnose/diagnose.ts';
import type { OpenedEvidence } from '../diagnose/open-evidence.ts';
import { scanSource } from '../diagnose/scan-source.ts';

/** Objects that are diagnosed one by one besides the scan: what each of them needs is in the snapshot, too. */
const MOST_DIAGNOSED = 100;

export interface RecordedLook {
  readonly evidence: StoredEvidence;
  /** The object it is about; undefined where it is about a namespace or the cluster. */
  readonly target: ObjectRef | undefined;
  /** Unhealthy objects that were not diagnosed one by one, as there are too many. */
  readonly left: number;
}

/** Looks at one object, or at all of the scope, as a diagnosis would, and keeps all answers. */
export async function recordLook(
  opened: OpenedEvidence,
  rules: readonly Rule[],
  word: string | undefined,
  say: (doing: string) => void,
): Promise<RecordedLook> {
  const recording = recorder(opened.reader);
  const { reader } = recording;
  if (word !== undefined) {
    say(`diagnosing ${word}`);
    const { target } = await diagnosed({ ...opened, reader }, rules, { word });
    return { evidence: recording.evidence(), target, left: 0 };
  }
  say('scanning');
  const scope = opened.namespace === undefined ? {} : { namespace: opened.namespace };
  const { evidence: seen } = await scanSource(reader, rules, scope);
  const unhealthy = seen.targets.filter(({ state }) => state !== 'healthy');
  for (const [index, { ref }] of unhealthy.slice(0, MOST_DIAGNOSED).entries()) {
    say(`diagnosing object ${String(index + 1)} of ${String(unhealthy.length)}`);
    await diagnoseTarget(reader, rules, ref);
  }
  return { evidence: recording.evidence(), target: undefined, left: Math.max(0, unhealthy.length - MOST_DIAGNOSED) };
}
