import { collect } from '../collect/collect.ts';
import type { ClusterReader } from '../model/cluster-reader.ts';
import type { Evidence } from '../model/diagnosis.ts';
import type { ObjectRef } from '../model/kube-object.ts';
import type { Rule } from '../model/rule.ts';

// Of podcheck's insides, the types of the library show no more than a program needs.

/** What is asked about: one target, or everything in a namespace, or in all of them. */
export interface CollectRequest {
  readonly target?: ObjectRef;
  readonly namespace?: string;
}

/**
 * Looks at a cluster, or at one target in it, and says what was seen (facts) and what could not be (gaps). What texts mean is read with
 * the wordings of the rules. Never throws for the cluster's trouble.
 */
export async function collectEvidence(reader: ClusterReader, request: CollectRequest, rules: readonly Rule[]): Promise<Evidence> {
  return collect(reader, request, rules);
}
