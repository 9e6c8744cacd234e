import { diagnoseTarget } from '../../src/library/diagnose-target.ts';
import { examine } from '../../src/library/examine.ts';
import type { ClusterReader } from '../../src/model/cluster-reader.ts';
import type { Cause, Diagnosis, Target } from '../../src/model/diagnosis.ts';
import { formatRef } from '../../src/model/kube-object.ts';
import type { Rule } from '../../src/model/rule.ts';

/**
 * Objects of which a scan of the cluster and a diagnosis by name say different things: what a scan blames something for has that as its
 * cause, and what it calls healthy is healthy, unless the same cause reaches it (a server that cannot be reached at all).
 */
export async function disagreements(reader: ClusterReader, rules: readonly Rule[]): Promise<readonly string[]> {
  const { evidence, scan } = await examine(reader, rules, {});
  const { causes } = scan();
  const different: string[] = [];
  for (const target of evidence.targets) {
    const blaming = causes.filter((cause) => concerns(cause, target));
    const diagnosis = await diagnoseTarget(reader, rules, target.ref);
    if (!agree(target, diagnosis, blaming, causes))
      different.push(
        `${formatRef(target.ref)}: the scan names ${rulesOf(blaming)}, diagnose says ${diagnosis.outcome} ${rulesOf(diagnosis.causes)}`,
      );
  }
  return different;
}

function agree(
  { state, reason }: Target,
  { outcome, causes: [first] }: Diagnosis,
  blaming: readonly Cause[],
  all: readonly Cause[],
): boolean {
  if (blaming.length > 0) return blaming.some(({ rule }) => rule === first?.rule);
  // What its own spec keeps from running is a cause for whoever asks.
  if (first !== undefined) return all.some(({ rule }) => rule === first.rule) || (state === 'healthy' && reason !== undefined);
  return state !== 'healthy' || outcome === 'healthy';
}

function concerns({ object, workload, affected }: Cause, { ref, members }: Target): boolean {
  const own = new Set([ref, ...members].map(formatRef));
  return [object, ...(workload === undefined ? [] : [workload]), ...affected].some((one) => own.has(formatRef(one)));
}

function rulesOf(causes: readonly Cause[]): string {
  return causes.length === 0 ? 'nothing' : causes.map(({ rule }) => rule).join(', ');
}
