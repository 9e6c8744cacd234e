import { collect } from '../collect/collect.ts';
import type { CollectRequest } from '../collect/survey/scene.ts';
import { Survey } from '../collect/survey/survey.ts';
import { diagnose, diagnoseWithin } from '../engine/diagnose.ts';
import { oddPods } from '../engine/odd-pods.ts';
import { scan } from '../engine/scan.ts';
import type { ClusterReader, Scope } from '../model/cluster-reader.ts';
import type { Diagnosis, Evidence, ScanResult } from '../model/diagnosis.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';

/** What is read: one object and all that it depends on, or everything of a scope; without both the whole cluster. */
export interface ExamineRequest extends Scope, Pick<CollectRequest, 'sampledFrom' | 'odd'> {
  readonly target?: ObjectRef;
}

/** A scan of a scope of so many pods and more looks at one of those that are plain and alike: what it finds is the same. */
export const SAMPLED_FROM = 1000;

/** What was seen of a cluster at one moment, and what the rules make of it. */
export interface Examination {
  readonly evidence: Evidence;
  /** All that was read, for a further look in which nothing of it is read again; left out of evidence that was read before. */
  readonly survey?: Survey;
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
export async function examine(
  reader: ClusterReader,
  rules: readonly Rule[],
  request: ExamineRequest,
  survey: Survey = new Survey(reader, rules),
): Promise<Examination> {
  const evidence = await sampled(reader, rules, request, survey);
  return { ...examined(evidence, rules, request.namespace === undefined ? {} : { namespace: request.namespace }), survey };
}

/** Looks at the pods one by one for which others stood, where something depends on these. */
async function sampled(reader: ClusterReader, rules: readonly Rule[], request: ExamineRequest, survey: Survey): Promise<Evidence> {
  let evidence = await collect(reader, request, rules, survey);
  const odd = new Set<string>(request.odd);
  for (let round = 1; ; round++) {
    const more = oddPods(evidence, rules);
    if (more.size === 0) return evidence;
    for (const key of more) odd.add(key);
    const { sampledFrom, ...rest } = request;
    // Whatever keeps turning up, an answer from all pods needs no sample.
    evidence = await collect(reader, round < ROUNDS && sampledFrom !== undefined ? { ...rest, sampledFrom, odd } : rest, rules, survey);
  }
}

const ROUNDS = 4;

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
  const own = target.kind === 'Namespace' ? target.name : target.namespace;
  const place = own === undefined || wide === 'cluster' ? {} : { namespace: own };
  return wide === undefined ? { target, ...place } : place;
}
