import { collect } from '../collect/collect.ts';
import { diagnose } from '../engine/diagnose.ts';
import { scan } from '../engine/scan.ts';
import type { ClusterReader, Scope } from '../model/cluster-reader.ts';
import type { Diagnosis, ScanResult } from '../model/diagnosis.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';

/**
 * Reads what concerns one object and says what the rules make of it: a verdict for every stage, and the ranked causes. What could not
 * be read is in `gaps`. Throws only what the reader throws: a refused read is a value.
 */
export async function diagnoseTarget(reader: ClusterReader, rules: readonly Rule[], target: ObjectRef): Promise<Diagnosis> {
  return diagnose(await collect(reader, { target, ...placeOf(target) }), rules, target);
}

/** Reads a namespace, or the whole cluster, and groups what is unhealthy by cause. */
export async function scanScope(reader: ClusterReader, rules: readonly Rule[], scope: Scope = {}): Promise<ScanResult> {
  return scan(await collect(reader, scope), rules, scope);
}

function placeOf({ namespace }: ObjectRef): Scope {
  return namespace === undefined ? {} : { namespace };
}
