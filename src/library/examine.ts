import { collect } from '../collect/collect.ts';
import { diagnose, diagnoseWithin } from '../engine/diagnose.ts';
import { scan } from '../engine/scan.ts';
import type { ClusterReader, Scope } from '../model/cluster-reader.ts';
import type { Diagnosis, Evidence, ScanResult } from '../model/diagnosis.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';

/** What is read: one object and all that it depends on, or everything of a scope; without both the whole cluster. */
export interface ExamineRequest extends Scope {
  readonly target?: ObjectRef;
}

/** What was seen of a cluster at one moment, and what the rules make of it. */
export interface Examination {
  readonly evidence: Evidence;
  /** A verdict for every stage of one object, and its ranked causes. */
  readonly diagnosisOf: (target: ObjectRef) => Diagnosis;
  /** The same of what was read about a scope: only the causes that concern the object count. */
  readonly diagnosisWithin: (target: ObjectRef) => Diagnosis;
  /** What is unhealthy in the scope, grouped by cause. */
  readonly scan: () => ScanResult;
}

/**
 * The way of every diagnosis: reads the cluster once, and judges what was read. Throws only what the reader throws: a refused read is a
 * value.
 */
export async function examine(reader: ClusterReader, rules: readonly Rule[], request: ExamineRequest): Promise<Examination> {
  return examined(await collect(reader, request, rules), rules, request.namespace === undefined ? {} : { namespace: request.namespace });
}

/** The same for evidence that was read before. */
export function examined(evidence: Evidence, rules: readonly Rule[], scope: Scope = {}): Examination {
  let scanned: ScanResult | undefined;
  return {
    evidence,
    diagnosisOf: (target) => diagnose(evidence, rules, target),
    diagnosisWithin: (target) => diagnoseWithin(evidence, rules, target),
    scan: () => (scanned ??= scan(evidence, rules, scope)),
  };
}

/** What there is to read about one object; `wide`, all of its namespace or of the cluster, where its trouble shows only there. */
export function requestAbout(target: ObjectRef, wide?: 'namespace' | 'cluster'): ExamineRequest {
  const place = target.namespace === undefined || wide === 'cluster' ? {} : { namespace: target.namespace };
  return wide === undefined ? { target, ...place } : place;
}
