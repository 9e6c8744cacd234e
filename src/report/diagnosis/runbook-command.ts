import type { Cause } from '../../model/diagnosis.ts';
import type { ObjectRef } from '../../model/kube-object.ts';
import { formatRef, sameObject } from '../../model/kube-object.ts';
import { isWorkloadKind } from '../../model/workload-kinds.ts';
import { resourceOfKind } from '../../model/resources.ts';
import { commandLine } from '../format/kubectl-words.ts';

/** Where the cluster is that was looked at: flags of the command that said it, to be given again. */
export type SourceFlags = readonly string[];

/**
 * The command that goes through the playbook of a cause, for what was asked about or else for what suffers from it. Parameters of a
 * playbook that a cause gives are taken from it when the run begins. In words as a shell takes them.
 */
export function runbookCommand(
  { playbook, workload, object }: Cause,
  asked: ObjectRef | undefined,
  flags: SourceFlags,
): readonly string[] | undefined {
  if (playbook === undefined) return undefined;
  // What stops another workload, which this one calls, is put right there.
  const isCaller = asked !== undefined && workload !== undefined && isWorkloadKind(asked.kind) && !sameObject(asked, workload);
  const candidates = isCaller ? [workload, asked, object] : [asked, workload, object];
  const target = candidates.find((ref) => ref !== undefined && resourceOfKind(ref.kind) !== undefined);
  return ['podcheck', 'runbook', 'run', playbook, target === undefined ? 'cluster' : formatRef(target), ...flags].map((word) =>
    commandLine([word]),
  );
}
